"""Reads what the payload of an event holds; nonsense is told in one sentence."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tablee.core.errors import TableeError
from tablee.tables.events import ChainError, Event, Json, Payload
from tablee.tables.values import Match


@contextmanager
def readable(event: Event) -> Iterator[None]:
    """Turn what goes wrong with a payload of nonsense into one sentence."""
    try:
        yield
    except TableeError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise ChainError(event.seq, f"{event.kind!r} cannot be read: {type(error).__name__} {error}") from error


def at_seat(event: Event) -> int:
    """Return the seat of an event that must have one."""
    if event.seat is None or event.seat < 0:
        raise TypeError("the seat is missing")
    return event.seat


def whole(value: Json) -> int:
    """Return a whole number of a payload."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def listed(value: Json) -> list[Json]:
    """Return a list of a payload."""
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is no list")
    return list(value)


def named(value: Json) -> Payload:
    """Return the fields of a payload."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} has no fields")
    return value


def read_invitation(value: Json) -> tuple[str, int | None]:
    """Return the hash of an invitation, and the seat it is for."""
    fields = named(value)
    seat = fields["seat"]
    return str(fields["hash"]), None if seat is None else whole(seat)


def read_match(value: Json, table: str) -> Match:
    """Return the match that `opened` names, or a new one."""
    if value is None:
        return Match(table)
    fields = named(value)
    won, shared, points = (tuple(whole(one) for one in listed(fields[name])) for name in ("won", "shared", "points"))
    return Match(str(fields["id"]), whole(fields["number"]), str(fields["previous"]), won, shared, points)
