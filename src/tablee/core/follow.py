"""Who is who from one scene to the next: pieces keep their ids while they slide, so that a screen can show it.

A position need not know its marbles one by one. Two scenes in a row tell enough: pieces that look alike are paired so that
the squares of the ways they went are least in sum; a pushed line then moves as one, and nobody jumps over another.
"""

from dataclasses import replace

from tablee.core.scene import Piece, Scene


def follow(before: Scene, after: Scene) -> Scene:
    """Return the later scene with the ids of the earlier one; a piece that was not there gets an id nobody had."""
    taken = {piece.id for piece in before.pieces}
    names: dict[str, str] = {}
    for symbol in dict.fromkeys(piece.symbol for piece in after.pieces):
        old = [piece for piece in before.pieces if piece.symbol == symbol]
        new = [piece for piece in after.pieces if piece.symbol == symbol]
        for was, now in paired(old, new):
            names[now.id] = was.id
    for piece in after.pieces:
        if piece.id not in names:
            names[piece.id] = fresh(piece.id, taken)
            taken.add(names[piece.id])
    return replace(after, pieces=tuple(replace(piece, id=names[piece.id]) for piece in after.pieces))


def paired(old: list[Piece], new: list[Piece]) -> list[tuple[Piece, Piece]]:
    """Return the pairs of like pieces: the nearest first, then swapped as long as that shortens the squared ways."""
    free_old, free_new = list(old), list(new)
    pairs: list[tuple[Piece, Piece]] = []
    for was, now in sorted(((was, now) for was in old for now in new), key=lambda pair: (way(*pair), pair[0].id, pair[1].id)):
        if was in free_old and now in free_new:
            free_old.remove(was)
            free_new.remove(now)
            pairs.append((was, now))
    better = True
    while better:
        better = False
        for a in range(len(pairs)):
            for b in range(a):
                (was_a, now_a), (was_b, now_b) = pairs[a], pairs[b]
                if way(was_a, now_b) + way(was_b, now_a) < way(was_a, now_a) + way(was_b, now_b):
                    pairs[a], pairs[b] = (was_a, now_b), (was_b, now_a)
                    better = True
    return pairs


def way(was: Piece, now: Piece) -> int:
    """Return the square of the way between two places, in whole hundredths so that the order is the same everywhere."""
    return round(((was.x - now.x) ** 2 + (was.y - now.y) ** 2) * 100)


def fresh(name: str, taken: set[str]) -> str:
    """Return the name, or the name with a number, that nobody has."""
    if name not in taken:
        return name
    number = 2
    while f"{name}~{number}" in taken:
        number += 1
    return f"{name}~{number}"
