"""The seats taken at tables of houses, kept for their user alone: the same command leads back to a seat after the terminal was closed."""

import json
import os
from contextlib import suppress
from pathlib import Path

from tablee.room.room import Room
from tablee.terminal.lines import state_folder

MOST = 200


def room_of(url: str, language: str, name: str = "") -> Room:
    """Return the table of a URL, with the seat that the same URL and name took there before."""
    room = Room(url, language=language)
    token = tokens().get(address(room, name), "")
    return Room(url, token=token, language=language) if token else room


def take_seat(room: Room, name: str, chosen: str, player: str) -> None:
    """Sit down under a name, and remember the seat by the name that was `chosen`, unless a seat is held already."""
    room.refresh()
    if room.seats:
        return
    room.sit(name, player=player)
    room.refresh()
    remember(address(room, chosen), room.tokens[0])


def address(room: Room, name: str) -> str:
    """Return what names a seat: its invitation, or the table with the name given."""
    return f"{room.url}/join/{room.invitation}" if room.invitation else f"{room.url} {name}"


def tokens() -> dict[str, str]:
    """Return the token of every seat that was kept."""
    with suppress(OSError, ValueError):
        kept = json.loads(seats_file().read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return {str(place): str(token) for place, token in kept.items()}
    return {}


def remember(place: str, token: str) -> None:
    """Keep the token of a seat; where nothing can be written, the seat is only not found again."""
    kept = {**tokens(), place: token}
    text = json.dumps(dict(list(kept.items())[-MOST:]), indent=1)
    with suppress(OSError):
        state_folder().mkdir(parents=True, exist_ok=True)
        fresh = seats_file().with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(seats_file())


def seats_file() -> Path:
    """Return where the seats are kept."""
    return state_folder() / "seats.json"
