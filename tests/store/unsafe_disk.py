"""A disk that forgets: an SQLite VFS over real files that keeps every write since the last sync apart, to make what a power cut could leave.

Without power, what was synced is there; of what was not, any part may be there, in any order: each sector of each write for itself.
The disk can also be full from some write on.
"""

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512
Write = tuple[int, bytes | None]
Image = dict[str, bytes]


@dataclass
class DiskFile:
    """A file: its bytes as they are surely on the disk, and the writes since; one without bytes cuts the file off there."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        """Make sure of everything."""
        apply(self.synced, self.pending)
        self.pending = []

    def after_a_cut(self, chance: random.Random) -> bytes:
        """Return what a power cut could leave: some of the unsure sectors, in any order."""
        pieces: list[Write] = []
        for offset, data in self.pending:
            pieces += [(offset, None)] if data is None else [(offset + at, data[at : at + SECTOR]) for at in range(0, len(data), SECTOR)]
        if chance.random() < 0.5:
            chance.shuffle(pieces)
        share = chance.choice((0.0, 0.3, 0.7, 1.0))
        left = bytearray(self.synced)
        apply(left, [piece for piece in pieces if chance.random() < share])
        return bytes(left)


def apply(held: bytearray, writes: list[Write]) -> None:
    """Do writes to some bytes."""
    for offset, data in writes:
        if data is None:
            del held[offset:]
        held.extend(bytes(max(0, offset - len(held))))
        if data is not None:
            held[offset : offset + len(data)] = data


class UnsafeDisk(apsw.VFS):
    """The VFS, the default while it is there; `observe` is called before each write and sync, `room` is how many writes the disk still takes."""

    def __init__(self, observe: Callable[["UnsafeDisk"], None] = lambda disk: None) -> None:
        """Begin."""
        self.files: dict[str, DiskFile] = {}
        self.observe = observe
        self.room: int | None = None
        self.lock = threading.RLock()
        super().__init__("unsafe disk", base="unix", makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "UnsafeFile":  # noqa: N802
        """Open a file."""
        return UnsafeFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete a file."""
        with self.lock:
            self.files.pop(Path(filename).name, None)
        super().xDelete(filename, syncdir)

    def image(self, chance: random.Random) -> Image:
        """Return the files as a power cut could leave them now."""
        with self.lock:
            return {name: file.after_a_cut(chance) for name, file in self.files.items()}


class UnsafeFile(apsw.VFSFile):
    """An open file of an unsafe disk."""

    def __init__(self, disk: UnsafeDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        """Open or make it."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        held = Path(path).read_bytes() if name and Path(path).exists() else b""
        super().__init__("unix", name, flags)
        self.disk = disk
        with disk.lock:
            self.file = disk.files.setdefault(Path(path).name, DiskFile(bytearray(held))) if name else DiskFile()

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        """Write, if there is room."""
        with self.disk.lock:
            self.disk.observe(self.disk)
            if self.disk.room is not None:
                if self.disk.room <= 0:
                    raise apsw.FullError("the disk is full")
                self.disk.room -= 1
            self.file.pending.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """Cut off."""
        with self.disk.lock:
            self.disk.observe(self.disk)
            self.file.pending.append((newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Make sure of what was written."""
        with self.disk.lock:
            self.disk.observe(self.disk)
            self.file.sync()
        super().xSync(flags)
