"""Why a push is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from collections.abc import Iterator

from tablee.core.game import Game
from tablee.core.position import CHANCE
from tablee.core.ruling import Fact, Ruling
from tablee.games.traboulet.notation import PUSHES, Board, Push, Spot, beyond, board, colour_at, gathered, inside, name
from tablee.games.traboulet.position import NONE, STOP, TrabouletPosition


def rulings(game: Game, position: TrabouletPosition, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat breaks, in their order; none means it is legal."""
    if position.over:
        return [Ruling(position.reason(), "over")]
    if seat == CHANCE:
        return [Ruling("2.1", "dice")]
    if seat != position.side:
        return [Ruling("2.1", "turn", facts={"side": f"=seat {position.side + 1}"})]
    if action == STOP:
        return [] if position.bonus else [Ruling("4.2", "none" if game.option("bonus") == "none" else "")]
    push = PUSHES[action]
    if not colour_at(position, push.start):
        return [Ruling("2.1", "empty", (name(push.start),), {"cell": name(push.start)}), *not_back(game, position, push)]
    return [
        *own_marble(position, push),
        *finger(position, push),
        *own_falls(position, push),
        *not_back(game, position, push),
        *not_again(game, position, push),
    ]


def own_marble(position: TrabouletPosition, push: Push) -> Iterator[Ruling]:
    """2.1: one pushes a marble of one's own."""
    colour = colour_at(position, push.start)
    if colour != "wb"[position.side]:
        case = "red" if colour == "r" else "enemy"
        yield Ruling("2.1", case, (name(push.start),), {"cell": name(push.start), "colour": f"={colour}", "own": f"={'wb'[position.side]}"})


def finger(position: TrabouletPosition, push: Push) -> Iterator[Ruling]:
    """2.2: the cell behind must be empty or off the board."""
    if inside(push.behind) and colour_at(position, push.behind):
        yield Ruling("2.2", "", (name(push.behind), name(push.start)), {"cell": name(push.start), "behind": name(push.behind)})


def own_falls(position: TrabouletPosition, push: Push) -> Iterator[Ruling]:
    """2.4: one may not push a marble of one's own over the edge."""
    row = line(position, push)
    if not inside(beyond(row[-1], push.step)) and colour_at(position, row[-1]) == "wb"[position.side]:
        yield Ruling("2.4", "", (name(row[-1]),), {"cell": name(push.start), "last": name(row[-1])})


def not_back(game: Game, position: TrabouletPosition, push: Push) -> Iterator[Ruling]:
    """3.1: one may not push straight back, by cell and direction, by the row it moves or by the position it restores."""
    if position.ban == NONE:
        return
    ban, rule = PUSHES[position.ban], game.option("ko")
    match rule:
        case "reverse":
            broken = push == ban
        case "row":
            broken = push.step == ban.step and moves(position, push, ban.start)
        case _:
            marbles = board(position)
            broken = pushed(marbles, push) == before_last_push(marbles, ban)
    if broken:
        facts: dict[str, Fact] = {"cell": name(push.start), "target": name(push.target), "last": name(ban.start)}
        yield Ruling("3.1", rule, (name(push.start), name(push.target)), facts)


def not_again(game: Game, position: TrabouletPosition, push: Push) -> Iterator[Ruling]:
    """5.3, option `forbid`: no push may lead to the board and the side to move of an earlier start of a turn."""
    if colour_at(position, push.start) != "wb"[position.side] or game.option("repetition") != "forbid":
        return
    if (*gathered(pushed(board(position), push)), 1 - position.side) in position.starts():
        facts = {"cell": name(push.start), "target": name(push.target), "side": f"=seat {2 - position.side}"}
        yield Ruling("5.3", "forbid", (name(push.start), name(push.target)), facts)


def line(position: TrabouletPosition, push: Push) -> list[Spot]:
    """Return the cells of the unbroken line that a push moves, the pushed marble first (2.3)."""
    row = [push.start]
    while inside(beyond(row[-1], push.step)) and colour_at(position, beyond(row[-1], push.step)):
        row.append(beyond(row[-1], push.step))
    return row


def moves(position: TrabouletPosition, push: Push, spot: Spot) -> bool:
    """Return whether a push moves the marble on a cell."""
    return bool(colour_at(position, push.start)) and spot in line(position, push)


def pushed(marbles: Board, push: Push) -> Board:
    """Return the board after a push: the unbroken line one cell further, without what fell over the edge."""
    after = dict(marbles)
    carried = after.pop(push.start, "")
    spot = push.target
    while carried and inside(spot):
        after[spot], carried = carried, marbles.get(spot, "")
        spot = beyond(spot, push.step)
    return after


def before_last_push(marbles: Board, ban: Push) -> Board:
    """Return the board before the enemy's last push: the line he moved, which the position remembers by its far end, one cell back."""
    row = [ban.start]
    while beyond(row[-1], ban.step) in marbles:
        row.append(beyond(row[-1], ban.step))
    kept = {spot: colour for spot, colour in marbles.items() if spot not in row}
    return kept | {beyond(spot, ban.step): marbles[spot] for spot in row}
