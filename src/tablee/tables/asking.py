"""Requests of one player to the others, their answers, and what follows when all agree."""

from msgspec import UNSET, UnsetType

from tablee.core.state import Over
from tablee.tables import commands as c
from tablee.tables.payloads import Acted, Answered, Asked, RematchMade, Threw, TookBack
from tablee.tables.playing import end
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.talking import free_text
from tablee.tables.tokens import new_table_id
from tablee.tables.values import Ask, PendingAsk, Phase, Reason, Sitter
from tablee.tables.visit import Visit


def ask_take_back(visit: Visit, command: c.TakeBack) -> None:
    """Ask to take back; free where no other person plays."""
    visit.holder(command.seat)
    visit.during(Phase.PLAYING)
    ask(visit, Ask.TAKE_BACK, command.seat, last_action(visit.table, command.seat))


def ask_draw(visit: Visit, command: c.Draw) -> None:
    """Offer a draw; the programs of the house are asked too."""
    visit.holder(command.seat)
    visit.during(Phase.PLAYING)
    if visit.table.game.kind.together:
        raise Refused("phase", "no draw together")
    ask(visit, Ask.DRAW, command.seat)


def ask_abandon(visit: Visit, command: c.Abandon) -> None:
    """Ask to stop without a result."""
    visit.during(Phase.WAITING, Phase.PLAYING)
    if command.seat is not None:
        visit.holder(command.seat)
    elif not (visit.table.phase == Phase.WAITING and visit.table.opened_by(visit.actor)):
        raise Refused("token", "no token table")
    ask(visit, Ask.ABANDON, command.seat)


def ask_stop(visit: Visit, command: c.Stop) -> None:
    """Ask to stop and count the scores as they stand (Tabu 4.2)."""
    visit.holder(command.seat)
    visit.during(Phase.PLAYING)
    if visit.table.state is None or not visit.table.state.may_stop:
        raise Refused("phase", "no counting")
    ask(visit, Ask.STOP, command.seat)


def ask_text(visit: Visit, command: c.Text) -> None:
    """Ask for free text."""
    asker = visit.holder(command.seat)
    if visit.table.terms.chat == "none":
        raise Refused("phase", "no chat")
    if asker.free_text and free_text(visit.table):
        raise Refused("phase", "no need")
    ask(visit, Ask.TEXT, command.seat)


def rematch(visit: Visit, command: c.Rematch) -> None:
    """Ask for another game, or agree if somebody has asked."""
    visit.holder(command.seat)
    visit.during(Phase.OVER)
    if visit.table.next:
        raise Refused("phase", "no second rematch")
    pending = visit.table.asks.get(Ask.REMATCH)
    if pending and command.seat in wanted(visit, pending):
        reply(visit, Ask.REMATCH, command.seat, True)
    else:
        ask(visit, Ask.REMATCH, command.seat)


def ask(visit: Visit, what: Ask, seat: int | None, to_seq: int | UnsetType = UNSET) -> None:
    """Ask the others, or do it at once if there is nobody to ask."""
    visit.room()
    if what in visit.table.asks:
        raise Refused("phase", "no second ask")
    if visit.table.declined.get((what, seat)) == len(visit.table.steps):
        raise Refused("phase", "no asking again")
    visit.emit(Asked(what=what, to_seq=to_seq), seat)
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


def reply(visit: Visit, what: Ask, seat: int, yes: bool) -> None:
    """Write an answer down, and do what was asked once all have agreed."""
    visit.emit(Answered(what=what, yes=bool(yes)), seat)
    if yes:
        agree_if_all(visit, what)


def wanted(visit: Visit, pending: PendingAsk) -> set[int]:
    """Return the seats that have still to answer; programs of the house agree to everything but a draw."""
    programs = [at for at, place in enumerate(visit.table.seats) if place.player == Sitter.PROGRAM and pending.what == Ask.DRAW]
    return {*visit.table.others(pending.seat), *programs} - pending.yes


def agree_if_all(visit: Visit, what: Ask) -> None:
    """Do what was asked once all have answered."""
    agreed = visit.table.asks.get(what)
    if agreed is None or wanted(visit, agreed):
        return
    match what:
        case Ask.TAKE_BACK:
            visit.emit(TookBack(to_seq=agreed.to_seq), agreed.seat)
        case Ask.DRAW:
            end(visit, tuple(range(visit.table.game.seats)), Reason.DRAW)
        case Ask.ABANDON:
            end(visit, (), Reason.ABANDONED)
        case Ask.STOP:
            stop(visit)
        case Ask.REMATCH:
            visit.emit(RematchMade(table=new_table_id()))
        case Ask.TEXT:
            visit.emit(Answered(what=Ask.TEXT, yes=True), agreed.seat)


def stop(visit: Visit) -> None:
    """End the game with the scores as they stand."""
    state = visit.table.state
    if state is not None and isinstance(counted := state.stop().node, Over):
        end(visit, counted.winners, counted.reason)


def last_action(table: Table, seat: int) -> int:
    """Return the event of a seat's last action, if no throw came after it."""
    for step in reversed(table.steps):
        if step.kind == Threw.kind:
            raise Refused("phase", "undo throw")
        if step.kind == Acted.kind and step.seat == seat:
            return step.seq
    raise Refused("phase", "undo nothing")
