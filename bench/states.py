"""Random steps from Python, one call after another: our States and Positions, beside connect four of OpenSpiel and of PettingZoo.

    python -m bench.states

A step lists the legal actions, chooses one and plays it; a throw is a step too. `State` gives a new value each step and keeps
the old one, as OpenSpiel's `child` does; `Position` is changed in place, as OpenSpiel's `apply_action` and PettingZoo's `step` do.
All take turns in processor time, and the best run of each counts.
"""

import time
from collections.abc import Callable
from random import Random

from bench import strict
from bench.plain import must_be_compiled
from bench.rate import Rate, best
from tablee import game
from tablee.catalog import OURS
from tablee.core.game import Game
from tablee.core.position import CHANCE, OVER, legal_actions

try:
    import pyspiel
except ImportError:
    pyspiel = None
try:
    import pettingzoo
except ImportError:
    pettingzoo = None

ROUNDS = 7
SECONDS = 0.2
WANTED = 100_000
PlayGame = Callable[[Random], int]


def play_states(chosen: Game) -> PlayGame:
    """Return a function that plays a random game on States and returns its steps."""
    start = chosen.start(seed=1)

    def play(random: Random) -> int:
        state = start
        while not state.over:
            state = state.throw(random.randrange) if state.position.actor() == CHANCE else state.play(random.choice(state.legal()))
        return state.steps

    return play


def play_positions(chosen: Game) -> PlayGame:
    """Return a function that plays a random game on one Position and returns its steps."""
    start, size = chosen.start(seed=1).position, chosen.action_count

    def play(random: Random) -> int:
        position = start.copy()
        steps = 0
        while (actor := position.actor()) != OVER:
            if actor == CHANCE:
                position.play(position.throw(random.randrange(position.chances())))
            else:
                position.play(random.choice(legal_actions(position, size)))
            steps += 1
        return steps

    return play


def spiel_values(random: Random) -> int:
    """Play a random game of OpenSpiel's connect four, a new state each step."""
    state, steps = pyspiel.load_game("connect_four").new_initial_state(), 0
    while not state.is_terminal():
        state = state.child(random.choice(state.legal_actions()))
        steps += 1
    return steps


def spiel_in_place(random: Random) -> int:
    """Play a random game of OpenSpiel's connect four on one state."""
    state, steps = pyspiel.load_game("connect_four").new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        steps += 1
    return steps


def petting_zoo() -> PlayGame:
    """Return a function that plays a random game of PettingZoo's connect four and returns its steps."""
    env = pettingzoo.make("aec", "classic/connect_four-v3")

    def play(random: Random) -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(random.choice(observation["action_mask"].nonzero()[0]))
                steps += 1
        return steps

    return play


def players() -> dict[str, PlayGame]:
    """Return everything that is measured, by name."""
    measured = {f"{slug}, State": play_states(game(slug)) for slug in OURS} | {f"{slug}, Position": play_positions(game(slug)) for slug in OURS}
    if pyspiel is not None:
        measured |= {"OpenSpiel connect_four, child": spiel_values, "OpenSpiel connect_four, apply_action": spiel_in_place}
    if pettingzoo is not None:
        measured["PettingZoo connect_four-v3"] = petting_zoo()
    return measured


def measure(name: str, play: PlayGame, seconds: float, seed: int) -> Rate:
    """Return the rate of random games that fill so many seconds."""
    random = Random(seed)
    rate = Rate(name, 0, 0, 0)
    while rate.seconds < seconds:
        before = time.process_time()
        steps = play(random)
        rate += Rate(name, 1, steps, time.process_time() - before)
    return rate


def main() -> None:
    """Measure and print."""
    must_be_compiled()
    measured = players()
    rates = best(measure(name, play, SECONDS, turn) for turn in range(ROUNDS) for name, play in measured.items())
    print("\n| random steps from Python | steps/s |\n|---|--:|")
    for name, rate in rates.items():
        print(f"| {name} | {rate.moves_per_second:,.0f} |")
    slowest = min((rate for name, rate in rates.items() if name.endswith("State")), key=lambda rate: rate.moves_per_second)
    said = strict.verdict(slowest.moves_per_second >= WANTED)
    print(f"\n- the slowest State ({slowest.name}): {slowest.moves_per_second:,.0f} steps/s, wanted {WANTED:,}: {said}")
    if pyspiel is None or pettingzoo is None:
        print("- OpenSpiel or PettingZoo is not installed: `pip install 'tablee[bench]'`, then run this again")


if __name__ == "__main__":
    strict.run(main)
