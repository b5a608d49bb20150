"""The hash chains of the ledger, which has one line for each write to any table; a table belongs to one shard, and each shard is one chain."""

import hashlib

from tablee.tables.events import packed

SHARDS = 64


def ledger_head(previous: str, table_id: str, seq: int, digest: str) -> str:
    """Return the head of a ledger after one more line; a published head shows later whether lines were removed."""
    return hashlib.sha256(packed(b"tablee ledger v1", previous.encode(), table_id.encode(), seq.to_bytes(8, "big"), digest.encode())).hexdigest()


def shard_of(table_id: str) -> int:
    """Return the shard of a table, by its name alone: the same on every host, for ever."""
    return hashlib.sha256(table_id.encode()).digest()[0] % SHARDS
