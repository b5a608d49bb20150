"""Reading a whole store to find what was edited, deleted or cut off behind its back."""

import hashlib
from collections.abc import Callable

import apsw

from tablee.core.errors import TableeError
from tablee.store.log import Checked
from tablee.tables.events import Event, packed, verify


def check_store(connection: apsw.Connection, events_of: Callable[[str], list[Event]], checkpoint: tuple[int, str] | None) -> Checked:
    """Check every chain, that each ends where the ledger says, and the ledger itself up to and beyond a published head."""
    wrong: list[str] = []
    heads, number, head = check_ledger(connection, checkpoint, wrong)
    names = [str(row[0]) for row in connection.execute("SELECT id FROM tables ORDER BY number")]
    count = 0
    for name in names:
        events = events_of(name)
        count += len(events)
        try:
            last = verify(events)
        except TableeError as error:
            wrong.append(f"table {name}: {error}")
            continue
        if heads.get(name) != (len(events) - 1, last):
            wrong.append(f"table {name}: the log ends at event {len(events) - 1}, the ledger says {heads.get(name, (None,))[0]}")
    wrong += [f"table {name}: the whole log is missing" for name in heads.keys() - set(names)]
    return Checked(len(names), count, number, head, tuple(wrong))


def check_ledger(connection: apsw.Connection, checkpoint: tuple[int, str] | None, wrong: list[str]) -> tuple[dict[str, tuple[int, str]], int, str]:
    """Return where each table ends by the ledger, and the ledger's last line; add what is wrong with the ledger itself."""
    heads: dict[str, tuple[int, str]] = {}
    number, head, seen = 0, "", checkpoint is None
    for found, table, seq, digest, chained in connection.execute("SELECT number, table_id, seq, hash, head FROM ledger ORDER BY number"):
        parts = (b"tablee ledger v1", head.encode(), str(table).encode(), int(seq).to_bytes(8, "big"), str(digest).encode())
        if found != number + 1 or chained != hashlib.sha256(packed(*parts)).hexdigest():
            wrong.append(f"ledger: line {number + 1} is missing or was changed")
        number, head = int(found), str(chained)
        heads[str(table)] = (int(seq), str(digest))
        seen = seen or (number, head) == checkpoint
    if not seen and checkpoint is not None and checkpoint[0] > 0:
        wrong.append(f"ledger: line {checkpoint[0]}, which was published, is missing or was changed")
    return heads, number, head
