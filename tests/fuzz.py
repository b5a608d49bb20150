"""Throws bent text at whatever reads text, guided by the branches it takes: `python -m tests.fuzz -max_total_time=300`.

The first byte of an input names the game, the second what reads it (position, token or record) and under which options.
Anything but an error of ours, or a game let in that cannot be played, ends the run and leaves the input in a file.
"""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["tablee.core", "tablee.games", "tablee.catalog"]):
    import tablee
    from tablee.catalog import OURS

from tests.material import check_playable, material, wander

READERS = 3
LONGEST = 4000


def try_one(data: bytes) -> None:
    """Read one input; let only errors of ours pass."""
    if len(data) < 2:
        return
    kept = material(OURS[data[0] % len(OURS)])
    reader, number = data[1] % READERS, data[1] // READERS
    game = kept.games[number % len(kept.games)]
    text = data[2:].decode("utf-8", "surrogateescape")
    try:
        match reader:
            case 0:
                state = game.load(text)
            case 1:
                action = game.parse(text, number % game.seats)
                assert game.parse(game.notate(action), number % game.seats) == action
                return
            case _:
                state = tablee.read(text)
    except tablee.TableeError as error:
        if not str(error).isprintable():
            raise RuntimeError(f"a message of several lines: {str(error)!a}") from error
        return
    if reader == 2:
        written = tablee.record(state)
        assert tablee.record(tablee.read(written)) == written
    check_playable(state, number, 10)


def sow(folder: Path) -> None:
    """Write real positions, tokens and records as the first inputs."""
    for at, slug in enumerate(OURS):
        kept = material(slug)
        seeds: list[tuple[int, int, str]] = []
        for number, game in enumerate(kept.games[: 256 // READERS]):
            seeds += [(0, number, line) for line in kept.lines[game][:4]]
        seeds += [(1, number % 60, token) for number, token in enumerate(kept.tokens[:40])]
        for number, record in enumerate(kept.records):
            game = tablee.read(record).game
            seeds.append((2, number % 60, tablee.record(wander(game.start(lambda n: n // 2), Random(number), 6))))
        for number, (reader, options, text) in enumerate(seeds):
            (folder / f"{slug}-{number}").write_bytes(bytes([at, options * READERS + reader]) + text.encode())


def main() -> None:
    """Fuzz until told to stop."""
    with TemporaryDirectory() as folder:
        sow(Path(folder))
        atheris.Setup([sys.argv[0], f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=4000", *sys.argv[1:], folder], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
