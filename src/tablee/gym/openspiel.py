"""Our games registered with OpenSpiel, so that its bots and algorithms play them.

    from tablee.gym.openspiel import register
    register("tablan")
    game = pyspiel.load_game("tablee_tablan(seats=2)")

Seats and options are parameters; `deal` settles what is drawn at set-up. Where several seats act at once they act one
after the other, the lowest first. A state's utility is the part of the win, for two sides from -1 to 1.
"""

from collections.abc import Mapping
from random import Random
from time import monotonic

import pyspiel
from numpy.random import RandomState
from open_spiel.python.algorithms import mcts

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.state import State, odds
from tablee.players.playout import Rollouts

LONGEST = 20000
LONGEST_SEARCH = 1_000_000_000
DEALS = "deal"


class Held:
    """A position inside a state of OpenSpiel; a deep copy, which is how OpenSpiel clones, is a copy of the position."""

    def __init__(self, position: Position) -> None:
        """Hold a position that nobody else changes."""
        self.position = position

    def __deepcopy__(self, memo: object) -> "Held":
        """Return a copy of its own."""
        return Held(self.position.copy())


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """One of our positions as OpenSpiel sees it."""

    def __init__(self, game: "SpielGame", position: Position | None = None) -> None:
        """Begin at a position, or at the start of the game."""
        super().__init__(game)
        self.held = Held(game.start.copy() if position is None else position.copy())
        self.spiel = Whose(game)

    def current_player(self) -> int:
        """Return who acts: the lowest seat, chance, or nobody."""
        actor = int(self.held.position.actor())
        if actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        """Return what a seat may do, in ascending order."""
        position = self.held.position
        if player < 0 or not (int(position.actors()) >> player) & 1:
            return []
        return sorted(State(self.spiel.game.ours, position, None).legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the throws with their odds."""
        return [(action, float(chance)) for action, chance in odds(self.held.position)]

    def _apply_action(self, action: int) -> None:
        """Play an action or a throw."""
        self.held.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the token of an action."""
        return self.spiel.game.ours.notate(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.held.position.actor() == OVER)

    def returns(self) -> list[float]:
        """Return what each seat has won: nothing before the end."""
        return [self.spiel.game.utility(self.held.position, seat) for seat in range(self.spiel.game.ours.seats)]

    def __str__(self) -> str:
        """Return the position line."""
        return self.spiel.game.ours.kind.dump(self.spiel.game.ours, self.held.position)


class Whose:
    """The game a state belongs to; clones share it."""

    def __init__(self, game: "SpielGame") -> None:
        """Point to the game."""
        self.game = game

    def __deepcopy__(self, memo: object) -> "Whose":
        """Return itself: a game does not change."""
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One of our games with its seats and options, as OpenSpiel sees it."""

    def __init__(self, ours: Game, start: Position, params: Mapping[str, object] | None = None) -> None:
        """Wrap a game and the position it begins with."""
        self.ours = ours
        self.start = start
        self.two = ours.seats == 2 and not ours.kind.together
        lowest, total = (-1.0, 0.0) if self.two else (0.0, None)
        thrown = ours.action_count if throws(ours.kind) else 0
        length = {"max_game_length": LONGEST} | ({} if total is None else {"utility_sum": total})
        about = pyspiel.GameInfo(
            num_distinct_actions=ours.action_count,
            max_chance_outcomes=thrown,
            num_players=ours.seats,
            min_utility=lowest,
            max_utility=1.0,
            **length,
        )
        super().__init__(game_type(ours.kind), about, dict(params or {}))

    def new_initial_state(self, state: object = None) -> SpielState:
        """Return the first state."""
        return SpielState(self)

    def state_of(self, position: Position) -> SpielState:
        """Return the state of a position of ours, with a history of its own."""
        return SpielState(self, position)

    def utility(self, position: Position, seat: int) -> float:
        """Return what a seat has won, 0 before the end."""
        if position.actor() != OVER:
            return 0.0
        part = float(share(position, seat))
        return part if not self.two else 2 * part - 1 if position.winners() else 0.0


def register(slug: str) -> str:
    """Register a game of the shelf with OpenSpiel and return the name to load it by; a second time changes nothing."""
    kind = catalog.kind(slug)
    name = spiel_name(kind)
    if name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(kind), registered(kind))
    return name


def registered(kind: Kind) -> type[SpielGame]:
    """Return a class for a kind of game; OpenSpiel lets go of it after Python has ended, which a mere function does not survive."""

    class Registered(SpielGame):
        """A game that OpenSpiel makes by its parameters."""

        def __init__(self, params: Mapping[str, object] | None = None) -> None:
            """Choose seats and options, and draw the set-up."""
            game, start = chosen(kind, params or {})
            super().__init__(game, start, params)

    return Registered


def chosen(kind: Kind, params: Mapping[str, object]) -> tuple[Game, Position]:
    """Return a game and the position it begins with, by OpenSpiel's parameters."""
    options = {option.name: str(params[option.name]) for option in kind.options if str(params.get(option.name, "")) != ""}
    game = choose(kind, int(str(params.get("seats", 0))) or None, options)
    deal = Random(int(str(params.get(DEALS, 0))))
    return game, game.start(deal.randrange).position


def wrap(state: State) -> tuple[SpielGame, SpielState]:
    """Return one of our states, and its game, as OpenSpiel sees them."""
    game = SpielGame(state.game, state.position)
    return game, game.state_of(state.position)


def game_type(kind: Kind) -> "pyspiel.GameType":
    """Return what OpenSpiel wants to know of a kind of game."""
    kinds = pyspiel.GameType
    apart = kinds.Utility.ZERO_SUM if kind.seats == (2,) else kinds.Utility.GENERAL_SUM
    utility = kinds.Utility.IDENTICAL if kind.together else apart
    return pyspiel.GameType(
        short_name=spiel_name(kind),
        long_name=f"Tablée: {kind.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if throws(kind) else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=kind.seats[-1],
        min_num_players=kind.seats[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={"seats": 0, DEALS: 0} | {option.name: "" for option in kind.options},
    )


def spiel_name(kind: Kind) -> str:
    """Return the name under which OpenSpiel knows a game."""
    return f"tablee_{kind.slug}"


def throws(kind: Kind) -> bool:
    """Return whether a game throws dice within its first turns."""
    game = choose(kind)
    state = game.start(lambda n: 0)
    for _ in range(40):
        if state.position.actor() == CHANCE:
            return True
        legal = state.legal()
        if not legal:
            break
        state = state.play(legal[-1])
    return False


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
        """Return the bot's action after so many simulations, or so many seconds."""
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
    """OpenSpiel's bot with an eye on the clock, which it has not by itself."""

    deadline = 0.0
    simulations = 0

    def _apply_tree_policy(self, root: "mcts.SearchNode", state: SpielState) -> object:
        """Count a simulation; at the deadline call the root solved, after which the bot does not begin another."""
        self.simulations += 1
        if self.deadline and monotonic() >= self.deadline:
            root.outcome = ()
        return super()._apply_tree_policy(root, state)


class RolloutEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Uniform random play to the end by our compiled engine."""

    def __init__(self, game: SpielGame, seed: int) -> None:
        """Prepare to roll out."""
        self.game = game
        self.rollouts = Rollouts(game.start, game.ours.action_count, seed)

    def evaluate(self, state: SpielState) -> list[float]:
        """Return what each seat has won after one random game."""
        end = self.rollouts.end(state.held.position, LONGEST)
        return [self.game.utility(end, seat) for seat in range(self.game.ours.seats)]

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Return the legal actions, none more likely than another; at a throw, the odds."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]
