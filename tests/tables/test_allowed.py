"""What doors ask of a table besides its commands: which seats are empty, whether anybody may come, whether an adviser may speak."""

from tablee.tables.allowed import empty_seats, may_advise, waits_for_all
from tablee.tables.commands import Leave, Replace, Resign, Sit
from tests.tables.company import Company


def test_empty_seats_are_offered_until_the_end() -> None:
    company = Company("tabu", 3)
    assert empty_seats(company.table) == [0, 1, 2]
    company.do("Ana", Sit(1, "Ana"))
    assert empty_seats(company.table) == [0, 2]
    duel = Company().seated("Ana", "Ben")
    duel.do("Ben", Leave(1))
    assert empty_seats(duel.table) == [1]
    duel.do("Ana", Resign(0))
    assert empty_seats(duel.table) == []


def test_a_table_waits_for_all_while_it_is_open_and_has_a_seat() -> None:
    company = Company()
    assert waits_for_all(company.table)
    assert not waits_for_all(Company(sitting="invited").table)
    assert not waits_for_all(company.seated("Ana", "Ben").table)
    half = Company("tabu", 3)
    half.do("Ana", Sit(0, "Ana"))
    assert waits_for_all(half.table)


def test_an_adviser_speaks_to_a_person_alone_against_programs() -> None:
    alone = Company().seated("Ana", "1")
    assert may_advise(alone.table, alone.who("Ana"))
    assert not may_advise(alone.table, alone.who("Ben"))
    for company in (Company().seated("Ana", "Ben"), Company().seated("Ana", "Ana"), Company(hints="no").seated("Ana", "1")):
        assert not may_advise(company.table, company.who("Ana"))
    alone.do("Ana", Resign(0))
    assert not may_advise(alone.table, alone.who("Ana"))
    waiting = Company("tabu", 3)
    waiting.do("Olga", Replace(0, "1"))
    waiting.do("Ana", Sit(1, "Ana"))
    assert not may_advise(waiting.table, waiting.who("Ana"))
