"""What moved in the last turn, as lines to draw softly on the board."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from tablee.core.kind import Passes, straight
from tablee.core.scene import Piece, Scene, unlike
from tablee.core.state import State
from tablee.tables.payloads import Acted
from tablee.tables.values import Step

# A line from point to point, or one point where something new lies.
Trail = tuple[float, ...]
# A state and its board.
Drawn = tuple[State, Scene]
# Two boards one after the other, and the trails of what moved between them.
Way = tuple[Scene, Scene, tuple[Trail, ...]]
# A piece by its look, its place and the cell it stands on ("": beside the board).
Standing = tuple[str, float, float, str]
# Of a long turn, the steps before the last ones are drawn as one.
MOST_STEPS = 8


def trails(steps: Sequence[Step], scene: Scene, language: str) -> list[Trail]:
    """Return the trails of the last turn of actions; none before the first."""
    return trails_of(turn_ways(turn_boards(steps, language), scene), scene)


def turn_ways(turn: Sequence[Drawn], scene: Scene, known: Iterable[Way] = ()) -> list[Way]:
    """Return what moved with each action of a turn: its boards before each of them, then the last board; `known` are ways found already."""
    if not turn:
        return []
    passes, boards, drawn_already = turn[0][0].game.kind.passes, [*(board for _, board in turn), scene], list(known)
    return [
        next((way for way in drawn_already if way[0] is before and way[1] is after), None) or (before, after, tuple(moved(before, after, passes)))
        for before, after in pairwise(boards)
    ]


def trails_of(ways: Iterable[Way], scene: Scene) -> list[Trail]:
    """Return the trails of a turn from the ways of its actions; a point stays only where something still lies."""
    drawn = dict.fromkeys(trail for _, _, trails in ways for trail in trails)
    if all(len(trail) > 2 for trail in drawn):
        return list(drawn)
    lie = {(piece.x, piece.y) for piece in scene.pieces}
    return [trail for trail in drawn if len(trail) > 2 or trail in lie]


def turn_boards(steps: Sequence[Step], language: str, known: Iterable[Drawn] = ()) -> list[Drawn]:
    """Return the states before each action of the last turn, with their boards; `known` are boards that are drawn already."""
    states, known = turn_states(steps), list(known)
    path = [*states[:1], *states[1:][-MOST_STEPS:-1]]
    return [next((drawn for drawn in known if drawn[0] is state), None) or (state, state.scene(language)) for state in path]


def turn_states(steps: Sequence[Step]) -> list[State]:
    """Return the states of the last turn of actions, from that in which it began: after its throw, before its first action."""
    at = next((n for n in range(len(steps) - 1, 0, -1) if steps[n].kind == Acted.kind), 0)
    if not at:
        return []
    last = at
    while at > 1 and steps[at - 1].kind == Acted.kind and steps[at - 1].state.mover == steps[at].state.mover:
        at -= 1
    return [step.state for step in steps[at - 1 : last + 1]]


def moved(before: Scene, after: Scene, passes: Passes = straight) -> Iterator[Trail]:
    """Give a trail for everything that moved on the board, or came to it; pieces that look alike are paired by the shortest ways."""
    old, new = unlike(before.pieces, after.pieces)
    left, come = standing(old), standing(new)
    for thing in list(come):
        if thing in left:  # another piece that looks alike stands there now
            left.remove(thing)
            come.remove(thing)
    ways: dict[tuple[str, str], tuple[Standing, Standing]] = {}
    for group in (symbol_of, family_of):
        for was, now in list(nearest(left, come, group)) if come else []:
            left.remove(was)
            come.remove(now)
            cells = was[3], now[3]
            if all(cells) and (cells not in ways or was[2] > ways[cells][0][2]):  # a stack that moves leaves one trail, that of its foot
                ways[cells] = was, now
    for was, now in ways.values():
        between = passes((was[3], was[1], was[2]), (now[3], now[1], now[2]))
        yield (*was[1:3], *(number for point in between for number in point), *now[1:3])
    for _, x, y, on_cell in come:
        if on_cell:
            yield (x, y)


def standing(pieces: Iterable[Piece]) -> list[Standing]:
    """Return pieces by their look, their place and their cell."""
    return [(piece.symbol, piece.x, piece.y, piece.cell) for piece in pieces if not is_sign(piece)]


def is_sign(piece: Piece) -> bool:
    """Return whether a piece is a die, a stick or a marker: it shows the moment and makes no moves."""
    return piece.symbol.startswith(("die", "stick", "marker"))


def symbol_of(thing: Standing) -> str:
    """Return how a piece looks."""
    return thing[0]


def family_of(thing: Standing) -> str:
    """Return the first word of a look: a bird that wakes stays the same bird."""
    return thing[0].partition("-")[0]


def nearest(free_old: list[Standing], free_new: list[Standing], group: Callable[[Standing], str]) -> Iterator[tuple[Standing, Standing]]:
    """Give pairs of one group, the shortest way first; one of both stood on a cell."""
    ways = [(square(was, now), at, to) for at, was in enumerate(free_old) for to, now in enumerate(free_new) if group(was) == group(now)]
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, at, to in sorted(ways):
        if at not in used_old and to not in used_new and (free_old[at][3] or free_new[to][3]):
            used_old.add(at)
            used_new.add(to)
            yield free_old[at], free_new[to]


def square(was: Standing, now: Standing) -> float:
    """Return the square of a way."""
    return (was[1] - now[1]) ** 2 + (was[2] - now[2]) ** 2
