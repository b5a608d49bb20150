"""The skeleton of a new game, as a plug-in package."""

from pathlib import Path


def make_skeleton(slug: str, folder: Path) -> None:
    """Write the skeleton of a game of that name into a new folder."""
    raise NotImplementedError
