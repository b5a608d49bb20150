"""The help of the command line in French: each English sentence is looked up, and one without a translation stays English."""

from functools import cache
from importlib.resources import files
from typing import Any

from tablee.core.catalogue import read_po

ENGLISH = "en"


@cache
def sentences(language: str) -> dict[str, str]:
    """Return the sentences of a language by the English ones."""
    return dict(read_po(files(__package__).joinpath(f"help.{language}.po").read_text(encoding="utf-8")))


def helped(command: Any, language: str) -> Any:
    """Return a command of click, or a group of them, whose help speaks a language."""
    if language == ENGLISH:
        return command
    said = sentences(language)
    for told in (command, *command.params):
        english = getattr(told, "help", None)
        if english:
            told.help = said.get(english, english)
    for below in getattr(command, "commands", {}).values():
        helped(below, language)
    return command
