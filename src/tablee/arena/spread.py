"""Distribute work over the cores of this machine, or over a Ray cluster; results come as they are ready."""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import TypeVar

from tablee.core.errors import TableeError, needing

T = TypeVar("T")
LOCAL = "local"


def spread(work: Callable[..., T], jobs: Sequence[tuple[object, ...]], cores: int = 0, ray: str = "") -> Iterator[tuple[int, T]]:
    """Give the number and the result of each job, in the order in which they are done."""
    if ray:
        yield from over_cluster(work, jobs, ray)
    elif cores == 1 or len(jobs) == 1:
        yield from ((number, work(*job)) for number, job in enumerate(jobs))
    elif jobs:
        yield from over_cores(work, jobs, cores or os.cpu_count() or 1)


def over_cores(work: Callable[..., T], jobs: Sequence[tuple[object, ...]], cores: int) -> Iterator[tuple[int, T]]:
    """Do the jobs in processes of their own."""
    pool = ProcessPoolExecutor(min(cores, len(jobs)), get_context("spawn"), follow_parent)
    try:
        numbers = {pool.submit(work, *job): number for number, job in enumerate(jobs)}
        for done in as_completed(numbers):
            yield numbers.pop(done), done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def follow_parent() -> None:
    """Make a worker exit when its parent process is killed, which a pool does not do by itself."""
    parent = parent_process()
    if parent is not None:
        Thread(target=leave_after, args=(parent.sentinel,), daemon=True).start()


def leave_after(sentinel: int) -> None:
    """Wait for the end of a process, then exit at once."""
    connection.wait([sentinel])
    os._exit(1)


def over_cluster(work: Callable[..., T], jobs: Sequence[tuple[object, ...]], address: str) -> Iterator[tuple[int, T]]:
    """Do the jobs on a Ray cluster where Tablée is installed; the address `local` begins one on this machine."""
    with needing("playing on a cluster", "ray"):
        import ray
    ours = not ray.is_initialized()
    if ours:
        check_address(address)
        try:
            ray.init(address=LOCAL if address == LOCAL else address, log_to_driver=False, include_dashboard=False if address == LOCAL else None)
        except (ConnectionError, ValueError, RuntimeError, SystemExit) as error:
            raise TableeError(f"no Ray cluster answers at {address!r}: {error}") from error
    try:
        remote = ray.remote(work)
        waiting = {remote.remote(*job): number for number, job in enumerate(jobs)}
        while waiting:
            (done, *_), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(done), ray.get(done)
    finally:
        if ours:
            ray.shutdown()


def check_address(address: str) -> None:
    """Raise the error for a cluster at `host:port` where nobody listens: Ray itself tries for minutes, then ends the program."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except (OSError, OverflowError) as error:
            raise TableeError(f"no Ray cluster answers at {address!r}: {error}") from error
