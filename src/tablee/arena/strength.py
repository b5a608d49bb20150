"""The measured strength of a game's levels: what one command measures ships with the game, and another prints it.

A game keeps a page for each language, `strength.LANGUAGE.md`, with a part for every way to play that was measured.
"""

from pathlib import Path

from tablee.arena.plan import Plan, make_plan
from tablee.arena.report import Report, table
from tablee.core.game import Game
from tablee.core.kind import Kind
from tablee.core.words import LANGUAGES
from tablee.players.levels import levels

# By default `max` has a tenth of a second for an action, and plain Monte Carlo search a thousand playouts.
SECONDS = 0.1
PEERS = ("uniform", "greedy", "mcts:nodes=1000")
TITLE = "# "


def strength_plan(game: Game, games: int, seed: int = 1, seconds: float = SECONDS) -> Plan:
    """Return the plan that measures the levels of a game: each against the one below, and all against the usual peers."""
    numbered = [level.name for level in levels(game.kind)[:-1]]
    return make_plan(game, (*numbered, strongest(seconds)), games, seed=seed, ladder=True, against=PEERS)


def strongest(seconds: float = SECONDS) -> str:
    """Return the name of `max` with that many seconds for an action."""
    return f"max:seconds={seconds:g}"


def file_name(language: str) -> str:
    """Return the name of the page in a language."""
    return f"strength.{language}.md"


def shipped(kind: Kind, language: str) -> str:
    """Return the page that ships with a game, or an empty text if nothing was measured."""
    try:
        return kind.text(file_name(language))
    except OSError:
        return ""


def ship(report: Report, folder: Path) -> None:
    """Write a report into the pages of a game: it replaces the part with the same title, or is added at the end."""
    for language in LANGUAGES:
        path = folder / file_name(language)
        parts = parted(path.read_text(encoding="utf-8") if path.exists() else "")
        text = "\n".join(table(report, language)) + "\n"
        parts[text.partition("\n")[0]] = text
        path.write_text("\n".join(parts.values()), encoding="utf-8")


def parted(page: str) -> dict[str, str]:
    """Return the parts of a page by their titles."""
    parts = [TITLE + part.rstrip("\n") + "\n" for part in f"\n{page}".split(f"\n{TITLE}")[1:]]
    return {part.partition("\n")[0]: part for part in parts}
