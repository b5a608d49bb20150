"""Runs of the tests against copies of the source, in which one fault after the other is planted."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from types import TracebackType

from tests.mutation.faults import Fault, faulty_text

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
# Always the same examples, nothing that only explains a failure, and none of the plug-ins that these tests do not need.
OPTIONS = (
    *("-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"),
    *("-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0", "--hypothesis-profile=first failure"),
    # Ray does not start in the memory that a run may take.
    *("--deselect", "tests/web/test_shared_facts.py::test_a_player_thinks_on_a_ray_cluster"),
)
FAILED = re.compile(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", re.MULTILINE)


class Verdict(StrEnum):
    """How the tests ended: one failed, none failed, or they were killed at a limit of time or memory."""

    CAUGHT = "caught"
    SURVIVED = "SURVIVED"
    KILLED = "KILLED"


VERDICTS = {0: Verdict.SURVIVED, -1: Verdict.KILLED}


@dataclass(frozen=True)
class Run:
    """One run of the tests: against a fault, or (None) against the source as it is; `failed` is the test that noticed."""

    fault: Fault | None
    verdict: Verdict
    failed: str
    seconds: float
    megabytes: int


class Copy:
    """A copy of the source with its compiled modules, and a process that runs tests against it."""

    def __init__(self, folder: Path) -> None:
        """Copy what there is, and start the process."""
        self.folder = folder
        self.planted_so_far = 0
        shutil.copytree(SOURCE, folder / "src", symlinks=True)
        environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "src"),
            "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        }
        command = [sys.executable, "-m", "tests.mutation.worker"]
        self.worker = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Copy":
        """Give the copy for a while."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the process."""
        self.worker.communicate()

    @contextmanager
    def planted(self, fault: Fault | None) -> Iterator[None]:
        """Hold a fault for a while; its file gets a time of its own, so that Python never takes what it compiled of another fault."""
        if fault is None:
            yield
            return
        name = Path("tablee") / fault.path
        original, copied = SOURCE / name, self.folder / "src" / name
        copied.write_text(faulty_text(fault, original.read_text(encoding="utf-8")), encoding="utf-8")
        self.planted_so_far += 1
        os.utime(copied, (self.planted_so_far, self.planted_so_far))
        try:
            yield
        finally:
            shutil.copy2(original, copied)

    def run(self, fault: Fault | None, tests: tuple[str, ...]) -> Run:
        """Run tests until the first one fails."""
        begun, output = time.monotonic(), self.folder / "output"
        with self.planted(fault):
            status, megabytes = self.ask([str(output), *OPTIONS, f"--basetemp={self.folder / 'tmp'}", *tests])
        text = output.read_text(encoding="utf-8", errors="replace")
        failed = FAILED.search(text)
        verdict = VERDICTS.get(status, Verdict.CAUGHT)
        return Run(fault, verdict, failed[1] if failed else "" if status == 0 else text[-500:], time.monotonic() - begun, megabytes)

    def ask(self, job: list[str]) -> tuple[int, int]:
        """Let the process do a job, and return its exit status and the megabytes it used."""
        if not (self.worker.stdin and self.worker.stdout):
            raise RuntimeError("the process has no pipes")
        self.worker.stdin.write(json.dumps(job) + "\n")
        self.worker.stdin.flush()
        status, megabytes = json.loads(self.worker.stdout.readline())
        return int(status), int(megabytes)


def run_all(jobs: list[tuple[Fault | None, tuple[str, ...]]], cores: int) -> Iterator[Run]:
    """Run each fault against its tests, as many at a time as there are cores, and give each run as it ends."""
    with TemporaryDirectory(prefix="tablee-mutation-") as folder, ExitStack() as stack:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(cores):
            copies.put(stack.enter_context(Copy(Path(folder) / str(number))))

        def work(fault: Fault | None, tests: tuple[str, ...]) -> Run:
            copy = copies.get()
            try:
                return copy.run(fault, tests)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(cores) as pool:
            for future in as_completed([pool.submit(work, fault, tests) for fault, tests in jobs]):
                yield future.result()
