"""Only the holder moves a seat: every command with every wrong token is refused, and nothing changes."""

from collections.abc import Callable

import pytest

from tablee.tables.commands import (
    Abandon,
    Answer,
    Command,
    Contribute,
    Dismiss,
    Draw,
    Expire,
    Fill,
    Hint,
    Invite,
    Leave,
    Play,
    Rematch,
    Replace,
    Resign,
    Resume,
    Say,
    ShowHint,
    Sit,
    Start,
    Stop,
    TakeBack,
    Text,
    Tick,
)
from tablee.tables.door import handle
from tablee.tables.invitations import invitation
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, hash_token, new_token, shows
from tablee.tables.values import Ask
from tablee.tables.view import view
from tests.tables.company import NOON, Company, same_table


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


RIGHTFUL: list[tuple[Callable[[], Company], str, Command]] = [
    (waiting, "Ana", Contribute(0, "00" * 16)),
    (waiting, "Ana", Leave(0)),
    (waiting, "Olga", Invite(1)),
    (waiting, "Olga", Replace(1, "1")),
    (waiting, "Olga", Fill()),
    (waiting, "Olga", Abandon()),
    (waiting, "Olga", Sit(1, "Olga")),
    (full, "Ana", Start()),
    (full, "Ana", Replace(0, "1")),
    (playing, "Ana", Play(0, ("a6b6",))),
    (playing, "Ana", TakeBack(0)),
    (playing, "Ana", Draw(0)),
    (playing, "Ana", Abandon(0)),
    (staking, "Ana", Stop(0)),
    (playing, "Ana", Text(0)),
    (playing, "Ana", Resign(0)),
    (playing, "Ana", ShowHint(0, ("a6b6",))),
    (playing, "Ana", Hint(0)),
    (playing, "Ana", Say(0, "hello")),
    (playing, "Ana", Leave(0)),
    (asked, "Ben", Answer(1, Ask.DRAW, True)),
    (left, "Ana", Replace(1, "1")),
    (over, "Ana", Rematch(0)),
    (playing, "house", Dismiss(0)),
    (playing, "house", Expire()),
    (playing, "house", Tick()),
    (playing, "house", Resume(NOON)),
]


def wrong(company: Company, name: str) -> dict[str, Actor]:
    """Return everybody who shows a token that is not the right one."""
    mine = company.tokens.get(name, "x" * 43)
    kept = company.table.seats[0].token_hash or hash_token(company.table.id, mine)
    found = {
        "nothing": Actor(),
        "an empty token": Actor(("",)),
        "a stranger's": Actor((company.tokens["Mallory"],)),
        "the watcher's": Actor((company.tokens["watcher"],)),
        "a used invitation": Actor((invitation_of(company),)),
        "what the log keeps": Actor((kept,)),
        "what the log keeps, cut": Actor((kept[:43],)),
        "cut short": Actor((mine[:-1],)),
        "too long": Actor((mine + "A",)),
        "with a line": Actor((mine + "\n",)),
        "in other letters": Actor((mine.swapcase(),)),
        "in accents": Actor(("é" * 43,)),
        "many": Actor(tuple(new_token() for _ in range(5))),
    }
    if name != "house":
        found["the other's"] = Actor((company.tokens["Ben" if name != "Ben" else "Ana"],))
    else:
        found["Ana's"] = Actor((company.tokens["Ana"],))
    return found


def matrix() -> list[tuple[Callable[[], Company], str, Command]]:
    """Return the rows for every command of the union, so that none can be forgotten."""
    rows = []
    for kind in Command.__subclasses__():
        of_kind = [row for row in RIGHTFUL if type(row[2]) is kind]
        assert of_kind, f"{kind.__name__}: no situation is laid out in which it is allowed"
        rows += of_kind
    return rows


@pytest.mark.parametrize(("lay", "name", "command"), matrix(), ids=lambda part: getattr(part, "__name__", type(part).__name__))
def test_every_command_with_every_wrong_token_is_refused(lay: Callable[[], Company], name: str, command: Command) -> None:
    company = lay()
    before = company.table.fork()
    for what, actor in wrong(company, name).items():
        if what == "the other's" and isinstance(command, Replace | Fill | Invite | Start) and company.table.held_by(actor):
            continue
        with pytest.raises(Refused) as found:
            handle(company.table, command, actor, company.now)
        assert found.value.code == "token", (what, found.value)
        assert same_table(before, company.table)
        assert company.table.events == before.events
    company.do(name, command)


def test_a_token_opens_no_seat_of_another_table() -> None:
    one, other = playing(), playing()
    for name in ("Ana", "Ben", "Olga"):
        assert other.table.held_by(one.who(name)) == ()
        assert not other.table.opened_by(one.who(name))


def test_a_seat_without_a_player_is_held_by_nobody() -> None:
    company = full()
    assert not shows(Actor(("",)), company.table.id, "")
    assert company.table.held_by(Actor(("",))) == ()


def test_a_table_to_be_watched_by_link_shows_itself_to_nobody_else() -> None:
    company = playing()
    for name in ("Ana", "Ben", "Olga", "watcher"):
        assert view(company.table, company.who(name))
    for actor in (Actor(), company.who("Mallory"), company.who("Cleo")):
        with pytest.raises(Refused) as found:
            view(company.table, actor)
        assert found.value.code == "token"


def test_an_invitation_lets_one_look_before_sitting() -> None:
    company = waiting()
    assert view(company.table, Actor((invitation_of(company),)))


def test_a_table_is_not_opened_with_a_poor_token() -> None:
    with pytest.raises(ValueError, match="token"):
        open_table(Terms("tabu"), "short", NOON)
