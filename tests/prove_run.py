"""Runs proofs, some beside each other, for a bounded time; whatever happens to one, the others go on, and a table ends it all."""

import os
import time
import traceback
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial

from tests.prove_row import Found, Proof, Row
from tests.prove_ways import UNTRIED, stop_all

# All together take at most so long; a row that does not end takes no more than its part.
MOST_SECONDS, MOST_A_ROW = 3500.0, 1200.0
HEAD = "| promise | asked | reached | |\n|---|---|---|---|"


def run_all(proofs: Sequence[Proof], small: bool, lanes: int = os.cpu_count() or 1, most: float = MOST_SECONDS) -> int:
    """Try every proof, tell each as it ends, then print the table; return 1 if a promise is broken, 3 if one could not be tried (large form)."""
    chosen = [proof for proof in proofs if proof.in_small or not small]
    until = time.monotonic() + most
    rows: dict[Proof, Row] = {}
    try:
        for row in tried(chosen, small, lanes, until):
            rows[row.proof] = row
            print(f"{len(rows)} of {len(chosen)}: {row.proof.promise}: {row.found.reached}: {row.verdict}, {row.seconds:.0f} s", flush=True)
    except BaseException:
        stop_all()
        raise
    finally:  # also if somebody stops it
        print(f"\n{HEAD}", *(rows[proof] for proof in chosen if proof in rows), sep="\n", flush=True)
    kept = [row.found.kept for row in rows.values()]
    untried = [row for row in rows.values() if row.found.kept is None and not row.found.verdict]
    for row in untried:
        print(f"NOT PROVED on this machine: {row.proof.promise}: {row.found.reached}", flush=True)
    return 1 if False in kept else UNTRIED if untried and not small else 0


def tried(proofs: Sequence[Proof], small: bool, lanes: int, until: float) -> Iterable[Row]:
    """Try proofs in lanes beside each other, then those that must be alone, and give each row as it ends."""
    work = partial(one, small=small, until=until)
    with ThreadPoolExecutor(max(1, lanes)) as pool:
        running = [pool.submit(work, proof) for proof in proofs if not proof.alone]
        try:
            for future in as_completed(running):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    yield from (work(proof) for proof in proofs if proof.alone)


def one(proof: Proof, small: bool, until: float) -> Row:
    """Try one proof; an error of the trial is told as a promise that was not kept."""
    begun = time.monotonic()
    if begun >= until:
        return Row(proof, Found("no time was left for it"), 0.0)
    try:
        found = proof.trial(small, min(MOST_A_ROW, until - begun))
    except Exception as error:  # whatever it is, the other promises are tried all the same
        traceback.print_exc()
        found = Found(f"{type(error).__name__}: {str(error)[:200]}", False)
    return Row(proof, found, time.monotonic() - begun)
