"""Why an action is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from functools import cache

from tablee.core.game import Game
from tablee.core.position import CHANCE, OVER
from tablee.core.ruling import Fact, Ruling
from tablee.games.tabaijana.deal import CHILD, GAME
from tablee.games.tabaijana.notation import MOVES, THROW_TOKENS, Move, dice, has, seat_colours, together
from tablee.games.tabaijana.position import LAST_CELL, ROOM, TabaijanaPosition

THROWS = len(THROW_TOKENS)


def rulings(game: Game, position: TabaijanaPosition, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat breaks, in their order; none means it is legal."""
    actor = position.who
    if actor == OVER:
        return [broken(position.reason(), "over")]
    if seat == CHANCE:
        return thrown(game, position, action) if action < THROWS else [broken("2.1", "hand")]
    if action < THROWS:
        return [broken("2.1", "chosen")]
    if seat != position.side:
        return [broken("2.1", "turn", seat=f"={seat_colours(position)[position.side]}")]
    if actor == CHANCE:
        return [broken("2.1", "throw first")]
    move = MOVES[action - THROWS]
    return moved_crates(game, position, move) if move.count else moved_boat(game, position, move)


@cache
def broken(paragraph: str, case: str = "", *cells: str, **facts: Fact) -> Ruling:
    """Return the ruling that a paragraph is broken, made once for the same facts: most actions break the same few rules."""
    return Ruling(paragraph, case, cells, facts)


def thrown(game: Game, position: TabaijanaPosition, action: int) -> list[Ruling]:
    """2.1, 4.1: the dice are thrown once a turn: one die, or two by a seat that has had three crates together."""
    rulings = []
    if position.who != CHANCE:
        rulings.append(broken("2.1", "thrown", dice=dice(position)))
    own = seat_colours(position)[position.side]
    two = privileged(game, position, own, 3)
    if "/" in THROW_TOKENS[action] and not two:
        rulings.append(broken("2.1", "one die", seat=f"={own}"))
    if "/" not in THROW_TOKENS[action] and two:
        rulings.append(broken("4.1", seat=f"={own}"))
    return rulings


def moved_crates(game: Game, position: TabaijanaPosition, move: Move) -> list[Ruling]:
    """1.4 and 2.1 to 2.6, in their order."""
    boat = position.boat
    start = move.start or boat
    rulings = by_the_dice(position, move.start, move.end)
    stack = position.stack(start)
    if move.start == boat:
        rulings.insert(0, broken("1.4", "", "B", start=start) if stack else broken("2.3", "none", str(start), start=start))
    elif not stack:
        rulings.insert(0, too_many(move, 0))  # before how far: there is nothing to move
    elif move.count > len(stack):
        rulings.append(too_many(move, len(stack)))
    else:
        rulings += not_allowed(game, position, move, stack)
    if move.end == LAST_CELL and game.option("far_end") == "23":
        rulings.append(broken("2.6", "", "24"))
    return rulings


def by_the_dice(position: TabaijanaPosition, start: int, end: int) -> list[Ruling]:
    """2.1: forward by exactly the number of one die; what starts from 0 starts from the boat."""
    steps = end - (start or position.boat)
    cells = str(start or "B"), str(end) if end <= LAST_CELL else "sea"
    if steps <= 0:
        return [broken("2.1", "back", *cells, end=end)]
    if steps != position.small and steps != position.large:
        return [broken("2.1", "number", *cells, dice=dice(position), steps=steps, end=end)]
    return []


def too_many(move: Move, there: int) -> Ruling:
    """2.3: one cannot take more crates than there are."""
    if not move.start:
        return broken("2.3", "few aboard", "B", count=move.count, there=there) if there else broken("2.3", "none aboard", "B")
    cell = str(move.start)
    return broken("2.3", "few", cell, start=move.start, count=move.count, there=there) if there else broken("2.3", "none", cell, start=move.start)


def not_allowed(game: Game, position: TabaijanaPosition, move: Move, stack: str) -> list[Ruling]:
    """2.4 or 2.5: what one may take, unless one has had all four crates together (4.2)."""
    colours = seat_colours(position)
    own = colours[position.side]
    taken, left = stack[-move.count :], stack[: -move.count]
    if own in taken:
        return []
    if game.option(GAME) == CHILD:
        if not set(stack) & set(colours) or privileged(game, position, own, 4):
            return []
        return [broken("2.5", "", str(move.start or "B"), colour=f"=own {own}")]
    if left.endswith(own) or privileged(game, position, own, 4):
        return []
    return [broken("2.4", "", str(move.start or "B"), colour=f"=own {own}")]


def moved_boat(game: Game, position: TabaijanaPosition, move: Move) -> list[Ruling]:
    """2.1, 3.2 and 4.4: a loaded boat needs a crate of one's own aboard."""
    rulings = by_the_dice(position, 0, move.end)
    load, colours = position.stack(position.boat), seat_colours(position)
    own = colours[position.side]
    if not load or own in load:
        return rulings
    four = privileged(game, position, own, 4)
    if game.option(GAME) == CHILD:
        if set(load) & set(colours) and not four:
            rulings.append(broken("3.2", "children", "B", colour=f"=own {own}"))
    elif not four or game.option("boat_for_four") == "no":
        rulings.append(broken("3.2", "", "B", colour=f"=own {own}"))
        if four:
            rulings.append(broken("4.4", "", "B", colour=f"=own {own}"))
    return rulings


def privileged(game: Game, position: TabaijanaPosition, colour: str, n: int) -> bool:
    """Return whether a colour has had n crates together or, where privileges do not stay, has them now (4.1 to 4.3)."""
    if game.option("privileges") == "keep":
        return has(position.three if n == 3 else position.four, colour)
    board = [position.stack(cell) for cell in range(ROOM)]
    return together(game, board, position.stack(position.boat), colour, n)
