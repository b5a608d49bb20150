"""The planted faults can all be planted, and no run of a fault takes the machine with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.faults import Fault, FaultError, errors, faulty_text, read_faults
from tests.mutation.runs import ROOT, SOURCE

ENDLESS = "def test_it():\n    while True:\n        pass\n"
GROWING = "def test_it():\n    list(range(10**10))\n"
FINE = "def test_it():\n    pass\n"
WITH_SMALL_LIMITS = """
import sys
from tests.mutation import worker
worker.MOST_PROCESSOR_SECONDS, worker.MOST_BYTES = 3, 1 << 29
print(worker.run(sys.argv[1], ["-q", "-p", "no:cacheprovider", sys.argv[2]])[0])
"""


def test_every_fault_fits_the_source() -> None:
    """After a rename in the source, rename in `faults/*.toml` too."""
    assert errors(read_faults(), SOURCE / "tablee") == []


def test_a_fault_is_planted_in_one_place_and_is_python() -> None:
    assert faulty_text(Fault("x.py", "1", "2", "wrong"), "a = 1\n") == "a = 2\n"
    for source, new in (("a = 1\nb = 1\n", "2"), ("a = 3\n", "2"), ("a = 1\n", "(")):
        with pytest.raises(FaultError):
            faulty_text(Fault("x.py", "1", new, "wrong"), source)


@pytest.mark.parametrize(("test", "status"), [(FINE, 0), (GROWING, 1), (ENDLESS, -1)], ids=["fine", "growing", "endless"])
def test_a_run_ends_at_its_limits(test: str, status: int, tmp_path: Path) -> None:
    """Too much memory is a failure of the test; a test that never ends is killed."""
    file = tmp_path / "test_it.py"
    file.write_text(test, encoding="utf-8")
    command = [sys.executable, "-c", WITH_SMALL_LIMITS, str(tmp_path / "output"), str(file)]
    assert int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout) == status
