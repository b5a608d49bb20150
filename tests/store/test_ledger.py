"""The ledger's chains and shards are the same on every host, for ever: published heads hang on them."""

import hashlib

from tablee.store.ledger import SHARDS, ledger_head, shard_of


def measured(text: bytes) -> bytes:
    """Return a byte string behind its length in four bytes."""
    return len(text).to_bytes(4, "big") + text


def test_a_head_covers_the_head_before_the_table_the_number_and_the_hash() -> None:
    parts = [b"tablee ledger v1", b"ab" * 32, b"table", (258).to_bytes(8, "big"), b"cd" * 32]
    assert ledger_head("ab" * 32, "table", 258, "cd" * 32) == hashlib.sha256(b"".join(map(measured, parts))).hexdigest()


def test_the_shard_of_a_table_follows_from_its_name_alone() -> None:
    names = [f"table {number}" for number in range(2000)]
    assert [shard_of(name) for name in names] == [hashlib.sha256(name.encode()).digest()[0] % 64 for name in names]
    assert {shard_of(name) for name in names} == set(range(SHARDS))
