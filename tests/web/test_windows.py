"""What a sender has used: exact at one house, and over several as soon as they have told each other."""

from tablee.web import allowances, windows
from tablee.web.allowances import Allowances
from tablee.web.windows import Places, Window


def test_a_window_is_exact_and_slides() -> None:
    window = Window("changes", 10, 60.0)
    assert [window.hit("a", 600.0 + n) for n in range(11)] == [True] * 10 + [False]
    assert window.hit("b", 611.0)
    assert not window.hit("a", 661.0), "the minute before still counts"
    assert window.hit("a", 719.0), "by now nearly all of it is out of sight"
    assert all(window.hit("a", 800.0) for _ in range(10))


def test_a_clock_that_goes_back_gives_nobody_more() -> None:
    window = Window("changes", 3, 60.0)
    assert all(window.hit("a", 700.0) for _ in range(3))
    assert not window.hit("a", 100.0)
    assert not window.hit("a", 700.0)


def share(*houses: Allowances) -> None:
    """Let each house hear what the others tell."""
    told = [house.news() for house in houses]
    names = [str(number) for number in range(len(houses))]
    for here, house in enumerate(houses):
        heard = [(what, number, who, names[there], count) for there, news in enumerate(told) if there != here for what, number, who, count in news]
        house.hear(heard, names)


def test_two_houses_count_one_sender_together() -> None:
    one, two = (Allowances(1, lambda: 6000.0) for _ in range(2))
    most = allowances.CHANGES_A_MINUTE
    for _ in range(most // 2):
        assert one.hit((one.changes,), ("192.0.2.1",))
    share(one, two)
    allowed = [two.hit((two.changes,), ("192.0.2.1",)) for _ in range(most)]
    assert allowed.count(True) == most - most // 2
    share(one, two)
    assert not one.hit((one.changes,), ("192.0.2.1",))
    assert one.hit((one.changes,), ("192.0.2.2",))


def test_what_is_told_twice_counts_once() -> None:
    window = Window("changes", 10, 60.0)
    assert window.hit("a", 600.0)
    for _ in range(5):
        window.hear(window.number, "a", "other", 6)
    assert [window.hit("a", 600.0) for _ in range(4)] == [True, True, True, False]


def test_what_decides_nothing_is_not_told() -> None:
    window = Window("changes", 100, 60.0)
    for _ in range(int(100 * windows.TOLD_FROM) - 1):
        window.hit("a", 600.0)
    assert window.news() == []
    window.hit("a", 600.0)
    assert window.news() == [("changes", 10, "a", 10)]


def test_places_at_two_houses_are_places_of_one_address_until_a_house_is_gone() -> None:
    one, two = Places(3), Places(3)
    assert one.take("a")
    assert one.take("a")
    for who, count in one.news(everything=False):
        two.hear(who, "one", count)
    two.awake = frozenset({"one", "two"})
    assert [two.take("a") for _ in range(2)] == [True, False]
    two.awake = frozenset({"two"})
    assert [two.take("a") for _ in range(3)] == [True, True, False]
    one.leave("a")
    for who, count in one.news(everything=False):
        two.hear(who, "one", count)
    two.awake = frozenset({"one", "two"})
    two.leave("a")
    assert not two.take("a")


def test_of_who_holds_few_places_nothing_is_told_and_of_who_gives_them_back_it_is() -> None:
    places = Places(100, told_from=3)
    for number, news in enumerate([[], [], [("a", 3)], [("a", 4)]]):
        assert places.take("a")
        assert list(places.news(everything=False)) == news, number
    assert list(places.news(everything=True)) == [("a", 4)]
    assert list(places.news(everything=False)) == []
    for news in ([("a", 3)], [("a", 0)], [], []):
        places.leave("a")
        assert list(places.news(everything=False)) == news
    assert list(places.news(everything=True)) == []
