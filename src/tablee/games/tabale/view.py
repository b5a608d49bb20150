"""A position as people see it: what stands on a cell, what lies on a side; for everything that need not be fast."""

from tablee.games.tabale.board import BETWEEN, CELL, NAME, NEXT, SIDES
from tablee.games.tabale.position import TabalePosition

NOBODY = -1
NOWHERE = -1


class View:
    """A plain look at a position; cells are numbers of the board, seats count from 0."""

    def __init__(self, position: TabalePosition) -> None:
        """Look at a position that does not change meanwhile."""
        self.position = position
        self.seats = int(position.seats)
        self.seat = int(position.seat)
        self.part = int(position.part)
        self.start = alone(int(position.start))
        self.laid = alone(int(position.laid))

    def fool_of(self, seat: int) -> int:
        """Return the cell of a seat's fool, or NOWHERE."""
        return alone(int(self.position.fools[seat]))

    def fool_on(self, cell: int) -> int:
        """Return the seat whose fool stands on a cell, or NOBODY."""
        return self.first(cell, [int(self.position.fools[seat]) for seat in range(self.seats)])

    def pawn_on(self, cell: int) -> int:
        """Return the seat whose pawn or double lies on a cell, or NOBODY."""
        return self.first(cell, [int(self.position.pawns[seat]) for seat in range(self.seats)])

    def first(self, cell: int, sets: list[int]) -> int:
        """Return the seat whose set of cells holds a cell, or NOBODY."""
        return next((seat for seat, cells in enumerate(sets) if cells >> cell & 1), NOBODY)

    def height(self, cell: int) -> int:
        """Return how many pawns lie on a cell: 0, 1, or 2 for a double."""
        if self.pawn_on(cell) == NOBODY:
            return 0
        return 2 if int(self.position.doubled) >> cell & 1 else 1

    def is_free(self, cell: int) -> bool:
        """Return whether neither a fool nor a pawn is on a cell (2.2)."""
        return self.fool_on(cell) == NOBODY and self.pawn_on(cell) == NOBODY

    def wood_between(self, cell: int, other: int) -> bool:
        """Return whether a wood lies on the side between two neighbours."""
        return bool(self.position.has_wood(BETWEEN[cell, other]))

    def woods(self) -> list[int]:
        """Return the sides with a wood, as numbers."""
        return [side for side in range(len(SIDES)) if self.position.has_wood(side)]

    def pawns(self, seat: int) -> dict[int, int]:
        """Return how many pawns of a seat lie on each of its cells, in the order of the names."""
        cells, doubled = int(self.position.pawns[seat]), int(self.position.doubled)
        return {cell: 1 + (doubled >> cell & 1) for cell in CELL.values() if cells >> cell & 1}

    def stock(self, seat: int) -> tuple[int, int, int, int, int]:
        """Return what a seat holds: pawns, woods and doubles left, singles and doubles taken."""
        position = self.position
        return (
            int(position.hand[seat]),
            int(position.woods[seat]),
            int(position.doubles[seat]),
            int(position.singles_taken[seat]),
            int(position.doubles_taken[seat]),
        )

    def partners(self, seat: int, other: int) -> bool:
        """Return whether two seats play together."""
        return bool(self.position.teams) and seat % 2 == other % 2


def alone(cells: int) -> int:
    """Return the only cell of a set, or NOWHERE."""
    return cells.bit_length() - 1


def way_to(start: int, way: int, end: int) -> list[int]:
    """Return the cells one runs over straight from a cell in a direction, up to and with the end."""
    cells = [start]
    while cells[-1] != end:
        cells.append(NEXT[cells[-1]][way])
    return cells[1:]


def names(cells: list[int]) -> tuple[str, ...]:
    """Return the names of cells."""
    return tuple(NAME[cell] for cell in cells)
