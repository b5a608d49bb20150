"""Arguments and options that several commands share."""

from typing import Annotated

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
