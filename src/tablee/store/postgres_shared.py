"""What several houses share beside the log, in tables that may be lost with the server: uses, metrics, cartes on their way."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from tablee.store.log import StoreError
from tablee.store.postgres import PostgresLog
from tablee.store.rows import hash_carte

# A house reads again what was written in the last seconds: a row may be seen later than its own time says.
OVERLAP_SECONDS = 3.0
MOST_CARRIED = 10_000


@dataclass(frozen=True)
class Used:
    """How often a sender did something in a window of time at one house, or how many places a sender holds there."""

    what: str
    number: int
    who: str
    house: str
    count: int


class SharedFacts:
    """What the houses tell each other."""

    def __init__(self, log: PostgresLog) -> None:
        """Use the connections of a log."""
        self.log = log
        self.heard = 0.0

    async def tell_used(self, uses: Sequence[tuple[str, int, str, int]]) -> None:
        """Publish what senders have used here; the numbers replace the earlier ones."""
        if not uses:
            return
        statement = """
            INSERT INTO used(what, number, who, house, count)
            SELECT what, number, who, %s, count FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[]) AS told(what, number, who, count)
            ON CONFLICT (what, number, who, house) DO UPDATE SET count = excluded.count, told = clock_timestamp()
        """
        await self.log.query(statement, (self.log.house, *map(list, zip(*uses, strict=True))))

    async def hear_used(self) -> list[Used]:
        """Return what senders have used at other houses, as far as it was told since the last time."""
        statement = """
            SELECT what, number, who, house, count, extract(epoch FROM told) FROM used
            WHERE told > to_timestamp(%s) AND house <> %s ORDER BY told
        """
        rows = await self.log.query(statement, (max(0.0, self.heard - OVERLAP_SECONDS), self.log.house))
        self.heard = float(rows[-1][5]) if rows else self.heard
        return [Used(*row[:5]) for row in rows]

    async def forget_used(self) -> None:
        """Delete what no window looks at any more."""
        await self.log.query("""
            DELETE FROM used WHERE told < clock_timestamp() - CASE WHEN right(what, 5) = 'a day' THEN interval '2 days' ELSE interval '3 minutes' END
        """)
        await self.log.query("DELETE FROM turns WHERE served < clock_timestamp() - interval '1 day'")
        await self.log.query("DELETE FROM carried WHERE until < clock_timestamp()")

    async def tell_measured(self, samples: str) -> None:
        """Publish the metrics of this house."""
        statement = "INSERT INTO measured(house, samples) VALUES (%s, %s) ON CONFLICT (house) DO UPDATE SET samples = excluded.samples"
        await self.log.query(statement, (self.log.house, samples))

    async def measured(self, houses: Sequence[str]) -> dict[str, str]:
        """Return what these houses have measured."""
        rows = await self.log.query("SELECT house, samples FROM measured WHERE house = ANY(%s) ORDER BY house", (list(houses),))
        return {str(house): str(samples) for house, samples in rows}

    async def offer_carte(self, key: str, carte: str, seconds: float) -> None:
        """Keep a carte for the holder of the key, for a while; an earlier key of the same carte becomes invalid."""
        (count,) = (await self.log.query("SELECT count(*) FROM carried WHERE until > clock_timestamp()"))[0]
        if count >= MOST_CARRIED:
            raise StoreError("too many cartes are on their way: try again in ten minutes")
        statement = """
            INSERT INTO carried(key_hash, carte_hash, masked, until) VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s))
            ON CONFLICT (carte_hash) DO UPDATE SET key_hash = excluded.key_hash, masked = excluded.masked, until = excluded.until
        """
        await self.log.query(statement, (key_hash(key), hash_carte(carte), masked(key, carte.encode()), seconds))

    async def take_carte(self, key: str) -> str | None:
        """Return the carte of a key, once."""
        rows = await self.log.query("DELETE FROM carried WHERE key_hash = %s RETURNING masked, until > clock_timestamp()", (key_hash(key),))
        return masked(key, bytes(rows[0][0])).decode() if rows and rows[0][1] else None


def key_hash(key: str) -> str:
    """Return what is kept of the key of a link."""
    return sha256(b"tablee carry v1" + key.encode()).hexdigest()


def masked(key: str, carte: bytes) -> bytes:
    """Encrypt a carte with a key of 256 bits, or decrypt it: a reader of the database learns nothing."""
    stream = b"".join(sha256(b"tablee carry mask v1" + bytes([block]) + key.encode()).digest() for block in range(2))
    return bytes(one ^ other for one, other in zip(carte, stream, strict=False))
