"""How an order is carried out: by the table itself, or by the house where it takes more than one command."""

from tablee.tables.commands import Hint, Invite, Replace
from tablee.tables.tokens import Actor
from tablee.web.house import House, Live
from tablee.web.levels import checked
from tablee.web.orders import Order, command
from tablee.web.visitors import next_invitation

HINT_LEVEL = "max"


async def carry_out(house: House, live: Live, order: Order, actor: Actor) -> None:
    """Do what is ordered; `Refused` or another error in words if it is not to be done."""
    match order.what:
        case "hint":
            await house.hint(live, Hint(order.at, (), move_id=order.move_id), actor, HINT_LEVEL)
        case "invite":
            token = next_invitation(live.table, actor.tokens[-1] if actor.tokens else "")
            await house.do(live, Invite(token, order.seat, move_id=order.move_id), actor)
        case "fill":
            level = checked(live.table.game.kind, order.level)
            for seat, one in enumerate(live.table.seats):
                if one.player == "nobody":
                    await house.do(live, Replace(seat, level), actor)
        case "replace":
            await house.do(live, Replace(order.at, checked(live.table.game.kind, order.level), move_id=order.move_id), actor)
        case _:
            await house.do(live, command(order), actor)
