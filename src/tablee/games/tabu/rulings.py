"""Tabu, slowly: why an action is refused, paragraph by paragraph; shares no code with the fast rules."""

from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.ruling import Ruling
from tablee.games.tabu.position import TabuPosition

BOX_NAMES = "cdhpas"
SYMBOLS = "as"
CHIP_VALUES = (1, 5, 20, 100)
SEAT_ACTIONS = 25
FIRST_THROW = 8 * SEAT_ACTIONS
DICE = -1


def rulings(game: Game, position: Position, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat (-1: the dice) breaks now; none means that it is legal."""
    assert isinstance(position, TabuPosition)
    if position.ended_by:
        return [Ruling(position.reason(), "over")]
    if action >= FIRST_THROW:
        return throwing(position, seat)
    owner, step = divmod(action, SEAT_ACTIONS)
    if seat == DICE:
        return [Ruling("2.1", "dice")]
    found = [Ruling("2.1", "other", facts={"seat": f"=seat {owner + 1}"})] if seat != owner else []
    if owner >= game.seats:
        return found or [Ruling("2.1", "absent")]
    if not (position.inside >> owner) & 1:
        return [*found, Ruling("4.1", "out")]
    if owner == position.banker:
        return [*found, Ruling("2.4", "banker")]
    return found + staking(game, position, owner, step)


def throwing(position: TabuPosition, seat: int) -> list[Ruling]:
    """Judge a throw: the dice fall, nobody chooses them (2.1), and only when all are ready (2.1)."""
    found = []
    if seat != DICE:
        found.append(Ruling("2.1", "throw"))
    if position.waiting:
        found.append(Ruling("2.1", "early", facts={"count": int(position.waiting).bit_count()}))
    return found


def staking(game: Game, position: TabuPosition, seat: int, step: int) -> list[Ruling]:
    """Judge a chip or `!` of a seat that is in the game and not the banker."""
    stakes = {box: position.stakes[6 * seat + at] for at, box in enumerate(BOX_NAMES)}
    hand = position.hand[seat]
    found = []
    if step == SEAT_ACTIONS - 1:
        if game.option("may_pass") == "no" and sum(stakes.values()) < 1:
            found.append(Ruling("2.2"))
    else:
        box, chip = BOX_NAMES[step // 4], CHIP_VALUES[step % 4]
        found += affording(game, stakes, hand, box, chip)
    if not (position.waiting >> seat) & 1:
        found.append(Ruling("2.4", "ready"))
    return found


def affording(game: Game, stakes: dict[str, int], hand: int, box: str, chip: int) -> list[Ruling]:
    """Judge whether the money covers all stakes and what 3.3 would add to them (2.3)."""
    doubling = game.option("doubling")
    money = hand + sum(stakes.values())
    stakes = stakes | {box: stakes[box] + chip}
    total = sum(stakes.values())
    doubled = {"none": 0, "symbols": sum(stakes[one] for one in SYMBOLS), "all": total}[doubling]
    if money >= total + doubled or (doubling == "all" and money == total == 1):
        return []
    facts = {"money": money, "stakes": total, "doubled": doubled, "needed": total + doubled}
    return [Ruling("2.3", "doubled" if doubled else "", cells=(box,), facts=facts)]
