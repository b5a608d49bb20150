"""A view kept up to date by a listener: what `static/view.js` does in the browser."""

import msgspec
from msgspec import UNSET, structs

from tablee.tables.view import LAST
from tablee.tables.view_types import Change, LabelView, SceneChange, SceneView, TurnView, View

WHOLE = tuple(field.name for field in structs.fields(Change) if field.name not in ("since", "to", "scene", "path", "turns", "sentences"))


def applied(view: View, change: Change) -> View | None:
    """Return the view after a change; None if the change does not follow from it, and a whole view must be asked for."""
    if change.since != view.seq:
        return None
    fields = {name: getattr(change, name) for name in WHOLE if getattr(change, name) is not UNSET}
    if change.scene:
        fields["scene"] = applied_scene(view.scene, change.scene)
    if change.turns:
        first = first_seq(change.turns[0])
        fields["record"] = [*(turn for turn in view.record if first_seq(turn) < first), *change.turns]
    known = [*view.sentences, *(change.sentences or ())]
    fields["sentences"] = [sentence for sentence in known if sentence.seq > change.to - LAST]
    return structs.replace(view, seq=change.to, **fields)


def first_seq(turn: TurnView) -> int:
    """Return the first event of a turn."""
    return turn.seqs[0] if turn.seqs else turn.seq


def applied_scene(scene: SceneView, change: SceneChange) -> SceneView:
    """Return the board after a change."""
    cells = {cell.name: cell for cell in scene.cells} | {cell.name: cell for cell in change.cells}
    pieces = {piece.id: piece for piece in scene.pieces if piece.id not in change.gone} | {piece.id: piece for piece in change.pieces}
    return structs.replace(
        scene,
        cells=list(cells.values()) if change.all_cells is None else change.all_cells,
        pieces=list(pieces.values()) if change.order is None else [pieces[name] for name in change.order],
        tracks=scene.tracks if change.tracks is None else change.tracks,
        labels=scene.labels if change.labels is None else applied_labels(scene.labels, change, change.labels),
        counters=scene.counters if change.counters is None else change.counters,
        marks=scene.marks if change.marks is None else change.marks,
    )


def applied_labels(known: list[LabelView], change: SceneChange, new: list[LabelView]) -> list[LabelView]:
    """Return the labels after a change."""
    return [*known[: change.labels_before], *new, *known[len(known) - change.labels_after :]]


class WholeView(msgspec.Struct, tag_field="t", tag="view"):
    """The frame that begins a connection, or follows a gap."""

    view: View


frames: msgspec.json.Decoder[WholeView | Change] = msgspec.json.Decoder(WholeView | Change)


class Follower:
    """A listener's view, kept up to date from the frames `view` and `change` of a socket; None until a whole one has come."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.view: View | None = None

    def take(self, frame: bytes | str) -> View | None:
        """Take a frame in and return the view after it; None if a whole one must be asked for (`hello`)."""
        match frames.decode(frame):
            case WholeView(view=view):
                self.view = view
            case Change() as change:
                self.view = applied(self.view, change) if self.view else None
        return self.view
