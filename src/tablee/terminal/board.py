"""The board as a widget of the full screen: legal places lit, touched by keyboard or mouse; where it is too large, it scrolls to the cursor."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from tablee.core.scene import Scene
from tablee.core.state import State
from tablee.core.text import drawn
from tablee.terminal.colours import style_of


@dataclass(frozen=True)
class Act:
    """A legal action with the cells that one touches for it."""

    token: str
    touches: tuple[str, ...]


def acts_of(state: State, seat: int, scene: Scene) -> list[Act]:
    """Return the legal actions of a seat with their touches."""
    kind = state.game.kind
    tokens = [state.game.notate(action) for action in state.legal(seat)]
    return [Act(token, kind.touches(state.game, scene, token)) for token in tokens]


def meant(acts: Sequence[Act], touched: Sequence[str]) -> list[Act]:
    """Return the actions that begin with these touches."""
    return [act for act in acts if act.touches[: len(touched)] == tuple(touched)]


class Cloth(ScrollableContainer, can_focus=False):
    """What a board lies on; where it changes its size, the cursor comes to its middle."""

    def on_resize(self) -> None:
        """Scroll to the cursor once the board lies there."""
        board = self.query_one(Board)
        board.call_after_refresh(board.follow_cursor, center=True)


class Board(Static, can_focus=True):
    """A scene, a cursor on one of its cells, and what has been touched."""

    BINDINGS = [  # noqa: RUF012
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False),
        Binding("right", "move(0, 1)", show=False),
        Binding("enter,space", "touch", show=False),
        Binding("escape", "clear", show=False),
    ]

    class Touched(Message):
        """The touches mean these actions: one that is complete, or several to choose from."""

        def __init__(self, acts: list[Act]) -> None:
            """Keep the actions."""
            super().__init__()
            self.acts = acts

    class Missed(Message):
        """A place was touched that leads to no legal action; `token` is what it would have been, for the rules to refuse."""

        def __init__(self, token: str) -> None:
            """Keep the token."""
            super().__init__()
            self.token = token

    class Ended(Message):
        """Enter ended a line that was typed here so fast that its field has not taken over yet."""

    def __init__(self) -> None:
        """Begin without a scene."""
        super().__init__(id="board")
        self.scene: Scene | None = None
        self.acts: list[Act] = []
        self.touched: list[str] = []
        self.at = ""
        self.places: dict[tuple[int, int], str] = {}
        self.lines = self.columns = 0
        self.typing = False

    def show(self, scene: Scene, acts: list[Act]) -> None:
        """Show a scene, with what may be played on it."""
        self.scene, self.acts, self.touched = scene, acts, []
        self.redraw()
        self.call_after_refresh(self.follow_cursor, center=True)

    def lit(self) -> set[str]:
        """Return the cells that may be touched next."""
        return {act.touches[len(self.touched)] for act in meant(self.acts, self.touched) if len(act.touches) > len(self.touched)}

    def redraw(self) -> None:
        """Draw the scene: lit cells are underlined, touched ones and the cursor are reversed."""
        if self.scene is None:
            return
        ink, lit = drawn(self.scene), self.lit()
        self.places = {place: glyph.cell for place, glyph in ink.items() if glyph.cell}
        self.lines = max((line for line, _ in ink), default=-1) + 1
        self.columns = max((column for _, column in ink), default=-1) + 1
        known = set(self.places.values())
        if self.at not in known:
            self.at = next((cell.name for cell in self.scene.cells if cell.name in lit), next(iter(known), ""))
        text = Text(no_wrap=True)
        for line in range(self.lines):
            for column in range(max((at for of, at in ink if of == line), default=-1) + 1):
                glyph = ink.get((line, column))
                colour, bold = style_of(self.scene.game, glyph) if glyph else ("", False)
                cell = glyph.cell if glyph else ""
                style = Style(
                    color=colour or None,
                    bold=bold or cell in lit,
                    underline=bool(cell) and cell in lit,
                    reverse=bool(cell) and (cell in self.touched or (cell == self.at and self.has_focus)),
                )
                text.append(glyph.character if glyph else " ", style)
            if line < self.lines - 1:
                text.append("\n")
        self.update(text)
        self.call_after_refresh(self.follow_cursor)

    def follow_cursor(self, center: bool = False) -> None:
        """Scroll to the cursor, with what is beside it: to the foot of a cell that is drawn on several lines."""
        place = max((place for place, cell in self.places.items() if cell == self.at), default=None)
        if place is not None and isinstance(self.parent, Widget):
            line, column = place
            self.parent.scroll_to_region(Region(max(0, column - 2), max(0, line - 1), 5, 3), animate=False, center=center)

    def on_focus(self) -> None:
        """Show the cursor."""
        self.redraw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.typing = False
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Note that a line begins."""
        self.typing = self.typing or (event.is_printable and event.character != " ")

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor to the nearest cell in a direction."""
        ends = {cell: place for place, cell in sorted(self.places.items(), reverse=True)}
        if self.at not in ends:
            return
        line, column = ends[self.at]
        ahead = []
        for cell, (at_line, at_column) in ends.items():
            along = (at_line - line) * down * 2 + (at_column - column) * right
            aside = abs(at_column - column) if down else abs(at_line - line) * 2
            if along > 0:
                ahead.append((along + 2 * aside, cell))
        if ahead:
            self.at = min(ahead)[1]
            self.redraw()

    def action_clear(self) -> None:
        """Forget what was touched."""
        self.touched = []
        self.redraw()

    def action_touch(self) -> None:
        """Touch the cell under the cursor."""
        if self.typing:
            self.typing = False
            self.post_message(self.Ended())
            return
        self.touch(self.at)

    def on_click(self, event: events.Click) -> None:
        """Touch the cell under the mouse."""
        offset = event.get_content_offset(self)
        cell = self.places.get((offset.y, offset.x)) if offset else None
        if cell:
            self.at = cell
            self.touch(cell)

    def touch(self, cell: str) -> None:
        """Go one touch further, begin anew with another cell, or say that nothing is meant."""
        if cell in self.lit():
            self.touched.append(cell)
        elif meant(self.acts, [cell]):
            self.touched = [cell]
        else:
            self.post_message(self.Missed("".join([*self.touched, cell])))
            self.touched = []
            self.redraw()
            return
        left = meant(self.acts, self.touched)
        self.redraw()
        if left and all(len(act.touches) == len(self.touched) for act in left):
            self.post_message(self.Touched(left))
