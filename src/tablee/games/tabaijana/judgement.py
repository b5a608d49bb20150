# compiled unchecked
"""What a position of Tabaijana is worth: a network that has learned the chance that all crates are saved.

Colours are seen from the seat that is to throw (`ranks.py`). Stacks are seen from the boat: what lies one throw behind it,
farther behind, or ahead of it. The same families of features serve both games.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, count
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.network import Network
from tablee.core.weights import sections, unpack
from tablee.games.tabaijana.crates import Crates
from tablee.games.tabaijana.ending import write_ending
from tablee.games.tabaijana.position import CELL, COLOURS, CRATES, HARBOUR, LAST_CELL, TabaijanaPosition, pairs, present
from tablee.games.tabaijana.prospects import Prospects
from tablee.games.tabaijana.ranks import NOBODY, Ranks

# A stack off the boat, in each of 15 ranges of distance: its height, its runs, its lowest and its top colour, whether it fits the load.
STACKS: Final[i64] = 0
RANGES: Final[i64] = 15
SEEN_OF_STACK: Final[i64] = 27
# A colour: crates aboard, runs in all, privilege, where its last crate lies, how it lies aboard.
ABOARD: Final[i64] = 405
RUNS: Final[i64] = 445
PRIVILEGE: Final[i64] = 477
REAR: Final[i64] = 501
LYING: Final[i64] = 565
# The whole: boat, load, what is settled, what is ill, what is left to do.
BOAT_AT: Final[i64] = 605
HEIGHT: Final[i64] = 619
SETTLED: Final[i64] = 640
PARTIAL: Final[i64] = 646
ILL: Final[i64] = 650
ALL_RUNS: Final[i64] = 658
STACK_COUNT: Final[i64] = 674
BEHIND: Final[i64] = 687
AHEAD: Final[i64] = 698
STRANDED: Final[i64] = 709
FITTING: Final[i64] = 710
NEAR: Final[i64] = 714
WAY: Final[i64] = 725
SAILORS: Final[i64] = 741
SAILS: Final[i64] = 747
# The options of the table, and how many seats there are.
SHORT: Final[i64] = 748
LASTING: Final[i64] = 749
BOAT_FOR_FOUR: Final[i64] = 750
COUNTS: Final[i64] = 751
SEATS: Final[i64] = 752
# Where an order is set: whose the colours are.
OWNER: Final[i64] = 756
# The way to the end, which the last loads fight for: where the boat is and where each stack (apart for the last two), where the boat is
# and how many stacks are left, and where the last two are.
PLACES: Final[i64] = 786
LEFT: Final[i64] = 1458
LAST_TWO: Final[i64] = 1542
SHARED: Final = 2442
# With five seats: what each of them may hope of its next throw, every crate by itself, and where exactly the last stacks lie.
HOPES: Final[i64] = 2442
CRATE_BY_CRATE: Final[i64] = 2827
ENDING: Final[i64] = 6151
FEATURES: Final = 13375
FIVE: Final = 5
FACES: Final[i64] = 6
MOST_SEEN: Final = 320


def ranges() -> list[i64]:
    """Return for boat - cell + 24 the range of a distance: 1 to 6, 7 to 9, 10 and more behind, 1 to 6, 7 and more ahead."""
    numbers = []
    for distance in range(-24, 25):
        if distance > 0:
            numbers.append(distance - 1 if distance <= 6 else 6 if distance <= 9 else 7)
        else:
            numbers.append(7 - distance if distance > -7 else 14)
    return [i64(number) for number in numbers]


RANGE: Final = vec[i64](ranges())
# For the cells that the boat has sailed: how much room is left before it, in four parts.
ROOM_LEFT: Final = vec[i64]([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3])
HEIGHTS: Final = vec[i64]([0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])
RUN_COUNTS: Final = vec[i64]([0, 0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])


def section(game: Game) -> str:
    """Return the name of the weights of a game: two to four seats share theirs, five have their own, and so has the load in order."""
    if game.option("order") == "on":
        return "ordre"
    return f"{game.option('game')}-5" if game.seats == FIVE else str(game.option("game"))


def size(game: Game) -> int:
    """Return how many features the network of a game has: five seats look closer."""
    return SHARED if game.seats < FIVE or game.option("order") == "on" else FEATURES


class TabaijanaJudgement(Judgement[TabaijanaPosition]):
    """The chance of the common win, the same for every seat, as a network has learned it."""

    def __init__(self, network: Network) -> None:
        """Judge by a network."""
        self.network = network
        self.seen: vec[i64] = vec[i64]([0] * MOST_SEEN)
        self.ranks = Ranks(network.size > SHARED)
        # By colour, from 1: its runs, its crates and runs aboard, the cell of its last crate.
        self.runs: vec[i64] = vec[i64]([0] * 8)
        self.aboard: vec[i64] = vec[i64]([0] * 8)
        self.runs_aboard: vec[i64] = vec[i64]([0] * 8)
        self.rear: vec[i64] = vec[i64]([0] * 8)
        self.closer: bool = network.size > SHARED
        self.prospects = Prospects()
        self.crates = Crates()

    def value(self, position: TabaijanaPosition, seat: i64) -> float:
        """Return the chance of the win; none is left once a crate lies where the boat may never stop (5.4)."""
        if position.cells[LAST_CELL] and not position.counts:
            return 0.0
        return self.network.value(self.seen, self.features(position, position.side, self.seen))

    def doublets(self, position: TabaijanaPosition, into: vec[i64]) -> i64:
        """Write the six equal pairs for who throws two dice (4.1): it uses one of them."""
        if position.chances() == FACES:
            return 0
        if len(into) < FACES:
            raise IndexError(f"room for {len(into)} throws: expected {FACES}")
        k: i64 = 0
        while k < FACES:
            into[k] = position.throw((FACES + 1) * k)
            k += 1
        return FACES

    def merit(self, position: TabaijanaPosition) -> float:
        """Return how far the crates aboard were in order, as 5.1 counts it."""
        load = position.cells[position.boat]
        height = count(present(load))
        like = count(pairs(load))
        if position.children:
            return float(height - 2 * like) / 20.0 if height > 2 * like else 0.0
        return float(like) / 15.0

    def features(self, position: TabaijanaPosition, seat: i64, into: vec[i64]) -> i64:
        """Write what the seat to throw sees: each stack from the boat, each colour, the load and the way."""
        if len(into) < MOST_SEEN or seat < 0 or seat >= position.seats:
            raise IndexError(f"seat {seat} of {position.seats}, room for {len(into)} features: expected {MOST_SEEN}")
        self.ranks.meet(position, seat)
        self.forget()
        load = position.cells[position.boat]
        n = self.stacks(position, load & 7, into)
        n = self.colours(position, load & 7, into, n)
        n = self.boat_and_load(position, load, into, n)
        if self.closer:
            n = self.prospects.write(position, self.ranks.owner, into, n, HOPES)
            n = self.crates.write(position, self.ranks.owner, into, n, CRATE_BY_CRATE)
            n = write_ending(position, into, n, ENDING)
        return options(position, into, n)

    def forget(self) -> None:
        """Forget what was counted of each colour."""
        colour: i64 = 1
        while colour <= COLOURS:
            self.runs[colour] = 0
            self.aboard[colour] = 0
            self.runs_aboard[colour] = 0
            self.rear[colour] = 0
            colour += 1

    def stacks(self, position: TabaijanaPosition, top_aboard: i64, into: vec[i64]) -> i64:
        """Write what every stack off the boat is like and what they are together, and count runs and crates by colour."""
        rank, runs, rear = self.ranks.rank, self.runs, self.rear
        boat = position.boat
        n: i64 = 0
        stack_count: i64 = 0
        first_range: i64 = 0
        second_range: i64 = 0
        behind: i64 = 0
        ahead: i64 = 0
        near: i64 = 0
        way: i64 = 0
        fitting: i64 = 0
        places = position.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            stack = position.cells[cell]
            top = stack & 7
            last: i64 = 0
            height: i64 = 0
            run_count: i64 = 0
            while stack:
                colour = stack & 7
                if colour != last:
                    run_count += 1
                    runs[colour] += 1
                    if cell == boat:
                        self.runs_aboard[colour] += 1
                    last = colour
                if not rear[colour]:
                    rear[colour] = cell
                if cell == boat:
                    self.aboard[colour] += 1
                height += 1
                stack >>= 3
            if cell == boat:
                continue
            second_range = first_range
            first_range = RANGE[boat - cell + 24]
            first = STACKS + SEEN_OF_STACK * first_range
            into[n] = first + HEIGHTS[height]
            into[n + 1] = first + 5 + (RUN_COUNTS[height - run_count + 1] if position.children else RUN_COUNTS[run_count])
            into[n + 2] = first + 10 + rank[last]
            into[n + 3] = first + 18 + rank[top]
            n += 4
            if last == top_aboard:
                into[n] = first + 26
                n += 1
                fitting += 1
            stack_count += 1
            if cell < boat:
                behind += height
                way += height * (boat - cell)
                if boat - cell <= 6:
                    near += height
            else:
                ahead += height
                if cell == LAST_CELL:
                    into[n] = STRANDED
                    n += 1
        into[n] = STACK_COUNT + (stack_count if stack_count < 12 else 12)
        into[n + 1] = BEHIND + ((behind + 1) >> 1)
        into[n + 2] = AHEAD + ((ahead + 1) >> 1)
        into[n + 3] = NEAR + ((near + 1) >> 1)
        way = (way + 7) >> 3
        into[n + 4] = WAY + (way if way < 15 else 15)
        into[n + 5] = FITTING + (fitting if fitting < 3 else 3)
        n += 6
        sailed = (boat if boat < LAST_CELL else LAST_CELL - 1) - HARBOUR
        into[n] = LEFT + 6 * sailed + (stack_count if stack_count < 5 else 5)
        n += 1
        if stack_count == 2:
            into[n] = LAST_TWO + 225 * ROOM_LEFT[sailed] + 15 * second_range + first_range
            n += 1
        place = PLACES + 24 * sailed - 1
        if stack_count <= 2:
            place += 336
        places = position.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            if cell != boat:
                into[n] = place + cell
                n += 1
        return n

    def colours(self, position: TabaijanaPosition, top_aboard: i64, into: vec[i64], n: i64) -> i64:
        """Write how every colour stands, and how many seats may sail."""
        ranks, owner = self.ranks.rank, self.ranks.owner
        sailors: i64 = 0
        sails: i64 = 0
        runs: i64 = 0
        colour: i64 = 1
        while colour <= COLOURS:
            rank = ranks[colour]
            aboard = self.aboard[colour]
            runs += self.runs[colour]
            privilege = ((position.three >> colour) & 1) + ((position.four >> colour) & 1)
            into[n] = ABOARD + 5 * rank + aboard
            into[n + 1] = RUNS + 4 * rank + self.runs[colour] - 1
            into[n + 2] = PRIVILEGE + 3 * rank + privilege
            into[n + 3] = REAR + 8 * rank + rear_range(position.boat - self.rear[colour])
            lying: i64 = 0
            if aboard:
                if self.runs_aboard[colour] > 1:
                    lying = 3
                elif aboard == 4:
                    lying = 4
                else:
                    lying = 1 if colour == top_aboard else 2
                if owner[colour] < NOBODY:
                    sailors += 1
                if owner[colour] == 0:
                    sails = 1
            into[n + 4] = LYING + 5 * rank + lying
            n += 5
            if position.goal:
                into[n] = OWNER + 6 * rank + owner[colour]
                n += 1
            colour += 1
        if sails:
            into[n] = SAILS
            n += 1
        into[n] = SAILORS + sailors
        into[n + 1] = ALL_RUNS + (runs - 5 if runs > 5 else 0)
        return n + 2

    def boat_and_load(self, position: TabaijanaPosition, load: i64, into: vec[i64], n: i64) -> i64:
        """Write the boat, its load, how much of it is in its final place, and how much lies wrong."""
        height: i64 = 0
        run_count: i64 = 0
        stack = load
        last: i64 = 0
        while stack:
            if stack & 7 != last:
                run_count += 1
                last = stack & 7
            height += 1
            stack >>= 3
        colours: i64 = 0
        colour: i64 = 1
        while colour <= COLOURS:
            if self.aboard[colour]:
                colours += 1
            colour += 1
        # From the bottom up: complete blocks, in the required order if there is one, then the beginning of one more.
        settled: i64 = 0
        partial: i64 = 0
        at = height - 1
        last = 0
        wrong: i64 = 0
        while at >= 0:
            colour = (load >> (3 * at)) & 7
            if position.children:
                if colour == last:
                    break
                settled += 1
            else:
                if position.goal and (position.goal >> (3 * (CRATES - height + at))) & 7 != colour:
                    wrong = at + 1
                    break
                if colour != last and partial:
                    break
                partial += 1
                if partial == 4:
                    settled += 1
                    partial = 0
            last = colour
            at -= 1
        if position.children:
            settled >>= 2
            ill = height - run_count
        else:
            ill = run_count - colours
            if wrong > ill:
                ill = wrong
        boat = position.boat
        into[n] = BOAT_AT + (boat if boat < LAST_CELL else LAST_CELL - 1) - HARBOUR
        into[n + 1] = HEIGHT + height
        into[n + 2] = SETTLED + settled
        into[n + 3] = PARTIAL + partial
        into[n + 4] = ILL + (ill if ill < 7 else 7)
        return n + 5


def options(position: TabaijanaPosition, into: vec[i64], n: i64) -> i64:
    """Write the options that change what a position is worth after the first n features; return how many there are now."""
    if position.far_end < LAST_CELL:
        into[n] = SHORT
        n += 1
    if position.lasting:
        into[n] = LASTING
        n += 1
    if position.boat_for_four:
        into[n] = BOAT_FOR_FOUR
        n += 1
    if position.counts:
        into[n] = COUNTS
        n += 1
    into[n] = SEATS + position.seats - 2
    return n + 1


def rear_range(distance: i64) -> i64:
    """Return the range of the way from a colour's last crate to the boat: aboard, 1 to 3, 6, 9, 12 and more behind, near or far ahead."""
    if distance == 0:
        return 0
    if distance < 0:
        return 6 if distance > -7 else 7
    if distance > 12:
        return 5
    return (distance + 2) // 3


def judge(game: Game, text: str) -> TabaijanaJudgement:
    """Return the judgement of a game with the weights of a text."""
    return TabaijanaJudgement(unpack(sections(text), section(game), size(game)))
