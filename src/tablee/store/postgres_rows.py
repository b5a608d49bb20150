"""Rows of the PostgreSQL log: events in a few statements, and the ledger, whose shards are locked in one order by everybody."""

from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection

from tablee.store.ledger import ledger_head, shard_of
from tablee.store.rows import EVENT_COLUMNS, Rows

EVENTS = """
SELECT e.seq, e.kind, e.payload, e.seat, e.move_id, e.at, e.previous, e.hash, a.text, a.salt, a.owner
FROM events e LEFT JOIN asides a ON a.table_id = e.table_id AND a.seq = e.seq
WHERE e.table_id = %s AND e.seq >= %s ORDER BY e.seq
"""
PENDING = """
SELECT t.id FROM tables t JOIN events e ON e.table_id = t.id AND e.seq = 0
WHERE NOT t.finished AND (
    (t.due IS NULL AND e.payload::json ->> 'clock' IS NOT NULL)
    OR (SELECT l.at FROM events l WHERE l.table_id = t.id ORDER BY l.seq DESC LIMIT 1) < %s
    OR NOT EXISTS (SELECT 1 FROM events p WHERE p.table_id = t.id AND p.kind = 'seated' AND p.payload::json ->> 'token_hash' IS NOT NULL)
    OR (e.payload::json ->> 'sitting' = 'open' AND NOT EXISTS (SELECT 1 FROM events s WHERE s.table_id = t.id AND s.kind = 'started'))
) ORDER BY t.number
"""
# All that is due is due later; the beat until which a house could answer is noted with it, so that nobody does it again.
POSTPONE = """
WITH counted AS (
    INSERT INTO beats(house, at) VALUES ('', %s) ON CONFLICT (house) DO UPDATE SET at = excluded.at WHERE beats.at < excluded.at RETURNING at
)
UPDATE tables SET due = due + %s WHERE due IS NOT NULL AND NOT finished AND EXISTS (SELECT 1 FROM counted)
"""
INSERT_EVENT = f"INSERT INTO events({', '.join(EVENT_COLUMNS)}) VALUES ({', '.join(['%s'] * len(EVENT_COLUMNS))})"
INSERT_ASIDE = "INSERT INTO asides(table_id, seq, owner, salt, text) VALUES (%s, %s, %s, %s, %s)"
INSERT_SITTER = "INSERT INTO sitters(owner, table_id) VALUES (%s, %s) ON CONFLICT DO NOTHING"
INSERT_LINE = "INSERT INTO ledger(shard, number, table_id, seq, hash, head) VALUES (%s, %s, %s, %s, %s, %s)"
Head = tuple[str, int, str]


@dataclass(frozen=True)
class Line:
    """A line of the ledger as other houses follow it: the table, and the number of its last event."""

    shard: int
    number: int
    table: str
    seq: int


@dataclass(frozen=True)
class Rowed:
    """The rows of events of one table; `secret` belongs to a `new` table, or to one that is sealed anew."""

    table: str
    rows: Rows
    secret: bytes = b""
    new: bool = False
    due: float | None = None

    @property
    def head(self) -> Head:
        """The table, and the number and hash of its last event."""
        last = self.rows.events[-1]
        return self.table, last[1], last[8]


async def write_rows(connection: AsyncConnection[Any], jobs: list[Rowed]) -> None:
    """Write events of some tables with all that follows from them."""
    await extend_ledger(connection, [job.head for job in jobs])
    async with connection.cursor() as cursor:
        opened = [(job.table, job.rows.events[0][6]) for job in jobs if job.new]
        if opened:
            await cursor.executemany("INSERT INTO tables(id, opened) VALUES (%s, %s)", opened)
            await cursor.executemany("INSERT INTO secrets(table_id, secret) VALUES (%s, %s)", [(job.table, job.secret) for job in jobs if job.new])
        await cursor.executemany(INSERT_EVENT, [row for job in jobs for row in job.rows.events])
        for statement, rows in (
            (INSERT_ASIDE, [row for job in jobs for row in job.rows.asides]),
            (INSERT_SITTER, [row for job in jobs for row in job.rows.sitters]),
        ):
            if rows:
                await cursor.executemany(statement, rows)
        finished = [(job.table,) for job in jobs if job.rows.finished]
        if finished:
            await cursor.executemany("UPDATE tables SET finished = true WHERE id = %s", finished)
        due = [(round(job.due * 1000), job.table) for job in jobs if job.due is not None and not job.rows.finished]
        if due:
            await cursor.executemany("UPDATE tables SET due = %s WHERE id = %s", due)
        resealed = [(job.secret, job.table) for job in jobs if job.secret and not job.new]
        if resealed:
            await cursor.executemany("UPDATE secrets SET secret = secret || %s WHERE table_id = %s", resealed)


async def extend_ledger(connection: AsyncConnection[Any], heads: list[Head]) -> None:
    """Add a line to the ledger for each table; shards are locked from the lowest to the highest, so that no two writers wait in a ring."""
    shards = sorted({shard_of(table) for table, _, _ in heads})
    rows = await connection.execute("SELECT shard, number, head FROM shards WHERE shard = ANY(%s) ORDER BY shard FOR UPDATE", (shards,))
    last = {shard: (number, head) for shard, number, head in await rows.fetchall()}
    lines = []
    for table, seq, digest in heads:
        shard = shard_of(table)
        number, head = last[shard]
        last[shard] = (number + 1, ledger_head(head, table, seq, digest))
        lines.append((shard, *last[shard][:1], table, seq, digest, last[shard][1]))
    async with connection.cursor() as cursor:
        await cursor.executemany(INSERT_LINE, lines)
        await cursor.executemany("UPDATE shards SET number = %s, head = %s WHERE shard = %s", [(*last[shard], shard) for shard in shards])


async def last_lines(connection: AsyncConnection[Any], tables: list[str]) -> list[Head]:
    """Return the last event of each of some tables, none of which can be written until the transaction ends."""
    shards = sorted({shard_of(table) for table in tables})
    await connection.execute("SELECT 1 FROM shards WHERE shard = ANY(%s) ORDER BY shard FOR UPDATE", (shards,))
    statement = "SELECT DISTINCT ON (table_id) table_id, seq, hash FROM events WHERE table_id = ANY(%s) ORDER BY table_id, seq DESC"
    return [(row[0], row[1], row[2]) for row in await (await connection.execute(statement, (tables,))).fetchall()]


def owned_tables(order: str) -> str:
    """Return the statement that lists the tables of a card's holder."""
    return f"""
        SELECT t.id FROM tables t WHERE t.id IN (
            SELECT s.table_id FROM sitters s JOIN places p ON p.owner = s.owner WHERE p.carte = %s
        ) ORDER BY t.number {order}
    """
