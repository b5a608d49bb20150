"""Arguments and options that several commands share, and commands that take theirs as one value."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Annotated, TypeVar, get_type_hints

import typer

from tablee import catalog
from tablee.locale import spoken

SPOKEN = spoken()


def slugs() -> list[str]:
    """Return the games that Tab completes."""
    return list(catalog.addresses())


Slug = Annotated[str, typer.Argument(metavar="GAME", help="traboulet, tabale, tabaijana, tablan, tabu, or a plug-in", autocompletion=slugs)]
Seats = Annotated[str | None, typer.Option("--seats", metavar="NUMBER", help="how many seats (the fewest, if not said)")]
Options = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="an option of the game; may be given several times")]
Language = Annotated[str, typer.Option("--lang", help="fr or en", autocompletion=lambda: ["fr", "en"])]
T = TypeVar("T")


def taking(arguments: type[T]) -> Callable[[Callable[[T], None]], Callable[..., None]]:
    """Return a decorator for a command that takes one dataclass: Typer reads parameters, so each field becomes one."""
    hints = get_type_hints(arguments, include_extras=True)
    kind, nothing = Parameter.POSITIONAL_OR_KEYWORD, Parameter.empty
    parameters = [
        Parameter(field.name, kind, default=nothing if field.default is MISSING else field.default, annotation=hints[field.name])
        for field in fields(arguments)  # type: ignore[arg-type]
    ]

    def command_of(work: Callable[[T], None]) -> Callable[..., None]:
        """Return the command."""

        def command(**given: object) -> None:
            work(arguments(**given))

        command.__name__, command.__doc__, command.__annotations__ = work.__name__, work.__doc__, hints
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return command_of
