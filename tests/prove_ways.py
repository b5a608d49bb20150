"""How a promise of `make prove` is tried: by a harness, by tests, and by planting a fault that one of them must find."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import tablee
from tests.mutation.faults import Fault, faulty_text
from tests.prove_row import Found, Proof

# How a harness ends that cannot be run on this machine, and how all ends if a promise could not be tried.
UNTRIED = 3
# What a trial returns that had to be stopped.
STOPPED = -signal.SIGKILL
SOURCE = Path(tablee.__file__).parent
# The processes that run, each the first of its group.
RUNNING: set[int] = set()


def harness(
    promise: str, asked: str, module: str, large: tuple[str, ...], small_form: tuple[str, ...] | None = None, *, alone: bool = False
) -> Proof:
    """Return a proof that runs a harness and quotes its first line; its exit code says whether the promise was kept.

    Without words for its small form it is part of the large one alone.
    """

    def trial(small: bool, seconds: float) -> Found:
        ran = run(seconds, module, *((small_form or ()) if small else large))
        return Found(first_line(ran), None if ran.returncode == UNTRIED else ran.returncode == 0)

    return Proof(promise, asked, trial, small_form is not None, alone)


def caught(fault: str, module: str, *words: str, large: bool = False, alone: bool = False) -> Proof:
    """Return a proof that a harness fails on a planted fault; `large` belongs to the large form alone."""

    def trial(small: bool, seconds: float) -> Found:
        ran = run(seconds, module, *words)
        return Found(first_line(ran), None if ran.returncode == UNTRIED else ran.returncode == 1 and bool(ran.stdout))

    return Proof(f"— planted: {fault}", "found", trial, not large, alone)


def planted(fault: str, path: str, old: str, new: str, *tests_to_fail: str) -> Proof:
    """Return a proof that tests fail where a fault is planted in a copy of the source; part of the large form."""
    text = Fault(path, old, new, fault)

    def trial(small: bool, seconds: float) -> Found:
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "tablee"
            shutil.copytree(SOURCE, package, symlinks=True)
            file = package / path
            file.write_text(faulty_text(text, file.read_text(encoding="utf-8")), encoding="utf-8")
            for compiled in package.glob(path.replace(".py", ".*.so")):
                compiled.unlink()
            ran = run(seconds, "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests_to_fail, PYTHONPATH=folder)
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
        return Found((failed or ["nothing"])[0], ran.returncode == 1 and bool(failed))

    return Proof(f"— planted: {fault}", "found", trial, fault=text)


def tests(promise: str, asked: str, *paths: str, **environment: str) -> Proof:
    """Return a proof that runs tests; they are part of `make test` by themselves."""

    def trial(small: bool, seconds: float) -> Found:
        ran = run(seconds, "pytest", "-n", "0", "-p", "no:cacheprovider", *paths, **environment)  # quiet as it is set up: it counts
        counted = re.findall(r"\d+ (?:passed|failed|error)[^\n]*", ran.stdout) or [ran.stdout[-200:]]
        return Found(first_line(ran) if ran.returncode == STOPPED else counted[-1].partition(" in ")[0], ran.returncode == 0)

    return Proof(promise, asked, trial)


def first_line(ran: subprocess.CompletedProcess[str]) -> str:
    """Return what a harness said first, or how its error ends."""
    if ran.returncode == STOPPED:
        return ran.stderr
    return (ran.stdout.splitlines() or ran.stderr.splitlines()[-1:] or ["nothing"])[0]


def run(seconds: float, module: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python and return what it said; one that does not end in time is killed with all that it has started."""
    child = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    RUNNING.add(child.pid)
    try:
        said, wrong = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        kill(child.pid)
        child.communicate()
        return subprocess.CompletedProcess(child.args, STOPPED, "", f"no end within {seconds:.0f} s")
    finally:
        RUNNING.discard(child.pid)
    return subprocess.CompletedProcess(child.args, child.returncode, said, wrong)


def kill(group: int) -> None:
    """Kill a process with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def stop_all() -> None:
    """Kill everything that runs: somebody stops it all."""
    for group in list(RUNNING):
        kill(group)
