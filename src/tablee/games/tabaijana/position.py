# compiled
"""Tabaijana, fast: a stack is one word, three bits a crate, the top crate lowest.

So the top n crates are the lowest 3 n bits: taking, setting down and stacking are one shift each, and the topmost crate of a
colour is the lowest group of bits that agrees with it. The boat's load is the stack on the boat's cell, as 1.4 has it.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, by_slot, count, mix
from tablee.core.position import CHANCE, OVER, Position

LETTERS: Final = "rwgby"
COLOURS: Final[i64] = 5
CRATES: Final[i64] = 20
LAST_CELL: Final[i64] = 24
HARBOUR: Final[i64] = 10
RUIN: Final[i64] = -1000000
FARTHEST: Final[i64] = 29
ROOM: Final[i64] = 30
EACH: Final[i64] = 0x249249249249249  # the lowest bit of each of the 20 crates

# Actions: 6 throws of one die, 21 of two, crates from cell to cell, crates from the boat to a cell, the boat to a cell.
PAIRS: Final = tuple([(small, large) for small in range(1, 7) for large in range(small, 7)])
ROUTES: Final = tuple([(start, start + steps) for start in range(1, 24) for steps in range(1, 7) if start + steps <= 24])
ONE_DIE: Final[i64] = 6
THROWS: Final[i64] = 27
FROM_CELL: Final[i64] = 27
FROM_BOAT: Final[i64] = 2487
BOAT: Final[i64] = 2767
ACTION_COUNT: Final = 2786


def throws() -> list[i64]:
    """Return for every throw its smaller die, and eight times its larger die (0 where one die is thrown)."""
    return [i64(die) for die in range(1, 7)] + [i64(small + 8 * large) for small, large in PAIRS]


def cases() -> list[i64]:
    """Return the throw of each of the 36 cases of two dice."""
    return [i64(6 + PAIRS.index((min(a, b), max(a, b)))) for a in range(1, 7) for b in range(1, 7)]


def routes() -> list[i64]:
    """Return the first action of each way from a cell, at eight times the cell plus the steps."""
    first_actions: list[i64] = [i64(0)] * 256
    for number, (start, end) in enumerate(ROUTES):
        first_actions[8 * start + end - start] = i64(FROM_CELL + CRATES * number)
    return first_actions


def codes() -> list[i64]:
    """Return for every action but the throws: start (0 is the boat), end and three times the crates (0 moves the boat itself)."""
    table: list[i64] = [i64(0)] * THROWS
    for start, end in ROUTES:
        table += [i64(start + 32 * end + 1024 * 3 * n) for n in range(1, 21)]
    for end in range(11, 25):
        table += [i64(32 * end + 1024 * 3 * n) for n in range(1, 21)]
    return table + [i64(32 * end) for end in range(11, 30)]


THROW: Final = vec[i64](throws())
CASE: Final = vec[i64](cases())
ROUTE: Final = vec[i64](routes())
CODE: Final = vec[i64](codes())
CELL: Final = by_slot([i64(n) for n in range(63)])
# How many crates above the topmost own one: by rule A one must be taken along with it, by rule B one may stop just above it.
ABOVE: Final = by_slot([i64(n // 3) for n in range(63)])
ABOVE_BUT_ONE: Final = by_slot([i64(max(0, n // 3 - 1)) for n in range(63)])


def present(stack: i64) -> i64:
    """Return the places of a stack that hold a crate."""
    return (stack | (stack >> 1) | (stack >> 2)) & EACH


def matches(stack: i64, pattern: i64) -> i64:
    """Return the places of a stack that hold the pattern's colour."""
    other = stack ^ pattern
    return EACH & ~(other | (other >> 1) | (other >> 2))


def pairs(stack: i64) -> i64:
    """Return the places of a stack whose crate lies directly on one of its own colour."""
    other = stack ^ (stack >> 3)
    return present(stack) & ~(other | (other >> 1) | (other >> 2))


def word(crates: str) -> i64:
    """Return the stack of some letters, bottom to top."""
    stack: i64 = 0
    for letter in crates:
        stack = (stack << 3) | i64(LETTERS.index(letter) + 1)
    return stack


class TabaijanaPosition(Position):
    """The stacks, the boat, whose turn it is, what is thrown, and who has which privilege."""

    def __init__(self, seats: i64, children: bool, far_end: i64, lasting: bool, boat_for_four: bool, counts: bool) -> None:
        """Make an empty board under these options; `arrange` fills it."""
        super().__init__(seats)
        self.children: bool = children
        self.far_end: i64 = far_end
        self.lasting: bool = lasting
        self.boat_for_four: bool = boat_for_four
        self.counts: bool = counts
        self.colours: vec[i64] = vec[i64]([0] * 5)
        self.patterns: vec[i64] = vec[i64]([0] * 5)
        self.owned: i64 = 0
        self.table: i64 = 0
        self.goal: i64 = 0
        self.cells: vec[i64] = vec[i64]([0] * 30)
        self.occupied: i64 = 0
        self.boat: i64 = HARBOUR
        self.side: i64 = 0
        self.small: i64 = 0
        self.large: i64 = 0
        self.three: i64 = 0
        self.four: i64 = 0
        self.who: i64 = CHANCE
        self.ended_by: i64 = 0

    def arrange(self, colours: str, goal: str, stacks: list[str], boat: i64, side: i64, three: i64, four: i64) -> None:
        """Take up a board before a throw, stacks by cell and the load on the boat's, and judge at once whether it is over."""
        self.owned, self.table = 0, 0
        for seat, letter in enumerate(colours):
            colour: i64 = LETTERS.index(letter) + 1
            self.colours[seat] = colour
            self.patterns[seat] = colour * EACH
            mark: i64 = 1
            mark <<= colour
            self.owned |= mark
            self.table = 8 * self.table + colour
        self.goal = word("".join([letter * 4 for letter in goal]))
        self.table = mix(self.table, self.goal)
        self.occupied = 0
        for cell, crates in enumerate(stacks):
            self.cells[cell] = word(crates)
            if crates:
                place: i64 = 1
                place <<= i64(cell)
                self.occupied |= place
        self.boat, self.side, self.small, self.large = boat, side, 0, 0
        self.three, self.four = three, four
        self.look_again()
        self.who, self.ended_by = CHANCE, 0
        self.judge()

    def stack(self, cell: i64) -> str:
        """Return the crates on a cell as letters, bottom to top."""
        letters = ""
        stack = self.cells[cell]
        while stack:
            letters = LETTERS[(stack & 7) - 1] + letters
            stack >>= 3
        return letters

    def actor(self) -> i64:
        """Return the seat that has thrown, or CHANCE before it does."""
        return self.who

    def turn(self) -> i64:
        """Return the seat whose turn it is."""
        return self.side

    def chances(self) -> i64:
        """Return 6 cases, or 36 for a seat that throws two dice (4.1)."""
        if (self.three >> self.colours[self.side]) & 1:
            return 36
        return 6

    def throw(self, case: i64) -> i64:
        """Return the throw of a case."""
        if (self.three >> self.colours[self.side]) & 1:
            return CASE[case]
        return case

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write the moves with the smaller die, then with the larger: crates cell by cell, fewest first, then the boat."""
        n = self.moves(self.small, into, 0)
        if self.large > self.small:
            n = self.moves(self.large, into, n)
        return n

    def moves(self, steps: i64, into: vec[i64], n: i64) -> i64:
        """Write the moves by that many steps after the first n; return how many there are now."""
        cells = self.cells
        boat = self.boat
        pattern = self.patterns[self.side]
        children = self.children
        free = (self.four >> self.colours[self.side]) & 1
        reach: i64 = 2
        reach <<= self.far_end - steps
        places = self.occupied & (reach - 1)
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            stack = cells[cell]
            skipped: i64 = 0
            if not free:
                own = matches(stack, pattern)
                if own:
                    place = ((own & -own) * DE_BRUIJN >> 58) & 63
                    skipped = ABOVE[place] if children else ABOVE_BUT_ONE[place]
                elif not children or not self.neutral(stack):
                    continue
            first = FROM_BOAT + 20 * (cell + steps - 11) if cell == boat else ROUTE[8 * cell + steps]
            action = first + skipped
            stack >>= 3 * skipped
            while stack:
                into[n] = action
                n += 1
                action += 1
                stack >>= 3
        if self.may_sail(cells[boat], pattern, free):
            into[n] = BOAT - 11 + boat + steps
            n += 1
        return n

    def neutral(self, stack: i64) -> bool:
        """Return whether nobody owns a crate of a stack."""
        seat: i64 = 0
        while seat < self.seats:
            if matches(stack, self.patterns[seat]):
                return False
            seat += 1
        return True

    def may_sail(self, load: i64, pattern: i64, free: i64) -> bool:
        """Return whether a seat may move the boat (3.1, 3.2, 4.2, 4.4)."""
        if not load or matches(load, pattern):
            return True
        if self.children:
            return free != 0 or self.neutral(load)
        return free != 0 and self.boat_for_four

    def play(self, action: i64) -> None:
        """Throw, and pass if the throw allows nothing (2.2); or move, look at the privileges and hand over the turn."""
        if action < THROWS:
            dice = THROW[action]
            self.small = dice & 7
            self.large = dice >> 3
            if self.can_move(self.small):
                self.who = self.side
            else:
                self.hand_over()
            return
        code = CODE[action]
        cells = self.cells
        boat = self.boat
        end = (code >> 5) & 31
        shift = code >> 10
        here: i64 = 1
        there: i64 = 1
        there <<= end
        if shift:
            start = code & 31
            if not start:
                start = boat
            stack = cells[start]
            top: i64 = 1
            top <<= shift
            landed = (cells[end] << shift) | (stack & (top - 1))
            stack >>= shift
            cells[start] = stack
            if not stack:
                here <<= start
                self.occupied ^= here
            self.occupied |= there
        else:
            start = boat
            landed = cells[boat]
            if landed:
                here <<= boat
                self.occupied = (self.occupied ^ here) | there
                cells[boat] = 0
            waiting = cells[end]
            # 3.3: what stands there goes on top, order kept.
            stack = waiting
            while stack:
                landed <<= 3
                stack >>= 3
            landed |= waiting
            self.boat = end
        cells[end] = landed
        if self.lasting:
            self.look_again()
        elif not self.children:
            self.note_blocks(landed)
        elif end == self.boat:
            self.note_load(landed)
        self.judge()
        if not self.ended_by:
            self.hand_over()

    def can_move(self, steps: i64) -> bool:
        """Return whether the seat whose turn it is could move by that many steps, or by fewer of two numbers."""
        pattern = self.patterns[self.side]
        free = (self.four >> self.colours[self.side]) & 1
        if self.may_sail(self.cells[self.boat], pattern, free):
            return True
        reach: i64 = 2
        reach <<= self.far_end - steps
        places = self.occupied & (reach - 1)
        if free:
            return places != 0
        while places:
            low = places & -places
            places ^= low
            stack = self.cells[CELL[(low * DE_BRUIJN >> 58) & 63]]
            if matches(stack, pattern) or (self.children and self.neutral(stack)):
                return True
        return False

    def hand_over(self) -> None:
        """Give the dice to the next seat."""
        side = self.side + 1
        if side == self.seats:
            side = 0
        self.side = side
        self.small, self.large = 0, 0
        self.who = CHANCE

    def note_blocks(self, stack: i64) -> None:
        """Note who has three or four crates directly on top of each other in a stack (4.1, 4.2)."""
        two = pairs(stack)
        three = two & (two >> 3)
        while three:
            low = three & -three
            three ^= low
            colour = (stack >> CELL[(low * DE_BRUIJN >> 58) & 63]) & 7
            mark: i64 = 1
            mark <<= colour
            mark &= self.owned
            self.three |= mark
            if (low << 3) & three:
                self.four |= mark

    def note_load(self, load: i64) -> None:
        """Note who has three or four crates aboard (4.1, 4.2 of the children's game)."""
        seat: i64 = 0
        while seat < self.seats:
            aboard = count(matches(load, self.patterns[seat]))
            if aboard >= 3:
                mark: i64 = 1
                mark <<= self.colours[seat]
                self.three |= mark
                if aboard == 4:
                    self.four |= mark
            seat += 1

    def look_again(self) -> None:
        """Look at the whole board for privileges, dropping the old ones where they end with their reason (4.3)."""
        if self.lasting:
            self.three, self.four = 0, 0
        if self.children:
            self.note_load(self.cells[self.boat])
            return
        places = self.occupied
        while places:
            low = places & -places
            places ^= low
            self.note_blocks(self.cells[CELL[(low * DE_BRUIJN >> 58) & 63]])

    def judge(self) -> None:
        """End the game if it is won (5.1), if the boat is lost (5.2), or if nobody could move any more (5.3)."""
        boat = self.boat
        alone: i64 = 1
        alone <<= boat
        complete = self.occupied == alone and self.in_order(self.cells[boat])
        if boat >= LAST_CELL:
            self.finish(1 if complete and self.counts and boat == LAST_CELL else 2)
        elif complete:
            self.finish(1)
        elif self.stuck():
            self.finish(3)

    def in_order(self, load: i64) -> bool:
        """Return whether all the crates, aboard, lie as 5.1 wants them."""
        if self.children:
            return pairs(load) == 0
        if self.goal:
            return load == self.goal
        return count(pairs(load)) == 15

    def stuck(self) -> bool:
        """Return whether nobody could move with any number (5.3): a seat that can move by some number can move by 1, or sail."""
        load = self.cells[self.boat]
        # 4.2: a seat that has had four together may move the load or, where it is at the far end, somebody's crates behind it.
        if not load or self.children or self.four or not self.neutral(load):
            return False
        reach: i64 = 1
        reach <<= self.far_end
        places = self.occupied & (reach - 1)
        while places:
            low = places & -places
            places ^= low
            if not self.neutral(self.cells[CELL[(low * DE_BRUIJN >> 58) & 63]]):
                return False
        return True

    def finish(self, paragraph: i64) -> None:
        """End the game by 5.1, 5.2 or 5.3."""
        self.ended_by = paragraph
        self.who = OVER
        self.small, self.large = 0, 0

    def copy(self) -> "TabaijanaPosition":
        """Return a new equal position."""
        other = TabaijanaPosition(self.seats, self.children, self.far_end, self.lasting, self.boat_for_four, self.counts)
        other.copy_from(self)
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another position, its seats and options included."""
        assert isinstance(other, TabaijanaPosition)
        self.seats = other.seats
        self.children, self.far_end, self.lasting = other.children, other.far_end, other.lasting
        self.boat_for_four, self.counts = other.boat_for_four, other.counts
        self.owned, self.table, self.goal = other.owned, other.table, other.goal
        self.occupied, self.boat, self.side = other.occupied, other.boat, other.side
        self.small, self.large = other.small, other.large
        self.three, self.four = other.three, other.four
        self.who, self.ended_by = other.who, other.ended_by
        n: i64 = 0
        mine, theirs = self.colours, other.colours
        while n < COLOURS:
            mine[n] = theirs[n]
            n += 1
        n = 0
        mine, theirs = self.patterns, other.patterns
        while n < COLOURS:
            mine[n] = theirs[n]
            n += 1
        n = 0
        mine, theirs = self.cells, other.cells
        while n < ROOM:
            mine[n] = theirs[n]
            n += 1

    def score(self, seat: i64) -> i64:
        """Return 1 for everybody if the crates are saved, else 0."""
        return 1 if self.ended_by == 1 else 0

    def winners(self) -> i64:
        """Return all seats or none."""
        if self.ended_by != 1:
            return 0
        all_seats: i64 = 1
        all_seats <<= self.seats
        return all_seats - 1

    def friends(self, seat: i64) -> i64:
        """Return all seats: they win or lose together."""
        all_seats: i64 = 1
        all_seats <<= self.seats
        return all_seats - 1

    def reason(self) -> str:
        """Return 5.1 (saved), 5.2 (the boat is lost) or 5.3 (nobody can move)."""
        return f"5.{self.ended_by}"

    def standing(self, seat: i64) -> i64:
        """Return how far the crates are sorted and loaded, and how much of the track is still free; the same for every seat."""
        if self.ended_by:
            return RUIN if self.ended_by > 1 else -RUIN
        boat = self.boat
        load = self.cells[boat]
        value: i64 = 0
        places = self.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            if cell == boat:
                continue
            stack = self.cells[cell]
            height = count(present(stack))
            like = count(pairs(stack))
            value += (-2 * like if self.children else 30 * like) - cell * height
            if cell > boat:
                value -= (5 if self.children else 1) * height
            if cell == LAST_CELL and not self.counts:
                value -= 1000 * height
        height = count(present(load))
        like = count(pairs(load))
        if self.children:
            return value + 20 * height - 60 * like - 3 * boat
        return value + 30 * like - 5 * height - 30 * (height - like) - 40 * boat - self.buried(load)

    def buried(self, load: i64) -> i64:
        """Return a penalty for the load: incomplete colours with others on top and, where an order is set, crates out of order."""
        ill: i64 = 0
        colour: i64 = 1
        while colour <= COLOURS:
            aboard = count(matches(load, colour * EACH))
            if aboard:
                ill -= 30
                if aboard < 4 and load & 7 != colour:
                    ill += 10
            colour += 1
        if self.goal:
            goal = self.goal
            height = count(present(load))
            goal >>= 3 * (CRATES - height)
            while load != goal:
                ill += 20
                load >>= 3
                goal >>= 3
        return ill

    def facts(self) -> tuple[object, ...]:
        """Return the options, the crates, the boat and the moment."""
        rules = (self.seats, self.children, self.far_end, self.lasting, self.boat_for_four, self.counts)
        deal = (tuple(self.colours), tuple(self.patterns), self.owned, self.goal)
        moment = (self.table, self.occupied, self.boat, self.side, self.small, self.large, self.three, self.four, self.who, self.ended_by)
        crates = [self.cells[n] for n in range(ROOM) if (self.occupied >> n) & 1]
        return rules, deal, moment, crates

    def hash(self) -> i64:
        """Return a number made of everything."""
        rest = self.side | (self.boat << 3) | (self.small << 8) | (self.large << 11) | (self.three << 14) | (self.four << 20)
        mixed = mix(mix(self.table, self.occupied), rest)
        places = self.occupied
        while places:
            low = places & -places
            places ^= low
            mixed = mix(mixed, self.cells[CELL[(low * DE_BRUIJN >> 58) & 63]])
        return mixed
