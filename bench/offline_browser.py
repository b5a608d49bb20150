"""The static library in a real Chromium: processor time from nothing to a board that can be touched, and of a move with its answer.

    python -m bench.offline_browser        (the last part of `python -m bench.offline`)

Cold is the first visit of a new browser, warm the visit of a browser that was begun again and has everything. Pyodide alone, as
its package is, starts in a worker's place beside it. All processes of the browser count.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Literal

from playwright.sync_api import BrowserContext, sync_playwright

from bench import strict
from tablee.catalog import OURS
from tablee.site.folder import write_site
from tablee.site.pyodide import pyodide
from tests.browser.guest import ARGUMENTS, CHROMIUM
from tests.site.files import Host
from tests.site.tab import Tab

WORK = Path("build/site")
TICKS = os.sysconf("SC_CLK_TCK")
MOST_OF_PYODIDE = 2.0
MOST_MOVE = 0.3
MOVES = 12
Motion = Literal["reduce", "no-preference"]
MOTIONS: tuple[Motion, ...] = ("reduce", "no-preference")
DRIVER = "node"
GAME = OURS[0]
# So long that no game is over while it is measured.
OPTIONS = {"tabu": {"rounds": "6"}}
# The actions of the person in the record: throws are not counted.
ACTIONS = """document.querySelectorAll(
  `#record li[data-seat="${document.querySelector('.seat.yours').dataset.seat}"] a.token:not(.thrown)`).length"""
ALONE = """<!doctype html><title>…</title><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide();
document.title = python.runPython("'ready'");
</script>"""


def main() -> None:
    """Build the site, measure and print."""
    with TemporaryDirectory() as directory:
        measure(write_site(Path(directory), work=WORK).folder)


def measure(site: Path) -> None:
    """Measure a site and print."""
    with TemporaryDirectory() as directory:
        place = Path(directory)
        (place / "site").symlink_to(site.absolute(), target_is_directory=True)
        shutil.copytree(pyodide(WORK), place / "alone")
        (place / "alone" / "index.html").write_text(ALONE, encoding="utf-8")
        alone = [start_alone(place) for _ in range(2)]
        cold, table, moves = first_visit(place)
        warm = later_visit(place, table)
    print("| processor seconds in Chromium | cold | warm |\n|---|--:|--:|")
    print(f"| Pyodide alone | {alone[0]:.2f} | {alone[1]:.2f} |\n| to a board that can be touched | {cold:.2f} | {warm:.2f} |\n")
    part = warm / alone[1]
    print(f"- {strict.verdict(part <= MOST_OF_PYODIDE)}: warm {part:.2f} × Pyodide alone, wanted at most {MOST_OF_PYODIDE:.0f} ×")
    print(
        "\n| processor seconds in Chromium, a move with the answer of level 4 | nothing slides | drawn as it slides, without a GPU |\n|---|--:|--:|"
    )
    for slug in OURS:
        print(f"| {slug} | " + " | ".join(f"{moves[slug, motion]:.3f}" for motion in MOTIONS) + " |")
    print()
    for motion, said in zip(MOTIONS, ("nothing slides", "drawn as it slides"), strict=True):
        slowest = max(OURS, key=lambda slug: moves[slug, motion])
        took = moves[slowest, motion]
        print(f"- {strict.verdict(took <= MOST_MOVE)}: {said}: {took:.3f} s ({slowest} slowest), wanted {MOST_MOVE} s")


def start_alone(place: Path) -> float:
    """Return what Pyodide alone takes; the second time the browser has its files."""
    host = Host(place / "alone", place / f"alone-{monotonic()}")
    with browser(place / "alone-profile") as context:
        page = context.new_page()
        before = spent()
        page.goto(host.address)
        page.wait_for_function("document.title === 'ready'")
        taken = spent() - before
    host.stop()
    return taken


def first_visit(place: Path) -> tuple[float, str, dict[tuple[str, Motion], float]]:
    """Return what the first visit takes to the board of a new table, that table, and what a move with its answer takes in each game."""
    host = Host(place / "site", place / "first")
    with browser(place / "profile") as context:
        tab = Tab(context, host.address)
        before = spent()
        tab.enter()
        tab.open_table(GAME, level=4)
        cold = spent() - before
        table = tab.table
        moves = {}
        for motion in MOTIONS:
            tab.page.emulate_media(reduced_motion=motion)
            for slug in OURS:
                tab.open_table(slug, level=4, **OPTIONS.get(slug, {}))
                moves[slug, motion] = move(tab)
        (place / "port").write_text(str(host.port), encoding="ascii")
        tab.page.wait_for_timeout(3000)  # the service worker may still be keeping files
    host.stop()
    return cold, table, moves


def move(tab: Tab) -> float:
    """Return what an action of the person takes at the table that is open, with all that the computer answers."""
    tab.patience = 250  # each look costs the page some time too
    tab.play(4)
    before, actions = spent(), tab.frame.evaluate(ACTIONS)
    tab.play(tab.look()["played"] + 2 * MOVES)
    return (spent() - before) / (int(tab.frame.evaluate(ACTIONS)) - int(actions))


def later_visit(place: Path, table: str) -> float:
    """Return what the board of that table takes in a browser begun again; the file server is gone, nothing is loaded."""
    port = int((place / "port").read_text(encoding="ascii"))
    with browser(place / "profile") as context:
        tab = Tab(context, f"http://127.0.0.1:{port}/games/tablee/")
        before = spent()
        tab.enter(f"t/{table}")
        tab.alive()
        return spent() - before


@contextmanager
def browser(profile: Path) -> Iterator[BrowserContext]:
    """Give a browser with a profile of its own on disk, quiet at first."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=ARGUMENTS, locale="en-GB")
        context.pages[0].wait_for_timeout(2000)
        yield context
        context.close()


def spent() -> float:
    """Return the processor seconds of all processes of browsers below this one, those of ended ones included; Playwright's node does not count."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                name = (entry / "comm").read_text(encoding="utf-8").strip()
            except OSError:
                continue  # it ended just now
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = 0 if name.startswith(DRIVER) else sum(int(field) for field in fields[11:15])
    return sum(ticks[process] for process in parents if below(process, parents)) / TICKS


def below(process: int, parents: dict[int, int]) -> bool:
    """Return whether a process descends from this one."""
    while process in parents:
        process = parents[process]
        if process == os.getpid():
            return True
    return False


if __name__ == "__main__":
    strict.run(main)
