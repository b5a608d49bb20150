"""What the house promises, the figure asked, and the figure reached: `make prove`, or `python -m tests.prove --small` for a minute.

Under each promise stands a fault that was planted: a harness that does not find it proves nothing.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from unittest import mock

import tablee
from tablee.core.errors import TableeError
from tablee.tables.dice import Dice, drawn
from tablee.tables.events import Event
from tablee.tables.proofs import verify
from tests.mutation.faults import Fault, faulty_text
from tests.prove_crowd import FIGURES
from tests.prove_row import Row
from tests.tables.company import Company

# A sum of squares above this comes by chance once in a thousand times (35 degrees of freedom).
MOST_CHI = 66.6
LOST = "a confirmed action is never lost or doubled"
FEW = ("--troubles", "1", "--tables", "3", "--watchers", "4", "--between", "20")
PLAYERS = "tests/web/test_player_troubles.py"
TOKEN_TESTS = ("tests/tables/test_tokens.py", "tests/web/test_tokens_at_doors.py")
SHORT_SOAK = ("--minutes", "2", "--games", "100")
CASES = 36
# How a harness ends that cannot be run on this machine.
UNTRIED = 3
SOURCE = Path(tablee.__file__).parent


def main() -> None:
    """Try every promise and print; the exit code is 1 if one is broken, and 3 if one could not be tried; the small form names that one."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--small", action="store_true", help="the small form, which is part of `make test`")
    small = words.parse_args().small
    print("| promise | asked | reached | |\n|---|---|---|---|", flush=True)
    broken, untried = False, []
    for proof in PROOFS:
        begun = time.monotonic()
        row = proof(small)
        if row is None:
            continue
        broken = broken or row.kept is False
        untried += [f"{row.promise}: {row.reached}"] if row.kept is None and not row.verdict else []
        verdict = row.verdict or {True: "kept", False: "BROKEN", None: "NOT PROVED"}[row.kept]
        print(f"| {row.promise} | {row.asked} | {row.reached} | {verdict}, {time.monotonic() - begun:.0f} s |", flush=True)
    for promise in untried:
        print(f"NOT PROVED on this machine: {promise}", flush=True)
    raise SystemExit(1 if broken else UNTRIED if untried and not small else 0)


def harness(promise: str, asked: str, module: str, large: tuple[str, ...], small_form: tuple[str, ...]) -> Callable[[bool], Row | None]:
    """Return a proof that runs a harness and quotes its first line; its exit code says whether the promise was kept.

    Without words for its small form it is part of the large one alone.
    """

    def proof(small: bool) -> Row | None:
        if small and not small_form:
            return None
        found = run(module, *(small_form if small else large))
        said = (found.stdout.splitlines() or found.stderr.splitlines()[-1:] or ["nothing"])[0]
        return Row(promise, asked, said, None if found.returncode == UNTRIED else found.returncode == 0)

    return proof


def caught(fault: str, module: str, *words: str, large: bool = False) -> Callable[[bool], Row | None]:
    """Return a proof that a harness fails on a planted fault; `large` belongs to the large form alone."""

    def proof(small: bool) -> Row | None:
        if small and large:
            return None
        found = run(module, *words)
        said = (found.stdout.splitlines() or ["nothing"])[0]
        return Row(f"— planted: {fault}", "found", said, None if found.returncode == UNTRIED else found.returncode == 1 and bool(found.stdout))

    return proof


def planted(fault: str, path: str, old: str, new: str, *tests_to_fail: str) -> Callable[[bool], Row | None]:
    """Return a proof that tests fail where a fault is planted in a copy of the source; part of the large form."""

    def proof(small: bool) -> Row | None:
        if small:
            return None
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "tablee"
            shutil.copytree(SOURCE, package, symlinks=True)
            file = package / path
            file.write_text(faulty_text(Fault(path, old, new, fault), file.read_text(encoding="utf-8")), encoding="utf-8")
            for compiled in package.glob(path.replace(".py", ".*.so")):
                compiled.unlink()
            found = run("pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests_to_fail, PYTHONPATH=folder)
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", found.stdout, re.MULTILINE)
        return Row(f"— planted: {fault}", "found", (failed or ["nothing"])[0], found.returncode == 1 and bool(failed))

    return proof


def throws(small: bool) -> Row:
    """Count what many throws of one table show."""
    count = 36_000 if small else 1_000_000
    chi = chi_square(Dice(b"p" * 32, "prove", number, [(0, b"c" * 16)]).draw(CASES) for number in range(count))
    return Row(
        "every throw is as likely as every other", "chi-square on 1,000,000 throws", f"{chi:.1f} on {count:,}; at most {MOST_CHI}", chi <= MOST_CHI
    )


def skewed(small: bool) -> Row:
    """Count throws of dice that take a byte modulo 36 and reject none, as one should not (the planted fault)."""
    count = 36_000
    with mock.patch.object(Dice, "draw", lambda dice, n: dice.take(1)[0] % n):
        chi = chi_square(Dice(b"p" * 32, "prove", number, [(0, b"c" * 16)]).draw(CASES) for number in range(count))
    return Row("— planted: dice that take a byte modulo 36", "found", f"{chi:.1f} on {count:,}; more than {MOST_CHI}", chi > MOST_CHI)


def chi_square(cases: Iterable[int]) -> float:
    """Return how far the counts of the cases are from equal."""
    seen = Counter(cases)
    expected = seen.total() / CASES
    return sum((seen[case] - expected) ** 2 / expected for case in range(CASES))


def frauds(small: bool) -> Row:
    """Forge each throw, contribution and secret of a finished game in turn."""
    events = Company("tablan", starts="lot").seated("Ana", "1").wander(3).table.events
    verify(events)
    forged = [one for event in events if (one := forgery(events, event)) is not None]
    forged = forged[:: 10 if small else 1]
    missed = sum(accepted(one) for one in forged)
    return Row("doctored dice are found", "every planted fraud", f"{len(forged) - missed} of {len(forged)}", missed == 0)


def forgery(events: list[Event], event: Event) -> list[Event] | None:
    """Return a log in which one event was doctored, if it has to do with the dice."""
    match event.kind:
        case "threw":
            ((n, value),) = drawn(event)
            payload = {**event.payload, "draws": [[n, (value + 1) % n]]}
        case "contributed":
            payload = {**event.payload, "bytes": "ab" * 16}
        case "revealed":
            payload = {**event.payload, "secret": "00" * 32}
        case _:
            return None
    return [replace(one, payload=payload) if one.seq == event.seq else one for one in events]


def accepted(events: list[Event]) -> bool:
    """Return whether doctored dice pass."""
    try:
        verify(events)
    except TableeError:
        return False
    return True


def tests(promise: str, asked: str, *paths: str, **environment: str) -> Callable[[bool], Row | None]:
    """Return a proof that runs tests; they are part of `make test` by themselves."""

    def proof(small: bool) -> Row | None:
        if small:
            return None
        found = run("pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *paths, **environment)
        counted = re.findall(r"\d+ (?:passed|failed|error)[^\n]*", found.stdout) or [found.stdout[-200:]]
        return Row(promise, asked, counted[-1].partition(" in ")[0], found.returncode == 0)

    return proof


def run(module: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python and return what it said."""
    return subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, check=False, env={**os.environ, **environment})


PROOFS: tuple[Callable[[bool], Row | None], ...] = (
    harness(
        LOST,
        "200 kill −9 of the log at random instants, 100,000 confirmed",
        "tests.store.kill",
        ("--kills", "200", "--lines", "2400", "--confirmed", "100000"),
        ("--kills", "3", "--lines", "50"),
    ),
    caught("confirming before the commit", "tests.store.kill", "--kills", "200", "--lines", "50", "--fault", "early", large=True),
    harness(LOST, "20 kill −9 of a house that plays", "tests.web.kill", ("--kills", "20", "--tables", "40"), ("--kills", "1", "--tables", "3")),
    caught("telling before the commit", "tests.web.kill", "--kills", "3", "--tables", "3", "--between", "10", "--fault", "early", large=True),
    harness("a power cut loses nothing", "3,000 images", "tests.store.power_cut", ("--images", "3000"), ("--images", "40")),
    caught("`synchronous=NORMAL`", "tests.store.power_cut", "--images", "40", "--fault", "normal"),
    harness("PostgreSQL killed: nothing lost or doubled", "20 kills", "tests.store.pg_kill", ("--kills", "20"), ("--kills", "1")),
    caught("`synchronous_commit=off`", "tests.store.pg_kill", "--kills", "20", "--fault", "async", large=True),
    harness("PostgreSQL failed over: nothing lost or doubled", "3 failovers", "tests.store.pg_failover", ("--failovers", "3"), ("--failovers", "1")),
    caught("a standby that is not waited for", "tests.store.pg_failover", "--failovers", "1", "--fault", "async", large=True),
    harness(
        "all see one history, at two houses in a storm",
        "every client's view a prefix of the log, Redis gone for 60 s, told in words",
        "tests.web.two_houses",
        ("--troubles", "20", "--redis-away", "60"),
        ("--troubles", "2", "--tables", "3", "--watchers", "4", "--between", "20"),
    ),
    caught("telling before the commit", "tests.web.two_houses", "--troubles", "6", "--between", "10", "--fault", "early", large=True),
    caught("the same, PostgreSQL killed", "tests.web.two_houses", *FEW, "--fault", "early", "--only", "kill_postgres", large=True),
    caught("a house that hears from Redis alone", "tests.web.two_houses", *FEW, "--fault", "needy", large=True),
    caught("a house that does again what is sent again", "tests.web.two_houses", *FEW, "--between", "100", "--fault", "twice", large=True),
    harness(
        "hosts that are cut off and joined again", "3 namespaces, 6 cuts", "tests.web.networks", ("--cuts", "6"), ("--cuts", "1", "--tables", "2")
    ),
    caught("a house that does not follow the ledger", "tests.web.networks", "--cuts", "1", "--fault", "alone", large=True),
    harness(
        "back after a cut, nothing missing",
        "2,000 reconnects, all within 2 s; stalled, doubled",
        "tests.web.chaos",
        ("--reconnects", "2000", "--most", "2"),
        ("--reconnects", "20", "--clients", "4"),
    ),
    caught("a house that stops telling", "tests.web.chaos", "--reconnects", "20", "--clients", "4", "--fault", "deaf", large=True),
    caught("a house that does again what is sent again", "tests.web.chaos", "--reconnects", "20", "--clients", "4", "--fault", "twice", large=True),
    caught("a house that confirms what it loses", "tests.web.chaos", "--reconnects", "5", "--clients", "4", "--fault", "lossy"),
    harness("bad input changes nothing", "100,000 requests, 500,000 frames", "tests.web.fuzz_doors", (), ("--requests", "400", "--frames", "800")),
    caught("a door that does not check", "tests.web.fuzz_doors", "--requests", "2000", "--frames", "0", "--fault", "trusting", large=True),
    caught("a socket that does not check", "tests.web.fuzz_doors", "--requests", "0", "--frames", "400", "--fault", "believing"),
    caught("a refusal that changes something", "tests.web.fuzz_doors", "--requests", "1000", "--frames", "0", "--fault", "hasty", large=True),
    caught("a request that is never answered", "tests.web.fuzz_doors", "--requests", "400", "--frames", "0", "--fault", "mute", large=True),
    caught("frames of any length", "tests.web.fuzz_doors", "--requests", "0", "--frames", "16000", "--fault", "boundless", large=True),
    harness(
        "memory stays flat (`make soak`: 30 minutes)",
        "2 minutes at half load",
        "tests.web.soak",
        SHORT_SOAK,
        ("--minutes", "0.1", "--games", "1", "--full", "2", "--players", "6"),
    ),
    caught("tables that stay in memory", "tests.web.soak", *SHORT_SOAK[:2], "--games", "1", "--players", "6", "--fault", "hoard", large=True),
    caught(
        "bytes that stay in memory",
        "tests.web.soak",
        "--minutes",
        "0.5",
        "--games",
        "1",
        "--full",
        "5",
        "--players",
        "6",
        "--fault",
        "leak",
        large=True,
    ),
    throws,
    skewed,
    frauds,
    tests("version 1 of the dice verifies as version 1, version 2 cannot be steered", "both", "tests/tables/test_dice_versions.py"),
    tests("a jump of the clock decides no game", "hours and years, both ways", "tests/web/test_clock_jumps.py"),
    planted(
        "the wall clock",
        "web/house_clock.py",
        "passed = time.monotonic() - self.begun",
        "passed = time.time() - self.started",
        "tests/web/test_clock_jumps.py",
    ),
    tests("only the holder moves a seat", "every command × every wrong token, at every door", *TOKEN_TESTS),
    planted(
        "a token that is not looked at", "tables/visit.py", "if not self.table.holds(self.actor, seat):", "if False:", "tests/tables/test_tokens.py"
    ),
    planted(
        "a socket that takes everybody for the house",
        "web/socket.py",
        "carry_out(self.live, command, self.listener.actor)",
        "carry_out(self.live, command, Actor(host=True))",
        "tests/web/test_tokens_at_doors.py",
    ),
    tests("players killed, stopped, eating memory: play goes on", "all", PLAYERS),
    planted(
        "a player that was killed ends the thinking",
        "web/engine_pool.py",
        "except (OSError, EOFError, ValueError) as error:",
        "except (OSError, ValueError) as error:",
        f"{PLAYERS}::test_players_come_to_harm_again_and_again_and_the_game_goes_on[killed]",
    ),
    planted(
        "a player that stands still is waited for",
        "web/engine_pool.py",
        "self.seconds + MARGIN_SECONDS +",
        "3600 +",
        f"{PLAYERS}::test_players_come_to_harm_again_and_again_and_the_game_goes_on[stopped]",
    ),
    planted("no end to their memory", "web/engine_worker.py", "(MEMORY_LIMIT, MEMORY_LIMIT)", "(-1, -1)", "tests/web/test_player_troubles.py"),
    tests("one visitor cannot stop the house", "every limit", "tests/web/test_limits.py"),
    planted(
        "headers that may take for ever",
        "web/connections.py",
        "self.counted.header_seconds, self.too_late",
        "1e6, self.too_late",
        "tests/web/test_limits.py",
    ),
    tests("a full disk, a damaged or deleted file, failed writes are told", "all", "tests/web/test_trouble.py", "tests/web/test_full_disk.py"),
    planted(
        "a write that fails is confirmed",
        "store/sqlite.py",
        'future.set_exception(StoreError(f"the commit failed: {error}"))',
        "future.set_result(None)",
        "tests/store/test_faults.py::test_on_a_full_disk_nothing_is_confirmed_that_is_not_there_and_afterwards_all_goes_on",
    ),
    planted(
        "a file that was deleted is not missed",
        "web/file_watch.py",
        "if self.file is None or identity(self.path) != self.file:",
        "if False:",
        "tests/web/test_trouble.py::test_a_folder_that_was_deleted_is_told_and_nothing_more_is_confirmed",
    ),
    planted(
        "a damaged page is not looked for",
        "web/file_watch.py",
        'return "" if found == "ok" else',
        'return "" if found else',
        "tests/web/test_trouble.py::test_a_damaged_page_is_found",
    ),
    planted(
        "a commit that fails silently", "web/house.py", 'log.error("a commit failed"', 'log.debug("a commit failed"', "tests/web/test_trouble.py"
    ),
    tests("a killed tab of the site loses and doubles nothing", "20 kills", "tests/site/test_kill.py", TABLEE_KILLS="20"),
    *FIGURES,
)


if __name__ == "__main__":
    main()
