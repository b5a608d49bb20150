"""A real PostgreSQL server in a folder of its own, to be used, killed and started again; its binaries come from the wheel `pgserver`."""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

# Found without an import, which would look for a folder of the user's session.
FOUND = find_spec("pgserver")
assert FOUND is not None
BIN = Path(next(iter(FOUND.submodule_search_locations or ()))) / "pginstall" / "bin"
USER = "nobody"  # PostgreSQL refuses to run as root


class PgServer:
    """A server that listens at a Unix socket only, with the settings of a fresh installation: every commit is on disk."""

    def __init__(self) -> None:
        """Make the folder, set it up and start."""
        self.folder = Path(tempfile.mkdtemp(prefix="tablee-pg-", dir="/tmp"))
        self.root = os.geteuid() == 0
        if self.root:
            shutil.chown(self.folder, USER)
        self.data = self.folder / "data"
        self.numbers = count(1)
        self.set_up()
        self.start()

    def set_up(self) -> None:
        """Make an empty server."""
        self.command("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=utf8", "--no-locale")

    def command(self, name: str, *words: str) -> None:
        """Run a program of PostgreSQL to its end."""
        subprocess.run(
            [str(BIN / name), *words],
            check=True,
            user=USER if self.root else None,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )

    def start(self) -> None:
        """Start, also after a kill, and wait until it answers, however long that takes."""
        # Left over by a kill; the process they name may still wait to be buried, and then the server would not start.
        for leftover in (self.data / "postmaster.pid", self.folder / ".s.PGSQL.5432.lock"):
            leftover.unlink(missing_ok=True)
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=200"
        self.command("pg_ctl", "-D", str(self.data), "-w", "-t", "600", "-l", str(self.data / "log"), "-o", options, "start")

    @property
    def pid(self) -> int:
        """The number of the first process of the server."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """Kill every process of the server at once, without a word: the first, and those that it started."""
        first = self.pid
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=False).stdout.split()
        for pid in (first, *map(int, listed)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        while any(alive(pid) for pid in (first, *map(int, listed))):
            signal.sigtimedwait([], 0.02)

    def stop(self) -> None:
        """Stop and delete everything."""
        try:
            self.command("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "-t", "600", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def remove(self) -> None:
        """Stop, if it still runs, and delete everything."""
        with suppress(subprocess.CalledProcessError):
            self.stop()

    def set(self, name: str, value: str, shown: str = "") -> None:
        """Change a setting of the server, and wait until it holds; `shown` is how the server writes it."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute(f"SHOW {name}".encode()).fetchone() != (shown or value,):
                connection.execute("SELECT pg_sleep(0.02)")

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"tablee_{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


def alive(pid: int) -> bool:
    """Return whether a process still runs; one that waits to be buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
