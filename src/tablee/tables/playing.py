"""The game at a table, from the lot that gives the seats to the end: what is played, thrown and hinted."""

from collections.abc import Mapping

from tablee.core.errors import NotationError
from tablee.core.game import Game
from tablee.core.kind import Draw
from tablee.core.state import Chance, Decision, Over, State
from tablee.tables import commands as c
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.visit import Visit

MOST_TOKENS = 64


def start(visit: Visit) -> None:
    """Begin although somebody has not contributed."""
    visit.member()
    visit.during("waiting")
    if any(one.player == "nobody" for one in visit.table.seats):
        raise Refused("phase", "no empty seats")
    begin(visit)


def begin_if_ready(visit: Visit) -> None:
    """Begin once every seat is taken and everybody has contributed."""
    if visit.table.phase == "waiting" and all(one.player != "nobody" and one.contributed for one in visit.table.seats):
        begin(visit)


def begin(visit: Visit) -> None:
    """Draw the seats and the set-up with the dice of this event, then throw what is to be thrown."""
    table = visit.table
    dice = table.dice(table.seq + 1)
    order, setup = draw_setup(table.game, dice.draw, table.terms.starts == "lot", not table.terms.position)
    visit.emit("started", {"order": order, "setup": dict(setup), "draws": [list(one) for one in dice.drawn]})
    settle(visit)


def play(visit: Visit, command: c.Play) -> None:
    """Play tokens one after the other, all or none."""
    table = visit.table
    visit.player(command.seat)
    visit.during("playing")
    if not 0 < len(command.tokens) <= MOST_TOKENS:
        raise Refused("unreadable", "no tokens", {"most": MOST_TOKENS})
    if command.seq is not None and stale(table, command.seat, command.seq):
        raise Refused("stale", "no stale")
    if table.clock and table.clock.out(visit.now):
        raise Refused("time", "no time")
    for number, token in enumerate(command.tokens):
        state = table.state
        if number and (state is None or not isinstance(state.node, Decision) or command.seat not in state.node.seats):
            raise Refused("turn", "no left over", {"tokens": " ".join(command.tokens[number:])[:60]})
        action = judge(visit, command.seat, token)
        spent = table.clock.spent(command.seat, visit.now) if table.clock else 0
        visit.emit("acted", {"token": table.game.notate(action), "spent": spent}, command.seat)
    settle(visit)


def judge(visit: Visit, seat: int, token: str) -> int:
    """Return the action of a token, or raise unless the rules let a seat play it now."""
    game, state = visit.table.game, visit.table.state
    if state is None:
        raise Refused("phase", "no waiting")
    try:
        action = game.parse(token, seat)
    except NotationError as error:
        raise Refused("unreadable", "no unreadable", {"token": token[:40]}, paragraph=error.paragraph) from error
    refusal = state.refusal(seat, action)
    if refusal:
        raise Refused("rules", "refused", kind=game.kind, refusal=refusal)
    return action


def settle(visit: Visit) -> None:
    """Throw while a throw is due, each bound to the number of its event; end when it is over."""
    table = visit.table
    while (state := table.state) is not None and isinstance(state.node, Chance):
        dice = table.dice(table.seq + 1)
        token = throw(state, dice.draw)
        visit.emit("threw", {"token": token, "draws": [list(one) for one in dice.drawn]}, state.turn)
    if state is not None and isinstance(state.node, Over):
        end(visit, state.node.winners, state.node.reason)


def end(visit: Visit, winners: tuple[int, ...], reason: str) -> None:
    """Write the end down, and open the secret of the dice whatever the reason."""
    table = visit.table
    state = table.state
    scores = [int(state.position.score(seat)) for seat in range(table.game.seats)] if state else []
    visit.emit("ended", {"scores": scores, "winners": list(winners), "reason": reason})
    if table.secret is not None:
        visit.emit("revealed", {"secret": table.secret.hex()})


def resign(visit: Visit, command: c.Resign) -> None:
    """Give up, where two play against each other."""
    visit.holder(command.seat)
    visit.during("playing")
    if not duel(visit):
        raise Refused("phase", "no resigning")
    visit.emit("resigned", {}, command.seat)
    end(visit, (1 - command.seat,), "resigned")


def duel(visit: Visit) -> bool:
    """Return whether two play against each other."""
    return visit.table.game.seats == 2 and not visit.table.game.kind.together


def hint(visit: Visit, command: c.Hint) -> None:
    """Write a hint down before it is shown."""
    visit.holder(command.seat)
    visit.during("playing")
    visit.room()
    if not visit.table.terms.hints:
        raise Refused("phase", "no hints")
    if command.seat not in visit.table.asked:
        raise Refused("turn", "no turn")
    if not 0 < len(command.tokens) <= MOST_TOKENS:
        raise Refused("unreadable", "no tokens", {"most": MOST_TOKENS})
    judge(visit, command.seat, command.tokens[0])
    visit.emit("hinted", {"tokens": [token[:40] for token in command.tokens]}, command.seat)


def draw_setup(game: Game, draw: Draw, lot: bool, setup: bool = True) -> tuple[list[int], Mapping[str, str]]:
    """Return where everybody goes (`order[k]` is the seat of who sat at k), drawn first if by lot, and the set-up, drawn next."""
    order = list(range(game.seats))
    if lot:
        for last in range(len(order) - 1, 0, -1):
            other = draw(last + 1)
            order[last], order[other] = order[other], order[last]
    return order, game.kind.setup(game, draw) if setup else {}


def throw(state: State, draw: Draw) -> str:
    """Return the token of a throw: one of the equally likely cases."""
    return state.game.notate(int(state.position.throw(draw(int(state.position.chances())))))


def stale(table: Table, seat: int, seen: int) -> bool:
    """Return whether the game has changed since an event, other than by those who act at the same time as the seat."""
    if seen > table.seq or table.rewritten > seen:
        return True
    for before, step in zip(table.steps, table.steps[1:], strict=False):
        if step.seq > seen:
            node = before.state.node
            beside = step.kind == "acted" and step.seat != seat and isinstance(node, Decision) and seat in node.seats
            if not beside:
                return True
    return bool(table.steps) and table.steps[0].seq > seen
