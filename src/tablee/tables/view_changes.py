"""What changed at a table since its listeners were last sent something: they get the view once, and then only what is new."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from tablee.core.scene import Scene
from tablee.core.state import State
from tablee.tables import view
from tablee.tables import view_types as v
from tablee.tables.payloads import Acted, Threw
from tablee.tables.scene_views import scene_change
from tablee.tables.table import Table
from tablee.tables.telling import shown_state
from tablee.tables.trails import Drawn, Way, trails_of, turn_boards, turn_ways
from tablee.tables.values import Step

# A screen that has missed more actions than these is shown the last board alone; of a longer row of dead throws it is shown the last ones.
MOST_STEPS = 60


@dataclass(frozen=True)
class Snapshot:
    """What listeners of one language have been sent: the board, and the small parts of a view.

    `bare` is the board without marks; `turn` are the boards before each action of the last turn, `ways` what moved on them;
    `beside` are the parts that no play changes.
    """

    seq: int
    hash: str
    steps: int
    state: State
    scene: Scene
    bare: Scene
    turn: tuple[Drawn, ...]
    ways: list[Way]
    parts: Mapping[str, object]
    beside: Mapping[str, object]


def snapshot(table: Table, language: str, now: float | None, before: Snapshot | None = None) -> Snapshot:
    """Return the table as everybody sees it now; `before` spares drawing the same board again, and what plays do not change."""
    step: Step | None = table.steps[-1] if table.steps else None
    state = step.state if step else shown_state(table)
    beside = before.beside if before and before.seq >= table.beside else parts_beside(table, language)
    parts = {
        "at": step.seq if step else 0,
        "seats": view.seats(table, language, now),
        "node": view.node(table, state, language),
        "hint": view.hint(table, language),
        "position": table.game.dump(state) if step else "",
        "throw": view.last_throw(table),
        **beside,
    }
    scene = state.scene(language)
    turn = turn_boards(table.steps, language, ((before.state, before.scene), *before.turn) if before else ())
    ways = turn_ways(turn, scene, before.ways if before else ())
    parts["trails"] = trails_of(ways, scene)
    return Snapshot(table.seq, table.hash, len(table.steps), state, scene, scene.marked(()), tuple(turn), ways, parts, beside)


def parts_beside(table: Table, language: str) -> dict[str, object]:
    """Return the parts of a view that no action and no throw changes."""
    return {
        "phase": table.phase,
        "match": view.match(table),
        "chat": view.chat(table, language),
        "result": view.result(table, language),
        "dice": view.dice(table),
        "next": table.next,
    }


def change(table: Table, before: Snapshot, after: Snapshot, language: str) -> bytes | None:
    """Return the frame that leads from one snapshot to the next, without its last brace; None where only a whole view will do."""
    if table.rewritten > before.seq or before.seq >= after.seq:
        return None
    fields: dict[str, object] = {"t": "change", "from": before.seq, "to": after.seq, "hash": after.hash}
    fields |= {name: part for name, part in after.parts.items() if part != before.parts[name]}
    if board := scene_change(before.scene, after.scene):
        fields["scene"] = board
    if path := list(path_between(table, before, language)):
        fields["path"] = path
    if after.steps > before.steps:
        fields["turns"] = view.record(table, before.steps)
    if sentences := view.sentences(table, language, before.seq):
        fields["sentences"] = sentences
    return msgspec.json.encode(fields)[:-1]


def path_between(table: Table, before: Snapshot, language: str) -> Iterator[v.PathView]:
    """Give the boards to show between two snapshots, each as a change of the one before: throws with their effect still to come, and other steps."""
    steps = table.steps[before.steps :]
    if not steps or sum(step.kind == Acted.kind for step in steps) > MOST_STEPS:
        return
    steps = steps[-MOST_STEPS:]
    if table.game.kind.whole_turns:
        steps = [step for step, after in zip_longest(steps, steps[1:]) if after is None or (step.kind, step.seat) != (Acted.kind, after.seat)]
    boards = [(step, scene, number == 0) for step in steps[:-1] for number, scene in enumerate(step.state.scenes(language))]
    boards += [(steps[-1], scene, number == 0) for number, scene in enumerate(steps[-1].state.throw_scenes(language))]
    last = before.scene
    for step, scene, first in boards:
        yield v.PathView(step.seat, first and step.kind == Threw.kind, scene_change(last, scene))
        last = scene


class News:
    """The latest snapshot in each language, and the change that led to it: computed once for all listeners."""

    def __init__(self) -> None:
        """Begin with nothing sent."""
        self.snapshots: dict[str, Snapshot] = {}
        self.changes: dict[str, tuple[int, bytes | None]] = {}

    def look(self, table: Table, language: str, now: float | None) -> Snapshot:
        """Return the snapshot of the table as it stands."""
        before = self.snapshots.get(language)
        if before is not None and before.hash == table.hash:
            return before
        after = self.snapshots[language] = snapshot(table, language, now, before)
        self.changes[language] = (before.seq, change(table, before, after, language)) if before else (-1, None)
        return after

    def since(self, table: Table, seq: int, language: str, now: float | None) -> bytes | None:
        """Return the change from an event to the table as it stands, without its last brace; None where only a whole view will do."""
        self.look(table, language, now)
        from_seq, frame = self.changes[language]
        return frame if from_seq == seq else None

    def forget(self) -> None:
        """Begin anew: what was sent may be wrong now."""
        self.snapshots.clear()
        self.changes.clear()
