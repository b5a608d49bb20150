"""No illegal action ever: players of every kind at random positions of every game, seat count and option value.

`python -m tests.players.legality --moves 1000000` is the long form, on all cores; a few thousand are among the tests.
"""

import argparse
from collections.abc import Iterator
from random import Random

from tablee import catalog
from tablee.arena.spread import spread
from tablee.catalog import OURS
from tablee.core.game import Game
from tablee.core.state import Chance, Decision, Over, State
from tablee.players.levels import levels
from tablee.players.player import Player
from tablee.testing import variants

SHARE = 2000
NODES = 40
# How many games the same players are asked in, and how many actions long: to take a seat costs more than to choose.
STARTS = 5
ALONG = 60


def check_legal(slug: str, moves: int, seed: int, nodes: int = NODES) -> int:
    """Let players choose so many actions, over every way to play a game, and hold each against fast and slow rules; return how many."""
    games = list(variants(catalog.kind(slug)))
    random = Random(f"{slug} {seed}")
    random.shuffle(games)
    done = 0
    while done < moves:
        for game in games:
            for state, seat, action, name in choices(game, random, nodes):
                said = f"{name} plays {action} in {state!r}"
                assert action in state.legal(seat), said
                assert done % 16 or state.refusal(seat, action) is None, said
                done += 1
            if done >= moves:
                break
    return done


def choices(game: Game, random: Random, nodes: int) -> Iterator[tuple[State, int, int, str]]:
    """Give what players of every kind choose along parts of some games."""
    names = [*(level.name for level in levels(game.kind)), "mcts", "greedy", "uniform"]
    players = {name: Player(game, name, random.randrange(1 << 40)) for name in names}
    for _ in range(STARTS):
        yield from along(game, random, players, nodes)


def along(game: Game, random: Random, players: dict[str, Player], nodes: int) -> Iterator[tuple[State, int, int, str]]:
    """Give what is chosen along a part of one game: it begins at a random place, and each action has another player."""
    state = game.start(random.randrange)
    skip = random.randrange(60)
    for step in range(skip + ALONG):
        match state.node:
            case Over():
                return
            case Chance():
                state = state.throw(random.randrange)
            case Decision(seats, _):
                seat = random.choice(seats)
                if step < skip:
                    state = state.play(random.choice(state.legal(seat)))
                    continue
                name = random.choice(list(players))
                action = players[name].choose(state, seat, nodes=nodes)
                yield state, seat, action, name
                state = state.play(action)


def main() -> None:
    """Check many and print how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1_000_000, help="how many actions over all games")
    parser.add_argument("--nodes", type=int, default=NODES, help="how many nodes an action has")
    parser.add_argument("--cores", type=int, default=0)
    chosen = parser.parse_args()
    shares = -(-chosen.moves // (SHARE * len(OURS)))
    jobs = [(slug, SHARE, seed, chosen.nodes) for seed in range(shares) for slug in OURS]
    total = 0
    for _, done in spread(check_legal, jobs, chosen.cores):
        total += done
    print(f"{total} actions of players over all games, options and levels: none illegal")


if __name__ == "__main__":
    main()
