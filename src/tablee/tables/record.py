"""The record of a table's game, with the proof of its dice as comments, so that any reader of records reads it too.

# table: 9fQx…                        the name that the dice are bound to
# commitment: 5d1c…                   event 0
# contribution: 1 00ff…               the seat as it sat down, and its bytes in hex
# drawn: 4 lot 2/1 8640/17            the event of the start, how the seats were given, each draw as cases/drawn
# thrown: 5 36/17                     the event of each throw, in order
# secret: 77aa…
"""

import re

from tablee import catalog
from tablee.core.errors import TableeError, shown
from tablee.core.record import write_record
from tablee.core.state import Chance, State
from tablee.tables.dice import Contribution, DiceError, Proof, commitment, drawn, unhex
from tablee.tables.events import Event, verify
from tablee.tables.playing import draw_setup, throw
from tablee.tables.table import Table

NUMBER = r"0|[1-9][0-9]{0,14}"
LINE = re.compile(r"# (table|commitment|contribution|drawn|thrown|secret): (.*)")


def write_table_record(table: Table) -> str:
    """Return the record of a table's game so far; the names of the players, hints and the proof of the dice follow as comments."""
    if table.state is None:
        raise TableeError(f"table {table.id!r} has not begun: there is nothing to write down yet")
    lines = [f"# player {seat + 1}: {one.name or one.level}" for seat, one in enumerate(table.seats) if one.name or one.level]
    lines += [f"# hint: {seat + 1} {tokens} (event {seq})" for seq, seat, tokens in table.hints]
    if table.result:
        winners = "".join(f" {seat + 1}" for seat in table.result.winners)
        lines.append(f"# ended: {table.result.reason}, winners:{winners or ' nobody'}")
    return write_record(table.state) + "\n".join([*lines, *proof_lines(table)]) + "\n"


def proof_lines(table: Table) -> list[str]:
    """Return what proves the dice; the secret only once it is revealed."""
    lines = [f"# table: {table.id}", f"# commitment: {table.commitment}"]
    lines += [f"# contribution: {seat + 1} {data.hex()}" for seat, data in table.contributions]
    for event in table.events:
        draws = "".join(f" {n}/{value}" for n, value in drawn(event)) if event.kind in ("started", "threw") else ""
        if event.kind == "started":
            how = "position" if table.terms.position else table.terms.starts
            lines.append(f"# drawn: {event.seq} {how}{draws}")
        elif event.kind == "threw":
            lines.append(f"# thrown: {event.seq}{draws}")
        elif event.kind == "revealed":
            lines.append(f"# secret: {event.payload['secret']}")
    return lines


def verify_record(text: str) -> int:
    """Return how many draws of a record were recomputed, or raise: the sealed dice gave just the set-up and the throws that it shows."""
    state = catalog.read(text)
    proof, how = read_proof(text)
    count = proof.check()
    first, *throws = proof.draws
    path = list(state.path())
    check_setup(path[0], proof, first, how)
    thrown = [after for after in path if after.previous is not None and isinstance(after.previous.node, Chance)]
    if len(thrown) != len(throws):
        raise DiceError(first[0], f"{len(throws)} throws are proved, and the record shows {len(thrown)}")
    for after, (seq, _) in zip(thrown, throws, strict=True):
        check_throw(after, proof, seq)
    return count


def check_setup(first: State, proof: Proof, start: tuple[int, tuple[tuple[int, int], ...]], how: str) -> None:
    """Raise unless the dice of the start give the set-up."""
    seq, draws = start
    dice = proof.dice(seq)
    if how == "position":
        if first.setup is not None or draws:
            raise DiceError(seq, "a game played on from a position draws no set-up")
        return
    _, setup = draw_setup(first.game, dice.draw, how == "lot")
    if first.setup is None or dict(setup) != dict(first.setup) or tuple(dice.drawn) != draws:
        raise DiceError(seq, f"the sealed dice give the set-up {dict(setup)}, not {dict(first.setup or {})}")


def check_throw(after: State, proof: Proof, seq: int) -> None:
    """Raise unless the dice of an event give the throw."""
    before = after.previous
    if before is None:
        raise DiceError(seq, "nothing was thrown")
    dice = proof.dice(seq)
    token, shown_token = throw(before, dice.draw), after.game.notate(after.action)
    if token != shown_token or dict(proof.draws).get(seq) != tuple(dice.drawn):
        raise DiceError(seq, f"the sealed dice throw {token!r}, not {shown_token!r}")


def read_proof(text: str) -> tuple[Proof, str]:
    """Return the proof that stands in the comments of a record, and how the seats were given."""
    single: dict[str, str] = {}
    contributions: list[Contribution] = []
    draws: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    how = ""
    for line in text.splitlines():
        found = LINE.fullmatch(line.strip())
        if not found:
            continue
        name, value = found[1], found[2].strip()
        if name == "contribution":
            seat, _, data = value.partition(" ")
            contributions.append((number(seat) - 1, unhex(0, data)))
        elif name in ("drawn", "thrown"):
            if (name == "drawn") != (not draws):
                raise TableeError("expected one line `# drawn:`, then the lines `# thrown:`")
            seq, *rest = value.split() or [""]
            if name == "drawn":
                how, *rest = rest or [""]
            draws.append((number(seq), tuple(read_draw(one) for one in rest)))
        elif name in single:
            raise TableeError(f"`# {name}:` stands twice")
        else:
            single[name] = value
    for name in ("table", "commitment", "secret"):
        if name not in single:
            raise TableeError(f"the record does not prove its dice: it lacks `# {name}:`" + (" (the game still goes on)" if name == "secret" else ""))
    if not draws or how not in ("lot", "seats", "position"):
        raise TableeError("the record does not prove its dice: it lacks `# drawn:`")
    return Proof(single["table"], single["commitment"], tuple(contributions), unhex(0, single["secret"]), tuple(draws)), how


def read_draw(text: str) -> tuple[int, int]:
    """Return a draw written as cases/drawn."""
    n, _, value = text.partition("/")
    return number(n), number(value)


def number(text: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(NUMBER, text):
        raise TableeError(f"{shown(text)} is no number")
    return int(text)


def verify_log(events: list[Event]) -> int:
    """Return how many draws of a finished table's log were recomputed, or raise.

    Checked are the chain, the dice, that they gave just these seats, this set-up and these throws, and that every action was legal.
    """
    verify(events)
    secret = next((unhex(event.seq, event.payload.get("secret")) for event in events if event.kind == "revealed"), None)
    if secret is None:
        raise DiceError(len(events), "the secret is not revealed: the game still goes on, or the end of the log is missing")
    table = Table.laid(events[0], secret)
    count = 0
    for event in events[1:]:
        count += check_event(table, event)
        table.fold(event)
    if commitment(table.id, secret) != table.commitment:
        raise DiceError(0, "the secret is not the one that was sealed before play")
    return count


def check_event(table: Table, event: Event) -> int:
    """Return how many draws an event holds, after making them again."""
    if event.kind not in ("started", "threw"):
        return 0
    dice = table.dice(event.seq)
    if event.kind == "started":
        order, setup = draw_setup(table.game, dice.draw, table.terms.starts == "lot", not table.terms.position)
        fits = event.payload.get("order") == order and event.payload.get("setup") == dict(setup)
    else:
        state = table.state
        fits = state is not None and isinstance(state.node, Chance) and event.payload.get("token") == throw(state, dice.draw)
    if not fits or drawn(event) != tuple(dice.drawn):
        raise DiceError(event.seq, "the sealed dice give something else")
    return len(dice.drawn)
