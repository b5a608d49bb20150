"""What one can order at a table by name, over the socket, a form or HTTP: the same names everywhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tablee.core.errors import unknown
from tablee.tables.commands import (
    Answer,
    AskAbandon,
    AskDraw,
    AskTakeBack,
    AskText,
    Command,
    Contribute,
    Leave,
    Rematch,
    Resign,
    Say,
    Start,
)
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.values import OVER, PLAYING, WAITING
from tablee.web.words import page_words


@dataclass(frozen=True)
class Order:
    """A command by its name, with whatever it needs."""

    what: str
    move_id: str | None = None
    seat: int | None = None
    ask: str = ""
    yes: bool = False
    phrase: str = ""
    text: str = ""
    level: str = ""
    contribution: str = ""

    @property
    def at(self) -> int:
        """The seat that gives the order; a seat that nobody has where none was said."""
        return -1 if self.seat is None else self.seat


ORDERS: Mapping[str, Callable[[Order], Command]] = {
    "take_back": lambda order: AskTakeBack(order.at, move_id=order.move_id),
    "draw": lambda order: AskDraw(order.at, move_id=order.move_id),
    "abandon": lambda order: AskAbandon(order.seat, move_id=order.move_id),
    "write": lambda order: AskText(order.at, move_id=order.move_id),
    "rematch": lambda order: Rematch(order.at, move_id=order.move_id),
    "answer": lambda order: Answer(order.at, order.ask, order.yes, move_id=order.move_id),
    "resign": lambda order: Resign(order.at, move_id=order.move_id),
    "say": lambda order: Say(order.at, order.phrase, order.text, move_id=order.move_id),
    "leave": lambda order: Leave(order.at, move_id=order.move_id),
    "start": lambda order: Start(move_id=order.move_id),
    "contribute": lambda order: Contribute(order.at, order.contribution, move_id=order.move_id),
}
BY_THE_HOUSE = ("hint", "invite", "fill", "replace")
NAMES = (*ORDERS, *BY_THE_HOUSE)


def command(order: Order) -> Command:
    """Return the command of an order that the table knows."""
    if order.what not in ORDERS:
        raise unknown("order", order.what, NAMES)
    return ORDERS[order.what](order)


def possible(table: Table, viewer: Actor, language: str) -> list[dict[str, object]]:
    """Return the orders that a viewer can give now as buttons, each with its seat and its words."""
    you = table.held_by(viewer)
    words = page_words(language)
    return [{"what": what, "seat": seat, "label": words(f"do {what}")} for what, seat in useful(table, you, table.opened_by(viewer))]


def useful(table: Table, you: tuple[int, ...], opener: bool) -> list[tuple[str, int | None]]:
    """Return what makes sense to order now, with the seat that would."""
    found: list[tuple[str, int | None]] = []
    empty = any(seat.player == "nobody" for seat in table.seats)
    if empty and table.phase != OVER and (you or opener):
        found += [("invite", None), ("fill", None)]
    if table.phase == WAITING and not empty and (you or opener):
        found.append(("start", None))
    if not you:
        return found
    acting = next((seat for seat in you if seat in table.asked), None)
    mine = acting if acting is not None else you[0]
    if table.phase == PLAYING:
        together = table.game.kind.together
        if (back := next((seat for seat in you if acted(table, seat)), None)) is not None and "take_back" not in table.asks:
            found.append(("take_back", back))
        if acting is not None and table.terms.hints:
            found.append(("hint", acting))
        if not together and "draw" not in table.asks and len(you) < table.game.seats:
            found.append(("draw", mine))
        if "abandon" not in table.asks:
            found.append(("abandon", mine))
        if table.game.seats == 2 and not together and len(you) < 2:
            found.append(("resign", mine))
    if table.phase != OVER and any(one.player != "nobody" for at, one in enumerate(table.seats) if at not in you):
        found.append(("leave", mine))
    if table.phase == OVER and not table.next and "rematch" not in table.asks:
        found.append(("rematch", mine))
    return found


def acted(table: Table, seat: int) -> bool:
    """Return whether a seat's last action can be taken back: no throw came after it."""
    for step in reversed(table.steps):
        if step.kind != "acted":
            return False
        if step.seat == seat:
            return True
    return False
