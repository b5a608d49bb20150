"""Our games registered with OpenSpiel, so that its bots and algorithms play them.

    import tablee.gym.openspiel
    game = pyspiel.load_game("tablee_tablan(throw=sticks)")

Seats and options are parameters. What is drawn at set-up is drawn by chance nodes, step by step with exact odds. Where several
seats act at once they act one after the other, the lowest first. A game is cut off, as even, after LONGEST actions.
"""

from collections.abc import Mapping
from functools import lru_cache

from tablee import catalog
from tablee.core.errors import needing
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.node import Outcomes
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.state import State, odds
from tablee.gym.eye import Eye
from tablee.gym.play import LONGEST
from tablee.gym.utility import utility

with needing("tablee.gym.openspiel", "gym"):
    import pyspiel

    from tablee.gym.openspiel_observer import SpielObserver, whole_observation

TERMINAL, BY_CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)


class Rules:
    """What all states of a game share; it is pickled as the game alone."""

    def __init__(self, game: Game) -> None:
        """Make the buffers."""
        self.game = game
        self.deal = game.kind.deal
        self.first = self.deal.outcomes(game, ())
        self.observation = whole_observation(game)
        self.eye = Eye(self.observation.observer, game.action_count)
        self.kept: dict[tuple[int, int], list[tuple[int, float]]] = {}

    def throws(self, position: Position) -> list[tuple[int, float]]:
        """Return the throws with their odds, which depend on the number of cases and on the first of them alone."""
        key = int(position.chances()), int(position.throw(0))
        if key not in self.kept:
            self.kept[key] = [(action, float(chance)) for action, chance in odds(position)]
        return self.kept[key]

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle finds the rules again."""
        return rules_of, (self.game,)


@lru_cache(256)
def rules_of(game: Game) -> Rules:
    """Return the rules of a game; equal games share one object."""
    return Rules(game)


class Now:
    """A position with what was dealt before it and the number of actions; OpenSpiel clones it by a deep copy."""

    __slots__ = ("drawn", "due", "position", "ready", "rules", "steps")

    def __init__(self, rules: Rules, position: Position, due: Outcomes, drawn: tuple[int, ...] = (), steps: int = 0) -> None:
        """Hold a position that nobody else changes; it is `ready` and counts once nothing is due to be dealt."""
        self.rules, self.position, self.due, self.drawn, self.steps = rules, position, due, drawn, steps
        self.ready = not due

    def __deepcopy__(self, memo: object) -> "Now":
        """Return a copy of its own, of the same game."""
        return Now(self.rules, self.position.copy(), self.due, self.drawn, self.steps)


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """One of our positions as OpenSpiel sees it."""

    def __init__(self, game: "SpielGame", position: Position | None = None) -> None:
        """Set a position, or the start of the game."""
        super().__init__(game)
        self.now = Now(game.rules, (game.begin if position is None else position).copy(), game.rules.first if position is None else ())

    def current_player(self) -> int:
        """Return who acts: the lowest seat, chance, or nobody."""
        now = self.now
        if not now.ready:
            return BY_CHANCE
        actor = now.position.actor()
        if actor == OVER or now.steps >= LONGEST:
            return TERMINAL
        return BY_CHANCE if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        """Return what a seat may do, in ascending order."""
        return self.now.rules.eye.legal(self.now.position, player) if player >= 0 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what may be thrown or dealt with its odds."""
        now = self.now
        if now.ready:
            return now.rules.throws(now.position)
        return [(case, float(chance)) for case, chance in now.due]

    def _apply_action(self, action: int) -> None:
        """Play an action, a throw or a step of the deal."""
        now = self.now
        if now.ready:
            now.steps += now.position.actor() != CHANCE
            now.position.play(action)
            return
        now.drawn += (action,)
        ours, deal = now.rules.game, now.rules.deal
        now.due = deal.outcomes(ours, now.drawn)
        if not now.due:
            now.position, now.ready = ours.start_from(deal.setup(ours, now.drawn)).position, True

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the token of an action, or what is dealt."""
        ours = self.now.rules.game
        return ours.notate(action) if self.now.ready else ours.kind.deal.tell(ours, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.now.ready and (self.now.position.actor() == OVER or self.now.steps >= LONGEST)

    def returns(self) -> list[float]:
        """Return what each seat has won: nothing before the end."""
        return [utility(self.now.position, seat) if self.now.ready else 0.0 for seat in range(self.now.rules.game.seats)]

    def __str__(self) -> str:
        """Return the position line, or what is dealt so far."""
        ours = self.now.rules.game
        if self.now.ready:
            return ours.kind.dump(ours, self.now.position)
        return " ".join(["deal:", *(ours.kind.deal.tell(ours, number) for number in self.now.drawn)])


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One of our games with its seats and options, as OpenSpiel sees it."""

    def __init__(self, ours: Game, begin: Position, params: Mapping[str, object] | None = None) -> None:
        """Wrap a game and a position of it."""
        self.ours = ours
        self.begin = begin
        self.rules = rules_of(ours)
        total = {} if ours.kind.together else {"utility_sum": 0.0}
        about = pyspiel.GameInfo(
            num_distinct_actions=ours.action_count,
            max_chance_outcomes=ours.action_count if ours.kind.dice else 0,
            num_players=ours.seats,
            min_utility=0.0 if ours.kind.together else -1.0,
            max_utility=1.0,
            max_game_length=LONGEST,
            **total,
        )
        super().__init__(game_type(ours.kind), about, dict(params or {}))

    def new_initial_state(self, state: object = None) -> SpielState:
        """Return the first state."""
        return SpielState(self)

    def state_of(self, position: Position) -> SpielState:
        """Return the state of a position of ours, with a history of its own."""
        return SpielState(self, position)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> SpielObserver:
        """Return what writes observations and information states."""
        recall = bool(getattr(iig_obs_type, "perfect_recall", False))
        return SpielObserver(self.rules.observation, perfect_recall=recall)

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes the game again: by its name and parameters."""
        return pyspiel.load_game, (str(self),)


def register(slug: str) -> str:
    """Register a game of the shelf with OpenSpiel and return the name to load it by; a second time changes nothing."""
    kind = catalog.kind(slug)
    name = spiel_name(kind)
    if name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(kind), registered(kind))
    return name


def registered(kind: Kind) -> type[SpielGame]:
    """Return a class for a kind of game; OpenSpiel frees it after Python has ended, which crashes with a plain function."""

    class Registered(SpielGame):
        """A game that OpenSpiel makes by its parameters."""

        def __init__(self, params: Mapping[str, object] | None = None) -> None:
            """Choose seats and options."""
            given = params or {}
            options = {option.name: str(given[option.name]) for option in kind.options if str(given.get(option.name, "")) != ""}
            game = choose(kind, int(str(given.get("seats", 0))) or None, options)
            super().__init__(game, game.start(lambda n: 0).position, params)

    return Registered


def wrap(state: State) -> tuple[SpielGame, SpielState]:
    """Return one of our states, and its game, as OpenSpiel sees them."""
    game = SpielGame(state.game, state.position)
    return game, game.state_of(state.position)


def game_type(kind: Kind) -> "pyspiel.GameType":
    """Return OpenSpiel's `GameType`: utilities are identical where all seats win together, otherwise they sum to 0."""
    kinds = pyspiel.GameType
    return pyspiel.GameType(
        short_name=spiel_name(kind),
        long_name=f"Tablée: {kind.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if kind.dice else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.IDENTICAL if kind.together else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=kind.seats[-1],
        min_num_players=kind.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": 0} | {option.name: "" for option in kind.options},
    )


def spiel_name(kind: Kind) -> str:
    """Return the name under which OpenSpiel knows a game."""
    return f"tablee_{kind.slug}"


for shelved in catalog.OURS:
    register(shelved)
