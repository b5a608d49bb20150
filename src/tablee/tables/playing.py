"""The game at a table: the start, actions, throws, hints and the end."""

from msgspec import UNSET

from tablee.core.errors import NotationError
from tablee.core.game import Game
from tablee.core.kind import Draw, Setup
from tablee.core.setup_choice import follow_players
from tablee.core.state import Chance, Decision, Over, State
from tablee.tables import commands as c
from tablee.tables.dice import mixture
from tablee.tables.payloads import Acted, Contributed, Ended, Hinted, Resigned, Revealed, Started, Threw
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.values import LOT, Phase, Reason, Sitter
from tablee.tables.visit import Visit


def start(visit: Visit, command: c.Start) -> None:
    """Begin although somebody has not contributed."""
    visit.member()
    visit.during(Phase.WAITING)
    if any(place.player == Sitter.NOBODY for place in visit.table.seats):
        raise Refused("phase", "no empty seats")
    begin(visit)


def begin_if_ready(visit: Visit) -> None:
    """Begin once every seat is taken and everybody has contributed."""
    if visit.table.phase == Phase.WAITING and all(place.player != Sitter.NOBODY and place.contributed for place in visit.table.seats):
        begin(visit)


def begin(visit: Visit) -> None:
    """Draw the seats and the set-up with the dice of this event, then throw what is to be thrown."""
    table = visit.table
    silent = silent_seats(table)
    if table.dice_version > 1:
        given = mixture(table.contributions).hex()
        for seat, place in enumerate(table.seats):
            if place.player == Sitter.PROGRAM:
                visit.emit(Contributed(bytes=given), seat)
    dice = table.dice()
    order, setup = draw_setup(table.game, dice.draw, table.terms.starts == LOT, None if table.terms.position else table.terms.setup)
    visit.emit(Started(order=tuple(order), setup=dict(setup), draws=tuple(dice.drawn), silent=silent or UNSET))
    settle(visit)


def silent_seats(table: Table) -> tuple[int, ...]:
    """Return the seats of people who contributed nothing to the dice; version 1 did not name them."""
    return tuple(seat for seat, place in enumerate(table.seats) if not place.contributed) if table.dice_version > 1 else ()


def play(visit: Visit, command: c.Play) -> None:
    """Play tokens one after the other, all or none."""
    table = visit.table
    visit.player(command.seat)
    visit.during(Phase.PLAYING)
    if not 0 < len(command.tokens) <= c.MOST_TOKENS:
        raise Refused("unreadable", "no tokens", {"most": c.MOST_TOKENS})
    if command.seq is not None and stale(table, command.seat, command.seq):
        raise Refused("stale", "no stale")
    if table.clock and table.clock.out(visit.now):
        raise Refused("time", "no time")
    for number, token in enumerate(command.tokens):
        state = table.state
        if number and (state is None or not isinstance(state.node, Decision) or command.seat not in state.node.seats):
            raise Refused("turn", "no left over", {"tokens": " ".join(command.tokens[number:])[:60]})
        action = judge(visit, command.seat, token)
        spent = table.clock.spent(command.seat, visit.now) if table.clock else 0
        visit.emit(Acted(token=table.game.notate(action), spent=spent), command.seat)
    settle(visit)


def judge(visit: Visit, seat: int, token: str) -> int:
    """Return the action of a token, or raise unless the rules let a seat play it now."""
    game, state = visit.table.game, visit.table.state
    if state is None:
        raise Refused("phase", "no waiting")
    try:
        action = game.parse(token, seat)
    except NotationError as error:
        raise Refused("unreadable", "no unreadable", {"token": token[:40]}, kind=game.kind, paragraph=error.paragraph) from error
    refusal = state.refusal(seat, action)
    if refusal:
        raise Refused("rules", "refused", kind=game.kind, refusal=refusal)
    return action


def settle(visit: Visit) -> None:
    """Throw while a throw is due, each bound to its ordinal among the table's throws; end when it is over."""
    table = visit.table
    while (state := table.state) is not None and isinstance(state.node, Chance):
        dice = table.dice()
        token = throw(state, dice.draw)
        visit.emit(Threw(token=token, draws=tuple(dice.drawn)), state.turn)
    if state is not None and isinstance(state.node, Over):
        end(visit, state.node.winners, state.node.reason)


def end(visit: Visit, winners: tuple[int, ...], reason: str) -> None:
    """Write the end down, and open the secret of the dice whatever the reason."""
    table = visit.table
    state = table.state
    scores = tuple(int(state.position.score(seat)) for seat in range(table.game.seats)) if state else ()
    visit.emit(Ended(scores=scores, winners=winners, reason=reason))
    if table.secret is not None:
        first, *later = (secret.hex() for secret in table.secrets())
        visit.emit(Revealed(secret=first, resealed=tuple(later) or UNSET))


def resign(visit: Visit, command: c.Resign) -> None:
    """Give up, where two play against each other."""
    visit.holder(command.seat)
    visit.during(Phase.PLAYING)
    if not duel(visit):
        raise Refused("phase", "no resigning")
    visit.emit(Resigned(), command.seat)
    end(visit, (1 - command.seat,), Reason.RESIGNED)


def duel(visit: Visit) -> bool:
    """Return whether two play against each other."""
    return visit.table.game.seats == 2 and not visit.table.game.kind.together


def hint(visit: Visit, command: c.Hint | c.ShowHint) -> None:
    """Raise unless a seat may be shown a hint now."""
    visit.holder(command.seat)
    visit.during(Phase.PLAYING)
    visit.room()
    if not visit.table.terms.hints:
        raise Refused("phase", "no hints")
    if command.seat not in visit.table.asked:
        raise Refused("turn", "no turn")


def show_hint(visit: Visit, command: c.ShowHint) -> None:
    """Write a hint down before it is shown."""
    hint(visit, command)
    if not 0 < len(command.tokens) <= c.MOST_TOKENS:
        raise Refused("unreadable", "no tokens", {"most": c.MOST_TOKENS})
    judge(visit, command.seat, command.tokens[0])
    visit.emit(Hinted(tokens=tuple(token[:40] for token in command.tokens)), command.seat)


def draw_setup(game: Game, draw: Draw, lot: bool, chosen: Setup | None) -> tuple[list[int], Setup]:
    """Return where everybody goes (`order[k]` is the seat of the player who sat at k), drawn first if by lot, and the set-up, drawn next.

    What was chosen of the set-up is not drawn; None where the game is played on from a position and has no set-up.
    """
    order = list(range(game.seats))
    if lot:
        for last in range(len(order) - 1, 0, -1):
            other = draw(last + 1)
            order[last], order[other] = order[other], order[last]
    return order, {} if chosen is None else game.kind.setup(game, draw, follow_players(game, chosen, order))


def throw(state: State, draw: Draw) -> str:
    """Return the token of a throw: one of the equally likely cases."""
    return state.game.notate(state.drawn(draw))


def stale(table: Table, seat: int, seen: int) -> bool:
    """Return whether the game has changed since an event, other than by seats that act at the same time."""
    if seen > table.seq or table.rewritten > seen:
        return True
    for number in range(len(table.steps) - 1, -1, -1):
        step = table.steps[number]
        if step.seq <= seen:
            return False
        node = table.steps[number - 1].state.node if number else None
        beside = step.kind == Acted.kind and step.seat != seat and isinstance(node, Decision) and seat in node.seats
        if not beside:
            return True
    return False
