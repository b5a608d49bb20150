"""Measure everything in one run and print it as Markdown, with the ratios and whether each target is reached.

Short runs of all take turns, and the best of each counts: the machine may be busy, but never favours one for long.
"""

import platform
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import strict
from bench.engine import every_game
from bench.peers import compile_c, open_spiel, play_c
from bench.plain import copy_plain, must_be_compiled, rates_from
from bench.rate import Rate, best

ROUNDS = 7
SECONDS = 0.2
OF_C = 0.5
OF_PLAIN = 30
OF_OPEN_SPIEL = 5


def main() -> None:
    """Measure and print."""
    must_be_compiled()
    with TemporaryDirectory() as directory:
        ours, plain, peers = measure(Path(directory))
    print(f"## {datetime.now(UTC):%Y-%m-%d}\n\n{machine()}\n")
    for line in table(ours, plain, peers):
        print(line)
    print()
    for line in targets(ours, plain, peers):
        print(f"- {line}")


def measure(directory: Path) -> tuple[dict[str, Rate], dict[str, Rate], dict[str, Rate]]:
    """Return the best rates of our games compiled, of our games plain, and of the others."""
    copy = copy_plain(directory)
    program = compile_c(directory)
    spiels = list(open_spiel())
    ours: list[Rate] = []
    plain: list[Rate] = []
    peers: list[Rate] = []
    for turn in range(ROUNDS):
        ours += every_game(SECONDS)
        if program:
            peers.append(play_c(program, SECONDS, turn))
        peers += (spiel.roll_out(SECONDS, turn) for spiel in spiels)
        plain += rates_from("bench.engine", copy, SECONDS)
    return best(ours), best(plain), best(peers)


def table(ours: dict[str, Rate], plain: dict[str, Rate], peers: dict[str, Rate]) -> Iterator[str]:
    """Give the lines of the table."""
    yield "| | games/s | moves/s | moves/game | against plain |"
    yield "|---|--:|--:|--:|--:|"
    for slug, rate in ours.items():
        yield f"{row(slug, rate)} {rate.moves_per_second / plain[slug].moves_per_second:.0f} × |"
    for slug, rate in plain.items():
        yield f"{row(f'{slug}, plain Python', rate)} |"
    for name, rate in peers.items():
        yield f"{row('traboulet, C by hand' if name == 'C' else f'OpenSpiel {name}', rate)} |"


def row(name: str, rate: Rate) -> str:
    """Return the first cells of a line."""
    return f"| {name} | {rate.games_per_second:,.0f} | {rate.moves_per_second:,.0f} | {rate.moves / rate.games:.0f} |"


def targets(ours: dict[str, Rate], plain: dict[str, Rate], peers: dict[str, Rate]) -> Iterator[str]:
    """Say of each target whether it is reached."""
    if "C" in peers:
        yield verdict("traboulet against C by hand", ours["traboulet"], peers["C"], OF_C)
    else:
        yield "no C compiler here (gcc or cc): traboulet is not compared with C"
    slowest = min(ours, key=lambda slug: ours[slug].moves_per_second / plain[slug].moves_per_second)
    yield verdict(f"every game against its plain self ({slowest} gains least)", ours[slowest], plain[slowest], OF_PLAIN)
    spiels = [rate for name, rate in peers.items() if name != "C"]
    if not spiels:
        yield "OpenSpiel is not installed: `pip install 'tablee[bench]'`, then run this again"
        return
    fastest = max(spiels, key=lambda rate: rate.moves_per_second)
    for slug in ("traboulet", "tablan"):
        yield verdict(f"{slug} against OpenSpiel's fastest of three ({fastest.name})", ours[slug], fastest, OF_OPEN_SPIEL)


def verdict(what: str, rate: Rate, peer: Rate, wanted: float) -> str:
    """Return a target with the ratio measured, and whether it is reached."""
    ratio = rate.moves_per_second / peer.moves_per_second
    return f"{what}: {ratio:.2f} ×, wanted {wanted:g} ×: {strict.verdict(ratio >= wanted)}"


def machine() -> str:
    """Say what it ran on."""
    names = [line.partition(":")[2].strip() for line in lines(Path("/proc/cpuinfo")) if line.startswith("model name")]
    compiler = shutil.which("gcc")
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0] if compiler else "no gcc"
    return f"{names[0] if names else platform.machine()}, one core; Python {platform.python_version()}; {said}."


def lines(path: Path) -> list[str]:
    """Return the lines of a file, or none where there is no such file."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


strict.run(main)
