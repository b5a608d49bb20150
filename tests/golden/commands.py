"""The page of the handbook that tells every command with its options, in both languages: made from the command line itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from tablee.cli import app
from tablee.core.words import LANGUAGES
from tablee.locale.help import helped

FOLDER = Path(__file__).parents[2] / "docs" / "handbook"
OPENING = {
    "en": "# The commands\n\n`tablee COMMAND --help` says the same in the terminal.\n"
    "The language is that of the locale; `--lang fr` or `--lang en` chooses it.\n"
    "What is wrong is said in one sentence, with exit code 2.\n",
    "fr": "# Les commandes\n\n`tablee COMMANDE --help` dit la même chose au terminal.\n"
    "La langue est celle de la machine\u202f; `--lang fr` ou `--lang en` la choisit.\n"
    "Ce qui ne va pas est dit en une phrase, avec le code de sortie 2.\n",
}
HEAD = {"en": "| | |\n|---|---|", "fr": "| | |\n|---|---|"}


def page(language: str) -> str:
    """Return the page in a language."""
    group: Any = helped(get_command(app), language)
    parts = [OPENING[language], *(part for name in sorted(group.commands) for part in chapter(name, group.commands[name], language))]
    return "\n".join(parts)


def chapter(name: str, command: Any, language: str) -> Iterator[str]:
    """Give the lines of a command: what it does, then its arguments and options."""
    arguments = " ".join(parameter.metavar or parameter.name.upper() for parameter in command.params if parameter.param_type_name == "argument")
    yield f"## tablee {name}\n\n```\ntablee {name} {arguments}".rstrip() + f"\n```\n\n{command.help}\n"
    rows = [
        f"| `{written(parameter)}` | {parameter.help.replace('|', chr(92) + '|')} |"
        for parameter in command.params
        if getattr(parameter, "help", None)
    ]
    if rows:
        yield "\n".join([HEAD[language], *rows]) + "\n"


def written(parameter: Any) -> str:
    """Return how an argument or an option is written."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper()).replace("|", "/")
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
    return f"{parameter.opts[-1]}{value}".replace("|", "/")


def pages() -> Iterator[tuple[Path, str]]:
    """Give every page with its file."""
    for language in LANGUAGES:
        yield FOLDER / f"commands.{language}.md", page(language)
