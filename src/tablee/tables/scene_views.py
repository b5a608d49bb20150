"""The board as data for screens, and what changed on it."""

from operator import attrgetter
from typing import TypeVar

from tablee.core.scene import Cell, Label, Piece, Scene, unlike
from tablee.tables import view_types as v

T = TypeVar("T")
# A cell or a piece, each with its key.
Keyed = TypeVar("Keyed", Cell, Piece)
NOTHING_CHANGED = v.SceneChange()


def scene_view(scene: Scene) -> v.SceneView:
    """Return the board as data."""
    return v.SceneView(
        width=scene.width,
        height=scene.height,
        title=scene.title,
        backdrop=scene.backdrop,
        cells=[cell_view(cell) for cell in scene.cells],
        pieces=[piece_view(piece) for piece in scene.pieces],
        tracks=track_views(scene),
        labels=label_views(scene.labels),
        counters=counter_views(scene),
        marks=list(scene.marks),
    )


def cell_view(cell: Cell) -> v.CellView:
    """Return a cell as data."""
    return v.CellView(cell.name, cell.x, cell.y, cell.symbol, cell.label, cell.turn)


def piece_view(piece: Piece) -> v.PieceView:
    """Return a piece as data."""
    return v.PieceView(piece.id, piece.symbol, piece.x, piece.y, piece.turn, piece.scale, piece.label, piece.cell, piece.level)


def track_views(scene: Scene) -> list[v.TrackView]:
    """Return the tracks of a board as data."""
    return [v.TrackView(list(track.points), track.width, track.colour) for track in scene.tracks]


def label_views(labels: tuple[Label, ...]) -> list[v.LabelView]:
    """Return labels as data."""
    return [v.LabelView(label.text, label.x, label.y, label.size, label.colour) for label in labels if label.size]


def counter_views(scene: Scene) -> list[v.CounterView]:
    """Return the counters of a board as data."""
    return [v.CounterView(counter.name, counter.value, counter.seat, counter.text) for counter in scene.counters]


def scene_change(before: Scene, after: Scene) -> v.SceneChange | None:
    """Return what changed on the board, or None."""
    cells, lost, mixed = by_key(before.cells, after.cells, "name")
    pieces, gone, jumbled = by_key(before.pieces, after.pieces, "id")
    mixed = mixed or bool(lost)
    labels, first, last = labels_change(before.labels, after.labels)
    changed = v.SceneChange(
        all_cells=[cell_view(cell) for cell in after.cells] if mixed else None,
        cells=[] if mixed else [cell_view(cell) for cell in cells],
        pieces=[piece_view(piece) for piece in pieces],
        gone=gone,
        order=[piece.id for piece in after.pieces] if jumbled else None,
        tracks=track_views(after) if before.tracks != after.tracks else None,
        labels=labels,
        labels_before=first,
        labels_after=last,
        counters=counter_views(after) if before.counters != after.counters else None,
        marks=list(after.marks) if before.marks != after.marks else None,
    )
    return None if changed == NOTHING_CHANGED else changed


def labels_change(before: tuple[Label, ...], after: tuple[Label, ...]) -> tuple[list[v.LabelView] | None, int, int]:
    """Return the labels between those that are the same at both ends, and how many are at each; None where all are the same."""
    if before is after:
        return None, 0, 0
    was, now = shown_labels(before), shown_labels(after)
    if was == now:
        return None, 0, 0
    first = alike(was, now)
    last = alike(was[first:][::-1], now[first:][::-1])
    return label_views(now[first : len(now) - last]), first, last


def shown_labels(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return the labels that screens show, not only the drawing in text."""
    return tuple(label for label in labels if label.size)


def alike(before: tuple[T, ...], after: tuple[T, ...]) -> int:
    """Return how many items are the same from the beginning."""
    return next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), min(len(before), len(after)))


def by_key(before: tuple[Keyed, ...], after: tuple[Keyed, ...], key: str) -> tuple[list[Keyed], list[str], bool]:
    """Return what is new or different, the keys of what is gone, and whether a listener who applies this has another order.

    Most items are the same objects on both boards; only the others are compared.
    """
    if before is after:
        return [], [], False
    key_of = attrgetter(key)
    old, new = ({key_of(thing): thing for thing in things} for things in unlike(before, after))
    changed = [thing for name, thing in new.items() if old.get(name) != thing]
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    kept = [name for name in map(key_of, before) if name not in old or name in new]
    return changed, gone, kept + come != list(map(key_of, after))
