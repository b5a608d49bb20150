"""Runs external programs, with one sentence for a failure, and caches what they make."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from tablee.core.errors import TableeError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows, where nobody has built a site yet
    fcntl = None  # type: ignore[assignment]


class CannotBuild(TableeError):
    """The static library cannot be built here; the text is one sentence for the user."""


def need(program: str, purpose: str) -> str:
    """Return where a program is, or refuse."""
    path = shutil.which(program)
    if path is None:
        raise CannotBuild(f"{program} is missing, which {purpose}: install it and try again")
    return path


def run(command: Sequence[str | Path], failed: str, folder: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a program and return its output; if it fails, raise an error with its last line."""
    done = subprocess.run([str(part) for part in command], cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotBuild(f"{failed}: {lines[-1] if lines else f'status {done.returncode}'}")
    return done.stdout


def key_of(*parts: str | bytes | Path) -> str:
    """Return a short name of texts and of the contents of files: the same parts give the same name."""
    digest = sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:16]


@contextmanager
def one_at_a_time(work: Path, waits: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Let one build at a time use a folder of downloads and parts; `waits` is called if another build is running, before this one waits.

    The lock ends with the process, also after a crash.
    """
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waits()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def once(folder: Path, key: str, make: Callable[[Path], object]) -> Path:
    """Return the folder, built again unless it was built for the same key; an interrupted run leaves nothing."""
    mark = folder.with_name(f"{folder.name}.key")
    if folder.is_dir() and mark.is_file() and mark.read_text(encoding="utf-8") == key:
        return folder
    mark.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder)
    mark.write_text(key, encoding="utf-8")
    return folder
