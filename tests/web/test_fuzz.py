"""A little of the fuzzing of `make prove`, and that it fails on planted faults."""

import asyncio
from pathlib import Path
from random import Random
from unittest import mock

import pytest

from tablee.tables.commands import Unreadable, read_command
from tablee.web import socket
from tests.web import fuzz_doors
from tests.web.chaos import open_table
from tests.web.fuzz_bender import Bender
from tests.web.fuzz_doors import FAULTS, Count, Ground, send_broken
from tests.web.fuzz_frames import KINDS, send_malformed
from tests.web.serving import WAIT, Serving, serving


def test_broken_frames_are_refused_and_change_nothing(house: Serving) -> None:
    async def send() -> Count:
        count, ground = Count(), Ground(house, Bender(5, ""))
        await send_broken(house, count, ground, 40)
        return count

    count = asyncio.run(send())
    assert count.wrong == []
    assert len(count.malformed) > len(KINDS) // 2


def test_fragments_of_a_good_message_are_one_message(house: Serving) -> None:
    table, token = open_table(house)
    live = house.guard.app.state.house.lives[table]  # type: ignore[attr-defined]
    before = live.table.seq
    for seed in range(5):
        assert asyncio.run(send_malformed(house.port, table, token, KINDS[0](Random(seed)), WAIT)) == ""
    assert live.table.seq == before + 5


@pytest.mark.parametrize(("fault", "requests", "frames"), [("hasty", 400, 0), ("boundless", 0, 16000)])
def test_a_planted_fault_is_found(data: Path, fault: str, requests: int, frames: int) -> None:
    limits = [mock.patch.object(socket, name, 10**9) for name in ("MOST_BAD", "BURST", "MOST_REPLIES")]
    with mock.patch(*FAULTS[fault]), limits[0], limits[1], limits[2], serving(data, allowance=100_000) as house:
        assert asyncio.run(fuzz_doors.storm(house, requests, frames, 1)).wrong


def test_the_bender_makes_commands_that_can_be_granted() -> None:
    bender, readable = Bender(1, "t" * 16), 0
    for _ in range(400):
        try:
            read_command(bender.body())
            readable += 1
        except Unreadable:
            continue
    assert readable > 40
