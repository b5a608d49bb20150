"""Runs tests in forks of a process that has imported all that no fault touches: a run then begins in a tenth of a second.

Each line of its input is a job: a JSON list of the file for the output and the arguments of pytest. The answer is a JSON list: the
exit status (-1 if the job was killed at a limit) and the megabytes it used at most.
"""

import json
import os
import resource
import secrets
import signal
import sys
from contextlib import suppress
from importlib import import_module
from random import Random

import pytest

# A fault can make a loop endless, or a list grow without end. The tests of an area need a fifth of this at most.
MOST_PROCESSOR_SECONDS = 300
MOST_SECONDS = 600
MOST_BYTES = 2 << 30
PRELOADED = ("hypothesis.stateful", "apsw", "typer.testing", "fastapi", "uvicorn", "websockets.sync.client", "tablee.catalog", "tablee.arena")
TOUCHED = ("tablee.tables", "tablee.store", "tablee.web", "tests.tables", "tests.store")


def main() -> None:
    """Do one job after the other."""
    for name in PRELOADED:
        import_module(name)
    for slug in import_module("tablee.catalog").OURS:
        import_module("tablee.catalog").kind(slug)
    if early := [name for name in sys.modules if name.startswith(TOUCHED)]:
        raise ImportError(f"{early} must not be imported before a fault is planted")
    for line in sys.stdin:
        output, *arguments = json.loads(line)
        print(json.dumps(run(output, arguments)), flush=True)


def run(output: str, arguments: list[str]) -> tuple[int, int]:
    """Run pytest in a fork, end what it leaves behind, and return its exit status and its peak memory in megabytes."""
    child = os.fork()
    if child == 0:
        os.setsid()
        limit()
        draw_the_same_secrets()
        target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(target, stream)
        status = int(pytest.main(arguments))
        sys.stdout.flush()
        os._exit(status)
    _, status, used = os.wait4(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return (os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1), used.ru_maxrss // 1024


def draw_the_same_secrets() -> None:
    """Draw the secrets of tables from a seed, so that each run of a fault has the same dice and the same verdict."""
    random = Random(0)
    secrets.token_bytes = lambda nbytes=None: random.randbytes(nbytes or secrets.DEFAULT_ENTROPY)


def limit() -> None:
    """Limit the time and the memory of this process, and the memory of each process that it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_SECONDS, MOST_PROCESSOR_SECONDS))
    signal.alarm(MOST_SECONDS)


if __name__ == "__main__":
    main()
