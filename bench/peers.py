"""Whom we compare with: Traboulet by hand in C, and the C++ rollouts of OpenSpiel on three of its games."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.rate import Rate

try:
    import pyspiel
except ImportError:
    pyspiel = None

SOURCE = Path(__file__).with_name("traboulet.c")
FLAGS = ("-O3", "-march=native")
OPEN_SPIEL_GAMES = ("breakthrough", "connect_four", "backgammon")


def compile_c(to: Path) -> Path | None:
    """Compile the hand-written playouts on the spot; return the program, or None without a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = to / "traboulet"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    return program


def play_c(program: Path, seconds: float, seed: int) -> Rate:
    """Return the rate of the C playouts; the program counts the step sequences of lengths 1, 2, 3 before it plays."""
    rate = Rate("C", 0, 0, 0)
    lot = 1000
    while rate.seconds < seconds:
        printed = subprocess.run([program, str(lot), str(seed)], check=True, capture_output=True, text=True).stdout
        games, moves, taken, *_ = printed.split()
        rate += Rate("C", int(games), int(moves), float(taken))
        lot, seed = 2 * lot, seed + 1
    if not 230 < rate.moves / rate.games < 250:
        raise ValueError(f"traboulet.c plays {rate.moves / rate.games:.0f} moves a game: expected about 239")
    return rate


class OpenSpiel:
    """One game of OpenSpiel, rolled out in C++.

    Python sees one call: a Monte Carlo bot told to do two simulations, each valued by thousands of random rollouts. All of
    them run inside `RandomRolloutEvaluator`, whose loop is LegalActions, a uniform choice, ApplyAction, and a sampled
    outcome at chance nodes. It is the fastest random play that OpenSpiel's package lets one call, and the tree around it
    costs nothing beside it. It returns no count of moves: they are rollouts times the mean length of a game, taken from a
    sample played in Python beforehand, and counted in full for the second simulation, which begins one move later.
    """

    def __init__(self, name: str, sample: int = 300) -> None:
        """Load the game and measure how long random games last."""
        self.name = name
        self.game = pyspiel.load_game(name)
        self.start = self.game.new_initial_state()
        random = Random(1)
        if self.start.is_chance_node():
            self.step(self.start, random)
        self.length = sum(self.play(random) for _ in range(sample)) / sample

    def step(self, state: "pyspiel.State", random: Random) -> None:
        """Play a random move, or throw by the odds."""
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, odds)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))

    def play(self, random: Random) -> int:
        """Play a random game in Python; return its moves."""
        state = self.start.clone()
        moves = 0
        while not state.is_terminal():
            self.step(state, random)
            moves += 1
        return moves

    def roll_out(self, seconds: float, seed: int) -> Rate:
        """Return the rate of C++ rollouts that fill so many seconds."""
        rate = Rate(self.name, 0, 0, 0)
        lot = 50
        while rate.seconds < seconds:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=lot, seed=seed)
            bot = pyspiel.MCTSBot(self.game, evaluator, uct_c=1.0, max_simulations=2, max_memory_mb=10, solve=False, seed=seed, verbose=False)
            before = time.process_time()
            bot.step(self.start)
            rate += Rate(self.name, 2 * lot, 2 * lot * self.length, time.process_time() - before)
            lot, seed = 2 * lot, seed + 1
        return rate


def open_spiel() -> Iterator[OpenSpiel]:
    """Give the three games, or nothing where OpenSpiel is not installed."""
    if pyspiel is not None:
        for name in OPEN_SPIEL_GAMES:
            yield OpenSpiel(name)
