"""Whether the dice are fair and doctored ones are found: `python -m tests.prove_dice --throws 1000000 [--fault skewed]`, or `--frauds`.

With `--fault skewed` the dice take a byte modulo 36 and reject none, as one should not; with `--fault blind` only the seals are looked at.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from unittest import mock

from tablee.core.errors import TableeError
from tablee.tables import proofs
from tablee.tables.dice import Dice, bound_dice, drawn
from tablee.tables.events import Event
from tests.tables.company import Company

# A sum of squares above this comes by chance once in a thousand times (35 degrees of freedom).
MOST_CHI = 66.6
CASES = 36


def throws(count: int) -> tuple[str, bool]:
    """Count what many throws of one table show."""
    seen = (bound_dice(2, b"p" * 32, "prove", 0, number, [(0, b"c" * 16)]).draw(CASES) for number in range(count))
    chi = chi_square(seen)
    return f"{chi:.1f} on {count:,}; at most {MOST_CHI}", chi <= MOST_CHI


def chi_square(cases: Iterable[int]) -> float:
    """Return how far the counts of the cases are from equal."""
    seen = Counter(cases)
    expected = seen.total() / CASES
    return sum((seen[case] - expected) ** 2 / expected for case in range(CASES))


def frauds(every: int) -> tuple[str, bool]:
    """Forge each throw, contribution and secret of a finished game in turn; of many, `every` so many."""
    events = Company("tablan", starts="lot").seated("Ana", "1").wander(3).table.events
    proofs.verify(events)
    forged = [one for event in events if (one := forgery(events, event)) is not None][::every]
    missed = sum(accepted(one) for one in forged)
    return f"{len(forged) - missed} of {len(forged)}", missed == 0 and bool(forged)


def forgery(events: Sequence[Event], event: Event) -> list[Event] | None:
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
        proofs.verify(events)
    except TableeError:
        return False
    return True


def main() -> None:
    """Try it and say what was found; exit status 1 if it is not as promised."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--throws", type=int, default=0)
    words.add_argument("--frauds", type=int, default=0, help="forge every so many events")
    words.add_argument("--fault", choices=["", "skewed", "blind"], default="")
    chosen = words.parse_args()
    skewed = mock.patch.object(Dice, "draw", lambda dice, n: dice.take(1)[0] % n)
    blind = mock.patch.object(proofs.Proof, "check", proofs.Proof.check_seals)
    if chosen.fault:
        (skewed if chosen.fault == "skewed" else blind).start()
    said, kept = throws(chosen.throws) if chosen.throws else frauds(max(1, chosen.frauds))
    print(said)
    raise SystemExit(0 if kept else 1)


if __name__ == "__main__":
    main()
