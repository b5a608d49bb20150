"""The library in a browser tab: bytes to load, processor time to start, and the engine in WebAssembly beside this machine's own.

    python -m bench.offline

Python is started under node as a worker starts it. Builds take turns, in processor time, and the best run of each counts.
Where Chromium and Playwright are, `bench.offline_browser` measures the same site in it, in the same run.
"""

import json
import subprocess
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import strict
from bench.engine import every_game
from bench.plain import must_be_compiled
from bench.rate import Rate, best
from tablee.catalog import OURS
from tablee.site import Built, build_python
from tablee.site.folder import PYTHON, write_site
from tablee.site.pyodide import pyodide
from tablee.site.tools import key_of, need, run

WORK = Path("build/site")
NODE = Path(__file__).with_name("offline.mjs")
ROUNDS = 3
SECONDS = 0.3
MOST_BYTES = 10_000_000
MOST_OF_PYODIDE = 2.0
OF_NATIVE = 0.12
MOST_ANSWER = 0.3
BROTLI = "const z=require('zlib');process.stdout.write(String(z.brotliCompressSync(require('fs').readFileSync(process.argv[1])).length))"


def main() -> None:
    """Measure and print."""
    must_be_compiled()
    need("node", "runs the Python of the browser")
    with TemporaryDirectory() as directory:
        site = write_site(Path(directory) / "site", work=WORK)
        builds = {"compiled": site.python, "plain": build_python(Path(directory) / "plain", work=WORK, compiled=False)}
        weigh(site.folder)
        start(builds["compiled"])
        compare(builds)
        answer(builds)
        in_chromium(site.folder)


def in_chromium(folder: Path) -> None:
    """Measure the site in a real Chromium, or say what is missing."""
    try:
        from bench.offline_browser import measure
        from tests.browser.guest import CHROMIUM
    except ImportError as error:
        print(f"\nNOT MEASURED: a real Chromium ({error})")
        return
    if not Path(CHROMIUM).exists():
        print(f"\nNOT MEASURED: a real Chromium ({CHROMIUM} is missing)")
        return
    print()
    measure(folder)


def weigh(folder: Path) -> None:
    """Print what a browser loads: every file that the site names, Python's one by one and those of the pages together."""
    print("| bytes to load | as it is | gzip | brotli |\n|---|--:|--:|--:|")
    sums = [0, 0, 0]
    others = [0, 0, 0]
    for name in json.loads((folder / "files.json").read_text(encoding="utf-8"))["files"]:
        sizes = compressed(folder / name)
        sums = [total + size for total, size in zip(sums, sizes, strict=True)]
        if name.startswith(f"{PYTHON}/"):
            print(f"| {name} | " + " | ".join(f"{size:,}" for size in sizes) + " |")
        else:
            others = [total + size for total, size in zip(others, sizes, strict=True)]
    print("| pages, scripts, styles, pictures | " + " | ".join(f"{size:,}" for size in others) + " |")
    print("| together | " + " | ".join(f"{size:,}" for size in sums) + " |\n")
    print(f"- {strict.verdict(sums[2] <= MOST_BYTES)}: {sums[2] / 1e6:.2f} MB brotli, wanted at most {MOST_BYTES / 1e6:.0f} MB\n")


def compressed(path: Path) -> tuple[int, int, int]:
    """Return the size of a file, and compressed as servers do it; brotli takes its time, so its answer is kept."""
    data = path.read_bytes()
    kept = WORK / "brotli" / key_of(data)
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(run(["node", "-e", BROTLI, path], "node cannot compress"), encoding="ascii")
    return len(data), min(len(data), len(zlib.compress(data, 9))), min(len(data), int(kept.read_text(encoding="ascii")))


def start(built: Built) -> None:
    """Print the processor time of Pyodide as its package is, and of Python ready to answer."""
    own = pyodide(WORK)
    runs = [(inside(own, "pyodide"), inside(built.folder, "ready")) for _ in range(ROUNDS)]
    alone, ready = min(run[0]["seconds"] for run in runs), min(run[1]["seconds"] for run in runs)
    print("| processor seconds under node | |\n|---|--:|")
    print(f"| Pyodide alone | {alone:.2f} |\n| the house imported, ready to answer | {ready:.2f} |\n")
    print(f"- {strict.verdict(ready <= MOST_OF_PYODIDE * alone)}: {ready / alone:.2f} × Pyodide alone, wanted at most {MOST_OF_PYODIDE:.0f} ×\n")


def compare(builds: dict[str, Built]) -> None:
    """Print random moves a second of each game, natively and in WebAssembly."""
    rates: dict[str, list[Rate]] = {"native": [], **{name: [] for name in builds}}
    for _ in range(ROUNDS):
        rates["native"] += every_game(SECONDS)
        for name, built in builds.items():
            rates[name] += [Rate(*row) for row in inside(built.folder, "engine", SECONDS)["rates"]]
    fastest = {name: best(each) for name, each in rates.items()}
    print("| random moves/s | native | WebAssembly | of native | plain in WebAssembly |\n|---|--:|--:|--:|--:|")
    parts = {}
    for slug in OURS:
        native, wasm, plain = (fastest[name][slug].moves_per_second for name in ("native", "compiled", "plain"))
        parts[slug] = wasm / native
        print(f"| {slug} | {native:,.0f} | {wasm:,.0f} | {parts[slug]:.3f} | {plain:,.0f} |")
    least = min(parts, key=lambda slug: parts[slug])
    print(f"\n- {strict.verdict(parts[least] >= OF_NATIVE)}: {parts[least]:.3f} of native ({least} least), wanted {OF_NATIVE}\n")


def answer(builds: dict[str, Built]) -> None:
    """Print the time of an answer of level 4 in the player worker: the record read, the action chosen."""
    print("| ms an answer of level 4, median (slowest) | compiled | plain |\n|---|--:|--:|")
    times = {name: inside(built.folder, "answer", 12 if name == "compiled" else 3)["seconds"] for name, built in builds.items()}
    middle = {name: {slug: sorted(each)[len(each) // 2] for slug, each in games.items()} for name, games in times.items()}
    for slug in OURS:
        cells = (f"{middle[name][slug] * 1000:.0f} ({max(times[name][slug]) * 1000:.0f})" for name in times)
        print(f"| {slug} | {' | '.join(cells)} |")
    slowest = max(OURS, key=lambda slug: middle["compiled"][slug])
    answer = middle["compiled"][slowest]
    print(f"\n- {strict.verdict(answer <= MOST_ANSWER)}: {answer:.3f} s ({slowest} slowest), wanted {MOST_ANSWER} s")


def inside(folder: Path, task: str, amount: float = 0) -> dict[str, Any]:
    """Run a task of offline_tasks.py in the Python of the browser and return what it finds."""
    command = ["node", str(NODE), folder.absolute().as_uri() + "/", task, str(amount)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    strict.run(main)
