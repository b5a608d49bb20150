"""The tests of every few minutes stay within their minute of processor time."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import quick
from tests.quick import MOST_SECONDS, verdict


def test_a_quick_run_that_is_not_quick_fails() -> None:
    assert [verdict(status, seconds) for status in (0, 2) for seconds in (MOST_SECONDS, MOST_SECONDS + 1)] == [0, 1, 2, 2]


@pytest.mark.parametrize(("most", "status"), [("720", 0), ("0", 1)])
def test_a_run_is_held_to_the_seconds_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], most: str, status: int
) -> None:
    given: list[list[str]] = []

    def run(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        given.append(command[3:])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("tests.quick.resource.getrusage", lambda who: SimpleNamespace(ru_utime=400.0, ru_stime=100.0))
    monkeypatch.setattr("tests.quick.subprocess.run", run)
    assert quick.main(["--most", most, "tests/site"]) == status
    assert given == [["tests/site"]]
    assert f"500 s of processor time: expected at most {most};" in capsys.readouterr().out


def test_make_test_holds_the_tests_of_the_site_to_six_minutes_of_two_cores() -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    held = re.search(r"^site-test: .*\n\t.* --most (\d+) \$\(SITE_TESTS\)$", makefile, re.M)
    assert held
    assert int(held[1]) == 6 * 60 * 2
    recipe = makefile.partition("\ntest: ")[2].partition("\n\n")[0]
    assert "--ignore tests/site --ignore tests/wasm" in recipe
    assert f"-m tests.quick --most {2 * int(held[1])} $(SITE_TESTS)" in recipe


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")
def test_processes_that_outlive_their_parent_count_too() -> None:
    grandchild = "import time; [None for _ in iter(lambda: time.process_time() < 0.3, False)]"
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {grandchild!r}])"
    code = f"""
import resource, subprocess, sys, time
from tests.quick import adopt_orphans, wait_for_orphans
adopt_orphans()
subprocess.run([sys.executable, "-c", {child!r}])
until = time.monotonic() + 20
used = 0.0
while used < 0.3 and time.monotonic() < until:
    wait_for_orphans()
    used = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    time.sleep(0.05)
print(used >= 0.3)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
