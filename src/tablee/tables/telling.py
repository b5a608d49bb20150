"""The events of a table in whole sentences."""

from tablee.core.state import State
from tablee.locale import words as door_words
from tablee.players.levels import MOST
from tablee.tables.events import Event
from tablee.tables.table import Table
from tablee.tables.values import PROGRAM, Result, Seat


def told(table: Table, event: Event, language: str) -> list[str]:
    """Return the sentences for an event: the game's own for what was played, the table's for the rest."""
    doors, payload = door_words(language), event.payload
    seat = "" if event.seat is None else sign(table, event.seat, language)
    match event.kind:
        case "acted" | "threw":
            return played(table, event, language)
        case "seated" if payload.get("player") == PROGRAM:
            key = "told seated time" if payload.get("because") == "time" else "told seated program"
            return [doors(key, name=program(str(payload.get("level")), language), seat=seat)]
        case "seated":
            return [doors("told seated", name=event.aside.get("text") or doors("somebody"), seat=seat)]
        case "asked":
            return [doors(f"told asked {payload['what']}", seat=seat or doors("somebody"))]
        case "answered":
            return [doors("told yes" if payload["yes"] else "told no", seat=seat)]
        case "hinted":
            tokens = payload["tokens"]
            return [doors("told hinted", seat=seat, tokens=" ".join(map(str, tokens)) if isinstance(tokens, list | tuple) else "")]
        case "said" if "phrase" in payload:
            return [doors("told said", seat=seat, text=doors(f"phrase {payload['phrase']}"))]
        case "said":
            return [doors("told said", seat=seat, text=event.aside["text"]) if event.aside else doors("told erased", seat=seat)]
        case "ended":
            return ending(table, language)
        case _:
            return [doors(f"told {event.kind}", seat=seat)]


def played(table: Table, event: Event, language: str) -> list[str]:
    """Return the game's sentences for an action or a throw; the bare token if it was taken back since."""
    words = table.game.kind.words(language)
    state = next((step.state for step in reversed(table.steps) if step.seq == event.seq), None)
    if state is None or state.previous is None:
        return [str(event.payload["token"])]
    return happened(state, state.previous, language, words("title"))


def happened(state: State, before: State, language: str, title: str) -> list[str]:
    """Return what an action did."""
    kind = state.game.kind
    return [kind.words(language).say(message) for message in kind.tell(state.game, before.position, state.action, state.position)]


def ending(table: Table, language: str) -> list[str]:
    """Return why the game is over, and who has won."""
    return end_sentences(table, table.result, language) if table.result else []


def end_sentences(table: Table, result: Result, language: str) -> list[str]:
    """Return the sentences for a result."""
    doors, words = door_words(language), table.game.kind.words(language)
    ruled = f"end {result.reason}" in words.sentences
    why = f"{words(f'end {result.reason}')} ({words('title')} {result.reason})" if ruled else doors(f"end {result.reason}")
    names = [sign(table, seat, language) for seat in result.winners]
    if result.reason in ("abandoned", "expired"):
        return [why]
    if not names:
        return [why, doors("nobody")]
    if len(names) == 1:
        return [why, doors("winner", seat=names[0])]
    if table.game.kind.together:
        return [why, doors("all win")]
    if len(names) == table.game.seats and len(set(result.scores)) == 1:
        return [why, doors("draw")]
    if result.reason == "draw":
        return [why]
    return [why, doors("winners", seats=doors("and", first=", ".join(names[:-1]), last=names[-1]))]


def sign(table: Table, seat: int, language: str) -> str:
    """Return what a seat is called in the game: its colour or number."""
    return table.game.kind.words(language)(f"seat {seat + 1}")


def name(seat: Seat, language: str) -> str:
    """Return what the player in a seat is called."""
    doors = door_words(language)
    if seat.player == PROGRAM:
        return program(seat.level, language)
    if seat.player == "nobody":
        return doors("empty seat")
    return seat.name or doors("somebody")


def program(level: str, language: str) -> str:
    """Return what a program of the house is called at a level."""
    doors = door_words(language)
    return doors("program strongest") if level == MOST else doors("program", level=level)
