"""What the house promises, the figure asked, and the figure reached: `make prove`, or `python -m tests.prove --small` for a minute.

Under each promise stands a fault that was planted: a harness that does not find it proves nothing. Each row is told as it ends, and
the table of all comes last; it ends with 1 if a promise is broken, and with 3 if one could not be tried.
"""

import argparse
import os
import signal
import sys

from tests.prove_crowd import FIGURES
from tests.prove_row import Proof
from tests.prove_run import run_all
from tests.prove_ways import caught, harness, planted, tests

LOST = "a confirmed action is never lost or doubled"
FEW = ("--troubles", "1", "--tables", "3", "--watchers", "4", "--between", "20")
PLAYERS = "tests/web/test_player_troubles.py"
TOKEN_TESTS = ("tests/tables/test_tokens.py", "tests/web/test_tokens_at_doors.py")
DICE = "tests.prove_dice"
SHORT_SOAK = ("--minutes", "2", "--games", "100")


def main() -> None:
    """Try every promise and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--small", action="store_true", help="the small form, which is part of `make test`")
    words.add_argument(
        "--lanes", type=int, default=os.cpu_count() or 1, help="how many are tried beside each other; what looks at the clock is tried alone"
    )
    words.add_argument("--only", default="", help="only the promises in which this stands")
    chosen = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    proofs = [proof for proof in PROOFS if chosen.only in f"{proof.promise}: {proof.asked}"]
    raise SystemExit(run_all(proofs, chosen.small, chosen.lanes))


PROOFS: tuple[Proof, ...] = (
    harness(
        LOST,
        "200 kill −9 of the log at random instants, 100,000 confirmed",
        "tests.store.kill",
        ("--kills", "200", "--lines", "2400", "--confirmed", "100000"),
        ("--kills", "3", "--lines", "50"),
    ),
    caught("confirming before the commit", "tests.store.kill", "--kills", "200", "--lines", "50", "--fault", "early", large=True),
    harness(LOST, "20 kill −9 of a house that plays", "tests.web.kill", ("--kills", "20", "--tables", "40"), ("--kills", "1", "--tables", "3")),
    caught("telling before the commit", "tests.web.kill", "--kills", "4", "--tables", "9", "--between", "60", "--fault", "early", large=True),
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
        "hosts that are cut off and joined again",
        "3 namespaces, 6 cuts",
        "tests.web.networks",
        ("--cuts", "6"),
        ("--cuts", "1", "--tables", "2"),
        alone=True,
    ),
    caught("a house that does not follow the ledger", "tests.web.networks", "--cuts", "1", "--fault", "alone", large=True, alone=True),
    harness(
        "back after a cut, nothing missing",
        "2,000 reconnects, all within 2 s; stalled, doubled",
        "tests.web.chaos",
        ("--reconnects", "2000", "--most", "2"),
        ("--reconnects", "20", "--clients", "4"),
        alone=True,
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
        alone=True,
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
    harness("every throw is as likely as every other", "chi-square on 1,000,000 throws", DICE, ("--throws", "1000000"), ("--throws", "36000")),
    caught("dice that take a byte modulo 36", DICE, "--throws", "36000", "--fault", "skewed"),
    harness("doctored dice are found", "every planted fraud", DICE, ("--frauds", "1"), ("--frauds", "10")),
    caught("a verifier that looks at the seals alone", DICE, "--frauds", "10", "--fault", "blind"),
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
        "carry_out(self.live, command, type(self.listener.actor)(host=True))",
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
        '(future, None, StoreError(f"the commit failed: {error}"))',
        "(future, None, None)",
        "tests/store/test_faults.py::test_on_a_full_disk_nothing_is_confirmed_that_is_not_there_and_afterwards_all_goes_on",
    ),
    planted(
        "a file that was deleted is not missed",
        "store/sqlite.py",
        "if self.lost or not self.there():",
        "if False:",
        "tests/web/test_trouble.py::test_a_folder_deleted_during_a_commit_confirms_nothing",
    ),
    planted(
        "a damaged page is not looked for",
        "web/file_watch.py",
        'return "" if verdict == "ok" else',
        'return "" if verdict else',
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
