"""What one viewer sees of a table: the only way from a table to a screen, so that nothing else can leak."""

from collections import Counter as Tally
from fractions import Fraction
from itertools import groupby

from tablee.core.kind import no_reason
from tablee.core.scene import Scene
from tablee.core.state import Chance, Decision, State
from tablee.locale import words as door_words
from tablee.tables import view_types as v
from tablee.tables.levels import levels
from tablee.tables.opening import standing
from tablee.tables.payloads import Revealed, Said, Threw, payload_as
from tablee.tables.refused import Refused
from tablee.tables.scene_views import scene_view
from tablee.tables.table import Table
from tablee.tables.talking import PHRASES, REACTIONS, free_text
from tablee.tables.telling import ending, event_sentences, name, shown_state, sign
from tablee.tables.tokens import Actor
from tablee.tables.trails import moved, trails
from tablee.tables.values import Phase, Reason, Sitter, Step

# How many events back the sentences reach.
LAST = 12


def view(table: Table, viewer: Actor, language: str = "fr", now: float | None = None, at: int | None = None) -> v.View:
    """Return the table as a viewer sees it: a holder of seats, or a watcher (`Refused` where watching needs a link).

    `now` is for the clocks. `at` looks back: the board as it was after that event; nothing can be played there.
    """
    if not table.may_watch(viewer):
        raise Refused("token", "no watching")
    you = table.held_by(viewer)
    step = step_at(table, at)
    past = at is not None and step is not (table.steps[-1] if table.steps else None)
    state = step.state if step else shown_state(table)
    scene = state.scene(language)
    return v.View(
        table=table.id,
        seq=table.seq,
        hash=table.hash,
        at=step.seq if step else 0,
        past=past,
        game=table.game.slug,
        title=table.game.kind.words(language)("title"),
        options=dict(table.game.options),
        phase=table.phase,
        terms=terms(table),
        match=match(table),
        seats=seats(table, language, now),
        you=list(you),
        opener=table.opened_by(viewer),
        aim=aim(table, state, you, language),
        verdict=verdict(table, you),
        harder=harder(table, you),
        node=node(table, state, language),
        scene=scene_view(scene),
        trails=trails(table.steps[: table.steps.index(step) + 1], scene, language) if step else [],
        hint=hint(table, language),
        position=table.game.dump(state) if step else "",
        legal=[] if past else legal(table, state, scene.marked(()), you, language),
        record=record(table),
        sentences=sentences(table, language),
        throw=last_throw(table),
        asks=asks(table, you, language),
        chat=chat(table, language),
        result=result(table, language),
        dice=dice(table),
        next=table.next,
    )


def step_at(table: Table, at: int | None) -> Step | None:
    """Return the last step up to an event, or the last one."""
    if at is None or not table.steps:
        return table.steps[-1] if table.steps else None
    return next((step for step in reversed(table.steps) if step.seq <= at), table.steps[0])


def hint(table: Table, language: str) -> v.HintView | None:
    """Return the hint shown last, while it is about the position on the board: its touches, and why."""
    if not table.hints or not table.steps or table.result:
        return None
    seq, seat, tokens = table.hints[-1]
    if seq < max(table.steps[-1].seq, table.rewritten):
        return None
    state, token = table.steps[-1].state, tokens.split()[0]
    kind, scene = state.game.kind, state.scene(language).marked(())
    action = state.game.parse(token, seat)
    after = state.play(action, seat)
    reason = kind.reason(state.game, state.position, action, after.position)
    why = kind.words(language).say(reason) if reason else ""
    ways, touches = list(moved(scene, after.scene(language), kind.passes)), list(kind.touches(state.game, scene, token))
    return v.HintView(seat, token, touches, ways, outcome(state, action, language), why)


def terms(table: Table) -> v.TermsView:
    """Return how the table is kept."""
    agreed = table.terms
    clock = v.ClockTermsView(agreed.clock.kind, agreed.clock.base, agreed.clock.add) if agreed.clock else None
    return v.TermsView(clock, agreed.sitting, agreed.watching, agreed.chat, agreed.hints, agreed.starts, table.game.rules)


def match(table: Table) -> v.MatchView:
    """Return how the match stands, this game counted once it is over."""
    won, shared, points = standing(table, table.result)
    return v.MatchView(table.match.id, table.match.number, table.match.previous, list(won), list(shared), list(points))


def seats(table: Table, language: str, now: float | None) -> list[v.SeatView]:
    """Return the seats."""
    return [seat_view(table, number, language, now) for number in range(table.game.seats)]


def seat_view(table: Table, number: int, language: str, now: float | None) -> v.SeatView:
    """Return one seat."""
    seat, state = table.seats[number], table.state
    shown = state or shown_state(table)
    words, key = table.game.kind.words(language), shown.seat_key(number)
    goal = table.game.kind.goal(table.game, shown.position, number)
    return v.SeatView(
        seat=number,
        sign=words(key),
        look=key,
        name=name(seat, language),
        kind=seat.player,
        level=seat.level,
        left=seat.left,
        contributed=seat.contributed,
        score=int(state.position.score(number)) if state else 0,
        count=goal.count,
        of=goal.of,
        state=words.say(goal.state) if state and goal.state else "",
        asked=number in table.asked,
        clock=clock(table, number, now),
        hints=sum(1 for _, hinted, _ in table.hints if hinted == number) if table.hints else 0,
    )


def aim(table: Table, state: State, you: tuple[int, ...], language: str) -> str:
    """Return what the viewer aims for, in one sentence; a watcher is told what the seat to act aims for."""
    asked = table.asked or (0,)
    seat = next((number for number in asked if number in you), you[0] if you else asked[0])
    message = table.game.kind.goal(table.game, state.position, seat).aim
    return table.game.kind.words(language).say(message) if message else ""


def verdict(table: Table, you: tuple[int, ...]) -> str:
    """Return how the game ended for a viewer; empty for a watcher, for people who played each other at one screen, and without a result."""
    result = table.result
    if result is None or not you or result.reason in (Reason.ABANDONED, Reason.EXPIRED):
        return ""
    if table.game.kind.together:
        return "won" if result.winners else "lost"
    if len(result.winners) == table.game.seats:
        return "drew"
    mine = {seat in result.winners for seat in you}
    return "" if len(mine) > 1 else "won" if True in mine else "lost"


def harder(table: Table, you: tuple[int, ...]) -> str:
    """Return the level above that of the programs which a viewer has just played against, if there is one."""
    programs = [seat.level for seat in table.seats if seat.player == Sitter.PROGRAM]
    known = levels(table.game.kind)
    if table.result is None or not you or not programs or any(level not in known for level in programs):
        return ""
    above = max(known.index(level) for level in programs) + 1
    return known[above] if above < len(known) else ""


def clock(table: Table, number: int, now: float | None) -> v.ClockView | None:
    """Return what a seat has left, and whether its clock runs."""
    if table.clock is None or table.seats[number].player == Sitter.PROGRAM:
        return None
    running = number in table.clock.since and table.phase == Phase.PLAYING and table.awake
    left = table.clock.left_at(number, now) if running and now is not None else table.clock.left[number]
    return v.ClockView(max(0, left), running)


def node(table: Table, state: State, language: str) -> v.NodeView:
    """Return who acts next, and the sentence that asks for it."""
    doors = door_words(language)
    if table.result:
        return v.NodeView("over", [], " ".join(ending(table, language)))
    if table.phase != Phase.PLAYING:
        ready = all(seat.player != Sitter.NOBODY for seat in table.seats)
        return v.NodeView("waiting", [], doors("ask ready" if ready else "ask waiting"))
    match state.node:
        case Decision(asked, ask):
            return v.NodeView("decision", list(asked), table.game.kind.words(language).say(ask))
        case Chance():
            return v.NodeView("chance", [state.turn], "")
    return v.NodeView("over", [], doors("ask over"))


def legal(table: Table, state: State, bare: Scene, you: tuple[int, ...], language: str) -> list[v.LegalView]:
    """Return every action that the viewer may play; `bare` is the board without marks."""
    if table.phase != Phase.PLAYING or not set(table.asked).intersection(you):
        return []
    return [action for number in table.asked if number in you for action in playable(state, number, bare, language)]


def playable(state: State, seat: int, bare: Scene, language: str, refused: tuple[int, ...] = ()) -> list[v.LegalView]:
    """Return every legal action of a seat with the touches that lead to it, then those that are listed although they are `refused`.

    What no cell leads to has the sentence of its `button`; so has what the game has words for (`button .`). Where the same
    touches lead to several actions, `said` tells them apart.
    """
    game = state.game
    known = {cell.name for cell in bare.cells}
    buttons = game.kind.words(language).sentences
    find, warns = game.kind.touches, game.kind.warning is not no_reason
    touched = [(action, token := game.notate(action), find(game, bare, token)) for action in (*state.legal(seat), *refused)]
    often = Tally(touches for _, _, touches in touched) if len({touches for _, _, touches in touched}) < len(touched) else {}
    actions: list[v.LegalView] = []
    for action, token, touches in touched:
        button = said = ""
        if f"button {token}" in buttons:
            button = buttons[f"button {token}"]
        elif action in refused:
            pass  # nothing can be told of what it does
        elif known.isdisjoint(touches):
            button = outcome(state, action, language)
        elif often and often[touches] > 1:
            said = outcome(state, action, language)
        warned = warning(state, action, language) if warns and action not in refused else ""
        actions.append(v.LegalView(seat, token, touches, button, said, warned))
    return actions


def warning(state: State, action: int, language: str) -> str:
    """Return what an action gives away for good, if its game defines such warnings."""
    kind = state.game.kind
    message = kind.warning(state.game, state.position, action, state.play(action).position)
    return kind.words(language).say(message) if message else ""


def outcome(state: State, action: int, language: str) -> str:
    """Return the first sentence of what an action would do."""
    kind = state.game.kind
    after = state.play(action)
    return " ".join(kind.words(language).say(message) for message in kind.tell(state.game, state.position, action, after.position)[:1])


def record(table: Table, first: int = 1) -> list[v.TurnView]:
    """Return the turns played; those from the turn of step `first` on."""
    first = max(1, first)
    while 1 < first < len(table.steps) and table.steps[first - 1].state.mover == table.steps[first].state.mover:
        first -= 1
    turns: list[v.TurnView] = []
    before = table.steps[first - 1].seq if table.steps else 0
    for mover, steps in groupby(table.steps[first:], key=lambda step: step.state.mover):
        turn = list(steps)
        last = turn[-1].seq
        throws = [step.kind == Threw.kind for step in turn]
        turns.append(
            v.TurnView(
                mover,
                [step.token for step in turn],
                last,
                seqs=[step.seq for step in turn] if len(turn) > 1 else [],
                throws=throws if any(throws) else [],
                hints=[tokens for seq, hinted, tokens in table.hints if hinted == mover and before < seq < last],
            )
        )
        before = last
    return turns


def sentences(table: Table, language: str, after: int = -1) -> list[v.SentenceView]:
    """Return what happened last, oldest first; only what came after an event."""
    return [
        v.SentenceView(event.seq, event.kind, event.seat, text, event.at)
        for event in table.events[max(len(table.events) - LAST, after + 1) :]
        for text in event_sentences(table, event, language)
        if text
    ]


def last_throw(table: Table) -> v.ThrowView | None:
    """Return the last throw with its exact odds, and those of every other that could have come."""
    at = next((n for n in range(len(table.steps) - 1, 0, -1) if table.steps[n].kind == Threw.kind), None) if table.throws else None
    if at is None:
        return None
    step, before = table.steps[at], table.steps[at - 1].state.node
    outcomes = dict(before.outcomes) if isinstance(before, Chance) else {}
    odds = outcomes.get(step.state.action, Fraction(0))
    listed = [v.OutcomeView(table.game.notate(action), str(chance)) for action, chance in outcomes.items()]
    return v.ThrowView(step.seq, step.seat, step.token, str(odds), listed)


def asks(table: Table, you: tuple[int, ...], language: str) -> list[v.AskView]:
    """Return what is asked, and which of the viewer's seats have still to answer."""
    doors = door_words(language)
    return [
        v.AskView(
            what=ask.what,
            seat=ask.seat,
            seq=ask.seq,
            answer=[number for number in table.others(ask.seat) if number in you and number not in ask.yes],
            text=doors(f"told asked {ask.what}", seat=doors("somebody") if ask.seat is None else sign(table, ask.seat, language)),
        )
        for ask in table.asks.values()
    ]


def chat(table: Table, language: str) -> v.ChatView:
    """Return what can be said here, and what was said last."""
    silent = table.terms.chat == "none"
    return v.ChatView(
        phrases=[] if silent else list(PHRASES),
        reactions=[] if silent else list(REACTIONS),
        text=free_text(table),
        said=[
            v.SaidView(event.seq, event.seat, event.at, payload_as(event, Said).phrase or "", " ".join(event_sentences(table, event, language)))
            for event in table.talk
        ],
    )


def result(table: Table, language: str) -> v.ResultView | None:
    """Return how it ended."""
    if table.result is None:
        return None
    return v.ResultView(list(table.result.scores), list(table.result.winners), table.result.reason, ending(table, language))


def dice(table: Table) -> v.DiceView:
    """Return what is known of the dice: the seal from the first event on, the secret only after the end."""
    revealed = table.result is not None and any(event.kind == Revealed.kind for event in table.events.other_than_plays())
    return v.DiceView(
        commitment=table.commitment,
        contributions=[v.ContributionView(number, data.hex()) for number, data in table.contributions],
        secret=table.secret.hex() if revealed and table.secret else None,
    )
