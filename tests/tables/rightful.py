"""Every command in every situation in which it is allowed, made from the union of commands: none can be forgotten.

A command is made from its fields: each has some examples here, and a field without one stops the tests. Who may give it is decided here
by who sits where, not by asking the table; the table only says whether it carries the command out.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product

from msgspec import ValidationError, convert
from msgspec.structs import fields

from tablee.tables.commands import PUBLIC, Command, Contribute, Draw, Fill, Invite, Leave, Replace, Resign, Sit, Start, tag_of
from tablee.tables.door import HANDLERS, handle
from tablee.tables.invitations import invitation
from tablee.tables.refused import Refused
from tablee.tables.tokens import Actor
from tablee.tables.values import Ask
from tests.tables.company import NOON, Company

Row = tuple[Callable[[], Company], str, Command]


def invitation_of(company: Company) -> str:
    """Return the invitation to the second seat that `waiting` made."""
    return invitation(company.tokens["Olga"], company.table.match.id, 1)


def waiting() -> Company:
    """Return a table where Ana sits and a seat is free, by invitation only and watched by link only."""
    company = Company(sitting="invited", watching="link")
    company.do("Ana", Sit(0, "Ana", company.invitation("Olga", 0)))
    company.invitation("Olga", 1)
    return company


def full() -> Company:
    """Return a table where Ana sits opposite a program and nothing has begun."""
    company = waiting()
    company.do("Olga", Replace(1, "1"))
    return company


def playing() -> Company:
    """Return a game of Ana and Ben, Ana having played twice."""
    company = waiting()
    company.do("Ana", Contribute(0, "00" * 16))
    company.do("Ben", Sit(1, "Ben", invitation_of(company), "11" * 16))
    company.play("Ana", 0, "a7b7")
    company.play("Ben", 1, "a1b1")
    return company


def asked() -> Company:
    """Return a game in which Ben is asked for a draw."""
    company = playing()
    company.do("Ana", Draw(0))
    return company


def left() -> Company:
    """Return a game that Ben has left."""
    company = playing()
    company.do("Ben", Leave(1))
    return company


def staking() -> Company:
    """Return a game of Tabu, whose players may agree to stop and count."""
    company = Company("tabu", sitting="invited", watching="link")
    company.do("Ana", Sit(0, "Ana", company.invitation("Olga", 0), "00" * 16))
    company.invitation("Olga", 1)
    company.do("Ben", Sit(1, "Ben", invitation_of(company), "11" * 16))
    return company


def over() -> Company:
    """Return a game that Ben has resigned."""
    company = playing()
    company.do("Ben", Resign(1))
    return company


SITUATIONS = (waiting, full, playing, asked, left, over)
# Where there are dice it is another player's turn each time that the situation is laid out: only for what is allowed nowhere else, in anybody's turn.
WITH_DICE = (staking,)


def examples(company: Company, name: str) -> list[object]:
    """Return examples of what a field may hold at a table."""
    seats: list[object] = list(range(company.table.game.seats))
    state = company.table.state
    legal = [company.table.game.notate(state.legal(seat)[0]) for seat in company.table.asked] if state else []
    found: dict[str, list[object]] = {
        "move_id": [None],
        "seat": [*seats, None],
        "name": ["Olga"],
        "invitation": [""],
        "player": ["person"],
        "level": ["1"],
        "contribution": ["00" * 16],
        "tokens": [(token,) for token in legal] or [("a1b1",)],
        "seq": [None],
        "what": list(Ask),
        "yes": [True, False],
        "phrase": ["hello"],
        "text": [""],
        "alive_until": [NOON],
    }
    assert name in found, f"a field {name!r} has no example: what may it hold?"
    return found[name]


def commands(company: Company, kind: type[Command]) -> Iterator[Command]:
    """Return every command of a kind that the examples give."""
    names = [field.name for field in fields(kind)]
    for values in product(*(examples(company, name) for name in names)):
        with suppress(ValidationError):  # a field that must not be left open
            yield convert(dict(zip(names, values, strict=True)) | {"t": tag_of(kind.__name__)}, kind)


def rightful(company: Company, command: Command) -> list[str]:
    """Return whose command it is: that of whoever holds the seat, of the house for what no door decodes, else of those who came first."""
    seat = getattr(command, "seat", None)
    if seat is not None and company.table.seats[seat].token_hash:
        holders = [name for name in ("Ana", "Ben") if company.table.holds(company.who(name), seat)]
    else:
        holders = ["Olga", *(name for name in ("Ana", "Ben") if company.table.held_by(company.who(name)))]
    return holders if isinstance(command, PUBLIC) else ["house", *holders]


def other_may(lay: Callable[[], Company], company: Company, other: Actor, command: Command) -> bool:
    """Return whether the other player of a table may do it too: look after free seats, or come back to the seat he has left."""
    return (isinstance(command, Replace | Fill | Invite | Start) and bool(company.table.held_by(other))) or (lay is left and isinstance(command, Sit))


def carried_out(company: Company, name: str, command: Command) -> bool:
    """Return whether the table carries out a command of somebody."""
    try:
        handle(company.table, command, company.who(name), company.now)
    except Refused:
        return False
    return True


def rows() -> list[Row]:
    """Return, for every command of the union and every situation in which it is allowed, who gives it and what it is."""
    found: list[Row] = []
    for kind in Command.__subclasses__():
        of_kind = [row for lay in SITUATIONS for row in first_rows(lay, kind)] or [row for lay in WITH_DICE for row in first_rows(lay, kind)]
        assert of_kind, f"{kind.__name__}: no situation is laid out in which it is allowed"
        found += of_kind
    assert {type(command) for *_, command in found} == set(HANDLERS)
    return found


def first_rows(lay: Callable[[], Company], kind: type[Command]) -> Iterator[Row]:
    """Give the first command of a kind that is allowed in a situation, and whose it is: one for a seat, and one that leaves the seat open."""
    done: set[bool] = set()
    company = lay()
    for command in commands(company, kind):
        left_open = getattr(command, "seat", None) is None
        for name in rightful(company, command):
            if left_open not in done and carried_out(company, name, command):
                done.add(left_open)
                yield lay, name, command


RIGHTFUL: list[Row] = rows()
