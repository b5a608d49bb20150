"""Tables as lines of a list: those that wait for anybody, and the visitor's own."""

from dataclasses import dataclass

from tablee.core.errors import TableeError
from tablee.tables.allowed import waits_for_all
from tablee.tables.table import Table
from tablee.tables.telling import name
from tablee.tables.values import Phase
from tablee.web.house import House
from tablee.web.visitors import Visitor
from tablee.web.words import page_words

MOST_LINES = 20


@dataclass(frozen=True)
class TableLine:
    """One table of a list."""

    id: str
    game: str
    title: str
    who: str
    state: str
    your_turn: bool
    over: bool


def waiting_tables(house: House, visitor: Visitor) -> list[TableLine]:
    """Return the newest tables where anybody may sit down; tables where the visitor already sits are left to `my_tables`."""
    open_ones = [live.table for live in house.lives.values() if waits_for_all(live.table) and not held(live.table, visitor)]
    return [line(table, visitor) for table in reversed(open_ones[-MOST_LINES:])]


async def my_tables(house: House, visitor: Visitor) -> list[TableLine]:
    """Return the newest tables at which the visitor sits or sat; tables that wait for the visitor come first."""
    if not visitor.carte:
        return []
    tables: list[Table] = []
    for table_id in (await house.store.tables_of(visitor.carte))[:MOST_LINES]:
        try:
            tables.append((await house.live(table_id)).table)
        except TableeError:  # a table of other rules: it stays in the log, and off this list
            continue
    lines = [line(table, visitor) for table in tables]
    return sorted(lines, key=lambda row: not row.your_turn)


def line(table: Table, visitor: Visitor) -> TableLine:
    """Return a table as one line."""
    words, language = page_words(visitor.language), visitor.language
    own = held(table, visitor)
    yours = any(seat in table.asked for seat in own)
    state = "your turn" if yours else {Phase.WAITING: "waiting", Phase.OVER: "over"}.get(table.phase, "playing")
    who = " · ".join(words("you") if number in own and not seat.name else name(seat, language) for number, seat in enumerate(table.seats))
    title = table.game.kind.words(language)("title")
    return TableLine(table.id, table.game.slug, title, who, words(f"state {state}"), yours, table.phase == Phase.OVER)


def held(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """Return the seats of a visitor at a table."""
    return table.held_by(visitor.actor(table.match.id))
