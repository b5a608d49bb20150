"""How much it helps to think a turn through once: a player that follows its plan against one that thinks anew for each action.

    python -m bench.plan --games 60                                                          equal nodes a thought
    python -m bench.plan --games 60 --planned max:nodes=20000 --anew max:nodes=4000          about equal nodes a turn

A turn of Tabale has four or five actions with a choice, and the second player searches at each of them; the seconds that
both have spent are printed too.
"""

import argparse

from tablee import catalog
from tablee.arena.match import Chooser, play_game
from tablee.arena.ratings import rate
from tablee.core.game import Game
from tablee.core.state import State
from tablee.players.player import Player


class WithoutPlan(Player):
    """A player that thinks anew for each action."""

    def choose(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return the action of a seat without regard to what was planned."""
        self.plan = None
        return super().choose(state, seat, seconds=seconds, nodes=nodes)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slug", default="tabale", help="the game")
    parser.add_argument("--planned", default="max:nodes=20000", help="the player that follows its plan")
    parser.add_argument("--anew", default="max:nodes=20000", help="the player that thinks anew for each action")
    parser.add_argument("--games", type=int, default=60, help="how many games, two for each opening")
    parser.add_argument("--opening", type=int, default=4, help="how many random actions begin a game")
    parser.add_argument("--seed", type=int, default=1, help="a number that repeats openings and players")
    asked = parser.parse_args()
    game = catalog.game(asked.slug, 2)
    results = [
        play_game(game, seated(game, asked.planned, asked.anew, number), f"{asked.seed} {number // 2}", asked.opening)
        for number in range(asked.games)
    ]
    won = [result.shares[number % 2] for number, result in enumerate(results)]
    share = rate([(first + second) / 2 for first, second in zip(won[::2], won[1::2], strict=True)], 2)
    spent = [sum(result.seconds[(number + other) % 2] for number, result in enumerate(results)) for other in (0, 1)]
    print(f"{asked.slug}, {asked.games} games: {asked.planned} with a plan won {share.value:.1%} ({share.low:.1%}–{share.high:.1%})")
    print(f"against {asked.anew} without; {spent[0]:.1f} s of thinking with a plan, {spent[1]:.1f} s without")


def seated(game: Game, planned: str, anew: str, number: int) -> list[Chooser]:
    """Return the players by seat; they change seats from game to game."""
    players: list[Chooser] = [Player(game, planned, number), WithoutPlan(game, anew, number)]
    return players if number % 2 == 0 else players[::-1]


if __name__ == "__main__":
    main()
