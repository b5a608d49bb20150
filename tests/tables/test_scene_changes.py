"""What changed on a board, put on the board before, gives the board after: whatever comes, goes, moves or changes places."""

from dataclasses import replace
from random import Random

from tablee.core.scene import Cell, Counter, Label, Piece, Scene, Track
from tablee.tables.scene_views import scene_change, scene_view
from tablee.tables.view_applied import applied_scene

NAMES = "abcde"


def some(random: Random) -> list[str]:
    """Return some of the names, in any order."""
    return random.sample(NAMES, random.randrange(len(NAMES) + 1))


def board(random: Random) -> Scene:
    """Return a small board; half of the time its cells and pieces stand in their usual order."""
    names = some(random) if random.random() < 0.5 else sorted(some(random))
    return Scene(
        game="toy",
        width=10,
        height=10,
        title="",
        backdrop="",
        cells=tuple(Cell(name, random.randrange(2), 0, "cell", (0, 0)) for name in (names if random.random() < 0.3 else NAMES)),
        pieces=tuple(Piece(name, "man", random.randrange(2), 0, "o", "") for name in names),
        tracks=tuple(Track(((0, 0), (1, random.randrange(2)))) for _ in range(random.randrange(2))),
        labels=tuple(Label(random.choice("xy"), 0, 0) for _ in range(random.randrange(5))),
        counters=(Counter("money", random.randrange(2)),),
        marks=tuple(some(random)[:2]),
    )


def test_a_change_leads_from_any_board_to_any_other() -> None:
    for seed in range(300):
        random = Random(seed)
        before, after = board(random), board(random)
        change = scene_change(before, after)
        assert (applied_scene(scene_view(before), change) if change else scene_view(before)) == scene_view(after), seed


def test_a_board_that_did_not_change_has_no_change() -> None:
    scene = board(Random(1))
    assert scene_change(scene, scene) is None
    assert scene_change(scene, replace(scene)) is None


def test_only_what_differs_is_sent() -> None:
    """One piece moved, one label of five changed: nothing else is named."""
    pieces = tuple(Piece(name, "man", 0, 0, "o", "") for name in NAMES)
    before = replace(board(Random(1)), pieces=pieces, labels=tuple(Label(text, 0, 0) for text in "vwxyz"))
    moved = replace(pieces[0], x=7)
    after = replace(before, pieces=(moved, *pieces[1:]), labels=tuple(Label(text, 0, 0) for text in "vw!yz"))
    change = scene_change(before, after)
    assert change is not None
    assert [piece.id for piece in change.pieces] == [moved.id]
    assert (change.labels_before, [label.text for label in change.labels or []], change.labels_after) == (2, ["!"], 2)
    assert (change.cells, change.gone) == ([], [])
    assert {change.all_cells, change.order, change.tracks, change.counters, change.marks} == {None}
