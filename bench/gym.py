"""Measure every adapter in one run against its peer: PettingZoo's connect four, pyspiel from Python, and pgx on the CPU where jax installs.

    python -m bench.gym

All rates are steps in a second of processor time, random legal actions, observations and masks included unless said otherwise.
A step of the parallel interface is one call, whoever acts in it; a step of Gymnasium is one action of one's own with the answers of
random opponents. Two processes are measured in seconds of the clock: their processor time is not ours.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from random import Random

import tablee
from bench import strict
from bench.plain import must_be_compiled
from bench.rate import Rate, best
from tablee.catalog import OURS
from tablee.core.errors import needing
from tablee.gym.one_seat import SeatEnv
from tablee.gym.pettingzoo_aec import aec
from tablee.gym.pettingzoo_parallel import parallel
from tablee.gym.vector_env import vector

with needing("bench.gym", "bench"):
    import pyspiel
    from pettingzoo import AECEnv

    import tablee.gym.openspiel

ROUNDS = 3
SECONDS = 0.3
# So many steps between two looks at the clock: a look costs as much as a tenth of our fastest step.
UNREAD = 256
LANES = 4096
CORES = 2
RANDOM = "uniform"
CONNECT_FOUR = "PettingZoo connect_four"
OF_PETTINGZOO = 5.0
SPIEL_STEPS = 100_000
# What Batch should reach on one core: with masks, and with observations too.
MASKED = {"traboulet": 5_000_000, "tabale": 3_000_000, "tablan": 3_000_000}
OBSERVED = 1_000_000


def measure(name: str, steps: Iterator[int], seconds: float = SECONDS, clock: Callable[[], float] = time.process_time) -> Rate:
    """Return the rate of something that gives how many steps it has just made."""
    next(steps)
    begin, made = clock(), 0
    while clock() - begin < seconds:
        due = made + UNREAD
        while made < due:
            made += next(steps)
    return Rate(name, 1, made, clock() - begin)


def turns(env: "AECEnv", seed: int) -> Iterator[int]:
    """Play random games of PettingZoo; give each step."""
    random = Random(seed)
    while True:
        env.reset(seed=seed)
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else random.choice(seen["action_mask"].view(bool).nonzero()[0]))
            yield 1


def together(slug: str, seed: int) -> Iterator[int]:
    """Play random games of PettingZoo's parallel interface; give each call."""
    random, env = Random(seed), parallel(slug)
    while True:
        seen, _ = env.reset(seed=seed)
        while env.agents:
            seen = env.step({agent: random.choice(seen[agent]["action_mask"].nonzero()[0]) for agent in env.agents})[0]
            yield 1


def one_seat(slug: str, seed: int) -> Iterator[int]:
    """Play random games of one seat against random players; give each action of one's own."""
    random, env = Random(seed), SeatEnv(slug, opponents=RANDOM)
    while True:
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            seen, _, ended, cut, _ = env.step(random.choice(seen["action_mask"].nonzero()[0]))
            over = ended or cut
            yield 1


def vectored(slug: str, seed: int) -> Iterator[int]:
    """Play random games of `gymnasium.vector` against random players; give the lanes of each step."""
    env = vector(slug, LANES, opponents=RANDOM)
    env.reset(seed=seed)
    while True:
        env.step(env.batch.sample())
        yield LANES


def spiel(name: str, seed: int) -> Iterator[int]:
    """Play random games of OpenSpiel from Python; give each step."""
    random, game = Random(seed), pyspiel.load_game(name)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(numbers, odds)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
            yield 1


def batch(slug: str, observe: bool, seed: int, cores: int = 1) -> Iterator[int]:
    """Play random games of a batch; give the lanes of each step."""
    with tablee.Batch(slug, LANES, seed=seed, observe=observe, cores=cores) as games:
        while True:
            games.step(games.sample())
            yield LANES


def pgx_games(name: str, seed: int) -> Iterator[int]:
    """Play random games of pgx, as compiled by jax for one core; give the lanes of each step."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(name)
    start, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(pgx.experimental.auto_reset(env.step, env.init)))
    key, first = jax.random.split(jax.random.PRNGKey(seed))
    state = start(jax.random.split(first, LANES))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.log(mask), axis=1))
    while True:
        key, chosen, thrown = jax.random.split(key, 3)
        state = step(state, choose(chosen, state.legal_action_mask), jax.random.split(thrown, LANES))
        state.observation.block_until_ready()
        yield LANES


def connect_four() -> "AECEnv":
    """Return PettingZoo's connect four, without the wrappers that check every step."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic.connect_four.connect_four import raw_env
    return raw_env()


def everything(seed: int) -> Iterator[Rate]:
    """Measure everything once."""
    yield measure(CONNECT_FOUR, turns(connect_four(), seed))
    for slug in OURS:
        yield measure(f"aec {slug}", turns(aec(slug), seed))
        yield measure(f"parallel {slug}", together(slug, seed))
        yield measure(f"Gymnasium {slug}", one_seat(slug, seed))
        yield measure(f"gymnasium.vector {slug}", vectored(slug, seed))
    for name in ("connect_four", "backgammon"):
        yield measure(f"OpenSpiel {name}", spiel(name, seed))
    for slug in OURS:
        yield measure(f"openspiel tablee_{slug}", spiel(f"tablee_{slug}", seed))
    for slug in OURS:
        yield measure(f"Batch {slug}, masks", batch(slug, False, seed))
        yield measure(f"Batch {slug}, masks and observations", batch(slug, True, seed))
        yield measure(f"Batch {slug}, {CORES} processes, by the clock", batch(slug, True, seed, CORES), clock=time.perf_counter)
    try:
        import pgx as pgx
    except ImportError:
        return
    for name in ("connect_four", "backgammon"):
        yield measure(f"pgx {name}, masks and observations", pgx_games(name, seed), 1.0)


def targets(rates: dict[str, Rate]) -> Iterator[str]:
    """Say of each target whether it is reached."""
    peer = rates[CONNECT_FOUR].moves_per_second
    for slug in OURS:
        yield verdict(f"aec {slug} against {CONNECT_FOUR}", rates[f"aec {slug}"].moves_per_second / peer, OF_PETTINGZOO, " ×")
        yield verdict(f"steps/s of {slug} through OpenSpiel", rates[f"openspiel tablee_{slug}"].moves_per_second, SPIEL_STEPS)
    for slug, wanted in MASKED.items():
        yield verdict(f"steps/s of Batch {slug} with masks", rates[f"Batch {slug}, masks"].moves_per_second, wanted)
        yield verdict(f"steps/s of Batch {slug} with observations", rates[f"Batch {slug}, masks and observations"].moves_per_second, OBSERVED)
    theirs = {name: rate for name, rate in rates.items() if name.startswith("pgx")}
    for name, rate in theirs.items():
        ratio = rates["Batch traboulet, masks and observations"].moves_per_second / rate.moves_per_second
        yield f"Batch traboulet against {name}: {ratio:.1f} × in processor time"
    if not theirs:
        yield "pgx is not installed (pip install 'tablee[pgx]'): Batch is not compared with it"


def verdict(what: str, reached: float, wanted: float, unit: str = "") -> str:
    """Return a target with what was measured."""
    return f"{what}: {reached:,.1f}{unit}, wanted {wanted:,.0f}{unit}: {strict.verdict(reached >= wanted)}"


def main() -> None:
    """Measure in turns and print the best of each."""
    must_be_compiled()
    rates = best(rate for turn in range(ROUNDS) for rate in everything(turn))
    print("| | steps/s of one core |\n|---|--:|")
    for name, rate in rates.items():
        print(f"| {name} | {rate.moves_per_second:,.0f} |")
    print()
    for line in targets(rates):
        print(f"- {line}")


if __name__ == "__main__":
    strict.run(main)
