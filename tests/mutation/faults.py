"""The list of planted faults: `faults/*.toml` names for each its file, the text it replaces, the new text, and why it matters."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("faults")


@dataclass(frozen=True)
class Fault:
    """One fault; `path` is that of a file in the package."""

    path: str
    old: str
    new: str
    why: str

    def __str__(self) -> str:
        """Return the file and the reason."""
        return f"{self.path}: {self.why}"


class FaultError(Exception):
    """A fault that cannot be planted."""


def read_faults(folder: Path = FOLDER) -> list[Fault]:
    """Return all faults of the TOML files of a folder, in their order."""
    faults: list[Fault] = []
    for file in sorted(folder.glob("*.toml")):
        for path, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            faults += [Fault(path, **entry) for entry in entries]
    return faults


def faulty_text(fault: Fault, source: str) -> str:
    """Return the source of a file with the fault in it."""
    count = source.count(fault.old)
    if count != 1:
        raise FaultError(f"{fault}: the old text occurs {count} times, expected once: {fault.old!r}")
    text = source.replace(fault.old, fault.new)
    try:
        compile(text, fault.path, "exec")
    except SyntaxError as error:
        raise FaultError(f"{fault}: the new text is no Python: {error}") from error
    return text


def errors(faults: list[Fault], package: Path) -> list[str]:
    """Return what is wrong with the list: faults that the source no longer has room for."""
    found: list[str] = []
    for fault in faults:
        try:
            faulty_text(fault, (package / fault.path).read_text(encoding="utf-8"))
        except (FaultError, OSError) as error:
            found.append(str(error))
    return found
