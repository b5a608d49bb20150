"""A whole store as one text: JSON lines that any store can take over, with the same hash chain at every table.

{"tablee":"dump","version":1}                     with "backup":true if it is a backup
{"table":"9fQx…","secret":"77aa…","events":42}   then the 42 events, as `tablee verify` reads them
{"carte":{…}}                                    what is kept of a visitor's card
{"end":{"cartes":1,"tables":1}}                  missing if the text was cut off
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol, TypeAlias, runtime_checkable

from tablee.core.errors import TableeError, shown
from tablee.store.log import CarteKept, Log
from tablee.store.private import open_private
from tablee.tables.events import Event, read_line, verify, write_line

FIRST = {"tablee": "dump", "version": 1}
BACKUP = {**FIRST, "backup": True}
Item: TypeAlias = tuple[str, bytes, list[Event]] | CarteKept


@runtime_checkable
class OneView(Protocol):
    """A log that can be read as it is at one moment, while others go on writing."""

    def one_view(self) -> AbstractAsyncContextManager[None]:
        """Let all reads of this log see one moment, until the end of the block."""


async def write_dump(log: Log, path: Path, first: Mapping[str, object] = FIRST) -> tuple[int, int]:
    """Write a store to a file that only its owner can read, as it is at one moment; return how many tables and cards it holds."""
    async with log.one_view() if isinstance(log, OneView) else nullcontext():
        tables = await log.tables()
        with written_whole(path) as file:
            write(file, first)
            for name in tables:
                events = await log.events(name)
                write(file, {"table": name, "secret": (await log.secret(name)).hex(), "events": len(events)})
                file.writelines(write_line(event) + "\n" for event in events)
            cartes = await log.cartes()
            for carte in cartes:
                write(file, {"carte": asdict(carte) | {"settings": dict(carte.settings)}})
            write(file, {"end": {"tables": len(tables), "cartes": len(cartes)}})
    return len(tables), len(cartes)


def write(file: IO[str], value: object) -> None:
    """Write a line."""
    file.write(json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """Give a file to write that gets its name only when it is complete and on disk; an existing file is not replaced."""
    if path.exists():
        raise TableeError(f"{shown(str(path))} is already there: choose another name")
    draft = path.with_name(path.name + ".part")
    try:
        handle = open_private(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, path)
    except OSError as error:
        raise TableeError(f"{shown(str(path))} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def is_backup(path: Path) -> bool:
    """Return whether a dump is a backup, whose dice must be sealed anew: people may have seen later throws."""
    with path.open(encoding="utf-8") as file:
        return bool(parsed(1, file.readline()) == BACKUP)


def read_dump(path: Path, name: str = "") -> Iterator[Item]:
    """Give every table (name, secret, log) and every card of a dump; each chain is checked, and the dump must be whole.

    Errors call the file by `name`, if there is one, and otherwise by its path.
    """
    called = shown(name or str(path))
    try:
        yield from read_items(path, called)
    except UnicodeDecodeError as error:
        raise TableeError(f"{called} is no text: expected UTF-8 ({error.reason} at byte {error.start})") from error


def read_items(path: Path, called: str) -> Iterator[Item]:
    """Give every table and every card of a dump; `called` is how errors call it."""
    with path.open(encoding="utf-8") as file:
        if parsed(1, file.readline()) not in (FIRST, BACKUP):
            raise TableeError(f"{called} is no dump of a store: expected the line {json.dumps(FIRST)}")
        count = {"tables": 0, "cartes": 0}
        numbered = enumerate(file, 2)
        for number, line in numbered:
            match parsed(number, line):
                case {"table": str(name), "secret": str(secret), "events": int(length)}:
                    count["tables"] += 1
                    yield (
                        name,
                        unhexed(number, secret),
                        read_events(name, [text for _, text in islice(numbered, length)]),
                    )
                case {"carte": dict(kept)}:
                    count["cartes"] += 1
                    yield carte_from(number, kept)
                case {"end": dict(end)} if end == count:
                    return
                case _:
                    raise TableeError(f"line {number}: {shown(line.strip())} is not expected here")
    raise TableeError(f"{called} is cut off: its last line is missing")


def carte_from(number: int, kept: dict[str, Any]) -> CarteKept:
    """Return the card of a line."""
    match kept:
        case {"id": str(), "secret_hash": str(), "name": str(), "settings": dict(), "made": int() | float(), "owners": list()} if len(kept) == 6:
            return CarteKept(**{**kept, "owners": tuple(map(str, kept["owners"]))})
    raise TableeError(f"line {number}: {shown(str(kept))} is no card")


def parsed(number: int, line: str) -> Any:
    """Return the JSON of a line."""
    try:
        return json.loads(line)
    except ValueError as error:
        raise TableeError(f"line {number}: {shown(line.strip())} is no JSON") from error


def unhexed(number: int, text: str) -> bytes:
    """Return bytes written in hex."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise TableeError(f"line {number}: the secret is no hex") from error


def read_events(name: str, lines: list[str]) -> list[Event]:
    """Return the log of a table, whose chain must be whole."""
    events = [read_line(number, line) for number, line in enumerate(lines)]
    verify(events)
    if events[0].table != name:
        raise TableeError(f"the log of table {shown(name)} belongs to {shown(events[0].table)}")
    return events
