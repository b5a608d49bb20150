"""What a table refuses though it looks harmless, and the limits of what it takes."""

import pytest

from tablee.tables import visit
from tablee.tables.commands import (
    MOST_TOKENS,
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
    Say,
    ShowHint,
    Sit,
    Start,
    TakeBack,
    Text,
)
from tablee.tables.door import handle
from tablee.tables.invitations import invitation, invitations_left, next_invitation
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, hash_token, new_token
from tablee.tables.values import Ask
from tests.tables.company import NOON, Company
from tests.tables.test_table import kinds, refused

# Sitting down.


def test_a_refusal_names_the_seat_as_people_count() -> None:
    company = Company()
    company.do("Ana", Sit(1, "Ana"))
    assert refused(company, "Ben", Sit(1, "Ben"), "phase").facts == {"seat": 2}


@pytest.mark.parametrize("token", ["", "short", "x" * 44])
def test_nobody_sits_down_with_a_poor_token_even_at_an_open_table(token: str) -> None:
    company = Company()
    with pytest.raises(Refused) as found:
        handle(company.table, Sit(0, "Ana"), Actor((token,)), company.now)
    assert found.value.code == "token"


def test_an_invitation_that_is_none_is_refused_even_at_an_open_table() -> None:
    refused(Company(), "Ana", Sit(0, "Ana", new_token()), "token")


def test_nobody_sits_down_as_a_program_of_the_house() -> None:
    refused(Company(), "Ana", Sit(0, "Ana", player="program"), "unreadable")  # type: ignore[arg-type]


def test_any_of_the_tokens_shown_may_be_the_right_one() -> None:
    company = Company().seated("Ana", "Ben")
    both = Actor((company.tokens["Mallory"], company.tokens["Ben"]))
    assert company.table.held_by(both) == (1,)


def test_a_seat_that_a_program_plays_is_not_open_to_strangers() -> None:
    company = Company().seated("Ana", "1")
    refused(company, "Mallory", Sit(1, "Mallory"), "token")


def test_whoever_sits_beside_others_takes_no_further_seat_of_a_program() -> None:
    company = Company("tabu", 3, sitting="invited")
    for seat, name in enumerate(("Ana", "Ben")):
        company.do(name, Sit(seat, name, company.invitation("Olga", seat)))
    company.do("Olga", Replace(2, "1"))
    refused(company, "Ana", Sit(2, "Ana"), "token")


def test_whoever_comes_in_the_middle_of_a_game_adds_nothing_to_its_dice() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ben", Leave(1))
    assert kinds(company.do("Cleo", Sit(1, "Cleo", contribution="00" * 16))) == ["seated"]


def test_whoever_left_a_seat_to_one_program_after_another_may_come_back() -> None:
    company = Company(sitting="invited")
    for seat, name in enumerate(("Ana", "Ben")):
        company.do(name, Sit(seat, name, company.invitation("Olga", seat), "00" * 16))
    company.do("Ben", Replace(1, "1"))
    company.do("Ana", Replace(1, "2"))
    company.do("Ben", Sit(1, "Ben"))
    assert company.table.held_by(company.who("Ben")) == (1,)


def test_nobody_is_dismissed_from_a_seat_without_a_person() -> None:
    company = Company()
    refused(company, "house", Dismiss(0), "phase")
    company.do("Olga", Replace(0, "1"))
    refused(company, "house", Dismiss(0), "phase")


def test_a_table_that_waits_stays_open_when_its_only_person_leaves() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    assert kinds(company.do("Ana", Leave(0))) == ["left"]


@pytest.mark.parametrize("level", ["0", "9", "weak", "max:seconds=9"])
def test_visitors_choose_a_level_that_the_game_has(level: str) -> None:
    refused(Company(), "Olga", Replace(1, level), "unreadable")
    refused(Company(), "Olga", Fill(level), "unreadable")


@pytest.mark.parametrize("name", ["Olga", "house"])
def test_a_program_that_nobody_has_chosen_plays_at_the_middle_level(name: str) -> None:
    company = Company()
    company.do(name, Fill())
    assert [seat.level for seat in company.table.seats] == ["4", "4"]


def test_the_house_fills_and_begins_a_table_that_it_does_not_sit_at() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    company.do("house", Fill("1"))
    assert kinds(company.do("house", Start())) == ["contributed", "started"]
    refused(company, "house", Start(), "phase")


# The dice.


def test_a_seat_contributes_once_sixteen_to_sixty_four_bytes_in_hex() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    for poor in ("00" * 15, "00" * 65, "zz" * 16, "0" * 33, ""):
        refused(company, "Ana", Contribute(0, poor), "unreadable")
    company.do("Ana", Contribute(0, "00" * 64))
    refused(company, "Ana", Contribute(0, "11" * 16), "phase")


# The link to watch.


def test_the_link_to_watch_lets_look_and_nothing_else() -> None:
    """It follows from the opener's token, who can give it on; nobody sits down with it."""
    token = new_token()
    opening = open_table(Terms("traboulet", watching="link", sitting="open"), token, NOON)
    table = Table.from_events(opening.events, opening.secret)
    link = table.watch_token(Actor((token,)))
    watcher = Actor(watch=link)
    assert table.may_watch(watcher)
    assert table.watch_token(watcher) == link
    assert not any(table.may_watch(actor) for actor in (Actor(), Actor(watch=new_token())))
    with pytest.raises(Refused) as refused:
        handle(table, Sit(0), watcher, NOON)
    assert refused.value.key == "no token to sit"


# Invitations.


def test_no_invitation_is_given_twice() -> None:
    """Neither one that was made at the table, nor one that it was opened with."""
    token, name = new_token(), "a-table"
    opening = open_table(Terms("traboulet"), token, NOON, invitations=[(invitation(token, name, 0), None)], table=name)
    table = Table.from_events(opening.events, opening.secret)
    assert next_invitation(table, token) == invitation(token, name, 1)
    table = handle(table, Invite(), Actor((token,)), NOON).table
    assert next_invitation(table, token) == invitation(token, name, 2)
    assert list(table.invitations) == [hash_token(name, invitation(token, name, number)) for number in (0, 1)]


def test_the_invitations_left_are_those_that_nobody_has_used() -> None:
    company = Company(sitting="invited")
    used, unused = company.invitation("Olga", 1), company.invitation("Olga")
    company.do("Ana", Sit(1, "Ana", used))
    assert invitations_left(company.table, company.who("Olga")) == [(unused, None)]
    assert invitations_left(company.table, company.who("Ana")) == []


def test_nobody_is_invited_after_the_end() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    refused(company, "Ana", Invite(), "phase")


# Playing.


def test_a_play_has_at_most_so_many_tokens() -> None:
    company = Company().seated("Ana", "Ben")
    refused(company, "Ana", Play(0, ("a7b7",) * (MOST_TOKENS + 1)), "unreadable")
    refused(company, "Ana", ShowHint(0, ("a7b7",) * (MOST_TOKENS + 1)), "unreadable")


def test_tokens_may_come_in_one_piece() -> None:
    company = Company(position="6b/7/7/5wr/7/7/w5w w 0 0 - -").seated("Ana", "Ben")
    assert kinds(company.play("Ana", 0, "f4g4 a1b1")) == ["acted", "acted"]


def test_a_resend_means_what_the_first_request_meant() -> None:
    """Also where the request leaves something open that has changed since: the free seat, the hint that was found."""
    company = Company()
    sit = Sit(None, "Ana", contribution="00" * 16, move_id="sit")
    company.do("Ana", sit)
    assert company.do("Ana", sit) == []
    company.do("Ben", Sit(1, "Ben", contribution="00" * 16))
    company.do("Ana", ShowHint(0, ("a7b7",), move_id="hint"))
    assert company.do("Ana", Hint(0, move_id="hint")) == []


def test_nobody_is_asked_once_the_game_is_given_up() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Draw(0))
    company.do("Ben", Resign(1))
    assert company.table.asked == ()
    assert company.table.asks == {}
    refused(company, "house", Expire(), "phase")


# Asking.


def test_no_draw_is_offered_in_a_game_that_is_played_together() -> None:
    refused(Company("tabaijana", 2).seated("Ana", "Ben"), "Ana", Draw(0), "phase")


def test_whoever_opened_a_table_does_not_close_a_game_that_others_play() -> None:
    refused(Company().seated("Ana", "Ben"), "Olga", Abandon(), "token")


def test_free_text_is_not_asked_for_where_everybody_writes() -> None:
    refused(Company(chat="text").seated("Ana", "Ben"), "Ana", Text(0), "phase")


def test_a_game_that_all_agreed_to_abandon_is_called_abandoned() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Abandon(0))
    company.do("Ben", Answer(1, Ask.ABANDON, True))
    assert company.table.result is not None
    assert company.table.result.reason == "abandoned"


def test_whoever_holds_two_seats_answers_once() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Ben")
    company.do("Ana", Abandon(0))
    assert kinds(company.do("Ben", Answer(1, Ask.ABANDON, True))) == ["answered", "ended", "revealed"]


def test_a_take_back_settles_whatever_else_was_asked() -> None:
    company = Company().seated("Ana", "Ben")
    company.play("Ana", 0, "a7b7")
    company.do("Ana", Draw(0))
    company.do("Ana", TakeBack(0))
    company.do("Ben", Answer(1, Ask.TAKE_BACK, True))
    assert company.table.asks == {}


def test_what_was_asked_lapses_when_another_takes_the_seat() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    company.do("Ana", Abandon(0))
    company.do("Ben", Replace(1, "1"))
    assert company.table.asks == {}


def test_a_game_has_one_rematch() -> None:
    company = Company().seated("Ana", "1")
    company.do("Ana", Resign(0))
    company.do("Ana", Rematch(0))
    refused(company, "Ana", Rematch(0), "phase")


# A log that has grown too long.

FULL_LOG: list[Command] = [Say(0, "hello"), Draw(0), Invite(), Hint(0), ShowHint(0, ("a7b7",)), Replace(0, "1")]


@pytest.mark.parametrize("command", FULL_LOG, ids=lambda command: type(command).__name__)
def test_a_log_that_is_full_takes_only_what_the_game_needs(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Company().seated("Ana", "Ben")
    monkeypatch.setattr(visit, "MOST_EVENTS", company.table.seq + 1)
    handle(company.table, command, company.who("Ana"), company.now)
    monkeypatch.setattr(visit, "MOST_EVENTS", company.table.seq)
    refused(company, "Ana", command, "limit")
    company.play("Ana", 0, "a7b7")


@pytest.mark.parametrize("command", FULL_LOG, ids=lambda command: type(command).__name__)
def test_what_is_beside_the_game_fills_only_a_part_of_the_log(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Company().seated("Ana", "Ben")
    beside = company.table.seq - len(company.table.steps)
    monkeypatch.setattr(visit, "MOST_BESIDE", beside + 1)
    handle(company.table, command, company.who("Ana"), company.now)
    monkeypatch.setattr(visit, "MOST_BESIDE", beside)
    refused(company, "Ana", command, "limit")
    company.play("Ana", 0, "a7b7")


@pytest.mark.parametrize("command", [Sit(0, "Ana"), Fill()], ids=["Sit", "Fill"])
def test_a_table_whose_log_is_full_seats_nobody(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Company()
    monkeypatch.setattr(visit, "MOST_EVENTS", company.table.seq)
    refused(company, "Olga", command, "limit")
