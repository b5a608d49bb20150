# compiled unchecked
"""One position as one seat sees it: its observation and its mask of legal actions, in buffers that are used again."""

from collections.abc import Callable

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from tablee.core.observer import Observer
from tablee.core.position import CHANCE, Position


class Eye:
    """Holds the buffers; NumPy reads them without a copy."""

    def __init__(self, observer: Observer, size: i64) -> None:
        """Make the buffers; `size` is the action count of the game."""
        self.observer = observer
        self.size: i64 = size
        self.row: vec[i32] = vec[i32]([0] * observer.width)
        self.mask: vec[u8] = vec[u8]([0] * size)
        self.buffer: vec[i64] = vec[i64]([0] * size)
        # What the mask holds, to be cleared before it is written again.
        self.listed: vec[i64] = vec[i64]([0] * size)
        self.count: i64 = 0
        # Whose actions the mask holds; -1 once the position has changed.
        self.seat: i64 = -1

    def throw(self, position: Position, draw: Callable[[int], int]) -> None:
        """Throw until somebody has something to decide; `draw(n)` gives fair numbers below n."""
        self.seat = -1
        while position.actor() == CHANCE:
            position.play(position.throw(draw(position.chances())))

    def look(self, position: Position, seat: i64) -> None:
        """Write the observation and the mask of a seat; the mask is empty while the seat may not act."""
        self.observer.write(position, seat, self.row, 0)
        self.list_actions(position, seat)

    def list_actions(self, position: Position, seat: i64) -> None:
        """Write the mask of a seat."""
        mask, listed = self.mask, self.listed
        k: i64 = 0
        while k < self.count:
            mask[listed[k]] = 0
            k += 1
        self.count = 0
        self.seat = seat
        if not (position.actors() >> seat) & 1:
            return
        n = position.actions(seat, listed)
        self.count = n
        k = 0
        while k < n:
            mask[listed[k]] = 1
            k += 1

    def may(self, position: Position, seat: i64, action: i64) -> bool:
        """Return whether a seat may play a number as its action now; nothing is listed where the mask holds the answer."""
        if action < 0 or action >= self.size:
            return False
        if self.seat == seat:
            return self.mask[action] != 0
        if not (position.actors() >> seat) & 1:
            return False
        n = position.actions(seat, self.buffer)
        while n:
            n -= 1
            if self.buffer[n] == action:
                return True
        return False

    def legal(self, position: Position, seat: i64) -> list[int]:
        """Return the legal actions of a seat in ascending order."""
        if not (position.actors() >> seat) & 1:
            return []
        n = position.actions(seat, self.buffer)
        actions: list[int] = []
        k: i64 = 0
        while k < n:
            actions.append(self.buffer[k])
            k += 1
        actions.sort()
        return actions
