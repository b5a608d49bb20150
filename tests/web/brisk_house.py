"""A house that drops idle tables from memory at once; with `hoard` or `leak`, planted faults, it never does, or keeps something of each action."""

import sys

from tablee.cli import main
from tablee.tables.commands import Command
from tablee.tables.events import Event
from tablee.tables.tokens import Actor
from tablee.web import house
from tablee.web.live import Live

LEAKED = 50_000
kept: list[bytes] = []
usual = house.House.carry_out


async def leaking(one: house.House, live: Live, command: Command, actor: Actor) -> list[Event]:
    """Keep something for ever."""
    kept.append(b"x" * LEAKED)
    return await usual(one, live, command, actor)


if __name__ == "__main__":
    house.IDLE_SECONDS, house.SWEEP_SECONDS = 1.0, 0.5
    if sys.argv[1] == "hoard":
        del sys.argv[1]
        house.House.drop_idle = lambda self, seconds: None  # type: ignore[method-assign]
    elif sys.argv[1] == "leak":
        del sys.argv[1]
        house.House.carry_out = leaking  # type: ignore[method-assign, assignment]
    main()
