"""The shelf: the only list of games. Others come in by the entry point group `tablee.games`, one `Kind` each."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from warnings import warn

from tablee.core.errors import TableeError, unknown
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.record import read_record
from tablee.core.state import State

OURS = ("traboulet", "tabale", "tabaijana", "tablan", "tabu")
GROUP = "tablee.games"


@cache
def addresses() -> dict[str, str]:
    """Return where each game of the shelf is found, as `module:name`, ours first."""
    ours = {slug: f"tablee.games.{slug}:KIND" for slug in OURS}
    return {entry.name: entry.value for entry in entry_points(group=GROUP)} | ours


@cache
def kind(slug: str) -> Kind:
    """Return a game of the shelf, or raise the error that lists them."""
    if slug not in addresses():
        raise unknown("game", slug, addresses())
    module, _, name = addresses()[slug].partition(":")
    try:
        found = getattr(import_module(module), name or "KIND", None)
    except Exception as error:
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(found, Kind):
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} is no Kind: expected a tablee.core.kind.Kind")
    if found.slug != slug:
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} calls itself {found.slug!r}: expected the same name")
    return found


def kinds() -> dict[str, Kind]:
    """Return every game of the shelf by its slug, ours first; a plug-in that cannot be loaded is left out with a warning."""
    found = {slug: kind(slug) for slug in OURS}
    for slug in sorted(addresses().keys() - found.keys()):
        try:
            found[slug] = kind(slug)
        except TableeError as error:
            warn(str(error), RuntimeWarning, stacklevel=2)
    return found


def game(slug: str, seats: int | None = None, **options: object) -> Game:
    """Return a game with its seats and options, all checked.

    >>> game("traboulet", bonus="red").option("bonus")
    'red'
    """
    return choose(kind(slug), seats, options)


def read(text: str) -> State:
    """Return the state at the end of a record."""
    return read_record(text, kind)
