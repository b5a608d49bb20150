"""Tabu, slowly: why an action is refused, paragraph by paragraph; shares no code with the fast rules."""

from tablee.core.game import Game
from tablee.core.ruling import Fact, Ruling
from tablee.core.state import DICE
from tablee.games.tabu.position import TabuPosition

BOX_NAMES = "cdhpas"
CHIP_VALUES = (1, 5, 20, 100)
SEAT_ACTIONS = 25
FIRST_THROW = 8 * SEAT_ACTIONS

# 2.1: everybody stakes for himself, the dice fall by themselves; 2.4 and 4.1: who stakes nothing, or nothing more.
DICE_STAKE = Ruling("2.1", "dice")
ANOTHERS = tuple(Ruling("2.1", "other", facts={"seat": f"=seat {owner}"}) for owner in range(1, 9))
ABSENT = Ruling("2.1", "absent")
CHOSEN_THROW = Ruling("2.1", "throw")
NO_STAKE = Ruling("2.2")
BANKER = Ruling("2.4", "banker")
READY = Ruling("2.4", "ready")
OUT = Ruling("4.1", "out")


def rulings(game: Game, position: TabuPosition, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat (-1: the dice) breaks now; none means that it is legal."""
    if position.ended_by:
        return [Ruling(position.reason(), "over free" if position.reason() == "4.2" and game.option("rounds") == "free" else "over")]
    if action >= FIRST_THROW:
        return throwing(position, seat)
    if seat == DICE:
        return [DICE_STAKE]
    owner, step = divmod(action, SEAT_ACTIONS)
    broken = [ANOTHERS[owner]] if seat != owner else []
    if owner >= game.seats:
        return broken or [ABSENT]
    if not (position.inside >> owner) & 1:
        return [*broken, OUT]
    if owner == position.banker:
        return [*broken, BANKER]
    return broken + staking(game, position, owner, step)


def throwing(position: TabuPosition, seat: int) -> list[Ruling]:
    """Judge a throw: nobody chooses it, and the dice wait until all are ready (2.1)."""
    broken = [CHOSEN_THROW] if seat != DICE else []
    if position.waiting:
        broken.append(Ruling("2.1", "early", facts={"count": int(position.waiting).bit_count()}))
    return broken


def staking(game: Game, position: TabuPosition, seat: int, step: int) -> list[Ruling]:
    """Judge a chip or `!` of a seat that is in the game and not the banker."""
    if not (position.waiting >> seat) & 1:
        return [READY]
    table = position.stakes
    stakes = [int(table[at]) for at in range(6 * seat, 6 * seat + 6)]
    if step < SEAT_ACTIONS - 1:
        return covering(game, stakes, int(position.hand[seat]), step // 4, CHIP_VALUES[step % 4])
    return [NO_STAKE] if sum(stakes) < 1 and game.option("may_pass") == "no" else []


def covering(game: Game, stakes: list[int], hand: int, box: int, chip: int) -> list[Ruling]:
    """Judge whether the money covers all stakes with one more chip, and what 3.3 would add to them (2.3)."""
    money = hand + sum(stakes)
    stakes[box] += chip
    total = sum(stakes)
    doubling = game.option("doubling")
    doubled = total if doubling == "all" else stakes[4] + stakes[5] if doubling == "symbols" else 0
    if money >= total + doubled or (doubling == "all" and money == total == 1):
        return []
    case = "doubled" if doubled else "first" if total == chip else ""
    facts: dict[str, Fact] = {"money": money, "stakes": total, "doubled": doubled, "needed": total + doubled}
    return [Ruling("2.3", case, (BOX_NAMES[box],), facts)]
