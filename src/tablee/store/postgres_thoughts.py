"""The queue of requests to computer players, in a database: any process with a free player takes the next one, on any host.

Groups take turns: the one with the fewest requests being thought about, then the one that was served longest ago. A request goes where its
player is kept, if that is free soon. One whose taker does not answer in time is taken again; the first answer counts.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from tablee.store.log import StoreError

ASKED, ANSWERED = "tablee_asked", "tablee_answered"
# So long a request waits for the taker that keeps its player.
HOME_SECONDS = 0.05
TAKE = """
WITH open AS (
    SELECT id, line, home FROM thoughts
    WHERE answer IS NULL AND (taker IS NULL OR taken < clock_timestamp() - make_interval(secs => %(lease)s))
      AND (home IN ('', %(taker)s) OR asked < clock_timestamp() - make_interval(secs => %(home)s))
), busy AS (
    SELECT line, count(*) AS many FROM thoughts
    WHERE answer IS NULL AND taken >= clock_timestamp() - make_interval(secs => %(lease)s) GROUP BY line
), next AS (
    SELECT t.id FROM thoughts t JOIN open o ON o.id = t.id LEFT JOIN busy b ON b.line = o.line LEFT JOIN turns u ON u.line = o.line
    WHERE t.answer IS NULL AND (t.taker IS NULL OR t.taken < clock_timestamp() - make_interval(secs => %(lease)s))
    ORDER BY coalesce(b.many, 0), u.served NULLS FIRST, o.home = %(taker)s DESC, t.id LIMIT 1 FOR UPDATE OF t SKIP LOCKED
), taken AS (
    UPDATE thoughts t SET taker = %(taker)s, taken = clock_timestamp() FROM next WHERE t.id = next.id RETURNING t.id, t.house, t.line, t.request
), turn AS (
    INSERT INTO turns(line, served) SELECT line, clock_timestamp() FROM taken ON CONFLICT (line) DO UPDATE SET served = excluded.served
)
SELECT id, house, line, request FROM taken
"""


@dataclass(frozen=True)
class Thought:
    """A request that was taken: its number, the house that asks, its group, and the request itself."""

    id: int
    house: str
    line: str
    request: str


@dataclass(frozen=True)
class Answered:
    """An answer, and the process that gave it."""

    text: str
    taker: str


class Thoughts:
    """The queue as one process uses it."""

    def __init__(self, url: str, pool: "AsyncConnectionPool[AsyncConnection[Any]]", name: str) -> None:
        """Use a pool of connections; `name` is that of this process."""
        self.url, self.pool, self.name = url, pool, name

    async def query(self, statement: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        try:
            async with self.pool.connection() as connection:
                cursor = await connection.execute(statement.encode(), parameters)
                return await cursor.fetchall() if cursor.description else []
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error

    async def secret(self, proposed: bytes) -> bytes:
        """Return the secret from which the seeds of all players are derived: the stored one, or else the one proposed, which is then stored."""
        await self.query("INSERT INTO player_secret(one, secret) VALUES (1, %s) ON CONFLICT DO NOTHING", (proposed,))
        return bytes((await self.query("SELECT secret FROM player_secret"))[0][0])

    async def ask(self, line: str, table_id: str, home: str, request: str) -> int:
        """Put a request into the queue and return its number."""
        statement = """
            WITH put AS (INSERT INTO thoughts(house, line, table_id, home, request) VALUES (%s, %s, %s, %s, %s) RETURNING id)
            SELECT id, pg_notify(%s, '') FROM put
        """
        return int((await self.query(statement, (self.name, line, table_id, home, request, ASKED)))[0][0])

    async def take(self, lease: float) -> Thought | None:
        """Take the next request, for at most `lease` seconds; None if there is none."""
        rows = await self.query(TAKE, {"lease": lease, "taker": self.name, "home": HOME_SECONDS})
        return Thought(*rows[0]) if rows else None

    async def answer(self, thought: Thought, text: str) -> None:
        """Answer a request that was taken; only the first answer counts."""
        statement = """
            WITH said AS (UPDATE thoughts SET answer = %s, taker = %s WHERE id = %s AND answer IS NULL RETURNING house)
            SELECT pg_notify(%s, house) FROM said
        """
        await self.query(statement, (text, self.name, thought.id, ANSWERED))

    async def answers(self, ids: list[int]) -> dict[int, Answered]:
        """Return the answers to requests of this process, and forget these."""
        rows = await self.query("DELETE FROM thoughts WHERE id = ANY(%s) AND answer IS NOT NULL RETURNING id, answer, taker", (ids,))
        return {int(row[0]): Answered(str(row[1]), str(row[2])) for row in rows}

    async def unknown(self, ids: list[int]) -> set[int]:
        """Return the requests that are not in the queue any more: it was lost with the server."""
        rows = await self.query("SELECT id FROM thoughts WHERE id = ANY(%s)", (ids,))
        return set(ids) - {int(row[0]) for row in rows}

    async def give_up(self, number: int) -> None:
        """Take a request back."""
        await self.query("DELETE FROM thoughts WHERE id = %s", (number,))

    async def move(self, table_id: str, line: str, other: str) -> None:
        """Let what waits for a table stand in another group."""
        await self.query("UPDATE thoughts SET line = %s WHERE table_id = %s AND line = %s AND taker IS NULL", (other, table_id, line))

    async def waiting(self) -> bool:
        """Return whether a request waits for somebody."""
        return bool(await self.query("SELECT 1 FROM thoughts WHERE answer IS NULL AND taker IS NULL LIMIT 1"))

    async def forget_old(self, seconds: float) -> None:
        """Delete the requests of houses that have stopped."""
        await self.query("DELETE FROM thoughts WHERE asked < clock_timestamp() - make_interval(secs => %s)", (seconds,))

    async def listen(self) -> "AsyncConnection[Any]":
        """Return a connection that hears when something was asked or answered."""
        try:
            connection = await AsyncConnection.connect(self.url, autocommit=True)
            try:
                await connection.execute(f"LISTEN {ASKED}".encode())
                await connection.execute(f"LISTEN {ANSWERED}".encode())
            except BaseException:
                await connection.close()
                raise
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error
        return connection

    async def notes(self, connection: "AsyncConnection[Any]") -> AsyncIterator[str]:
        """Give the channel of each note that is for this process, until the connection breaks."""
        try:
            async for note in connection.notifies():
                if note.channel == ASKED or note.payload == self.name:
                    yield note.channel
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error
