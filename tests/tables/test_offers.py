"""The buttons that each viewer is offered, from an empty table to a rematch."""

from tablee.tables.allowed import allowed
from tablee.tables.commands import Abandon, Answer, Command, Draw, Fill, Hint, Invite, Leave, Rematch, Resign, Sit, Start, TakeBack, Text
from tablee.tables.refused import Refused
from tablee.tables.values import Ask
from tests.tables.company import Company


def offers(company: Company, name: str) -> list[Command]:
    """Return what somebody is offered."""
    return allowed(company.table, company.who(name))


def test_an_opener_may_fill_an_empty_table_and_whoever_sits_may_begin_a_full_one() -> None:
    company = Company()
    assert offers(company, "Olga") == [Invite(), Fill()]
    assert offers(company, "Mallory") == []
    for seat, name in enumerate(("Ana", "Ben")):
        company.do(name, Sit(seat, name))
    assert offers(company, "Olga") == [Start()]
    assert offers(company, "Ana") == [Start(), Abandon(0), Leave(0), Text(0)]


def test_a_player_is_offered_what_concerns_his_seat() -> None:
    company = Company().seated("Ana", "Ben")
    company.play("Ana", 0, "a7b7")
    assert offers(company, "Ana") == [TakeBack(0), Draw(0), Abandon(0), Resign(0), Leave(0), Text(0)]
    assert offers(company, "Ben") == [Hint(1), Draw(1), Abandon(1), Resign(1), Leave(1), Text(1)]


def test_on_one_screen_the_last_action_is_taken_back_and_whoever_is_asked_gets_the_hint() -> None:
    company = Company().seated("Ana", "Ana")
    company.play("Ana", 0, "a7b7")
    assert offers(company, "Ana") == [TakeBack(0), Hint(1), Abandon(1)]
    company.play("Ana", 1, "a1b1")
    assert offers(company, "Ana") == [TakeBack(1), Hint(0), Abandon(0)]


def test_after_the_end_there_is_another_game() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ben", Resign(1))
    assert offers(company, "Ana") == [Rematch(0), Text(0)]
    assert offers(company, "Olga") == []


def test_a_refusal_of_what_cannot_be_read_may_name_a_paragraph() -> None:
    assert Refused("unreadable", "no unreadable", {"token": "x"}, paragraph="2.1").paragraphs == ("2.1",)
    assert Refused("unreadable", "no unreadable", {"token": "x"}).paragraphs == ()


def test_whoever_may_talk_may_propose_to_write_freely_until_all_do() -> None:
    company = Company(chat="phrases").seated("Ana", "Ben")
    assert Text(0) in offers(company, "Ana")
    company.do("Ana", Text(0))
    company.do("Ben", Answer(1, Ask.TEXT, True))
    assert Text(0) not in offers(company, "Ana")
    for other in (Company(chat="none").seated("Ana", "Ben"), Company(chat="phrases").seated("Ana", "1")):
        assert Text(0) not in offers(other, "Ana")
