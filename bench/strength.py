"""How strong `max` is beside others: OpenSpiel's Monte Carlo bot, and our own search by playouts.

    python -m bench.strength --games 200 --seconds 1

plays paired games (seats swapped, the same opening and throws) and prints Markdown: the part won, its 95 % interval, and
whether the target is reached. `--quick` is the short form for `make bench`: it shows that it runs, not how strong.
`--tune` lets the bot's exploration constants meet `max` in turn, to find the one that is hardest to beat.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tablee import catalog
from tablee.arena.match import Chooser, play_game
from tablee.arena.plan import needed_opening
from tablee.arena.ratings import rate
from tablee.arena.report import percent
from tablee.arena.spread import spread
from tablee.core.game import Game
from tablee.players.player import Player

GAMES = ("traboulet", "tablan", "tabale")
SPIEL, OWN = "OpenSpiel's MCTS", "our own MCTS"
WANTED = {
    ("traboulet", SPIEL): 0.90,
    ("tablan", SPIEL): 0.65,
    ("tabale", SPIEL): 0.80,
    ("traboulet", OWN): 0.75,
    ("tablan", OWN): 0.60,
    ("tabale", OWN): 0.65,
}
UCT_C = {"traboulet": 1.0, "tablan": 1.4, "tabale": 1.0}
ENOUGH = 40
CANDIDATES = (0.5, 0.7, 1.0, 1.4, 2.0)


@dataclass(frozen=True)
class Contest:
    """`max` against one peer at one game: so many seconds an action, or so many nodes (a node of theirs is a playout)."""

    slug: str
    peer: str
    uct_c: float
    seconds: float | None
    nodes: int | None
    theirs: bool = False

    @property
    def budget(self) -> str:
        """What both are given for an action."""
        return f"{self.seconds:g} s" if self.seconds else f"{self.nodes} playouts"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="how many games for each row, two a pair")
    parser.add_argument("--seconds", type=float, default=1.0, help="the time for an action, where time is equal")
    parser.add_argument("--nodes", type=int, default=2000, help="the playouts for an action, where these are equal")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game; may be given several times")
    parser.add_argument("--cores", type=int, default=0, help="how many processes (0: as many as there are cores)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theirs", action="store_true", help="let OpenSpiel roll out by itself, in Python, instead of by our compiled playouts")
    parser.add_argument("--tune", action="store_true", help="try the bot's exploration constants")
    parser.add_argument("--quick", action="store_true", help="two games at a twentieth of a second")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.games, wanted.seconds, wanted.nodes = 2, 0.05, 200
    print("| game | `max` against | each has | won | games | wanted |")
    print("|---|---|--:|--:|--:|---|")
    for contest in contests(wanted):
        print(row(contest, wanted.games, wanted.seed, wanted.cores), flush=True)


def contests(wanted: argparse.Namespace) -> Iterator[Contest]:
    """Give what is to be played."""
    spiel = has_spiel()
    if not spiel:
        print("OpenSpiel is not here: `pip install tablee[bench]`; its rows are left out.", file=sys.stderr)
    for slug in wanted.game or GAMES:
        if wanted.tune:
            yield from (Contest(slug, SPIEL, uct_c, None, wanted.nodes, wanted.theirs) for uct_c in CANDIDATES if spiel)
            continue
        if spiel:
            yield Contest(slug, SPIEL, UCT_C[slug], wanted.seconds, None, wanted.theirs)
            yield Contest(slug, SPIEL, UCT_C[slug], None, wanted.nodes, wanted.theirs)
        yield Contest(slug, OWN, UCT_C[slug] / 2, wanted.seconds, None)


def has_spiel() -> bool:
    """Return whether OpenSpiel is installed."""
    try:
        import tablee.gym.openspiel  # noqa: F401
    except ImportError:
        return False
    return True


def row(contest: Contest, games: int, seed: int, cores: int) -> str:
    """Play one contest and return its line of the table."""
    jobs = [(contest, seed, number) for number in range(-(-games // 2))]
    rounds = [won for _, won in spread(play_round, jobs, cores)]
    found = rate(rounds, 2)
    wanted = WANTED[contest.slug, contest.peer] if contest.seconds and games >= ENOUGH else None
    verdict = "" if wanted is None else f"{100 * wanted:.0f} %: {'reached' if found.value >= wanted else 'NOT REACHED'}"
    peer = f"{contest.peer} (uct_c {contest.uct_c:g}{', rollouts its own' if contest.theirs else ''})"
    return f"| {contest.slug} | {peer} | {contest.budget} | {percent(found)} | {found.number} | {verdict} |"


def play_round(contest: Contest, seed: int, number: int) -> float:
    """Play two games with the seats swapped; return the mean part of the win that `max` had."""
    game = catalog.game(contest.slug)
    opening = needed_opening(game)
    parts = []
    for ours in (0, 1):
        name = f"{seed} {number}"
        players: list[Chooser] = [other(contest, game, f"{name} {ours}"), other(contest, game, f"{name} {ours}")]
        players[ours] = Player(game, "max", Random(f"{name} {ours} max").randrange(1 << 40))
        result = play_game(game, players, name, opening, contest.seconds, contest.nodes)
        parts.append(result.shares[ours] / sum(result.shares) if result.won else 0.5)
    return sum(parts) / 2


def other(contest: Contest, game: Game, seed: str) -> Chooser:
    """Return the peer."""
    number = Random(f"{seed} other").randrange(1 << 30)
    if contest.peer == OWN:
        return Player(game, f"mcts:uct_c={contest.uct_c:g}", number)
    from tablee.gym.openspiel import SpielPlayer

    return SpielPlayer(game, number, contest.uct_c, theirs=contest.theirs)


if __name__ == "__main__":
    main()
