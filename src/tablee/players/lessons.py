# compiled
"""Lessons: the features of a position and what it should be worth, kept for a while and given in batches."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.players.adam import Adam
from tablee.players.playout import Draw

# Four features to a word, and room for so many words in a lesson.
SHARED: Final[i64] = 4
FEATURE_BITS: Final[i64] = 15
FEATURE: Final[i64] = 0x7FFF
ROOM: Final[i64] = 80


class Lessons:
    """The last lessons, as many as there is room for."""

    def __init__(self, kept: i64) -> None:
        """Make room for so many."""
        self.kept: i64 = kept
        self.words: vec[i64] = vec[i64]([0] * (kept * ROOM))
        self.lengths: vec[i64] = vec[i64]([0] * kept)
        self.targets: vec[float] = vec[float]([0.0] * kept)
        self.count: i64 = 0

    def keep(self, features: vec[i64], n: i64, target: float) -> None:
        """Keep a lesson in the place of the oldest."""
        if n > SHARED * ROOM:
            raise ValueError(f"a lesson of {n} features: expected {SHARED * ROOM} at most")
        place = self.count % self.kept
        self.count += 1
        self.lengths[place] = n
        self.targets[place] = target
        first = place * ROOM
        k: i64 = 0
        while k < n:
            word: i64 = 0
            shift: i64 = 0
            while shift < SHARED * FEATURE_BITS and k < n:
                word |= features[k] << shift
                shift += FEATURE_BITS
                k += 1
            self.words[first] = word
            first += 1

    def features(self, place: i64, into: vec[i64]) -> i64:
        """Write the features of a lesson; return how many there are."""
        n = self.lengths[place]
        first = place * ROOM
        k: i64 = 0
        while k < n:
            into[k] = (self.words[first + k // SHARED] >> (FEATURE_BITS * (k % SHARED))) & FEATURE
            k += 1
        return n


def write_lessons(lessons: Lessons) -> tuple[list[int], list[int], list[float]]:
    """Return the lessons as plain lists, for another process: the words of all, the length of each, the target of each."""
    words: list[int] = []
    lengths: list[int] = []
    targets: list[float] = []
    place: i64 = 0
    while place < min(lessons.count, lessons.kept):
        lengths.append(lessons.lengths[place])
        targets.append(lessons.targets[place])
        k: i64 = 0
        while k < (lessons.lengths[place] + SHARED - 1) // SHARED:
            words.append(lessons.words[place * ROOM + k])
            k += 1
        place += 1
    return words, lengths, targets


def read_lessons(lessons: Lessons, words: list[int], lengths: list[int], targets: list[float]) -> None:
    """Keep lessons that another process wrote, each in the place of the oldest."""
    features = vec[i64]([0] * (SHARED * ROOM))
    at: i64 = 0
    for length, target in zip(lengths, targets, strict=True):
        n: i64 = length
        k: i64 = 0
        while k < n:
            word: i64 = words[at + k // SHARED]
            features[k] = (word >> (FEATURE_BITS * (k % SHARED))) & FEATURE
            k += 1
        at += (n + SHARED - 1) // SHARED
        lessons.keep(features, n, target)


def give_batch(adam: Adam, lessons: Lessons, draw: Draw, size: i64) -> float:
    """Add the gradients of a batch of lessons drawn by lot; return the mean absolute error."""
    features = vec[i64]([0] * (SHARED * ROOM))
    stored = lessons.count if lessons.count < lessons.kept else lessons.kept
    error = 0.0
    k: i64 = 0
    while k < size:
        place = draw.below(stored)
        target = lessons.targets[place]
        error += abs(target - adam.add(features, lessons.features(place, features), target))
        k += 1
    return error / float(size)
