"""A house with a planted fault: it plays once more for whoever sends an action again."""

from dataclasses import replace

from tablee.cli import main
from tablee.tables import commands, door
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.web import house

usual = door.handle


def twice(table: Table, command: commands.Command, actor: Actor, now: float) -> door.Outcome:
    """Play the first legal action after an action that was done already."""
    outcome = usual(table, command, actor, now)
    if not isinstance(command, commands.Play) or outcome.events or table.state is None or not table.asked:
        return outcome
    seat = table.asked[0]
    again = commands.Play(seat, (table.game.notate(table.state.legal(seat)[0]),))
    return replace(outcome, **vars(usual(table, again, actor, now)))


if __name__ == "__main__":
    house.handle = twice  # type: ignore[attr-defined]
    main()
