"""Arrows of figures: where they run, and the pieces that they lift."""

from dataclasses import replace
from math import hypot

from tablee.core.scene import Arrow, Piece, Scene

# In units of a drawing of this width; wider drawings get wider arrows.
USUAL_WIDTH = 100.0
LIFT, BEYOND, HEAD, WIDE, THIN = 4.0, 8.0, 4.4, 2.6, 0.9

Point = tuple[float, float]


def lifted(scene: Scene) -> Scene:
    """Return the scene with the pieces that its arrows lift drawn a little higher."""
    raised = {piece.id for arrow in scene.arrows for piece in load(scene, arrow)}
    if not raised:
        return scene
    return replace(scene, pieces=tuple(replace(piece, y=piece.y - LIFT * size(scene)) if piece.id in raised else piece for piece in scene.pieces))


def load(scene: Scene, arrow: Arrow) -> list[Piece]:
    """Return the pieces that an arrow lifts: the top ones of the stack on its first cell."""
    if not arrow.lifted:
        return []
    return sorted((piece for piece in scene.pieces if piece.cell == arrow.cells[0]), key=lambda piece: piece.level)[-arrow.lifted :]


def arrow_path(scene: Scene, arrow: Arrow) -> str:
    """Return the outline of an arrow as the data of an SVG path: thin along the cells, with a head at the end."""
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    points = [places[name] for name in arrow.cells]
    held = load(scene, arrow)
    if held:
        points[0] = (sum(piece.x for piece in held) / len(held), sum(piece.y for piece in held) / len(held))
    if arrow.beyond:
        points[-1] = along(points[-2], points[-1], length(points[-2], points[-1]) + BEYOND * size(scene))
    return outline(points, size(scene))


def size(scene: Scene) -> float:
    """Return how large arrows are drawn, so that they look alike on every board."""
    return max(1.0, scene.width / USUAL_WIDTH)


def outline(points: list[Point], scale: float) -> str:
    """Return a line through points with a width and a head."""
    end, before = points[-1], points[-2]
    neck = along(before, end, max(0.0, length(before, end) - HEAD * scale))
    way = [*points[:-1], neck]
    left = [aside(way, at, THIN * scale) for at in range(len(way))]
    right = [aside(way, at, -THIN * scale) for at in range(len(way))]
    wings = [aside([before, neck], 1, WIDE * scale), end, aside([before, neck], 1, -WIDE * scale)]
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in (*left, *wings, *reversed(right))) + "Z"


def length(point: Point, other: Point) -> float:
    """Return how far two points are apart."""
    return hypot(other[0] - point[0], other[1] - point[1])


def along(point: Point, other: Point, far: float) -> Point:
    """Return the point so far from one point towards another."""
    part = far / (length(point, other) or 1.0)
    return point[0] + (other[0] - point[0]) * part, point[1] + (other[1] - point[1]) * part


def aside(way: list[Point], at: int, wide: float) -> Point:
    """Return the point beside a corner of a way, at right angles to the mean of its two legs."""
    x = y = 0.0
    for one, other in ((way[max(0, at - 1)], way[at]), (way[at], way[min(len(way) - 1, at + 1)])):
        far = length(one, other) or 1.0
        x, y = x + (other[0] - one[0]) / far, y + (other[1] - one[1]) / far
    far = hypot(x, y) or 1.0
    return way[at][0] - y / far * wide, way[at][1] + x / far * wide
