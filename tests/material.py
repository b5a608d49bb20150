"""Real positions, tokens and records of every game, to be bent and broken by the tests of bad input."""

from dataclasses import dataclass
from functools import cache
from random import Random
from xml.etree import ElementTree

import tablee
from tablee import catalog
from tablee.core.game import Game
from tablee.core.state import Chance, Decision, Over, State
from tablee.core.text import write
from tablee.core.words import LANGUAGES
from tablee.testing import Report, check_state, variants

SHORT = 40
WHOLE = 3000


@dataclass(frozen=True)
class Material:
    """What one game has to offer: the ways to play it, lines of positions by the way they were played, tokens, records."""

    games: tuple[Game, ...]
    lines: dict[Game, tuple[str, ...]]
    tokens: tuple[str, ...]
    records: tuple[str, ...]


def step(state: State, random: Random) -> State:
    """Return the state after a random action or throw."""
    match state.node:
        case Chance():
            return state.throw(random.randrange)
        case Decision(seats, _):
            return state.play(random.choice(state.legal(random.choice(seats))))
        case Over():
            return state


def wander(state: State, random: Random, actions: int) -> State:
    """Return the state after so many random actions, or at the end of the game."""
    for _ in range(actions):
        if isinstance(state.node, Over):
            break
        state = step(state, random)
    return state


@cache
def material(slug: str) -> Material:
    """Return the material of one game, the same every time: a short walk under every seat count and option, and some whole games."""
    random = Random(slug)
    games = tuple(variants(catalog.kind(slug)))
    lines: dict[Game, tuple[str, ...]] = {}
    tokens: set[str] = set()
    records: list[str] = []
    for number, game in enumerate(games):
        end = wander(game.start(random.randrange), random, SHORT if number % 4 else WHOLE)
        states = list(end.path())
        kept = [*states[:3], *random.sample(states, min(8, len(states))), end]
        lines[game] = tuple(dict.fromkeys(game.dump(state) for state in kept))
        tokens |= {game.notate(state.action) for state in states[1:]}
        records.append(tablee.record(end if len(states) < 200 else states[100]))
    return Material(games, lines, tuple(sorted(tokens)), tuple(records))


def check_playable(state: State, seed: int, actions: int = 30) -> None:
    """Check that a state that was let in keeps every promise: fast and slow rules agree, it is drawn, it reads back, it can be played on."""
    random = Random(seed)
    game = state.game
    before = game.kind.conserved(game, state.position)
    for number in range(actions):
        if number % 15 == 0:
            check_state(state, random, Report())
            check_drawn(state)
        if isinstance(state.node, Over):
            return
        after = step(state, random)
        for message in game.kind.tell(game, state.position, after.action, after.position):
            for language in LANGUAGES:
                assert game.kind.words(language).say(message)
        state = after
        assert game.kind.conserved(game, state.position) == before, game.dump(state)
        assert state.legal() or isinstance(state.node, Over), game.dump(state)
        line = game.dump(state)
        if not (game.kind.forgets and isinstance(state.node, Over)):
            assert game.dump(game.load(line)) == line


def check_drawn(state: State) -> None:
    """Check that a state can be seen, in SVG and in letters."""
    for language in LANGUAGES:
        ElementTree.fromstring(state.svg(language))
        assert write(state.scene(language)).strip()
