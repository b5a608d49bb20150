"""Small forms of the proofs: power cuts, a full disk, a database that is killed. Each is seen to fail on a planted fault."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee.store.log import StoreError
from tablee.store.sqlite import SqliteLog
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import new_token
from tests.store import pg_kill, power_cut
from tests.store.pg import PgServer
from tests.store.unsafe_disk import DiskFile, UnsafeDisk
from tests.tables.company import NOON


@pytest.fixture(autouse=True)
def quiet_pool() -> Iterator[None]:
    logger = logging.getLogger("psycopg")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


def test_the_power_is_cut_and_nothing_confirmed_is_lost() -> None:
    count = power_cut.run(60, seed=1)
    assert (count.images, count.lost, count.broken) == (60, 0, [])
    assert count.confirmed > 60


def test_a_house_that_syncs_less_is_found_out_by_power_cuts() -> None:
    assert power_cut.run(60, seed=1, fault="normal").lost > 0


def test_an_unsafe_disk_keeps_what_was_synced_and_perhaps_the_rest() -> None:
    import random

    file = DiskFile(bytearray(b"old"))
    file.pending.append((0, b"new"))
    left = {file.after_a_cut(random.Random(seed)) for seed in range(50)}
    assert left == {b"old", b"new"}
    file.sync()
    assert {file.after_a_cut(random.Random(seed)) for seed in range(50)} == {b"new"}


def test_the_database_is_killed_and_started_again_and_nothing_is_lost_or_done_twice() -> None:
    server = PgServer()
    try:
        count = asyncio.run(pg_kill.run(server, kills=2, seed=1, between=(20, 60)))
        assert (count.kills, count.wrong) == (2, [])
        assert count.unknown > 0
    finally:
        server.stop()


def test_a_database_that_answers_before_it_writes_is_found_out() -> None:
    server = PgServer()
    try:
        assert asyncio.run(pg_kill.run(server, kills=60, seed=1, fault="async", between=(20, 60))).wrong != []
    finally:
        server.stop()


def test_on_a_full_disk_nothing_is_confirmed_that_is_not_there_and_afterwards_all_goes_on(tmp_path: Path) -> None:
    """The disk is full from the first write on, from the second, the third … until everything fits."""
    failures, room = 0, 1
    while True:
        disk = UnsafeDisk()
        try:
            failed = asyncio.run(fill(tmp_path / f"tables{room}.db", disk, room))
        finally:
            disk.unregister()
        if not failed:
            break
        failures += failed
        room += 1
    assert failures > 10


async def fill(path: Path, disk: UnsafeDisk, room: int) -> int:
    """Write until the disk is full, then make room again; return how many writes failed."""
    log = SqliteLog(path)
    disk.room = room
    confirmed, failed = [], 0
    for _ in range(6):
        one = open_table(Terms("traboulet"), new_token(), NOON)
        try:
            await log.create(one.table, one.events, one.secret)
            confirmed.append(one.table)
        except StoreError:
            failed += 1
    disk.room = None
    more = open_table(Terms("traboulet"), new_token(), NOON)
    await log.create(more.table, more.events, more.secret)
    assert await log.tables() == [*confirmed, more.table]
    assert (await log.check()).wrong == ()
    await log.close()
    return failed
