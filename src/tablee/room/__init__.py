"""A table of a running house from afar: sit down with a player of your own, watch, or listen to every event."""

from tablee.room.later import AsyncRoom
from tablee.room.room import Room, RoomError

__all__ = ["AsyncRoom", "Room", "RoomError"]
