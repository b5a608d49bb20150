"""Makes the suites of positions with a known best action: `python -m tests.players.make_suites tablan`.

Games are played by the judgement at a glance; of each, the earliest position is kept whose every continuation can be followed
to the end and where the best action is better than the next by a clear margin. What the players make of it is not asked.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tablee.catalog import kind
from tablee.core.game import Game, choose
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.state import State
from tablee.players.expectimax import Expectimax
from tablee.players.stop import Stop
from tests.players.exhaustive import exact

WANTED = 24
MARGIN = 0.03
MOST = {"tablan": 600, "tabaijana": 600}
GAMES: dict[str, list[tuple[int | None, dict[str, str]]]] = {
    "tablan": [(None, {"preset": preset}) for preset in ("fiche", "mysore", "lettre")],
    "tabaijana": [(seats, {"game": name}) for name in ("famille", "enfants") for seats in (2, 3, 4, 5)],
}


def main(slug: str) -> None:
    """Write the suite of a game."""
    games = [choose(kind(slug), seats, options) for seats, options in GAMES[slug]]
    lines: list[str] = []
    seed = 0
    while len(lines) < WANTED:
        game = games[seed % len(games)]
        *_, found = ["", *positions(game, seed)]
        if found:
            lines.append(found)
            print(len(lines), found, flush=True)
        seed += 1
    heading = f"# python -m tests.players.make_suites {slug}: seats; options; position; best actions; their value; the best other\n"
    (Path(__file__).parent / slug / "suite.txt").write_text(heading + "".join(f"{line}\n" for line in lines), encoding="utf-8")


def positions(game: Game, seed: int) -> Iterator[str]:
    """Give the positions of one game, the latest first, that have a known best action."""
    random = Random(seed)
    state = game.start(random.randrange)
    position = state.position.copy()
    assert game.kind.judgement is not None
    search = Expectimax(game.kind.judgement(game), position, game.action_count, 0)
    late: list[Position] = []
    while position.actor() != OVER:
        if position.actor() == CHANCE:
            position.play(position.throw(random.randrange(int(position.chances()))))
            continue
        late.append(position.copy())
        search.think(position, position.actor(), Stop())
        ranking = search.ranking()
        position.play(random.choice(ranking)[0] if random.random() < 0.1 else ranking[0][0])
    for candidate in reversed(late[-40:]):
        seat = int(candidate.actor())
        values = exact(candidate, seat, game.action_count, MOST[game.slug])
        if values is None:
            return
        best = max(values.values())
        others = [value for value in values.values() if value < best - 1e-9]
        if others and max(others) < best - MARGIN:
            tokens = [game.notate(action) for action, value in values.items() if value >= best - 1e-9]
            options = ",".join(f"{name}={value}" for name, value in game.chosen)
            line = game.dump(State(game, candidate, None))
            yield f"{game.seats}; {options}; {line}; {' '.join(tokens)}; {best:.6f}; {max(others):.6f}"


if __name__ == "__main__":
    main(sys.argv[1])
