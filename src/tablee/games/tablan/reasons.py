"""Why a move is good, in facts that can be counted: for hints."""

from tablee.core.children import children
from tablee.core.game import Game
from tablee.core.position import CHANCE
from tablee.core.ruling import Message
from tablee.games.tablan.position import ACTION_COUNT, STAY, TablanPosition


def reason(game: Game, before: TablanPosition, action: int, after: TablanPosition) -> Message | None:
    """Return the first of these that holds: it takes a bird, it brings one in, it leaves the fewer chances to be taken."""
    side = int(before.side)
    if birds(after, 1 - side) < birds(before, 1 - side):
        return Message("why capture")
    if after.score(side) > before.score(side):
        return Message("why home", {"count": int(after.score(side))})
    if action == STAY or after.actor() != CHANCE or after.side == side:
        return None
    others = [other for other in children(before, ACTION_COUNT) if other.actor() == CHANCE and other.side != side]
    exposed, most = threats(after), max(threats(other) for other in others)
    key = "why safe none" if not exposed else "why safe one" if exposed == 1 else "why safe"
    return Message(key, {"count": exposed, "of": int(after.chances()), "most": most}) if exposed < most else None


def birds(position: TablanPosition, side: int) -> int:
    """Return how many birds a side has on the cloth."""
    return int(position.white if side else position.black).bit_count()


def threats(position: TablanPosition) -> int:
    """Return in how many cases of the coming throw the side in turn can take a bird."""
    side = int(position.side)
    cases = 0
    for case in range(int(position.chances())):
        thrown = position.copy()
        thrown.play(thrown.throw(case))
        cases += takes(thrown, side, birds(position, 1 - side))
    return cases


def takes(position: TablanPosition, side: int, enemies: int) -> bool:
    """Return whether a side can take a bird with the throw in its hand, by one step or two."""
    if birds(position, 1 - side) < enemies:
        return True
    if position.actor() != side or position.thrown < 0:
        return False
    return any(takes(after, side, enemies) for after in children(position, ACTION_COUNT))
