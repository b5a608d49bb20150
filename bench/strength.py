"""How strong `max` is beside others: OpenSpiel's Monte Carlo bot, and our own search by playouts.

    python -m bench.strength --games 200 --seconds 1

plays paired games (seats swapped, the same opening and throws) and prints Markdown: the part won, its 95 % interval, and
whether the target is reached. The seconds are for a turn: at Tabale, where one has between three and four choices, each gets
a quarter. That takes hours: `--keep FILE` writes each finished pair down, and the same command goes on
from there. `--ours 0.1` gives `max` less time than its peer, which spares half of those hours and asks more of it.
`--quick` is the short form for `make bench`: it shows that it runs, not how strong. `--tune` lets a peer's exploration
constants meet `max` in turn, to find the one that is hardest to beat.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random

from bench import strict
from tablee import catalog
from tablee.arena.match import Chooser, play_game
from tablee.arena.plan import needed_opening
from tablee.arena.ratings import rate
from tablee.arena.report import percent
from tablee.arena.run import append_line, complete_lines
from tablee.arena.spread import spread
from tablee.core.game import Game
from tablee.players.player import Player

GAMES = ("traboulet", "tablan", "tabale")
SPIEL, OWN = "OpenSpiel's MCTS", "our own MCTS"
PEERS = {"openspiel": SPIEL, "own": OWN}
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
PARTS = {"tabale": 4}
CANDIDATES = (0.5, 0.7, 1.0, 1.4, 2.0)


@dataclass(frozen=True)
class Contest:
    """`max` against one peer at one game: so many seconds a turn, or so many nodes an action (a node of theirs is a playout)."""

    slug: str
    peer: str
    uct_c: float
    ours: float | None
    seconds: float | None
    nodes: int | None
    theirs: bool = False

    @property
    def name(self) -> str:
        """What tells it from every other: game, peer, budgets."""
        return f"{self.slug} | {self.peer} (uct_c {self.uct_c:g}{', rollouts its own' if self.theirs else ''}) | {self.budgets}"

    @property
    def budgets(self) -> str:
        """What `max` is given, and what its peer is."""
        return f"{self.ours:g} s | {self.seconds:g} s" if self.seconds else f"{self.nodes} nodes | {self.nodes} playouts"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="how many games for each row, two a pair")
    parser.add_argument("--seconds", type=float, default=1.0, help="the time for a turn, where time is equal")
    parser.add_argument("--ours", type=float, default=0.0, help="the time that `max` has for a turn, if it is to have less than its peer")
    parser.add_argument("--nodes", type=int, default=2000, help="the playouts for an action, where these are equal")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game; may be given several times")
    parser.add_argument("--cores", type=int, default=0, help="how many processes (0: as many as there are cores)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer", choices=PEERS, action="append", help="only this peer; may be given several times")
    parser.add_argument("--keep", type=Path, help="a file that keeps every finished pair, to go on from")
    parser.add_argument("--theirs", action="store_true", help="let OpenSpiel roll out by itself, in Python, instead of by our compiled playouts")
    parser.add_argument("--tune", action="store_true", help="try the bot's exploration constants")
    parser.add_argument("--quick", action="store_true", help="two games at a twentieth of a second")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.games, wanted.seconds, wanted.nodes = 2, 0.05, 200
    print("| game | `max` against | `max` has | its peer has | won | games | wanted |")
    print("|---|---|--:|--:|--:|--:|---|")
    for contest in contests(wanted):
        print(row(contest, rounds(contest, wanted)), flush=True)


def contests(wanted: argparse.Namespace) -> Iterator[Contest]:
    """Give what is to be played."""
    peers = [PEERS[name] for name in wanted.peer or PEERS]
    if SPIEL in peers and find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: `pip install 'tablee[bench]'`; its rows are left out.", file=sys.stderr)
        peers.remove(SPIEL)
    ours = wanted.ours or wanted.seconds
    for slug in wanted.game or GAMES:
        if wanted.tune:
            yield from (Contest(slug, peer, uct_c, None, None, wanted.nodes, wanted.theirs) for peer in peers for uct_c in CANDIDATES)
            continue
        if SPIEL in peers:
            yield Contest(slug, SPIEL, UCT_C[slug], ours, wanted.seconds, None, wanted.theirs)
            yield Contest(slug, SPIEL, UCT_C[slug], None, None, wanted.nodes, wanted.theirs)
        if OWN in peers:
            yield Contest(slug, OWN, UCT_C[slug] / 2, ours, wanted.seconds, None)
            yield Contest(slug, OWN, UCT_C[slug] / 2, None, None, wanted.nodes)


def rounds(contest: Contest, wanted: argparse.Namespace) -> list[float]:
    """Play the pairs of a contest that the kept file does not hold; return what `max` won of each."""
    shares = kept(contest, wanted.seed, wanted.keep) if wanted.keep else {}
    due = [number for number in range(-(-wanted.games // 2)) if number not in shares]
    for at, won in spread(play_round, [(contest, wanted.seed, number) for number in due], wanted.cores):
        shares[due[at]] = won
        if wanted.keep:
            append_line(wanted.keep, {"contest": contest.name, "seed": wanted.seed, "pair": due[at], "won": won})
    return [won for number, won in sorted(shares.items()) if number < -(-wanted.games // 2)]


def kept(contest: Contest, seed: int, file: Path) -> dict[int, float]:
    """Return what a file holds of a contest, by pair."""
    lines = [json.loads(line) for line in complete_lines(file)] if file.exists() else []
    return {line["pair"]: line["won"] for line in lines if line["contest"] == contest.name and line["seed"] == seed}


def row(contest: Contest, won: list[float]) -> str:
    """Return the line of the table for a contest."""
    result = rate(won, 2)
    wanted = WANTED[contest.slug, contest.peer] if contest.seconds and result.number >= ENOUGH else None
    verdict = "" if wanted is None else f"{100 * wanted:.0f} %: {strict.verdict(result.value >= wanted)}"
    return f"| {contest.name} | {percent(result)} | {result.number} | {verdict} |"


def play_round(contest: Contest, seed: int, number: int) -> float:
    """Play two games with the seats swapped; return the mean part of the win that `max` had."""
    game = catalog.game(contest.slug)
    opening = needed_opening(game)
    choices = PARTS.get(contest.slug, 1)
    seconds = contest.seconds and contest.seconds / choices
    parts = []
    for ours in (0, 1):
        name = f"{seed} {number}"
        players: list[Chooser] = [other(contest, game, f"{name} {ours}"), other(contest, game, f"{name} {ours}")]
        players[ours] = Player(
            game, f"max:seconds={contest.ours / choices:g}" if contest.ours else "max", Random(f"{name} {ours} max").randrange(1 << 40)
        )
        result = play_game(game, players, name, opening, seconds, contest.nodes)
        parts.append(result.shares[ours] / sum(result.shares) if result.won else 0.5)
    return sum(parts) / 2


def other(contest: Contest, game: Game, seed: str) -> Chooser:
    """Return the peer."""
    number = Random(f"{seed} other").randrange(1 << 30)
    if contest.peer == OWN:
        return Player(game, f"mcts:uct_c={contest.uct_c:g}", number)
    from tablee.gym.openspiel_bot import SpielPlayer

    return SpielPlayer(game, number, contest.uct_c, theirs=contest.theirs)


if __name__ == "__main__":
    strict.run(main)
