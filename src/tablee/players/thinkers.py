"""From the name of a way of thinking (`Kind.search`) to the search that thinks that way.

A module of this folder with the name of a search, such as `alphabeta`, gives `thinker(game, judgement, like, depth, seed)`;
a game whose search is not there, or that brings no judgement, is thought about by playouts.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import Position
from tablee.players.mcts import EXPLORATION, MonteCarlo
from tablee.players.search import Search

PLAIN = "mcts"
NAMED = ("expectimax", "alphabeta", "parts", "stakes")


class Maker(Protocol):
    """What makes a search for one game."""

    def __call__(self, game: Game, judgement: Judgement, like: Position, depth: int, seed: int) -> Search:
        """Return a search for positions like a given one."""


def way(game: Game) -> str:
    """Return the name of the search that will think about a game: its own, or playouts where that is not to be had."""
    name = game.kind.search
    if name not in (*NAMED, PLAIN):
        raise TableeError(f"{game.slug} names an unknown search {name!r}: known are {', '.join(NAMED)}, {PLAIN}")
    there = name in NAMED and find_spec(f"tablee.players.{name}") is not None
    return name if there and game.kind.judgement is not None else PLAIN


def own_judgement(game: Game) -> Judgement | None:
    """Return the judgement that ships with a game, or none where it is thought about by playouts."""
    return None if way(game) == PLAIN or game.kind.judgement is None else game.kind.judgement(game)


def thinker(game: Game, like: Position, depth: int, seed: int, judgement: Judgement | None = None) -> Search:
    """Return the search of a game, for positions like a given one, with its own judgement or one to try."""
    name = way(game)
    judged = own_judgement(game) if judgement is None else judgement
    if name == PLAIN or judged is None:
        return playouts(game, like, seed)
    make: Maker = import_module(f"tablee.players.{name}").thinker
    return make(game, judged, like, depth, seed)


def playouts(game: Game, like: Position, seed: int, exploration: float = EXPLORATION) -> Search:
    """Return the search for any game: plain Monte Carlo with random playouts."""
    return MonteCarlo(like, game.action_count, seed, exploration)
