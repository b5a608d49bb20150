"""The skeleton of a new game: a small whole game as a plug-in package, to be replaced part by part."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path, PurePosixPath

from tablee.catalog import addresses
from tablee.core.errors import TableeError, shown

SLUG = re.compile(r"[a-z]{2,30}")
SUFFIX = ".txt"
PACKAGE = "package"


def make_skeleton(slug: str, folder: Path) -> None:
    """Write the skeleton of a game of that name into a new or empty folder; on an error, leave nothing behind."""
    check_slug(slug)
    written = skeleton(slug)
    made: list[Path] = []
    try:
        check_folder(folder)
        for path, text in written.items():
            make_folder((folder / path).parent, made)
            make_file(folder / path, text, made)
    except OSError as error:
        undo(made)
        raise TableeError(f"the folder {shown(str(folder))} cannot be written: {error.strerror or error}") from error
    except BaseException:
        undo(made)
        raise


def check_slug(slug: str) -> None:
    """Raise the error for a name that no new game can have."""
    if not SLUG.fullmatch(slug):
        raise TableeError(f"{shown(slug)} is no name for a game: expected 2 to 30 letters from a to z, all lower case")
    if slug in addresses():
        raise TableeError(f"the name {slug!r} is taken: known games are {', '.join(addresses())}")
    if iskeyword(slug):
        raise TableeError(f"the name {slug!r} is a word of Python, which no module can have: choose another")
    if find_spec(f"tablee_{slug}"):
        raise TableeError(f"the name {slug!r} is taken: a module 'tablee_{slug}' is already installed")


def check_folder(folder: Path) -> None:
    """Raise the error for a place where something is already."""
    if folder.is_dir():
        if any(folder.iterdir()):
            raise TableeError(f"the folder {shown(str(folder))} is not empty: expected a new or an empty one")
    elif folder.exists():
        raise TableeError(f"{shown(str(folder))} is a file: expected a new or an empty folder")


def skeleton(slug: str) -> dict[PurePosixPath, str]:
    """Return every file of the skeleton by its path, the name of the game put in."""
    written = {}
    for path, template in templates(files(__name__) / "template", PurePosixPath()):
        place = PurePosixPath("src", f"tablee_{slug}", *path.parts[1:]) if path.parts[0] == PACKAGE else path
        text = template.read_text(encoding="utf-8").replace("__slug__", slug).replace("__Name__", slug.capitalize())
        written[place.with_name(place.name.removesuffix(SUFFIX))] = text
    return written


def templates(folder: Traversable, path: PurePosixPath) -> list[tuple[PurePosixPath, Traversable]]:
    """Return every template in a folder and below it, in a fixed order."""
    listed = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.is_dir():
            listed += templates(entry, path / entry.name)
        elif entry.name.endswith(SUFFIX):
            listed.append((path / entry.name, entry))
    return listed


def make_folder(path: Path, made: list[Path]) -> None:
    """Make a folder and those above it, as far as they are missing, and note each."""
    if path.is_dir():
        return
    make_folder(path.parent, made)
    path.mkdir()
    made.append(path)


def make_file(path: Path, text: str, made: list[Path]) -> None:
    """Write a new file and note it; one that is there already is an error."""
    with path.open("x", encoding="utf-8", newline="\n") as file:
        made.append(path)
        file.write(text)


def undo(made: list[Path]) -> None:
    """Remove what was made, the last first; a folder into which somebody else has written stays."""
    for path in reversed(made):
        try:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
        except OSError:
            continue
