"""The games as PDFs to print and cut out, drawn beforehand: what draws them is no part of the library in a browser."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from tablee import catalog
from tablee.core.errors import needing
from tablee.core.kind import Kind
from tablee.core.words import LANGUAGES
from tablee.site.archive import games_of, plugin
from tablee.site.engine import PACKAGE
from tablee.site.tools import key_of, once


def write_prints(folder: Path, work: Path, plugins: Sequence[str] = ()) -> None:
    """Write `<language>/<game>.pdf` of every game of the site into a folder; they are drawn again only if a source has changed."""
    made = once(work / "-".join(["prints", *plugins]), key_of(*sources(plugins)), lambda drawn: draw(drawn, plugins))
    shutil.copytree(made, folder, dirs_exist_ok=True)


def sources(plugins: Sequence[str]) -> Iterator[str | bytes | Path]:
    """Give all that a drawing may come from."""
    yield from (path for path in sorted(PACKAGE.rglob("*")) if path.is_file() and path.suffix not in (".so", ".pyc"))
    for name in plugins:
        yield from (data for _, data in plugin(name))


def kinds(plugins: Sequence[str]) -> Iterator[Kind]:
    """Give the games of the site."""
    yield from (catalog.kind(slug) for slug in catalog.OURS)
    yield from (entry.load() for name in plugins for entry in games_of(name))


def draw(folder: Path, plugins: Sequence[str]) -> None:
    """Draw every game in every language."""
    with needing("a site", "web"):
        from tablee.printing import print_game

        for kind in kinds(plugins):
            for language in LANGUAGES:
                place = folder / language / f"{kind.slug}.pdf"
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(print_game(kind, language))
