"""The clock, with the time lent by the test: it counts for those who are asked, and only while the house can answer."""

import pytest

from tablee.core.errors import TableeError
from tablee.tables.clock import Clock, ClockTerms
from tablee.tables.commands import Expire, Play, Replace, Resume, Sit, TakeBack, Tick
from tablee.tables.door import handle
from tablee.tables.refused import Refused
from tablee.tables.tokens import HOST
from tests.tables.company import MINUTE, NOON, Company

FIVE = ClockTerms("real", 5 * MINUTE, 2000)
DAY = 24 * 60 * MINUTE
CORRESPONDENCE = ClockTerms("days", 3 * DAY)


def left(company: Company) -> list[int]:
    """Return what everybody has left."""
    assert company.table.clock is not None
    return [company.table.clock.left_at(seat, company.now) for seat in range(company.table.game.seats)]


def test_time_passes_for_whoever_is_asked() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    company.now += 30
    assert left(company) == [270_000, 300_000]
    company.play("Ana", 0, "a7b7")
    assert left(company) == [272_000, 300_000]
    company.now += 10
    assert left(company) == [272_000, 290_000]


def test_nothing_passes_before_the_start_or_after_the_end() -> None:
    company = Company(clock=FIVE)
    company.now += 1000
    company.seated("Ana", "Ben")
    assert left(company) == [300_000, 300_000]
    company.do("house", Expire())
    company.now += 1000
    assert left(company) == [300_000, 300_000]
    assert company.table.deadline() is None


def test_what_was_spent_stands_in_the_log() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    company.now += 1.234
    assert company.play("Ana", 0, "a7b7")[0].payload["spent"] == 1234


def test_a_turn_of_several_parts_gets_one_increment() -> None:
    company = Company(clock=FIVE, position="6b/7/7/5wr/7/7/w5w w 0 0 - -").seated("Ana", "Ben")
    company.now += 10
    company.play("Ana", 0, "f4g4")
    company.now += 10
    company.play("Ana", 0, "a1b1")
    assert left(company)[0] == 282_000


def test_whose_time_is_up_loses_where_two_play() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    assert company.table.deadline() == NOON + 300
    company.now += 299.999
    assert company.do("house", Tick()) == []
    company.now += 0.001
    with pytest.raises(Refused) as found:
        company.play("Ana", 0, "a7b7")
    assert found.value.code == "time"
    company.do("house", Tick())
    assert company.table.result is not None
    assert (company.table.result.winners, company.table.result.reason) == ((1,), "time")
    assert company.table.events[-1].kind == "revealed"


def test_whose_time_is_up_is_played_on_by_a_program_where_more_play() -> None:
    company = Company("tabu", 3, clock=FIVE).seated("Ana", "Ben", "Cleo")
    late, other = company.table.asked
    company.now += 200
    company.play(("Ana", "Ben", "Cleo")[other], other, "c1", "!")
    company.now += 100
    company.do("house", Tick())
    assert company.table.seats[late].player == "program"
    assert company.table.seats[other].player == "person"
    assert company.table.phase == "playing"
    with pytest.raises(Refused) as found:
        company.do(("Ana", "Ben", "Cleo")[late], Sit(late, "late"))
    assert found.value.code == "token"


def test_those_who_act_at_the_same_time_all_lose_time() -> None:
    company = Company("tabu", 3, clock=ClockTerms("real", 5 * MINUTE)).seated("Ana", "Ben", "Cleo")
    one, other = company.table.asked
    company.now += 10
    company.play(("Ana", "Ben", "Cleo")[one], one, "c1")
    company.now += 5
    assert left(company)[one] == 285_000
    assert left(company)[other] == 285_000


def test_programs_have_no_clock() -> None:
    company = Company(clock=FIVE).seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    assert company.table.deadline() is None
    company.now += 10_000
    company.play("house", 1, "a1b1")
    assert company.table.phase == "playing"


def test_who_takes_over_from_a_program_is_clocked_from_then_on() -> None:
    company = Company(clock=FIVE).seated("Olga", "1")
    company.play("Olga", 0, "a7b7")
    company.now += 100
    company.do("Olga", Sit(1, "Olga"))
    assert company.table.deadline() == company.now + 300
    company.do("Olga", Replace(1, "1"))
    assert company.table.deadline() is None
    assert left(company)[1] == 300_000  # nothing is added for a move that was not made


def test_days_are_given_anew_for_each_move() -> None:
    company = Company(clock=CORRESPONDENCE).seated("Ana", "Ben")
    company.now += 2 * DAY / 1000
    company.play("Ana", 0, "a7b7")
    company.now += 2 * DAY / 1000
    company.play("Ben", 1, "a1b1")
    assert left(company) == [3 * DAY, 3 * DAY]
    company.now += 3 * DAY / 1000
    company.do("house", Tick())
    assert company.table.phase == "over"


def test_an_outage_is_counted_to_nobody() -> None:
    """Ten seconds of thinking, then the house falls and is back an hour later: ten seconds are gone."""
    company = Company(clock=FIVE).seated("Ana", "Ben")
    company.reload()
    company.now += 3600
    company.do("house", Resume(alive_until=NOON + 10))
    assert company.table.events[-1].payload == {"spent": {"0": 10_000}, "outage": 3_590_000}
    assert left(company) == [290_000, 300_000]
    company.now += 5
    company.play("Ana", 0, "a7b7")
    assert left(company) == [287_000, 300_000]


def test_an_outage_that_the_house_says_nothing_about_is_counted_to_nobody_either() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    company.reload()
    company.now += 3600
    assert company.table.deadline() is None
    events = company.do("Ana", Play(0, ("a7b7",), move_id="m"))
    assert [event.kind for event in events] == ["resumed", "acted"]
    assert [event.move_id for event in events] == [None, "m"]
    assert left(company) == [302_000, 300_000]


def test_a_second_outage_is_counted_to_nobody_either() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    for name, seat, token in (("Ana", 0, "a7b7"), ("Ben", 1, "a1b1")):
        company.reload()
        company.now += 3600
        assert company.play(name, seat, token)[0].kind == "resumed"
    assert left(company) == [302_000, 302_000]


def test_no_outage_costs_more_than_a_player_had_left() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    company.reload()
    company.now += 3600
    company.do("house", Resume(alive_until=company.now))
    assert company.table.events[-1].payload == {"spent": {"0": 300_000}, "outage": 0}
    assert left(company) == [0, 300_000]


def test_the_deadline_is_that_of_the_first_whose_time_is_up() -> None:
    company = Company("tabu", 3, clock=ClockTerms("real", 5 * MINUTE)).seated("Ana", "Ben", "Cleo")
    one, other = company.table.asked
    company.now += 10
    company.play(("Ana", "Ben", "Cleo")[one], one, "c1")
    assert company.table.clock is not None
    company.table.clock.left[other] -= 1000
    assert company.table.deadline() == NOON + 299


def test_days_are_given_anew_also_to_who_was_not_asked_for_a_while() -> None:
    clock = Clock(ClockTerms("days", DAY, 1000), 2)
    clock.ask([0], 0.0)
    clock.resume({0: 5000}, 10.0)
    assert clock.left == [DAY - 5000, DAY]
    clock.ask([1], 20.0)
    clock.ask([0], 30.0)
    assert clock.left == [DAY, DAY]


def test_the_clock_is_the_same_after_a_restart() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    for name, seat, token in (("Ana", 0, "a7b7"), ("Ben", 1, "a1b1"), ("Ana", 0, "a6b6")):
        company.now += 7
        company.play(name, seat, token)
    before = left(company)
    company.reload()
    assert left(company) == before


def test_taking_back_gives_no_time_back() -> None:
    company = Company(clock=ClockTerms("real", 5 * MINUTE)).seated("Ana", "1")
    company.now += 30
    company.play("Ana", 0, "a7b7")
    company.do("Ana", TakeBack(0))
    company.now += 1
    assert left(company)[0] == 269_000


def test_a_clock_that_goes_backwards_does_no_harm() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    events = handle(company.table, Play(0, ("a7b7",)), company.who("Ana"), NOON - 500).events
    assert events[0].at == NOON
    assert events[0].payload["spent"] == 0
    company.now = NOON - 10
    assert left(company) == [300_000, 300_000]


def test_only_the_house_looks_at_the_clock() -> None:
    company = Company(clock=FIVE).seated("Ana", "Ben")
    assert handle(company.table, Tick(), HOST, NOON).events == []
    with pytest.raises(Refused):
        company.do("Ana", Tick())


@pytest.mark.parametrize(("kind", "base", "add"), [("sand", 1, 0), ("real", 0, 0), ("days", 10**12, 0), ("real", 1000, -1)])
def test_a_clock_that_cannot_be_is_refused(kind: str, base: int, add: int) -> None:
    with pytest.raises(TableeError):
        ClockTerms(kind, base, add)  # type: ignore[arg-type]
