"""The numbered migrations of a database: which there are, and which of them a database still lacks."""

import re
from pathlib import Path

from tablee.store.log import StoreError

FOLDER = Path(__file__).with_name("migrations")


def migrations(engine: str) -> list[tuple[int, str]]:
    """Return the number and the SQL of every migration of an engine (`sqlite`, `postgres`), in order."""
    named = [(re.fullmatch(rf"{engine}_(\d+)\.sql", file.name), file) for file in sorted(FOLDER.iterdir())]
    numbered = [(int(match[1]), file.read_text(encoding="utf-8")) for match, file in named if match]
    if [number for number, _ in numbered] != list(range(1, len(numbered) + 1)):
        raise StoreError(f"the migrations of {engine} are numbered {[number for number, _ in numbered]}: expected 1, 2, 3 … without a gap")
    return numbered


def pending(engine: str, version: int) -> list[tuple[int, str]]:
    """Return the migrations that a database of this version lacks; refuse one that is newer than this program."""
    known = migrations(engine)
    if version > len(known):
        raise StoreError(f"the database has schema version {version}: this program knows at most {len(known)}; install a newer one")
    return known[version:]
