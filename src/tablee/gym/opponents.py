# compiled
"""Who plays the other seats of a batch: anybody who chooses a legal action of a position."""

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.position import Position


@mypyc_attr(allow_interpreted_subclasses=True)
class Opponent:
    """Plays uniformly at random; `word` is a fresh random number of 32 bits, `lane` the number of the game in the batch."""

    def __init__(self, like: Position, size: i64) -> None:
        """Prepare for positions like a given one; `size` is the action count of the game."""
        self.child = like.copy()
        self.buffer: vec[i64] = vec[i64]([0] * size)

    def choose(self, position: Position, seat: i64, lane: i64, word: i64) -> i64:
        """Return a legal action of a seat."""
        return position.pick(seat, word, self.buffer)


class Greedy(Opponent):
    """Plays one of the actions with the highest standing after them, as the player `greedy` does."""

    def choose(self, position: Position, seat: i64, lane: i64, word: i64) -> i64:
        """Return the best action at once; the random number decides between equals."""
        buffer = self.buffer
        child = self.child
        n = position.actions(seat, buffer)
        best: i64 = 0
        equals: i64 = 0
        k: i64 = 0
        while k < n:
            action = buffer[k]
            child.copy_from(position)
            child.play(action)
            standing = child.standing(seat)
            if not equals or standing > best:
                best = standing
                equals = 0
            if standing == best:
                # What was here has been looked at already.
                buffer[equals] = action
                equals += 1
            k += 1
        return buffer[equals * word >> 32]
