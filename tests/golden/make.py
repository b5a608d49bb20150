"""Writes the golden files anew: `make golden`. Look at the difference before you commit it."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from tablee.catalog import OURS, kind
from tablee.core.game import Game, choose
from tablee.core.perft import perft
from tablee.core.record import write_record
from tablee.core.rulebook import read_rulebook
from tablee.core.state import Over, State
from tablee.core.text import write
from tablee.testing import next_state, variants
from tests.golden.commands import pages
from tests.golden.screens import HERE as SCREENS
from tests.golden.screens import picture_names, picture_of

HERE = Path(__file__).parent
RECORDS = 10
MOST = 400_000


def games(slug: str) -> Iterator[Game]:
    """Give the tables whose counts are kept: every variant of the game, the plain one first."""
    yield from variants(kind(slug))


def name(game: Game) -> str:
    """Return a table as the words of the command line: only what differs from the default."""
    plain = choose(game.kind, game.seats).options
    return " ".join([f"seats={game.seats}", *(f"{one}={value}" for one, value in game.chosen if plain[one] != value)])


def counts(game: Game) -> list[int]:
    """Return the numbers of sequences of 1, 2, 3… actions from the first set-up, as far as they stay small."""
    start = game.start(lambda n: 0).position
    found: list[int] = []
    while len(found) < 8 and (not found or found[-1] * 20 < MOST):
        found.append(int(perft(start, len(found) + 1, game.action_count)))
        if not found[-1]:
            break
    return found


def perft_text(slug: str) -> str:
    """Return the counts of every variant of a game, a line each."""
    return "".join(f"{name(game)}: {' '.join(map(str, counts(game)))}\n" for game in games(slug))


def actions_text(game: Game) -> str:
    """Return how many actions a game has, and a digest of the token of each number: programs that have learned rely on them."""
    tokens = "\n".join(game.notate(action) for action in range(game.action_count))
    return f"{game.action_count} actions, sha256 of their tokens: {sha256(tokens.encode()).hexdigest()}\n"


def play(game: Game, seed: int) -> State:
    """Return the end of a whole game between random and greedy seats."""
    random = Random(seed)
    state = game.start(random.randrange)
    greedy = [(seat + seed) % 3 > 0 for seat in range(game.seats)]
    while not isinstance(state.node, Over):
        state = next_state(state, greedy, random)
    return state


def records(slug: str) -> Iterator[tuple[str, str]]:
    """Give ten whole games under ten different tables, spread over the variants, as file name and record."""
    tables = list(games(slug))
    for number in range(RECORDS):
        game = tables[number * len(tables) // RECORDS]
        state = play(game, number)
        yield f"{number:02}.tablee", f"# {name(game)}\n{write_record(state)}# end: {game.dump(state)}\n"


def boards(slug: str) -> Iterator[tuple[str, str]]:
    """Give every figure of the rule page as text, and the first as SVG, as file name and drawing."""
    one = kind(slug)
    for number, figure in enumerate(read_rulebook(one.text("rules.fr.md")).figures.values()):
        state = choose(one, figure.seats, dict(figure.options)).load(figure.position)
        yield f"{figure.id}.txt", write(state.scene("fr"))
        if number == 0:
            yield f"{figure.id}.svg", state.svg("fr")


def files(slug: str) -> Iterator[tuple[Path, str]]:
    """Give every golden file of a game with its text."""
    yield HERE / slug / "perft.txt", perft_text(slug)
    yield HERE / slug / "actions.txt", actions_text(next(games(slug)))
    for folder, made in (("records", records(slug)), ("boards", boards(slug))):
        for file, text in made:
            yield HERE / slug / folder / file, text


def main() -> None:
    """Write them all."""
    for slug in OURS:
        for path, text in files(slug):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(slug)
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
    for picture in picture_names():
        (SCREENS / picture).write_text(picture_of(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
