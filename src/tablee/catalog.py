"""The shelf: the only list of games. Others come in by the entry point group `tablee.games`, one `Kind` each."""

from functools import cache
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
    """Return the entry point of each game, as `module:name`, ours first."""
    from importlib.metadata import entry_points  # a third of the time that `import tablee` would take

    ours = {slug: f"tablee.games.{slug}:KIND" for slug in OURS}
    others = {entry.name: entry.value if ":" in entry.value else f"{entry.value}:KIND" for entry in entry_points(group=GROUP)}
    return others | ours


@cache
def kind(slug: str) -> Kind:
    """Return a game of the shelf, or raise the error that lists them."""
    from importlib.metadata import EntryPoint

    if slug not in addresses():
        raise unknown("game", slug, addresses())
    try:
        loaded = EntryPoint(slug, addresses()[slug], GROUP).load()
    except Exception as error:
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(loaded, Kind):
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} is no Kind: expected a tablee.core.kind.Kind")
    if loaded.slug != slug:
        raise TableeError(f"the game {slug!r} at {addresses()[slug]!r} calls itself {loaded.slug!r}: expected the same name")
    return loaded


def kinds() -> dict[str, Kind]:
    """Return every game of the shelf by its slug, ours first; a plug-in that cannot be loaded is left out with a warning."""
    shelf = {slug: kind(slug) for slug in OURS}
    for slug in sorted(addresses().keys() - shelf.keys()):
        try:
            shelf[slug] = kind(slug)
        except TableeError as error:
            warn(str(error), RuntimeWarning, stacklevel=2)
    return shelf


def game(slug: str, seats: int | None = None, *, rules: int | str | None = None, **options: object) -> Game:
    """Return a game with its seats and options, all checked; `rules` asks for an older version of its rules.

    >>> game("traboulet", bonus="red").option("bonus")
    'red'
    """
    return choose(kind(slug), seats, options, rules)


def read(text: str) -> State:
    """Return the state at the end of a record."""
    return read_record(text, kind)
