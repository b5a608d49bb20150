"""What a viewer sees of a table, typed; `static/view.js` declares the same for the browser, and a test compares both."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType


class Value(msgspec.Struct, frozen=True, gc=False):
    """A part of a view: plain data, never changed."""


class Sparse(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A part of a view whose fields are left out where there is nothing to say."""


class ClockTermsView(Value, frozen=True):
    """`real`: `base` milliseconds for the game and `add` more each turn; `days`: `base` for each move."""

    kind: str
    base: int
    add: int


class TermsView(Value, frozen=True):
    """How the table is kept."""

    clock: ClockTermsView | None
    sitting: str
    watching: str
    chat: str
    hints: bool
    starts: str
    rules: int


class MatchView(Value, frozen=True):
    """How the match stands: games won, shared, and points, by seat."""

    id: str
    number: int
    previous: str
    won: list[int]
    shared: list[int]
    points: list[int]


class ClockView(Value, frozen=True):
    """What a seat has left, in milliseconds."""

    left: int
    running: bool


class SeatView(Value, frozen=True):
    """One seat.

    `look` is the key of the words that name it, for its colour. `count` is the number that counts for a person, of `of` (0: no limit);
    `state` a few words; `score` what the rules count.
    """

    seat: int
    sign: str
    look: str
    name: str
    kind: str
    level: str
    left: bool
    contributed: bool
    score: int
    count: int
    of: int
    state: str
    asked: bool
    clock: ClockView | None
    hints: int


class NodeView(Value, frozen=True):
    """Who acts next (`waiting` before the start), and the question put to them."""

    kind: Literal["decision", "chance", "over", "waiting"]
    seats: list[int]
    ask: str


class CellView(Value, frozen=True):
    """A place that can be touched."""

    name: str
    x: float
    y: float
    symbol: str
    label: str
    turn: float


class PieceView(Value, frozen=True):
    """A thing on the board."""

    id: str
    symbol: str
    x: float
    y: float
    turn: float
    scale: float
    label: str
    cell: str
    level: int


class TrackView(Value, frozen=True):
    """A way that pieces follow."""

    points: list[tuple[float, float]]
    width: float
    colour: str


class LabelView(Value, frozen=True):
    """Words or a figure printed on the board."""

    text: str
    x: float
    y: float
    size: float
    colour: str


class CounterView(Value, frozen=True):
    """A number that belongs to a seat, or to the table (seat -1)."""

    name: str
    value: int
    seat: int
    text: str


class SceneView(Value, frozen=True):
    """The board."""

    width: float
    height: float
    title: str
    backdrop: str
    cells: list[CellView]
    pieces: list[PieceView]
    tracks: list[TrackView]
    labels: list[LabelView]
    counters: list[CounterView]
    marks: list[str]


class LegalView(Sparse, frozen=True):
    """An action that the viewer may play, with the touches that lead to it.

    `button` is its sentence where no cell leads to it; `said` tells actions with the same touches apart.
    `warning` is what it gives away for good.
    """

    seat: int
    token: str
    touches: tuple[str, ...]
    button: str = ""
    said: str = ""
    warning: str = ""


class TurnView(Sparse, frozen=True):
    """A turn played: who, the tokens, and the event of the last one.

    Only where there is something to say: `seqs`, the event of each of several tokens; `throws`, which of them were thrown; `hints` shown.
    """

    seat: int
    tokens: list[str]
    seq: int
    seqs: list[int] = []
    throws: list[bool] = []
    hints: list[str] = []


class SentenceView(Value, frozen=True):
    """Something that happened, in words."""

    seq: int
    kind: str
    seat: int | None
    text: str
    at: float


class OutcomeView(Value, frozen=True):
    """A throw that could come, with its odds."""

    token: str
    odds: str


class ThrowView(Value, frozen=True):
    """The last throw, and everything that could have come instead."""

    seq: int
    seat: int | None
    token: str
    odds: str
    outcomes: list[OutcomeView]


class AskView(Value, frozen=True):
    """What somebody asks of the others; `answer` names the viewer's seats that have still to answer."""

    what: str
    seat: int | None
    seq: int
    answer: list[int]
    text: str


class SaidView(Value, frozen=True):
    """Something that was said."""

    seq: int
    seat: int | None
    at: float
    phrase: str
    text: str


class ChatView(Value, frozen=True):
    """What can be said here (the sentence of a key is `phrase KEY` in `locale`), and what was said last."""

    phrases: list[str]
    reactions: list[str]
    text: bool
    said: list[SaidView]


class ResultView(Value, frozen=True):
    """How it ended."""

    scores: list[int]
    winners: list[int]
    reason: str
    sentences: list[str]


class ContributionView(Value, frozen=True):
    """What a seat added to the dice, in hex."""

    seat: int
    bytes: str


class DiceView(Value, frozen=True):
    """What is known of the dice: the seal from the first event on, the secret only after the end."""

    commitment: str
    contributions: list[ContributionView]
    secret: str | None


class CommandView(Value, frozen=True):
    """A command that the viewer may give now: its tag, its seat, and the words of its button."""

    t: str
    seat: int | None
    label: str


class InvitationView(Value, frozen=True):
    """An invitation of the viewer that nobody has used yet."""

    path: str
    seat: int | None


class SceneChange(Sparse, frozen=True, kw_only=True):
    """What changed on the board: cells and pieces by their names, what is new last; the rest whole where it differs.

    Where that would not give their order, `order` names all pieces, or `all_cells` are given. Of the labels the first `labels_before` and
    the last `labels_after` stay, and `labels` stand between them.
    """

    cells: list[CellView] = []
    pieces: list[PieceView] = []
    gone: list[str] = []
    all_cells: list[CellView] | None = None
    order: list[str] | None = None
    tracks: list[TrackView] | None = None
    labels: list[LabelView] | None = None
    labels_before: int = 0
    labels_after: int = 0
    counters: list[CounterView] | None = None
    marks: list[str] | None = None


class PathView(Sparse, frozen=True):
    """A board to show on the way to the last one: whose step it is, whether it was thrown, and what changed on the board before."""

    seat: int | None = None
    throw: bool = False
    scene: SceneChange | None = None


class HintView(Value, frozen=True):
    """The hint shown last: the seat, the action with its touches, what it does, and why it is good (empty if no reason is known).

    `ways` are what would move, like the `trails` of a view.
    """

    seat: int
    token: str
    touches: list[str]
    ways: list[tuple[float, ...]]
    text: str
    why: str


class View(Value, frozen=True, kw_only=True):
    """A table as one viewer sees it.

    `trails` are what moved in the last turn: lines from point to point, or points where something new lies.
    `watchers` are the people at a socket who hold no seat.
    `verdict` is how it ended for the viewer: `won`, `lost`, `drew`, or empty. `harder` is one level above the programs just played, if there is one.
    """

    table: str
    seq: int
    hash: str
    at: int
    past: bool
    game: str
    title: str
    options: dict[str, str]
    phase: str
    terms: TermsView
    match: MatchView
    seats: list[SeatView]
    you: list[int]
    opener: bool
    aim: str
    verdict: str
    harder: str
    node: NodeView
    scene: SceneView
    trails: list[tuple[float, ...]]
    hint: HintView | None
    position: str
    legal: list[LegalView]
    record: list[TurnView]
    sentences: list[SentenceView]
    throw: ThrowView | None
    asks: list[AskView]
    chat: ChatView
    result: ResultView | None
    dice: DiceView
    next: str
    commands: list[CommandView] = []
    invitations: list[InvitationView] = []
    watchers: int = 0


class Change(msgspec.Struct, frozen=True, kw_only=True, rename={"since": "from"}, tag_field="t", tag="change"):
    """What leads from the view of event `since` to that of event `to`: the fields of `View` that differ, and what is new.

    `turns` replace those of the record from the same event on; `sentences` come after those known.
    `path` is what to show before `scene`, which leads from the view of `since`.
    Where `since` is `to`, nothing happened at the table: another number of `watchers`.
    """

    since: int
    to: int
    hash: str
    at: int | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    match: MatchView | UnsetType = UNSET
    seats: list[SeatView] | UnsetType = UNSET
    node: NodeView | UnsetType = UNSET
    trails: list[tuple[float, ...]] | UnsetType = UNSET
    hint: HintView | UnsetType | None = UNSET
    position: str | UnsetType = UNSET
    throw: ThrowView | UnsetType | None = UNSET
    chat: ChatView | UnsetType = UNSET
    result: ResultView | UnsetType | None = UNSET
    dice: DiceView | UnsetType = UNSET
    next: str | UnsetType = UNSET
    you: list[int] | UnsetType = UNSET
    opener: bool | UnsetType = UNSET
    aim: str | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    harder: str | UnsetType = UNSET
    legal: list[LegalView] | UnsetType = UNSET
    asks: list[AskView] | UnsetType = UNSET
    commands: list[CommandView] | UnsetType = UNSET
    invitations: list[InvitationView] | UnsetType = UNSET
    watchers: int | UnsetType = UNSET
    scene: SceneChange | UnsetType = UNSET
    path: list[PathView] | UnsetType = UNSET
    turns: list[TurnView] | UnsetType = UNSET
    sentences: list[SentenceView] | UnsetType = UNSET
