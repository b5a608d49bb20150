"""The record of a table's game, with the proof of its dice as comments, so that any reader of records reads it too.

# dice: 2                             the version of the dice; 1 where the line is absent
# table: 9fQx…                        the name that the dice are bound to
# commitment: 5d1c…                   event 0
# contribution: 1 00ff…               the seat as it sat down, and its bytes in hex; `program` after those of a program
# silent: 2                           the seats of people, as they sat down, who contributed nothing
# chosen: colours=bg                  what the table chose of the set-up, seat by seat as they sat down
# drawn: 4 lot 2/1 8640/17            the event of the start, how the seats were given, each draw as cases/drawn
# thrown: 5 36/17                     the event of each throw, in order
# resealed: 9 81fe…                   the event that sealed another secret, and its commitment
# secret: 77aa…                       the secret of each seal, in order
"""

import re
from collections.abc import Sequence

from tablee import catalog
from tablee.core.errors import TableeError, shown
from tablee.core.kind import Setup
from tablee.core.record import pairs, unpaired, write_record
from tablee.core.setup_choice import check_chosen
from tablee.core.state import AGREED, Chance, Over, State
from tablee.tables.dice import Contribution, DiceError, drawn, unhex
from tablee.tables.events import ChainError, Event, EventKind, verify
from tablee.tables.payloads import Ended, Resealed, Started, Threw, payload_as
from tablee.tables.playing import draw_setup, silent_seats, throw
from tablee.tables.proofs import Proof, proof, revealed_secrets, sealed
from tablee.tables.table import Table
from tablee.tables.values import AS_CHOSEN, LOT

NUMBER = r"0|[1-9][0-9]{0,14}"
LINE = re.compile(r"# (dice|table|commitment|contribution|chosen|drawn|thrown|resealed|secret): (.*)")


def write_table_record(table: Table) -> str:
    """Return the record of a table's game so far; the names of the players, hints and the proof of the dice follow as comments."""
    if table.state is None:
        raise TableeError(f"table {table.id!r} has not begun: there is nothing to write down yet")
    lines = [f"# player {seat + 1}: {place.name or place.level}" for seat, place in enumerate(table.seats) if place.name or place.level]
    lines += [f"# hint: {seat + 1} {tokens} (event {seq})" for seq, seat, tokens in table.hints]
    if table.result:
        winners = "".join(f" {seat + 1}" for seat in table.result.winners)
        lines.append(f"# ended: {table.result.reason}, winners:{winners or ' nobody'}")
    last = table.state.stop() if table.result and is_agreed(table.result.reason) else table.state
    return write_record(last) + "\n".join([*lines, *proof_lines(table)]) + "\n"


def proof_lines(table: Table) -> list[str]:
    """Return what proves the dice; the secret only once it is revealed."""
    lines = [f"# dice: {table.dice_version}"] if table.dice_version > 1 else []
    lines += [f"# table: {table.id}", f"# commitment: {table.seals[0][1]}"]
    people = len(table.people_contributions)
    for number, (seat, data) in enumerate(table.contributions):
        lines.append(f"# contribution: {seat + 1} {data.hex()}{'' if number < people else ' program'}")
    lines += [f"# chosen: {pairs(table.terms.setup)}"] if table.terms.setup else []
    for event in table.events:
        draws = "".join(f" {n}/{value}" for n, value in drawn(event)) if event.kind in (EventKind.STARTED, EventKind.THREW) else ""
        if event.kind == EventKind.STARTED:
            how = "position" if table.terms.position else table.terms.starts
            silent = payload_as(event, Started).silent or ()
            lines += [f"# silent: {' '.join(str(seat + 1) for seat in silent)}"] if silent else []
            lines.append(f"# drawn: {event.seq} {how}{draws}")
        elif event.kind == EventKind.THREW:
            lines.append(f"# thrown: {event.seq}{draws}")
        elif event.kind == EventKind.RESEALED:
            lines.append(f"# resealed: {event.seq} {payload_as(event, Resealed).commitment}")
        elif event.kind == EventKind.REVEALED:
            lines.append(f"# secret: {' '.join(secret.hex() for secret in revealed_secrets(event))}")
    return lines


def verify_record(text: str) -> int:
    """Return how many draws of a record were recomputed, or raise: the sealed dice must give exactly its set-up and throws."""
    state = catalog.read(text)
    proved, how, chosen = read_proof(text)
    count = proved.check()
    first, *throws = proved.draws
    path = list(state.path())
    check_setup(path[0], proved, how, chosen)
    thrown = [after for after in path if after.previous is not None and isinstance(after.previous.node, Chance)]
    if len(thrown) != len(throws):
        raise DiceError(first[0], f"{len(throws)} throws are proved, and the record shows {len(thrown)}")
    for number, after in enumerate(thrown):
        check_throw(after, proved, number + 1)
    return count


def check_setup(first: State, proof: Proof, how: str, chosen: Setup) -> None:
    """Raise unless the set-up is what the table chose and the dice of the start give."""
    seq, draws = proof.draws[0]
    dice = proof.dice(0)
    if how == "position":
        if first.setup is not None or draws or chosen:
            raise DiceError(seq, "a game played on from a position draws no set-up")
        return
    check_chosen(first.game, chosen)
    _, setup = draw_setup(first.game, dice.draw, how == LOT, chosen)
    if first.setup is None or dict(setup) != dict(first.setup) or tuple(dice.drawn) != draws:
        raise DiceError(seq, f"the sealed dice give the set-up {dict(setup)}, not {dict(first.setup or {})}")


def check_throw(after: State, proof: Proof, number: int) -> None:
    """Raise unless the dice give a throw."""
    before, (seq, draws) = after.previous, proof.draws[number]
    if before is None:
        raise DiceError(seq, "nothing was thrown")
    dice = proof.dice(number)
    token, shown_token = throw(before, dice.draw), after.game.notate(after.action)
    if token != shown_token or draws != tuple(dice.drawn):
        raise DiceError(seq, f"the sealed dice throw {token!r}, not {shown_token!r}")


def read_proof(text: str) -> tuple[Proof, str, Setup]:
    """Return the proof that stands in the comments of a record, how the seats were given, and what was chosen of the set-up."""
    single: dict[str, str] = {}
    contributions: list[tuple[Contribution, bool]] = []
    draws: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    resealed: list[tuple[int, str]] = []
    how = ""
    for line in text.splitlines():
        match = LINE.fullmatch(line.strip())
        if not match:
            continue
        name, value = match[1], match[2].strip()
        if name == "contribution":
            contributions.append(read_contribution(value))
        elif name == "resealed":
            seq, _, seal = value.partition(" ")
            resealed.append((number(seq), seal))
        elif name in ("drawn", "thrown"):
            if (name == "drawn") != (not draws):
                raise TableeError("expected one line `# drawn:`, then the lines `# thrown:`")
            seq, *rest = value.split() or [""]
            if name == "drawn":
                how, *rest = rest or [""]
            draws.append((number(seq), tuple(read_draw(written) for written in rest)))
        elif name in single:
            raise TableeError(f"`# {name}:` stands twice")
        else:
            single[name] = value
    for name in ("table", "commitment", "secret"):
        if name not in single:
            raise TableeError(f"the record does not prove its dice: it lacks `# {name}:`" + (" (the game still goes on)" if name == "secret" else ""))
    if not draws or how not in (LOT, AS_CHOSEN, "position"):
        raise TableeError("the record does not prove its dice: it lacks `# drawn:`")
    secrets = [unhex(0, secret) for secret in single["secret"].split()]
    seals = sealed([(0, single["commitment"]), *resealed], secrets, draws[-1][0])
    given = [one for one, program in contributions if not program] + [one for one, program in contributions if program]
    programs = sum(program for _, program in contributions)
    proof = Proof(number(single.get("dice", "1")), single["table"], seals, tuple(given), programs, tuple(draws))
    return proof, how, unpaired(single.get("chosen", ""))


def read_contribution(text: str) -> tuple[Contribution, bool]:
    """Return what a seat contributed, and whether a program did."""
    seat, data, *program = [*text.split(), "", ""][: max(2, len(text.split()))]
    if program not in ([], ["program"]):
        raise TableeError(f"{shown(text)} is no contribution: expected a seat and its bytes in hex")
    return (number(seat) - 1, unhex(0, data)), bool(program)


def read_draw(text: str) -> tuple[int, int]:
    """Return a draw written as cases/drawn."""
    n, _, value = text.partition("/")
    return number(n), number(value)


def number(text: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(NUMBER, text):
        raise TableeError(f"{shown(text)} is no number")
    return int(text)


def verify_log(events: Sequence[Event]) -> int:
    """Return how many draws of a finished table's log were recomputed, or raise.

    Checked are the chain, the dice, that they gave just these seats, this set-up and these throws, and that every action was legal.
    """
    verify(events)
    proved = proof(events)
    proved.check_seals()
    table = Table.laid(events[0])
    count = 0
    for event in events[1:]:
        # The table knows the secrets that were sealed so far, and no others.
        table.secret = b"".join(seal.secret for seal in proved.seals if seal.since <= table.seq)
        count += check_event(table, event)
        table.fold(event)
    return count


def check_count(table: Table, event: Event) -> None:
    """Raise if the players agreed to stop and the scores or the winners are not those of the position."""
    ended, state = payload_as(event, Ended), table.state
    if not is_agreed(ended.reason):
        return
    counted = state.stop().node if state and state.may_stop else None
    if counted != Over(ended.scores, ended.reason, ended.winners):
        raise ChainError(event.seq, f"the players agreed to stop, and the scores {list(ended.scores)} are not those of the game")


def is_agreed(reason: str) -> bool:
    """Return whether the players agreed to stop."""
    return reason.endswith(f" {AGREED}")


def check_event(table: Table, event: Event) -> int:
    """Return how many draws an event holds, after recomputing them; an agreed end must have the right scores."""
    if event.kind == EventKind.ENDED:
        check_count(table, event)
    if event.kind not in (EventKind.STARTED, EventKind.THREW):
        return 0
    dice = table.dice()
    if event.kind == EventKind.STARTED:
        order, setup = draw_setup(table.game, dice.draw, table.terms.starts == LOT, None if table.terms.position else table.terms.setup)
        started = payload_as(event, Started)
        fits = list(started.order) == order and started.setup == dict(setup) and (started.silent or ()) == silent_seats(table)
    else:
        state = table.state
        fits = state is not None and isinstance(state.node, Chance) and payload_as(event, Threw).token == throw(state, dice.draw)
    if not fits or drawn(event) != tuple(dice.drawn):
        raise DiceError(event.seq, "the sealed dice give something else")
    return len(dice.drawn)
