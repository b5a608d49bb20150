"""From a game to the search that thinks about it: its own, or Monte Carlo search where it brings none."""

from pathlib import Path

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import Position
from tablee.core.search import Search
from tablee.players.mcts import EXPLORATION, MonteCarlo


def make_search(game: Game, like: Position, depth: int, seed: int, judgement: Judgement | None = None) -> Search:
    """Return the search of a game for positions like a given one, with its own judgement or another one."""
    mind = game.kind.mind
    if mind.search is None:
        return monte_carlo(game, like, seed)
    return mind.search(game, mind.judgement(game) if judgement is None else judgement, like, depth, seed)


def monte_carlo(game: Game, like: Position, seed: int, exploration: float = EXPLORATION) -> Search:
    """Return the search for any game: Monte Carlo tree search; orders of actions meet unless the rules look at earlier positions."""
    return MonteCarlo(like, game.action_count, seed, exploration, merge=not game.kind.forgets)


def read_judgement(game: Game, path: str) -> Judgement:
    """Return the judgement of a game with the weights of a file, in place of those that ship."""
    if not game.kind.mind.weights:
        raise TableeError(f"{game.slug} learns nothing: it has no weights to change")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise TableeError(f"the weights {shown(path)} cannot be read: {error}") from error
    judgement: Judgement = game.kind.mind.judge(game, text)
    return judgement
