"""What the log of a finished table proves of its dice, without its rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tablee.tables.dice import VERSIONS, Contribution, Dice, DiceError, bound_dice, check_program, commitment, drawn, unhex
from tablee.tables.events import Event, EventKind
from tablee.tables.payloads import Contributed, Opened, Resealed, Revealed, Seated, payload_as
from tablee.tables.values import Sitter


@dataclass(frozen=True)
class Seal:
    """A commitment, the event from which on it holds, and its secret once it is revealed."""

    since: int
    commitment: str
    secret: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Proof:
    """All that is needed to check the dice of a table, and nothing of its rules.

    `draws` are the start and then each throw, as (event, ((cases, drawn), …)); the last `programs` contributions are those of programs.
    """

    version: int
    table: str
    seals: tuple[Seal, ...]
    contributions: tuple[Contribution, ...]
    programs: int
    draws: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]

    def dice(self, number: int) -> Dice:
        """Return the dice of the draws with that number: 0 is the start, then come the throws."""
        seq = self.draws[number][0]
        secret = [seal.secret for seal in self.seals if seal.since <= seq][-1]
        return bound_dice(self.version, secret, self.table, seq, number - 1 if number else None, self.contributions)

    def check(self) -> int:
        """Return how many numbers were recomputed, or raise `DiceError` at the first that differs."""
        self.check_seals()
        count = 0
        for number, (seq, pairs) in enumerate(self.draws):
            dice = self.dice(number)
            for n, value in pairs:
                drawn = dice.draw(n)
                if drawn != value:
                    raise DiceError(seq, f"{value} was drawn of {n}, and the sealed dice give {drawn}")
                count += 1
        return count

    def check_seals(self) -> None:
        """Raise unless each secret is the one that was sealed, and programs contributed nothing of their own choice."""
        if self.version not in VERSIONS:
            raise DiceError(0, f"dice of version {self.version} are not known here: expected {' or '.join(map(str, VERSIONS))}")
        for seal in self.seals:
            if commitment(self.table, seal.secret, self.version) != seal.commitment:
                raise DiceError(seal.since, "the secret is not the one that was sealed before play")
        people = self.contributions[: len(self.contributions) - self.programs]
        for _, data in self.contributions[len(people) :]:
            check_program(0, data, people)


def proof(events: Sequence[Event]) -> Proof:
    """Return what the log of a finished table proves; the dice of an unfinished table cannot be checked yet."""
    opened = payload_as(events[0], Opened)
    seals = [(0, opened.commitment)]
    contributions: list[Contribution] = []
    programs: set[int] = set()
    draws: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    given = 0
    secrets: tuple[bytes, ...] = ()
    for event in events:
        match event.kind:
            case EventKind.SEATED:
                (programs.add if payload_as(event, Seated).player == Sitter.PROGRAM else programs.discard)(event.seat or 0)
            case EventKind.CONTRIBUTED:
                if draws:
                    raise DiceError(event.seq, "something was contributed after the start")
                contributions.append((event.seat or 0, unhex(event.seq, payload_as(event, Contributed).bytes)))
                given += event.seat in programs
            case EventKind.STARTED | EventKind.THREW:
                draws.append((event.seq, drawn(event)))
            case EventKind.RESEALED:
                seals.append((event.seq, payload_as(event, Resealed).commitment))
                contributions = contributions if draws else []
            case EventKind.REVEALED:
                secrets = revealed_secrets(event)
    return Proof(opened.dice or 1, events[0].table, sealed(seals, secrets, len(events)), tuple(contributions), given, tuple(draws))


def revealed_secrets(event: Event) -> tuple[bytes, ...]:
    """Return the secrets that an event reveals, oldest first."""
    revealed = payload_as(event, Revealed)
    return tuple(unhex(event.seq, secret) for secret in (revealed.secret, *(revealed.resealed or ())))


def sealed(seals: Sequence[tuple[int, str]], secrets: Sequence[bytes], end: int) -> tuple[Seal, ...]:
    """Return each seal with its secret; raise where one is not revealed."""
    if len(secrets) != len(seals):
        raise DiceError(end, "the secret is not revealed: the game still goes on, or the end of the log is missing")
    return tuple(Seal(since, seal, secret) for (since, seal), secret in zip(seals, secrets, strict=True))


def verify(events: Sequence[Event]) -> int:
    """Return how many numbers of a finished table's log were recomputed, or raise `DiceError`; their meaning on the board is not checked."""
    return proof(events).check()
