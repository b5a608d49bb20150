"""The sentences of Typer in French: each English sentence of the help or of an error is looked up; without a translation it stays English."""

import sys
from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Any

import typer

from tablee.core.catalogue import read_po
from tablee.locale.errors import in_language

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
    for described in (command, *command.params):
        english = getattr(described, "help", None)
        if english:
            described.help = said.get(english, english)
    for below in getattr(command, "commands", {}).values():
        helped(below, language)
    return command


def run(command: Any, language: str) -> None:
    """Run a command of click to its exit; errors of usage are printed in a language."""
    try:
        code = command(standalone_mode=False)
    except typer.Abort:
        print("Aborted!", file=sys.stderr)
        raise SystemExit(1) from None
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer does not publish the class of its errors
            raise
        written: Any = StringIO()
        error.show(written)  # type: ignore[attr-defined]
        print("\n".join(in_language(line, language) for line in written.getvalue().splitlines()), file=sys.stderr)
        raise SystemExit(error.exit_code) from None  # type: ignore[attr-defined]
    raise SystemExit(code if isinstance(code, int) else 0)
