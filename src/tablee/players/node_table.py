# compiled
"""A hash table from position keys to search nodes: open addressing, grows as it fills."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

FEWEST: Final[i64] = 1024


class NodeTable:
    """Nodes by key; the number of slots is a power of two, at most half of them used."""

    def __init__(self) -> None:
        """Begin empty."""
        self.slots: i64 = FEWEST
        self.used: i64 = 0
        self.keys: vec[i64] = vec[i64]([0] * FEWEST)
        self.nodes: vec[i64] = vec[i64]([-1] * FEWEST)

    def clear(self) -> None:
        """Remove every node and keep the slots."""
        if self.used == 0:
            return
        self.used = 0
        k: i64 = 0
        while k < self.slots:
            self.nodes[k] = -1
            k += 1

    def find(self, key: i64) -> i64:
        """Return the node of a key, or -1."""
        return self.nodes[self.slot(key)]

    def put(self, key: i64, node: i64) -> None:
        """Keep the node of a key that is not there yet."""
        if 2 * self.used >= self.slots:
            self.grow()
        at = self.slot(key)
        self.keys[at] = key
        self.nodes[at] = node
        self.used += 1

    def slot(self, key: i64) -> i64:
        """Return the slot of a key, or the free one where it belongs."""
        last = self.slots - 1
        at = (key ^ (key >> 29)) & last
        while self.nodes[at] >= 0 and self.keys[at] != key:
            at = (at + 1) & last
        return at

    def grow(self) -> None:
        """Double the slots and insert every node again."""
        keys, nodes, slots = self.keys, self.nodes, self.slots
        self.slots = 2 * slots
        self.keys = vec[i64]([0] * self.slots)
        self.nodes = vec[i64]([-1] * self.slots)
        k: i64 = 0
        while k < slots:
            if nodes[k] >= 0:
                at = self.slot(keys[k])
                self.keys[at] = keys[k]
                self.nodes[at] = nodes[k]
            k += 1
