"""A disk that is really full: the house says so, loses nothing, and goes on when there is room again. It needs root, to mount the disk."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.web.serving import WAIT, Process, environment

HOUSE = ("-m", "tests.web.small_disk_house")
BALLAST = 1 << 20


TRY = "import sys; from tests.web.small_disk_house import small_disk; sys.exit(not small_disk('/tmp'))"


def test_on_a_disk_that_is_full_nothing_is_confirmed_and_lost_and_play_goes_on_with_room(data: Path) -> None:
    if subprocess.run([sys.executable, "-c", TRY], env=environment(), check=False).returncode:
        pytest.skip("NOT TESTED: a disk that is really full, which only root can mount")
    house = Process(data, house=HOUSE)
    try:
        house.ready()
        disk = Path(f"/proc/{house.popen.pid}/root") / data.relative_to("/")
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(BALLAST))
        with httpx.Client(base_url=f"{house.base}/api/v1", timeout=WAIT) as bot:
            opened = []
            while (answer := bot.post("/tables", json={"game": "traboulet", "sitting": "open"})).status_code == 201:
                opened.append(answer.json()["table"])
                assert len(opened) < 20_000
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
            assert opened
            ballast.unlink()
            after = bot.post("/tables", json={"game": "traboulet", "sitting": "open"})
            assert after.status_code == 201
            for table in [*opened[-5:], after.json()["table"]]:
                assert bot.get(f"/tables/{table}/state").json()["events"]
    finally:
        house.kill()
