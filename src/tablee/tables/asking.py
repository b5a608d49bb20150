"""What one asks of the others at a table, their answers, and what follows once all have agreed."""

from tablee.tables import commands as c
from tablee.tables.events import Payload
from tablee.tables.playing import end
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.talking import free_text
from tablee.tables.tokens import new_table_id
from tablee.tables.values import Ask
from tablee.tables.visit import Visit


def ask_take_back(visit: Visit, command: c.AskTakeBack) -> None:
    """Ask to take back; free where no other person plays."""
    visit.holder(command.seat)
    visit.during("playing")
    ask(visit, "take_back", command.seat, {"to_seq": last_action(visit.table, command.seat)})


def ask_draw(visit: Visit, command: c.AskDraw) -> None:
    """Offer a draw; the programs of the house are asked too."""
    visit.holder(command.seat)
    visit.during("playing")
    if visit.table.game.kind.together:
        raise Refused("phase", "no draw together")
    ask(visit, "draw", command.seat)


def ask_abandon(visit: Visit, command: c.AskAbandon) -> None:
    """Ask to stop without a result."""
    visit.during("waiting", "playing")
    if command.seat is not None:
        visit.holder(command.seat)
    elif not (visit.table.phase == "waiting" and visit.table.opened_by(visit.actor)):
        raise Refused("token", "no token table")
    ask(visit, "abandon", command.seat)


def ask_text(visit: Visit, command: c.AskText) -> None:
    """Ask for free text."""
    asker = visit.holder(command.seat)
    if visit.table.terms.chat == "none":
        raise Refused("phase", "no chat")
    if asker.writes and free_text(visit.table):
        raise Refused("phase", "no need")
    ask(visit, "text", command.seat)


def rematch(visit: Visit, command: c.Rematch) -> None:
    """Ask for another game, or agree if somebody has asked."""
    visit.holder(command.seat)
    visit.during("over")
    if visit.table.next:
        raise Refused("phase", "no second rematch")
    pending = visit.table.asks.get("rematch")
    if pending and command.seat in wanted(visit, pending):
        reply(visit, "rematch", command.seat, True)
    else:
        ask(visit, "rematch", command.seat)


def ask(visit: Visit, what: str, seat: int | None, payload: Payload | None = None) -> None:
    """Ask the others, or do it at once where there is nobody to ask."""
    visit.room()
    if what in visit.table.asks:
        raise Refused("phase", "no second ask")
    if visit.table.declined.get((what, seat)) == len(visit.table.steps):
        raise Refused("phase", "no asking again")
    visit.emit("asked", {"what": what, **(payload or {})}, seat)
    agree_if_all(visit, what)


def answer(visit: Visit, command: c.Answer) -> None:
    """Answer what is asked of the seat."""
    visit.player(command.seat)
    pending = visit.table.asks.get(command.what)
    if pending is None:
        raise Refused("phase", "no such ask")
    if command.seat not in wanted(visit, pending):
        raise Refused("token", "no answer wanted")
    reply(visit, command.what, command.seat, command.yes)


def reply(visit: Visit, what: str, seat: int, yes: bool) -> None:
    """Write an answer down, and do what was asked once all have agreed."""
    visit.emit("answered", {"what": what, "yes": bool(yes)}, seat)
    if yes:
        agree_if_all(visit, what)


def wanted(visit: Visit, pending: Ask) -> set[int]:
    """Return the seats that have still to answer; programs of the house agree to everything but a draw."""
    programs = [at for at, one in enumerate(visit.table.seats) if one.player == "program" and pending.what == "draw"]
    return {*visit.table.others(pending.seat), *programs} - pending.yes


def agree_if_all(visit: Visit, what: str) -> None:
    """Do what was asked once nobody has still to answer."""
    agreed = visit.table.asks.get(what)
    if agreed is None or wanted(visit, agreed):
        return
    match what:
        case "take_back":
            visit.emit("took_back", {"to_seq": agreed.to_seq}, agreed.seat)
        case "draw":
            end(visit, tuple(range(visit.table.game.seats)), "draw")
        case "abandon":
            end(visit, (), "abandoned")
        case "rematch":
            visit.emit("rematch", {"table": new_table_id()})
        case "text":
            visit.emit("answered", {"what": "text", "yes": True}, agreed.seat)


def last_action(table: Table, seat: int) -> int:
    """Return the event of a seat's last action, if no throw came after it."""
    for step in reversed(table.steps):
        if step.kind == "threw":
            raise Refused("phase", "undo throw")
        if step.kind == "acted" and step.seat == seat:
            return step.seq
    raise Refused("phase", "undo nothing")
