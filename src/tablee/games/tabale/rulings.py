"""Why a step is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from collections.abc import Iterator

from tablee.core.game import Game
from tablee.core.position import CHANCE
from tablee.core.ruling import Ruling
from tablee.games.tabale.board import CORNERS, ENDS, NAME, NEXT, RIM, SIDE_NAME, VALUE, in_line
from tablee.games.tabale.position import DONE, DOUBLE, END, ENDING, JUMP, LAYING, REST, RUNNING, SET, SETTING, SINGLE, TURNING, WOOD, TabalePosition
from tablee.games.tabale.view import NOBODY, View, names, way_to


def rulings(game: Game, position: TabalePosition, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat breaks, in their order; none means it is legal."""
    view = View(position)
    if view.part == DONE:
        return [Ruling(position.reason(), "over")]
    if seat == CHANCE:
        return [Ruling("1.4", "dice")]
    if seat != view.seat:
        return [Ruling("1.5", "turn", facts={"seat": f"=seat {view.seat + 1}"})]
    if view.part == SETTING and action < SET:
        return [Ruling("1.5", "first")]
    if action < REST:
        return list(first_leg(game, view, action))
    if action < SINGLE:
        return list(second_leg(game, view, action - REST))
    if action < JUMP:
        return list(pawn(view, action == DOUBLE))
    if action < WOOD:
        return list(jump(view, action - JUMP))
    if action < END:
        return list(wood(game, view, action - WOOD))
    if action < SET:
        return list(end_of_turn(view))
    return list(fool(view, action - SET))


def fool(view: View, cell: int) -> Iterator[Ruling]:
    """1.5: before the first turn each fool is set on a free rim cell that is no corner."""
    facts = {"cell": NAME[cell]}
    if view.part != SETTING:
        yield Ruling("1.5", "late")
    elif cell not in RIM:
        yield Ruling("1.5", "rim", (NAME[cell],), facts | {"value": VALUE[cell]})
    elif cell in CORNERS:
        yield Ruling("1.5", "corner", (NAME[cell],), facts)
    elif (other := view.fool_on(cell)) != NOBODY:
        yield Ruling("1.5", "taken", (NAME[cell],), facts | {"seat": f"=seat {other + 1}"})


def first_leg(game: Game, view: View, cell: int) -> Iterator[Ruling]:
    """2.1 to 2.3: the fool runs straight over free cells to one where it can turn and run on."""
    start = view.fool_of(view.seat)
    way = in_line(start, cell)
    if view.part == TURNING:
        yield Ruling("2.1", "once", (NAME[start],), {"cell": NAME[start]})
    elif view.part != RUNNING:
        yield Ruling("2.1", "moved")
    elif way < 0:
        yield crooked(start, cell)
    else:
        blocked = list(clear(view, start, way_to(start, way, cell)))
        yield from blocked
        if not blocked and not any(may_leave(game, view, start, cell, way, turn) for turn in range(6)):
            yield Ruling("2.1", "stuck", (NAME[cell],), {"cell": NAME[cell]})


def may_leave(game: Game, view: View, start: int, cell: int, way: int, turn: int) -> bool:
    """Return whether a fool that came that way from its start could take one step in another direction."""
    step = NEXT[cell][turn]
    if step < 0 or turn == way or (turn == opposite(way) and game.option("reversal") == "no"):
        return False
    return (step == start or view.is_free(step)) and not view.wood_between(cell, step)


def second_leg(game: Game, view: View, cell: int) -> Iterator[Ruling]:
    """2.1 to 2.3: after its turn the fool runs straight over free cells and comes to rest."""
    turning = view.fool_of(view.seat)
    way = in_line(turning, cell)
    if view.part == RUNNING:
        yield Ruling("2.1", "unturned")
    elif view.part != TURNING:
        yield Ruling("2.1", "moved")
    elif way < 0:
        yield crooked(turning, cell)
    else:
        came = in_line(view.start, turning)
        if way == came:
            yield Ruling("2.1", "straight on", names([turning, cell]), {"turning": NAME[turning], "cell": NAME[cell]})
        yield from clear(view, turning, way_to(turning, way, cell))
        if way == opposite(came) and game.option("reversal") == "no":
            yield Ruling("2.3", "", names([turning, cell]), {"turning": NAME[turning], "cell": NAME[cell]})


def opposite(way: int) -> int:
    """Return the direction straight back."""
    return (way + 3) % 6


def crooked(start: int, cell: int) -> Ruling:
    """2.1: return why two cells that no straight way joins make no leg."""
    if start == cell:
        return Ruling("2.1", "short", (NAME[cell],), {"cell": NAME[cell]})
    return Ruling("2.1", "line", names([start, cell]), {"start": NAME[start], "cell": NAME[cell]})


def clear(view: View, start: int, cells: list[int]) -> Iterator[Ruling]:
    """2.2: every cell of a leg is free, and no side it crosses has a wood."""
    taken = [cell for cell in cells if not view.is_free(cell)]
    if taken:
        yield Ruling("2.2", "taken", names(taken), {"cell": NAME[taken[0]]})
    for before, after in zip([start, *cells], cells, strict=False):
        if view.wood_between(before, after):
            yield Ruling("2.2", "wood", names([before, after]), {"one": NAME[before], "other": NAME[after]})
            return


def pawn(view: View, double: bool) -> Iterator[Ruling]:
    """3.1, 3.2: a pawn once the fool rests, or two while the stock and the quota of doubles last."""
    if view.part in (RUNNING, TURNING):
        yield Ruling("3.1", "early")
    elif view.part == ENDING:
        yield Ruling("3.1", "laid", (NAME[view.laid],))
    elif double:
        hand, _, doubles, _, _ = view.stock(view.seat)
        if not doubles:
            yield Ruling("3.2", "quota")
        if hand < 2:
            yield Ruling("3.2", "last")


def jump(view: View, cell: int) -> Iterator[Ruling]:
    """3.3, 3.4: the pawn just laid jumps over one enemy pawn or double, onto the free cell right behind."""
    if view.part != ENDING:
        yield Ruling("3.3", "early")
        return
    over = between(view.laid, cell)
    facts = {"pawn": NAME[view.laid], "cell": NAME[cell]}
    if over < 0:
        yield Ruling("3.3", "far", names([view.laid, cell]), facts)
        earlier = next((candidate for candidate in view.pawns(view.seat) if could_jump(view, candidate, cell)), NOBODY)
        if earlier >= 0:
            yield Ruling("3.4", "earlier", names([earlier, view.laid]), {"earlier": NAME[earlier], "pawn": NAME[view.laid]})
        return
    facts["over"] = NAME[over]
    owner = view.pawn_on(over)
    if view.is_free(over):
        yield Ruling("3.3", "nothing", names([over]), facts)
    if not view.is_free(cell):
        yield Ruling("3.3", "taken", names([cell]), facts)
    for start, end in ((view.laid, over), (over, cell)):
        if view.wood_between(start, end):
            yield Ruling("3.3", "wood", names([start, end]), {"one": NAME[start], "other": NAME[end]})
    if view.fool_on(over) != NOBODY:
        yield Ruling("3.4", "fool", names([over]), facts)
    elif owner == view.seat:
        yield Ruling("3.4", "own", names([over]), facts)
    elif owner != NOBODY and view.partners(view.seat, owner):
        yield Ruling("3.4", "partner", names([over]), facts)


def between(start: int, end: int) -> int:
    """Return the cell halfway between two cells that are two straight steps apart, or -1."""
    way = in_line(start, end)
    return NEXT[start][way] if way >= 0 and NEXT[start][way] != end and NEXT[NEXT[start][way]][way] == end else -1


def could_jump(view: View, pawn: int, cell: int) -> bool:
    """Return whether an earlier pawn of the seat could jump to a cell, if earlier pawns jumped at all."""
    over = between(pawn, cell)
    if pawn == view.laid or over < 0 or not view.is_free(cell):
        return False
    owner = view.pawn_on(over)
    enemy = owner not in (NOBODY, view.seat) and not view.partners(view.seat, owner)
    return enemy and not view.wood_between(pawn, over) and not view.wood_between(over, cell)


def wood(game: Game, view: View, side: int) -> Iterator[Ruling]:
    """4.1: a wood of one's own, at the end of the turn, on a marked side without one."""
    first, second = ENDS[side]
    facts = {"one": NAME[first], "other": NAME[second]}
    if view.part != ENDING:
        yield Ruling("4.1", "early")
        return
    if not view.stock(view.seat)[1]:
        yield Ruling("4.1", "none")
    if not is_marked(game.option("edges"), VALUE[first], VALUE[second]):
        yield Ruling("4.1", "unmarked", names([first, second]), facts)
    if view.wood_between(first, second):
        yield Ruling("4.1", "taken", (SIDE_NAME[side],), facts)


def is_marked(edges: str, value: int, other_value: int) -> bool:
    """1.3: return whether a side between cells of such values may take a wood."""
    if edges == "66":
        return value == 1 or other_value == 1
    if edges == "84":
        return value in (1, 3) and other_value in (1, 3)
    return edges == "156" or value in (1, 3) or other_value in (1, 3)


def end_of_turn(view: View) -> Iterator[Ruling]:
    """2.1, 3.1: the fool's move and the pawn are obligatory; the rest of the turn is not."""
    if view.part in (RUNNING, TURNING):
        yield Ruling("2.1", "must")
    elif view.part == LAYING:
        yield Ruling("3.1", "must", (NAME[view.laid],), {"cell": NAME[view.laid]})
