"""Tables as lines of a list: those that wait for anybody, and the visitor's own."""

from dataclasses import dataclass

from tablee.core.errors import TableeError
from tablee.tables.table import Table
from tablee.tables.telling import name
from tablee.tables.values import OVER, WAITING
from tablee.web.house import House
from tablee.web.visitors import Visitor
from tablee.web.words import page_words

MOST_LINES = 20


@dataclass(frozen=True)
class TableLine:
    """One table of a list."""

    id: str
    title: str
    who: str
    state: str
    your_turn: bool


def waiting_tables(house: House, visitor: Visitor) -> list[TableLine]:
    """Return the newest tables where anybody may sit down."""
    open_ones = [live.table for live in house.lives.values() if waits_for_all(live.table)]
    return [line(table, visitor) for table in reversed(open_ones[-MOST_LINES:])]


async def my_tables(house: House, visitor: Visitor) -> list[TableLine]:
    """Return the newest tables at which the visitor sits or sat; where it is his turn first."""
    if not visitor.carte:
        return []
    found: list[Table] = []
    for table_id in (await house.store.tables_of(visitor.carte))[:MOST_LINES]:
        try:
            found.append((await house.live(table_id)).table)
        except TableeError:  # a table of other rules: it stays in the log, and off this list
            continue
    lines = [line(table, visitor) for table in found]
    return sorted(lines, key=lambda one: not one.your_turn)


def line(table: Table, visitor: Visitor) -> TableLine:
    """Return a table as one line."""
    words, language = page_words(visitor.language), visitor.language
    yours = any(seat in table.asked for seat in table.held_by(visitor.actor(table.match.id)))
    state = "your turn" if yours else {WAITING: "waiting", OVER: "over"}.get(table.phase, "playing")
    who = ", ".join(name(seat, language) for seat in table.seats)
    return TableLine(table.id, table.game.kind.words(language)("title"), who, words(f"state {state}"), yours)


def waits_for_all(table: Table) -> bool:
    """Return whether anybody may sit down at a table now."""
    return table.phase == WAITING and table.terms.sitting == "open" and any(seat.player == "nobody" for seat in table.seats)
