"""What the events of a table hold, a struct for each kind. A field that is not set is not written."""

from collections.abc import Mapping
from typing import ClassVar, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tablee.tables.clock import ClockTerms
from tablee.tables.events import ChainError, Event, EventKind, Json
from tablee.tables.values import Ask, Chat, Sitter, Sitting, Starts, Watching

Draws = tuple[tuple[int, int], ...]
P = TypeVar("P", bound="Payload")


class Payload(Struct, frozen=True, kw_only=True):
    """What an event of one kind holds; `digest` stands with the `move_id` of the request that made it."""

    kind: ClassVar[EventKind]

    digest: str | UnsetType = UNSET


class InvitationKept(Struct, frozen=True):
    """An invitation as the log keeps it: the hash of its token, and the seat it is for, if for one."""

    hash: str
    seat: int | None


class Match(Struct, frozen=True):
    """Games played one after the other by the same players: what each seat has won, shared and scored before this one."""

    id: str
    number: int = 1
    previous: str = ""
    won: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


class Opened(Payload, frozen=True):
    """A table was opened on its terms, with sealed dice; `dice` is their version, 1 where it is not set.

    `setup` is what it has chosen of the set-up; `setup_by_seat` names what of it goes with the players when lots are drawn for the seats.
    """

    kind = EventKind.OPENED

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    clock: ClockTerms | None
    sitting: Sitting
    watching: Watching
    chat: Chat
    hints: bool
    starts: Starts
    position: str
    substitute: str
    setup: dict[str, str] = {}
    setup_by_seat: tuple[str, ...] | UnsetType = UNSET
    commitment: str = ""
    dice: int | UnsetType = UNSET
    opener: str = ""
    watch: str = ""
    invitations: tuple[InvitationKept, ...] = ()
    match: Match | None = None


class Seated(Payload, frozen=True):
    """Somebody sat down (`token_hash`), or a program did (`level`); `because` of the time, if so."""

    kind = EventKind.SEATED

    player: Sitter
    level: str | UnsetType = UNSET
    token_hash: str | UnsetType = UNSET
    invitation: str | UnsetType = UNSET
    seal: str | UnsetType = UNSET
    because: str | UnsetType = UNSET


class Left(Payload, frozen=True):
    """Somebody got up; `absent` if the house said so."""

    kind = EventKind.LEFT

    absent: bool = False


class Invited(Payload, frozen=True):
    """Somebody may come."""

    kind = EventKind.INVITED

    hash: str
    seat: int | None


class Contributed(Payload, frozen=True):
    """A seat added bytes to the dice, in hex."""

    kind = EventKind.CONTRIBUTED

    bytes: str


class Started(Payload, frozen=True):
    """The game began; `order[k]` is the seat of who sat at k. `silent` are the people, as they sat, who contributed nothing to the dice."""

    kind = EventKind.STARTED

    order: tuple[int, ...]
    setup: dict[str, str]
    draws: Draws
    silent: tuple[int, ...] | UnsetType = UNSET


class Acted(Payload, frozen=True):
    """A seat acted; `spent` is what its clock is charged, in milliseconds."""

    kind = EventKind.ACTED

    token: str
    spent: int = 0


class Threw(Payload, frozen=True):
    """The dice fell."""

    kind = EventKind.THREW

    token: str
    draws: Draws


class Asked(Payload, frozen=True):
    """A seat asks something of the others; a take-back names the action that would go."""

    kind = EventKind.ASKED

    what: Ask
    to_seq: int | UnsetType = UNSET


class Answered(Payload, frozen=True):
    """A seat answered."""

    kind = EventKind.ANSWERED

    what: Ask
    yes: bool


class TookBack(Payload, frozen=True):
    """The game went back to the state before an action."""

    kind = EventKind.TOOK_BACK

    to_seq: int


class Hinted(Payload, frozen=True):
    """A seat was shown a hint."""

    kind = EventKind.HINTED

    tokens: tuple[str, ...]


class Said(Payload, frozen=True):
    """A seat said a phrase, or a text that stands beside the chain under its seal."""

    kind = EventKind.SAID

    phrase: str | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class Resigned(Payload, frozen=True):
    """A seat gave up."""

    kind = EventKind.RESIGNED


class Resumed(Payload, frozen=True):
    """The house is back: what each seat had spent, and how long the house was away, in milliseconds."""

    kind = EventKind.RESUMED

    spent: dict[str, int]
    outage: int = 0


class Ended(Payload, frozen=True):
    """The game is over; `reason` is a paragraph of its rules (with `agreed` where the players stopped by it), or how a table ended it."""

    kind = EventKind.ENDED

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class Resealed(Payload, frozen=True):
    """The house came back from a backup: from the next throw on the dice come from another secret, sealed here."""

    kind = EventKind.RESEALED

    commitment: str


class Revealed(Payload, frozen=True):
    """The secret of the dice is opened, and those of later seals, in order."""

    kind = EventKind.REVEALED

    secret: str
    resealed: tuple[str, ...] | UnsetType = UNSET


class RematchMade(Payload, frozen=True):
    """Everybody wants another game, at another table."""

    kind = EventKind.REMATCH

    table: str


PAYLOADS: Mapping[str, type[Payload]] = {payload.kind: payload for payload in Payload.__subclasses__()}


def fields_of(payload: Payload) -> dict[str, Json]:
    """Return a payload as it is written and read again; it holds the same texts, not copies."""
    return {name: listed(value) for name, value in msgspec.to_builtins(payload).items()}


def listed(value: Json) -> Json:
    """Return a value with lists where it has tuples, as it is read again."""
    if isinstance(value, dict):
        return {name: listed(item) for name, item in value.items()}
    return [listed(item) for item in value] if isinstance(value, tuple | list) else value


def payload_of(event: Event) -> Payload:
    """Return the payload of an event; `ChainError` if it is not what its kind holds."""
    if event.kind not in PAYLOADS:
        raise ChainError(event.seq, f"{event.kind!r} is no kind of event")
    return payload_as(event, PAYLOADS[event.kind])


def payload_as(event: Event, kind: type[P]) -> P:
    """Return the payload of an event that must be of one kind."""
    try:
        return msgspec.convert(event.payload, kind)
    except msgspec.ValidationError as error:
        raise ChainError(event.seq, f"{event.kind!r} cannot be read: {error}") from error
