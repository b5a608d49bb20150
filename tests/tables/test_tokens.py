"""Only the holder moves a seat: every command with every wrong token is refused, and nothing changes."""

from collections.abc import Callable

import pytest

from tablee.tables.commands import Command
from tablee.tables.door import handle
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, hash_token, new_token, shows
from tablee.tables.view import view
from tests.tables.company import NOON, Company, same_table
from tests.tables.rightful import RIGHTFUL, full, invitation_of, other_may, playing, waiting


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


@pytest.mark.parametrize(("lay", "name", "command"), RIGHTFUL, ids=lambda part: getattr(part, "__name__", type(part).__name__))
def test_every_command_with_every_wrong_token_is_refused(lay: Callable[[], Company], name: str, command: Command) -> None:
    company = lay()
    before = company.table.fork()
    for what, actor in wrong(company, name).items():
        if what == "the other's" and other_may(lay, company, actor, command):
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
