"""Check a store for events that were edited, deleted or cut off behind its back, and for dice that are not those that were sealed."""

from collections.abc import Mapping, Sequence

from tablee.core.errors import TableeError
from tablee.store.ledger import ledger_head
from tablee.store.log import Checked, Heads, Log
from tablee.tables.dice import SECRET_BYTES
from tablee.tables.events import Event, EventKind, verify
from tablee.tables.record import check_event, verify_log
from tablee.tables.table import Table


class Check:
    """A check that goes on: give it every line of the ledger, shard by shard in order, then the log of every table."""

    def __init__(self, checkpoint: Heads | None) -> None:
        """Begin; `checkpoint` are the heads that were published after an earlier check."""
        self.published = {shard: head for shard, head in (checkpoint or {}).items() if head[0] > 0}
        self.heads: dict[int, tuple[int, str]] = {}
        self.last: dict[str, tuple[int, str]] = {}
        self.wrong: list[str] = []
        self.tables: set[str] = set()
        self.events = 0

    def line(self, shard: int, number: int, table: str, seq: int, digest: str, head: str) -> None:
        """Take the next line of the ledger."""
        before, chained = self.heads.get(shard, (0, ""))
        if number != before + 1 or head != ledger_head(chained, table, seq, digest):
            self.wrong.append(f"ledger: line {before + 1} of shard {shard} is missing or was changed")
        self.heads[shard] = (number, head)
        self.last[table] = (seq, digest)
        if self.published.get(shard) == (number, head):
            del self.published[shard]

    def log(self, name: str, events: Sequence[Event]) -> None:
        """Take the log of a table: its chain must be whole, and end where the ledger says."""
        self.tables.add(name)
        self.events += len(events)
        try:
            last = verify(events)
        except TableeError as error:
            self.wrong.append(f"table {name}: {error}")
            return
        if self.last.get(name) != (len(events) - 1, last):
            self.wrong.append(f"table {name}: the log ends at event {len(events) - 1}, the ledger says {self.last.get(name, (None,))[0]}")

    def done(self) -> Checked:
        """Return the result."""
        wrong = [*self.wrong, *(f"table {name}: the whole log is missing" for name in sorted(self.last.keys() - self.tables))]
        wrong += [
            f"ledger: line {number} of shard {shard}, which was published, is missing or was changed" for shard, (number, _) in self.published.items()
        ]
        return Checked(len(self.tables), self.events, self.heads, tuple(wrong))


async def check_dice(log: Log) -> tuple[int, tuple[str, ...]]:
    """Return how many draws of all tables were recomputed, and what is wrong with any; tables that still go on are checked too."""
    count, wrong = 0, []
    for name in await log.tables():
        try:
            count += draws_of(await log.events(name), await log.secret(name))
        except TableeError as error:
            wrong.append(f"table {name}: {error}")
    return count, tuple(wrong)


def draws_of(events: list[Event], secret: bytes) -> int:
    """Return how many draws of a log were recomputed, before the end from the secret that is kept; raise at a wrong one."""
    if any(event.kind == EventKind.REVEALED for event in events):
        return verify_log(events)
    table, count = Table.laid(events[0], secret[:SECRET_BYTES]), 0
    for event in events[1:]:
        table.secret = secret[: SECRET_BYTES * len(table.seals)]  # those that were sealed so far, and no others
        count += check_event(table, event)
        table.fold(event)
    return count


def write_heads(heads: Heads) -> str:
    """Return the heads of the ledger as text to publish: shard, number and head, a line each."""
    return "".join(f"{shard} {number} {head}\n" for shard, (number, head) in sorted(heads.items()))


def read_heads(text: str) -> Mapping[int, tuple[int, str]]:
    """Return the heads of a published text."""
    heads = {}
    for line in text.splitlines():
        match line.split():
            case [shard, number, head] if shard.isdecimal() and number.isdecimal() and len(head) == 64:
                heads[int(shard)] = (int(number), head)
            case _:
                raise TableeError(f"{line[:80]!r} is no line of published heads: expected shard, number and head")
    return heads
