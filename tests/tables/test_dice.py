"""The dice: sealed, mixed, bound to their place in the game, fair, and checked by anybody."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tablee.core.errors import TableeError
from tablee.tables.dice import Dice, DiceError, commitment, drawn, mixture
from tablee.tables.events import Event
from tablee.tables.proofs import proof, verify
from tests.tables.company import Company

VECTORS = json.loads(Path(__file__).with_name("dice_vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['table']} {vector['dice']}")
def test_the_vectors_of_the_protocol_come_out(vector: dict[str, object]) -> None:
    match vector:
        case {
            "dice": int(version),
            "table": str(table),
            "secret": str(secret),
            "commitment": str(sealed),
            "contributions": list(given),
            "mixture": str(mixed),
            "events": list(events),
        }:
            contributions = [(one["seat"], bytes.fromhex(one["bytes"])) for one in given]
            assert commitment(table, bytes.fromhex(secret), version) == sealed
            assert mixture(contributions).hex() == mixed
            for event in events:
                dice = Dice(bytes.fromhex(secret), table, event["number"], contributions, event["label"].encode())
                assert [[n, dice.draw(n)] for n, _ in event["draws"]] == event["draws"]
        case _:
            pytest.fail("a vector lacks a field")


def test_the_vectors_hold_words_that_were_thrown_away() -> None:
    assert sum(event["rejected"] for vector in VECTORS for event in vector["events"]) > 20


class Counted(Dice):
    """Dice whose stream is every word of a width once: what is drawn from it is exactly as likely as the words make it."""

    def take(self, count: int) -> bytes:
        """Return the next word, each once; raise when all were there."""
        if self.block == 256**count:
            raise StopIteration
        self.block += 1
        return (self.block - 1).to_bytes(count, "big")


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 36, 100, 128, 129, 216, 255, 256, 257, 1000, 40_000, 65_535, 65_536])
def test_every_number_is_exactly_as_likely_as_every_other(n: int) -> None:
    """All words of the width, each once: after rejection every number has come equally often, and as few words as can be were thrown away."""
    dice = Counted(b"", "", 0, [])
    seen: Counter[int] = Counter()
    with suppress(StopIteration):
        while True:
            seen[dice.draw(n)] += 1
    words = 256 if n <= 256 else 65_536
    assert set(seen) == set(range(n))
    assert set(seen.values()) == {words // n}


def test_contributions_count_in_the_order_of_the_log() -> None:
    one, two = (0, b"a" * 16), (1, b"b" * 16)
    assert mixture([one, two]) != mixture([two, one])
    assert mixture([one]) != mixture([one, two])
    assert mixture([(0, b"a" * 16)]) != mixture([(1, b"a" * 16)])


def test_no_two_lists_of_parts_look_alike() -> None:
    """Each part comes after its length: moving a byte from one to the next changes the hash."""
    assert commitment("ab", b"c" * 32) != commitment("a", b"b" + b"c" * 31)
    assert mixture([(0, b"a" * 17), (0, b"a" * 16)]) != mixture([(0, b"a" * 16), (0, b"a" * 17)])


def test_a_throw_depends_on_secret_table_event_and_contributions() -> None:
    def numbers(secret: bytes = b"s" * 32, table: str = "t", number: int = 5, given: bytes = b"c" * 16, label: bytes = b"throw") -> list[int]:
        dice = Dice(secret, table, number, [(0, given)], label)
        return [dice.draw(2**32) for _ in range(4)]

    assert numbers() == numbers()
    others = [numbers(secret=b"S" * 32), numbers(table="u"), numbers(number=6), numbers(given=b"C" * 16), numbers(label=b"start")]
    assert all(one != numbers() for one in others)


@pytest.mark.parametrize("n", [0, -1, 2**48 + 1])
def test_what_cannot_be_drawn_is_refused(n: int) -> None:
    with pytest.raises(TableeError, match="cases"):
        Dice(b"", "", 0, []).draw(n)


def finished() -> Sequence[Event]:
    """Return the log of a finished game with many throws."""
    return Company("tablan", starts="lot").seated("Ana", "1").wander(3).table.events


def test_the_log_of_a_finished_game_proves_its_dice() -> None:
    events = finished()
    thrown = sum(1 for event in events if event.kind == "threw")
    assert verify(events) >= thrown > 20


def forged(events: Sequence[Event], seq: int, **fields: object) -> list[Event]:
    """Return a log with other fields in one payload, its hash chain left as it is."""
    return [replace(event, payload={**event.payload, **fields}) if event.seq == seq else event for event in events]  # type: ignore[dict-item]


def test_a_changed_draw_is_found() -> None:
    events = finished()
    for event in events:
        if event.kind == "threw":
            ((n, value),) = drawn(event)
            with pytest.raises(DiceError) as found:
                verify(forged(events, event.seq, draws=[[n, (value + 1) % n]]))
            assert found.value.seq == event.seq


def test_a_changed_secret_or_contribution_is_found() -> None:
    events = finished()
    last, given = events[-1], next(event for event in events if event.kind == "contributed")
    program = next(event for event in events if event.kind == "contributed" and event.seat == 1)
    with pytest.raises(DiceError, match="sealed before play"):
        verify(forged(events, last.seq, secret=hashlib.sha256(b"other").hexdigest()))
    with pytest.raises(DiceError, match="a program contributed"):
        verify(forged(events, given.seq, bytes="ab" * 16))
    with pytest.raises(DiceError, match="a program contributed"):
        verify(forged(events, program.seq, bytes="ab" * 32))
    two = Company("tablan").seated("Ana", "Ben").wander(3).table.events
    given = next(event for event in two if event.kind == "contributed")
    with pytest.raises(DiceError, match="the sealed dice give"):
        verify(forged(two, given.seq, bytes="ab" * 16))


def test_a_throw_that_was_left_out_is_found() -> None:
    """A throw is bound to its place among the throws: without one of them, all later ones would be others."""
    one = proof(finished())
    with pytest.raises(DiceError):
        replace(one, draws=(one.draws[0], *one.draws[2:])).check()


def test_without_the_secret_nothing_is_proved() -> None:
    with pytest.raises(DiceError, match="not revealed"):
        verify(finished()[:-1])


def test_nothing_is_contributed_after_the_start() -> None:
    events = finished()
    given = next(event for event in events if event.kind == "contributed")
    with pytest.raises(DiceError, match="after the start"):
        proof([*events, given])
