"""All games of a browser as one file, in the format of `tablee export`, and taken back beside those that are there."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tablee.local.log import LocalLog
from tablee.store.dump import read_dump, write_dump
from tablee.store.log import CarteKept
from tablee.tables.tokens import TOKEN

NAME = "tablee.tablee-games"
HOLDER = "holder"


async def export_games(log: LocalLog, carte: str) -> bytes:
    """Return a dump of every table and card; a last line after its end, which stores ignore, holds the secret of the card that holds the seats."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        await write_dump(log, path)
        return path.read_bytes() + json.dumps({HOLDER: carte}).encode() + b"\n"


def holder_of(content: bytes) -> str:
    """Return the secret of the card that a file brings, or ""."""
    try:
        last_line = json.loads(content.rstrip(b"\n").rpartition(b"\n")[2])
    except ValueError:
        return ""
    secret = last_line.get(HOLDER, "") if isinstance(last_line, dict) else ""
    return secret if isinstance(secret, str) and TOKEN.fullmatch(secret) else ""


async def import_games(log: LocalLog, content: bytes, called: str = NAME) -> tuple[int, int]:
    """Take over the tables of a dump that are not there yet; return how many, and how many were there. The dump is read to its end first."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        items = list(read_dump(path, called))
    known = set(await log.tables())
    cartes = {carte.id for carte in await log.cartes()}
    new = [item for item in items if not isinstance(item, CarteKept) and item[0] not in known]
    for name, secret, events in new:
        await log.create(name, events, secret)
    for item in items:
        if isinstance(item, CarteKept) and item.id not in cartes:
            await log.adopt(item)
    return len(new), sum(not isinstance(item, CarteKept) for item in items) - len(new)


def counted(tables: int, known: int) -> bytes:
    """Return both numbers as JSON."""
    return json.dumps({"tables": tables, "known": known}).encode()
