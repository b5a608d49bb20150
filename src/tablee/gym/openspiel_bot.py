"""OpenSpiel's own Monte Carlo bot at our tables, to compare with."""

from time import monotonic

from tablee.core.errors import TableeError, needing
from tablee.core.game import Game
from tablee.core.state import State
from tablee.gym.openspiel import SpielGame, SpielState, wrap
from tablee.gym.play import LONGEST
from tablee.gym.utility import utility
from tablee.players.playout import Rollouts

with needing("tablee.gym.openspiel_bot", "gym"):
    from numpy.random import RandomState
    from open_spiel.python.algorithms import mcts

LONGEST_SEARCH = 1_000_000_000


class SpielPlayer:
    """OpenSpiel's own Monte Carlo bot, with random rollouts, at one of our tables.

    It is the bot written in Python: the one in C++ crashes on any game written in Python, OpenSpiel's own among them
    (2.0.2). To make up for it the rollouts are ours, compiled, unless `theirs` is wanted: the same uniform play, many
    times faster, so that this is the harder peer.
    """

    def __init__(self, game: Game, seed: int, uct_c: float, *, theirs: bool = False) -> None:
        """Sit down with an exploration constant; the budget comes with each question."""
        self.game = game
        self.random = RandomState(seed & 0x7FFFFFFF)
        self.uct_c = uct_c
        self.theirs = theirs
        self.simulations = 0

    def choose(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return the bot's action within a number of simulations or seconds."""
        if not seconds and not nodes:
            raise TableeError("this bot would never stop: expected seconds or nodes")
        legal = state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        game, here = wrap(state)
        rollouts = mcts.RandomRolloutEvaluator(1, self.random) if self.theirs else RolloutEvaluator(game, int(self.random.randint(1 << 30)))
        bot = TimedBot(game, self.uct_c, nodes or LONGEST_SEARCH, rollouts, solve=True, random_state=self.random)
        bot.deadline = monotonic() + seconds if seconds else 0.0
        action = int(bot.step(here))
        self.simulations += bot.simulations
        return action


class TimedBot(mcts.MCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot with a limit of seconds, which it lacks."""

    deadline = 0.0
    simulations = 0

    def _apply_tree_policy(self, root: "mcts.SearchNode", state: SpielState) -> object:
        """Count a simulation; at the deadline mark the root as solved, which stops the bot."""
        self.simulations += 1
        if self.deadline and monotonic() >= self.deadline:
            root.outcome = ()
        return super()._apply_tree_policy(root, state)


class RolloutEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Uniform random play to the end by our compiled engine."""

    def __init__(self, game: SpielGame, seed: int) -> None:
        """Prepare to roll out."""
        self.game = game
        self.rollouts = Rollouts(game.begin, game.ours.action_count, seed)

    def evaluate(self, state: SpielState) -> list[float]:
        """Return what each seat has won after one random game."""
        end = self.rollouts.end(state.now.position, LONGEST)
        return [utility(end, seat) for seat in range(self.game.ours.seats)]

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Return the legal actions, none more likely than another; at a throw, the odds."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]
