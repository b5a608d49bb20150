"""Files that only their owner may read, and the lock that lets one process write a store, on every system."""

import hashlib
import os
import tempfile
from pathlib import Path

from tablee.store.log import StoreError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

PRIVATE = 0o600
# Children do not inherit the handle; systems without this flag never let them.
CLOSED_ON_EXEC = getattr(os, "O_CLOEXEC", 0)
NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
TRIES = 100


def open_private(path: str | Path, flags: int) -> int:
    """Open a file, or make it readable by its owner alone, and return its handle."""
    return os.open(path, flags | CLOSED_ON_EXEC, PRIVATE)


class FileLock:
    """Keeps other processes from writing a store; the lock ends with the process, however that ends.

    One lock lies beside the store, for other hosts and containers that see the folder. One lies outside of the
    folder, under the name of its path: it holds even if the folder is deleted and made again.
    """

    def __init__(self, path: str) -> None:
        """Take both locks, or raise `StoreError`."""
        self.path = path
        self.held: list[tuple[int, str]] = []
        try:
            outside = place_outside(path)
            self.take(path + ".lock", removed=False)
            if outside:
                self.take(outside, removed=True)
        except (StoreError, OSError):
            self.release()
            raise

    def take(self, name: str, *, removed: bool) -> None:
        """Take one lock; its file may be `removed` once it is free."""
        if fcntl is None and msvcrt is None:
            self.held.append((self.make_alone(name), name))
            return
        for _ in range(TRIES):
            handle = open_private(name, os.O_RDWR | os.O_CREAT | NOT_A_LINK)
            try:
                lock(handle)
            except OSError as error:
                os.close(handle)
                raise StoreError(f"{self.path!r} is open in another process: one house, one file") from error
            if same_file(name, handle):
                self.held.append((handle, name if removed else ""))
                return
            os.close(handle)  # its holder has removed it meanwhile
        raise StoreError(f"{name!r} cannot be locked: expected a file that stays")

    def make_alone(self, name: str) -> int:
        """Make a file that nobody else has made: the lock of a system that knows no other; a crash leaves it behind."""
        try:
            return open_private(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        except FileExistsError as error:
            raise StoreError(f"{self.path!r} is open in another process, or was not closed: if no house runs there, delete {name!r}") from error

    def release(self) -> None:
        """Let other processes have the store."""
        while self.held:
            handle, name = self.held.pop()
            if name and fcntl is not None:
                remove(name)  # before it is free: a waiting process finds that it is another file
            os.close(handle)
            if name and fcntl is None:
                remove(name)


def lock(handle: int) -> None:
    """Lock an open file for this process alone; raise `OSError` if another has it."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]


def place_outside(path: str) -> str:
    """Return the name of the lock outside of the folder of a store, or "" where the system gives no private place for it."""
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(base) / f"tablee-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = os.stat(folder, follow_symlinks=False)
    except OSError:
        return ""
    if hasattr(os, "getuid") and (facts.st_uid != owner or facts.st_mode & 0o077):
        return ""
    return str(folder / (hashlib.sha256(os.path.realpath(path).encode()).hexdigest()[:32] + ".lock"))


def same_file(name: str, handle: int) -> bool:
    """Return whether a name still leads to an open file."""
    try:
        return os.path.samestat(os.stat(name), os.fstat(handle))
    except OSError:
        return False


def remove(name: str) -> None:
    """Remove a file, if it is there and nobody keeps it open."""
    try:
        os.remove(name)
    except OSError:
        return
