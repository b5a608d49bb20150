"""The last turns of two seats at Tabu: the tables say what plain reckoning with fractions says."""

import pytest

from tablee import catalog
from tablee.core.game import choose
from tablee.games.tabu.duel import Duel, turns_left
from tablee.games.tabu.position import THROWS, TabuPosition
from tests.players.tabu.make_suite import ODDS, best_reply, part, staked, stakes, worth

MONEY = 40
WAYS = [{}, {"may_pass": "yes"}, {"doubling": "all"}, {"doubling": "none"}, {"odds": "stake_included"}]


def last_turn(options: dict[str, str], hand: int) -> TabuPosition:
    """Return the last turn of two seats, in which the second stakes with so much."""
    game = choose(catalog.kind("tabu"), 2, {"money": "20", **options})
    position = game.kind.start(game, {"banker": "1"})
    assert isinstance(position, TabuPosition)
    position.arrange(0, [MONEY - hand, hand], [2, 3], 0)
    return position


@pytest.mark.parametrize("options", WAYS, ids=[str(way) for way in WAYS])
@pytest.mark.parametrize("hand", [1, 2, 5, 8])
def test_the_last_turn_is_worth_what_the_best_stake_makes_of_it(options: dict[str, str], hand: int) -> None:
    """The tables know stakes of one amount on signs and another on symbols; with little money no other stake is better."""
    position = last_turn(options, hand)
    best = max(worth(staked(position, 1, stake), 1) for stake in stakes(position, 1, alone=True))
    assert Duel(position, MONEY).chance(1, hand) == pytest.approx(float(best), abs=1e-12)


def test_in_the_last_turn_amounts_may_differ_from_box_to_box() -> None:
    """Who is a little behind wins more often with unequal amounts than with any equal ones."""
    position = last_turn({}, 18)
    assert Duel(position, MONEY).chance(1, 18) == pytest.approx(float(best_reply(position)), abs=1e-12)


@pytest.mark.parametrize("hand", [83, 118, 126, 139])
def test_no_equal_stake_is_worth_more_than_the_tables_say(hand: int) -> None:
    """Where a table leaves amounts out, a player looks for what the other would not find, and finds that it does."""
    position = last_turn({}, 1)
    position.arrange(0, [200 - hand, hand], [2, 2], 0)
    duel = Duel(position, 200)
    after = position.copy()
    assert isinstance(after, TabuPosition)

    def worth_before_another_turn(boxes: int, amount: int) -> float:
        """Return the chance that an amount on each of some signs gives, the other side replying by the tables."""
        total = 0.0
        for throw, cases in ODDS.items():
            after.copy_from(position)
            for box in range(boxes):
                after.lay(1, box, amount)
            after.settle(throw - THROWS)
            chance = float(part(int(after.winners()), 1)) if after.ended_by else 1.0 - duel.chance(1, int(after.hand[0]))
            total += cases * chance / 216
        return total

    found = [worth_before_another_turn(boxes, amount) for boxes in range(1, 5) for amount in range(1, hand // boxes + 1)]
    assert max(found) <= duel.chance(2, hand) + 1e-12


def test_more_money_is_a_better_chance_and_all_of_it_is_the_win() -> None:
    duel = Duel(last_turn({}, 5), 60)
    for turns in range(1, 7):
        chances = [duel.chance(turns, hand) for hand in range(1, 60)]
        assert chances == sorted(chances)
        assert chances[0] >= 0.0
        assert chances[-1] <= 1.0


def test_much_money_is_reckoned_as_if_it_were_less() -> None:
    position = last_turn({}, 5)
    few, many = Duel(position, 200), Duel(position, 20_000)
    for hand in (37, 75, 115, 191):
        assert many.chance(3, 100 * hand) == pytest.approx(few.chance(3, hand))
    assert few.chance(3, 75) < many.chance(3, 100 * 75 + 50) < few.chance(3, 76)


@pytest.mark.parametrize(
    ("held", "banker", "turns"), [((0, 0), 0, 6), ((2, 2), 0, 2), ((3, 2), 1, 1), ((2, 3), 0, 1), ((1, 0), 1, 5), ((0, 3), 0, 5)]
)
def test_the_turns_left_are_counted_as_the_bank_goes_round(held: tuple[int, int], banker: int, turns: int) -> None:
    position = last_turn({}, 20)
    position.arrange(banker, [20, 20], list(held), 0)
    assert turns_left(position, 0, 1) == turns
    played = 0
    while not position.ended_by:
        for seat in (0, 1):
            if seat != position.banker:
                position.lay(seat, 0, 1)
        # A throw that shows every sign but clubs, then one that shows them: nobody runs out of money.
        position.settle(30 if played % 2 else 1)
        played += 1
    assert played == turns


def test_chances_of_both_sides_make_a_whole() -> None:
    game = choose(catalog.kind("tabu"), 2)
    position = game.kind.start(game, {"banker": "1"})
    judgement = game.kind.mind.judgement(game)
    assert judgement.value(position, 0) + judgement.value(position, 1) == pytest.approx(1.0)
    # Who stakes first, at a loss on average, has the worse of it.
    assert judgement.value(position, 1) < 0.5
