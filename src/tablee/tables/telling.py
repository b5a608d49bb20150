"""The events of a table as sentences."""

from tablee.core.state import Over, State
from tablee.locale import words as door_words
from tablee.players.levels import MOST
from tablee.tables.events import Event
from tablee.tables.payloads import Acted, Answered, Asked, Contributed, Ended, Hinted, Opened, Revealed, Said, Seated, Threw, TookBack, payload_of
from tablee.tables.table import PLAYED, Table
from tablee.tables.values import Reason, Result, Seat, Sitter


def event_sentences(table: Table, event: Event, language: str) -> list[str]:
    """Return the sentences for an event: the game's own for what was played, the table's for the rest."""
    if event.kind in PLAYED:
        return played(table, event, language)
    doors = door_words(language)
    seat = "" if event.seat is None else sign(table, event.seat, language)
    match payload_of(event):
        case Opened() | Contributed() | Revealed():
            return []  # seals are shown on the page that verifies the dice
        case Seated(player=Sitter.PROGRAM, level=level, because=because):
            key = "told seated time" if because == Reason.TIME else "told seated program"
            return [doors(key, name=program(level or "", language), seat=seat)]
        case Seated():
            name = event.aside.get("text")
            return [doors("told seated", name=name, seat=seat) if name else doors("told seated nameless", seat=seat)]
        case Asked(what=what):
            return [doors(f"told asked {what}", seat=seat or doors("somebody"))]
        case Answered(yes=yes):
            return [doors("told yes" if yes else "told no", seat=seat)]
        case Hinted():
            return [doors("told hinted", seat=seat)]
        case Said(phrase=str(phrase)):
            return [doors("told said", seat=seat, text=doors(f"phrase {phrase}"))]
        case Said():
            return [doors("told said", seat=seat, text=event.aside["text"]) if event.aside else doors("told erased", seat=seat)]
        case Ended():
            return ending(table, language)
    return [doors(f"told {event.kind}", seat=seat)]


def played(table: Table, event: Event, language: str) -> list[str]:
    """Return the game's sentences for an action or a throw, taken back since or not."""
    state = next((step.state for step in reversed(table.steps) if step.seq == event.seq), None)
    return (state or taken_back(table, event)).told(language)


def taken_back(table: Table, event: Event) -> State:
    """Return the state after an action that was taken back since: computed again from the last state before it that still stands."""
    kept = next(step for step in reversed(table.steps) if step.seq < event.seq)
    again = [(kept.seq, kept.state)]
    for later in table.events[kept.seq + 1 : event.seq + 1]:
        match payload_of(later):
            case Acted(token=token) | Threw(token=token):
                again.append((later.seq, again[-1][1].play(table.game.parse(token, later.seat or 0))))
            case TookBack(to_seq=to_seq):
                again = [(seq, state) for seq, state in again if seq < to_seq]
    return again[-1][1]


def ending(table: Table, language: str) -> list[str]:
    """Return why the game is over, and who has won."""
    return end_sentences(shown_state(table), table.result, language) if table.result else []


def shown_state(table: Table) -> State:
    """Return the state of the game; before the start the position to play on from, or a set-up as it might be drawn."""
    if table.state:
        return table.state
    return table.game.load(table.terms.position) if table.terms.position else table.game.start(lambda n: 0, setup=table.terms.setup)


def result_of(state: State) -> Result | None:
    """Return how a game ended by its own rules, if it did."""
    match state.node:
        case Over(scores=scores, winners=winners, reason=reason):
            return Result(scores, winners, reason)
    return None


def end_sentences(state: State, result: Result, language: str) -> list[str]:
    """Return the sentences for a result: why, and who has won."""
    game, doors, words = state.game, door_words(language), state.game.kind.words(language)
    ruled = f"end {result.reason}" in words.sentences
    paragraph = result.reason.partition(" ")[0]
    why = f"{words(f'end {result.reason}')} ({words('title')} {paragraph})" if ruled else doors(f"end {result.reason}")
    names = [state.seat_name(seat, language) for seat in result.winners]
    if result.reason in (Reason.ABANDONED, Reason.EXPIRED):
        return [why]
    if not names:
        return [why, doors("nobody")]
    if len(names) == 1:
        return [why, doors("winner", seat=names[0])]
    if game.kind.together:
        return [why, doors("all win")]
    if len(names) == game.seats and len(set(result.scores)) == 1:
        return [why, doors("draw")]
    if result.reason == Reason.DRAW:
        return [why]
    return [why, doors("winners", seats=doors("and", first=", ".join(names[:-1]), last=names[-1]))]


def score_sentences(state: State, result: Result, language: str) -> list[str]:
    """Return a sentence for the score of each seat."""
    doors = door_words(language)
    return [doors("score", seat=state.seat_name(seat, language), score=score) for seat, score in enumerate(result.scores)]


def result_sentences(state: State, result: Result, language: str) -> list[str]:
    """Return all sentences of an ending: why, the scores, and who has won."""
    why, *who = end_sentences(state, result, language)
    return [why, *score_sentences(state, result, language), *who]


def sign(table: Table, seat: int, language: str) -> str:
    """Return what a seat is called in the game: its colour or number."""
    return shown_state(table).seat_name(seat, language)


def name(seat: Seat, language: str) -> str:
    """Return what the player in a seat is called."""
    doors = door_words(language)
    if seat.player == Sitter.PROGRAM:
        return program(seat.level, language)
    if seat.player == Sitter.NOBODY:
        return doors("empty seat")
    return seat.name or doors("somebody")


def program(level: str, language: str) -> str:
    """Return what a program of the house is called at a level."""
    doors = door_words(language)
    return doors("program strongest") if level == MOST else doors("program", level=level)
