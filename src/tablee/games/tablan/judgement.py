# compiled unchecked
"""The value of a position of Tablan: a network estimates the chance to win from the place of every man.

It sees the cloth from the side to throw, whose men run up the line; the other side has the rest of the chance.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, INDEX, count
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.network import Network
from tablee.core.weights import sections, unpack
from tablee.games.tablan.position import BOTH_WAIT, FIRST_THROW, HALF, SQUARE_A, WORTH, TablanPosition, total

# Squares as the side to throw numbers them: outside the enemy's home, the enemy's home, outside its own home.
OUTSIDE: Final[i64] = 0xFFFFFFFFF
ENEMY_HOME: Final[i64] = 0xFFF000000000
ENEMY_OUTSIDE: Final[i64] = 0xFFFFFFFFF000

# The first number of each group of features.
OWN_MEN: Final[i64] = 0
ENEMY_MEN: Final[i64] = 48
OWN_ASLEEP: Final[i64] = 96
ENEMY_ASLEEP: Final[i64] = 108
OWN_LEFT: Final[i64] = 120
ENEMY_LEFT: Final[i64] = 133
OWN_HELD: Final[i64] = 146
ENEMY_HELD: Final[i64] = 159
LEAD: Final[i64] = 172
HOPES: Final[i64] = 197
OWN_HITS: Final[i64] = 222
ENEMY_HITS: Final[i64] = 235
OWN_AIMS: Final[i64] = 248
ENEMY_AIMS: Final[i64] = 255
NO_CONTACT: Final[i64] = 262
WAY: Final[i64] = 263
WAITING: Final[i64] = 284
OWN_SLEEPERS: Final[i64] = 285
ENEMY_SLEEPERS: Final[i64] = 298
OWN_ENTRIES: Final[i64] = 311
ENEMY_ENTRIES: Final[i64] = 324
# The distances (1 to 24) of men outside to the square to be entered next; and the options of the game.
OWN_AWAY: Final[i64] = 337
ENEMY_AWAY: Final[i64] = 361
ANY_SQUARE: Final[i64] = 385
THROW_AGAIN: Final[i64] = 386
END_BOTH: Final[i64] = 387
FIRST_WINS: Final[i64] = 388
FEATURES: Final = 389
MOST_SEEN: Final = 96

# The number of cases in which a throw is worth 0 to 12: of 36 with dice, of 16 with sticks.
DICE_ODDS: Final = vec[i64]([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
STICK_ODDS: Final = vec[i64]([10, 0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1])


def section(game: Game) -> str:
    """Return the preset whose weights fit a game best: the throw decides, then the first move."""
    if game.option("throw") == "sticks":
        return "mysore"
    return "lettre" if game.option("first_move") == "each_man" else "fiche"


def same_worth() -> list[i64]:
    """Return for every throw the first throw of the same worth."""
    worths = [int(WORTH[i64(n)]) for n in range(26)]
    return [FIRST_THROW + worths.index(worth) if n < 21 else FIRST_THROW + 21 + worths[21:].index(worth) for n, worth in enumerate(worths)]


SAME_WORTH: Final = vec[i64](same_worth())


def turned(word: i64) -> i64:
    """Return a set of squares as the other side numbers them: the first of 48 becomes the last."""
    word = ((word >> 1) & 0x555555555555) | ((word & 0x555555555555) << 1)
    word = ((word >> 2) & 0x333333333333) | ((word & 0x333333333333) << 2)
    word = ((word >> 4) & 0x0F0F0F0F0F0F) | ((word & 0x0F0F0F0F0F0F) << 4)
    word = ((word >> 8) & 0x00FF00FF00FF) | ((word & 0x00FF00FF00FF) << 8)
    return (word >> 32) | (word & 0xFFFF0000) | ((word & 0xFFFF) << 32)


class TablanJudgement(Judgement[TablanPosition]):
    """The chance to win, a draw counted as half, estimated by the network of one set of options."""

    def __init__(self, network: Network) -> None:
        """Use a network."""
        self.network = network
        self.seen: vec[i64] = vec[i64]([0] * MOST_SEEN)
        self.hits: i64 = 0
        self.aims: i64 = 0
        self.entries: i64 = 0

    def value(self, position: TablanPosition, seat: i64) -> float:
        """Return the chance of a seat; a throw in hand is ignored."""
        turn = position.turn()
        value = self.network.value(self.seen, self.features(position, turn, self.seen))
        return value if turn == seat else 1.0 - value

    def alike(self, position: TablanPosition, throw: i64) -> i64:
        """Return the first throw of the same worth."""
        if throw < FIRST_THROW or throw - FIRST_THROW >= len(SAME_WORTH):
            raise IndexError(f"{throw} is no throw")
        return SAME_WORTH[throw - FIRST_THROW]

    def features(self, position: TablanPosition, seat: i64, into: vec[i64]) -> i64:
        """Write what the seat to throw sees: every man, the squares held, what either side can capture or enter by the next throw."""
        if len(into) < MOST_SEEN:
            raise IndexError(f"room for {len(into)} features: expected {MOST_SEEN}")
        black, white, fresh = position.black, position.white, position.fresh
        turned_black, turned_white, turned_fresh = turned(black), turned(white), turned(fresh)
        if seat == 0:
            own, enemy, asleep = black, white, fresh
            enemy_own, enemy_other, enemy_asleep = turned_white, turned_black, turned_fresh
        else:
            own, enemy, asleep = turned_white, turned_black, turned_fresh
            enemy_own, enemy_other, enemy_asleep = black, white, fresh
        n = write(own, OWN_MEN, into, 0)
        n = write(enemy, ENEMY_MEN, into, n)
        n = write(asleep & own, OWN_ASLEEP, into, n)
        n = write((asleep & enemy) >> 36, ENEMY_ASLEEP, into, n)
        left = count(own & OUTSIDE)
        enemy_left = count(enemy & ENEMY_OUTSIDE)
        held = count(own & ENEMY_HOME)
        enemy_held = count(enemy_own & ENEMY_HOME)
        into[n] = OWN_LEFT + left
        into[n + 1] = ENEMY_LEFT + enemy_left
        into[n + 2] = OWN_HELD + held
        into[n + 3] = ENEMY_HELD + enemy_held
        into[n + 4] = LEAD + 12 + held - enemy_held
        into[n + 5] = HOPES + 12 + held + left - enemy_held - enemy_left
        into[n + 6] = OWN_SLEEPERS + count(asleep & own)
        into[n + 7] = ENEMY_SLEEPERS + count(asleep & enemy)
        into[n + 8] = WAY + way(own, enemy_own)
        self.look(own, enemy, asleep, position.sticks, position.any_square)
        into[n + 9] = OWN_HITS + self.hits
        into[n + 10] = OWN_AIMS + self.aims
        into[n + 11] = OWN_ENTRIES + self.entries
        self.look(enemy_own, enemy_other, enemy_asleep, position.sticks, position.any_square)
        into[n + 12] = ENEMY_HITS + self.hits
        into[n + 13] = ENEMY_AIMS + self.aims
        into[n + 14] = ENEMY_ENTRIES + self.entries
        n += 15
        rearmost = own & -own
        if not (enemy & ENEMY_OUTSIDE) & ~(rearmost - 1):
            into[n] = NO_CONTACT
            n += 1
        if position.waiting == BOTH_WAIT:
            into[n] = WAITING
            n += 1
        n = write(away(own), OWN_AWAY, into, n)
        n = write(away(enemy_own), ENEMY_AWAY, into, n)
        return options(position, into, n)

    def look(self, own: i64, enemy: i64, asleep: i64, sticks: bool, any_square: bool) -> None:
        """Count the cases of the next throw in which a side can capture or enter, and the men that it can capture."""
        entry: i64 = ENEMY_HOME & ~own
        if not any_square:
            entry = ((own & ENEMY_HOME) + SQUARE_A) & ENEMY_HOME
        prey = enemy & ((ENEMY_OUTSIDE & OUTSIDE) | entry)
        awake = own & OUTSIDE & ~asleep
        hits: i64 = 0
        entries: i64 = 0
        aims: i64 = 0
        worth: i64 = 2
        while worth <= 12:
            odds = STICK_ODDS[worth] if sticks else DICE_ODDS[worth]
            if odds:
                men = awake
                if worth == 2:
                    men = own & OUTSIDE
                reach = men << worth
                half = HALF[worth]
                if half:
                    reach |= men << half
                if reach & prey:
                    hits += odds
                    aims |= reach & prey
                if reach & entry:
                    entries += odds
            worth += 1
        if not sticks:
            hits = (hits + 2) // 3
            entries = (entries + 2) // 3
        self.hits, self.entries = hits, entries
        aimed = count(aims)
        self.aims = aimed if aimed < 6 else 6


def write(squares: i64, first: i64, into: vec[i64], n: i64) -> i64:
    """Write the feature of each square of a set after the first n; return how many there are now."""
    while squares:
        low = squares & -squares
        into[n] = first + INDEX[(low * DE_BRUIJN >> 58) & 63]
        n += 1
        squares ^= low
    return n


def away(own: i64) -> i64:
    """Return the men outside as a set of distances to the first free square of the enemy's home; bit 0 means 24 squares away."""
    free = ~own & ENEMY_HOME
    if not free:
        return 0
    entry = count((free & -free) - 1)
    return (own & OUTSIDE) >> (entry - 24)


def options(position: TablanPosition, into: vec[i64], n: i64) -> i64:
    """Write the options that change what a position is worth after the first n features; return how many there are now."""
    if position.any_square:
        into[n] = ANY_SQUARE
        n += 1
    if position.throw_again:
        into[n] = THROW_AGAIN
        n += 1
    if position.end_both:
        into[n] = END_BOTH
        n += 1
    if position.first_wins:
        into[n] = FIRST_WINS
        n += 1
    return n


def way(own: i64, enemy: i64) -> i64:
    """Return the difference in distance still to run between own and enemy men outside, as a feature from 0 to 20."""
    mine = own & OUTSIDE
    theirs = enemy & OUTSIDE
    more = (42 * count(mine) - total(mine) - 42 * count(theirs) + total(theirs) + 126) // 12
    if more < 0:
        return 0
    return more if more < 20 else 20


def judge(game: Game, text: str) -> TablanJudgement:
    """Return the judgement of a game with the weights of a text."""
    return TablanJudgement(unpack(sections(text), section(game), FEATURES))
