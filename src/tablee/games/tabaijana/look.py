"""The island as data: the track from the village to the open sea, the stacks, the boat, the smoke; and the sentences of questions and events."""

import re
from collections import Counter as Tally
from collections.abc import Iterator
from functools import cache, lru_cache

from tablee.core.game import Game
from tablee.core.kind import Place
from tablee.core.position import OVER
from tablee.core.ruling import Fact, Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.tabaijana.notation import MOVES, THROW_TOKENS, Move, dice, has, is_throw, ordered, seat_colours
from tablee.games.tabaijana.position import HARBOUR, LAST_CELL, TabaijanaPosition

WIDTH, HEIGHT = 200, 175
LEFT, PITCH = 14, 23.4
ROWS = (51, 107, 163)
TURN = (189.5, 80)
SEA = (180, 162)
CRATER = (132, 21)
SHORE = 68
COLUMN, ASIDE = 10, 5.7
CRATE_HEIGHT = 3.9
INK, FOAM = "#4a3413", "#e9f6f5"


def spot(cell: int) -> tuple[float, float]:
    """Return where a cell lies: along the island, round the harbour, back past the shore, and out to sea."""
    if cell > LAST_CELL:
        return SEA
    if cell == HARBOUR - 1:
        return TURN
    row, column = (0, cell - 1) if cell < 9 else (1, 17 - cell) if cell < 18 else (2, cell - 18)
    return LEFT + PITCH * column, ROWS[row] + (1.5 if column % 2 else -1.5)


def passes(was: Place, now: Place) -> list[tuple[float, float]]:
    """Return the cells of the track between two places: crates and the boat follow it."""
    return [spot(cell) for cell in range(cell_at(*was) + 1, cell_at(*now))]


def cell_at(name: str, x: float, y: float) -> int:
    """Return the cell of a place; the boat is on the cell nearest below it."""
    if name.isdecimal():
        return int(name)
    return min(range(1, LAST_CELL + 2), key=lambda cell: (abs(spot(cell)[0] - x) > ASIDE + 0.1, abs(spot(cell)[1] - y)))


def scene(game: Game, position: TabaijanaPosition, words: Words) -> Scene:
    """Return everything one sees of a position."""
    pieces = (*smoke(position, words), *thrown(position, words), *goal(position, words), *boat(position, words), *crates(position, words))
    return Scene(
        "tabaijana",
        WIDTH,
        HEIGHT,
        words("title"),
        "island",
        (*land(), boat_cell(int(position.boat))),
        pieces,
        labels=tuple(labels(position)),
        counters=tuple(counters(position, words)),
    )


def throw_scenes(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition, words: Words) -> list[Scene]:
    """Return the island with dice that allow nothing (2.2); any other throw is still there afterwards."""
    if after.small:
        return []
    thrown = before.copy()
    faces = [int(face) for face in THROW_TOKENS[action].split("/")]
    thrown.small, thrown.large = faces[0], faces[1] if len(faces) > 1 else 0
    return [scene(game, thrown, words)]


@cache
def land() -> tuple[Cell, ...]:
    """Return the 24 cells, and the sea beyond them."""
    symbols = {cell: "stone" if cell < HARBOUR else "water" if cell < LAST_CELL else "reef" for cell in range(1, LAST_CELL + 1)}
    track = (Cell(str(cell), *spot(cell), symbol, (0, 3 * cell)) for cell, symbol in symbols.items())
    return (*track, Cell("sea", *SEA, "swirl", (0, 3 * LAST_CELL + 3), "~"))


@cache
def boat_cell(boat: int) -> Cell:
    """Return the boat as a cell: it is touched to load and unload."""
    return Cell("B", *spot(boat), "", (0, 3 * min(boat, LAST_CELL + 1)))


@cache
def number(cell: int) -> Label:
    """Return the number of a cell, below it."""
    x, y = spot(cell)
    aside = 8 if cell == HARBOUR - 1 else 0
    return Label(str(cell), x - aside, y + 8.6, 4, INK if cell < HARBOUR else FOAM, (1, 3 * cell - (cell > 9)))


def labels(position: TabaijanaPosition) -> Iterator[Label]:
    """Give the numbers of the cells and, above a stack too high to be counted at a glance, its height."""
    for cell in range(1, LAST_CELL + 1):
        yield number(cell)
        x, y = spot(cell)
        for column, height in columns(len(position.stack(cell))):
            top = y - lift(cell == position.boat, height - 1) - 4
            yield Label(str(height), x + column, top, 3.2, INK if top < SHORE else FOAM)


def smoke(position: TabaijanaPosition, words: Words) -> Iterator[Piece]:
    """Give the smoke of the volcano, more of it as the boat nears the end."""
    stage = min(3, (position.boat - HARBOUR) // 4)
    yield Piece("smoke", f"smoke-{stage}", *CRATER, "", words(f"piece smoke {stage}"))


def thrown(position: TabaijanaPosition, words: Words) -> Iterator[Piece]:
    """Give the dice that lie there."""
    faces = [face for face in (position.small, position.large) if face]
    for at, face in enumerate(faces):
        yield Piece(f"die-{at + 1}", f"die-{face}", 186 - 14 * (len(faces) - 1 - at), 136, "", words("piece die", face=int(face)), turn=-8 + 14 * at)


def goal(position: TabaijanaPosition, words: Words) -> Iterator[Piece]:
    """Give the order of 5.1 as a small stack, where one is set."""
    if not position.goal:
        return
    for at, letter in enumerate(ordered(position)):
        yield Piece(f"order-{letter}", f"crate-{letter}", 192, 26 - 3.3 * at, "", words("piece order", colour=f"=own {letter}"), level=at, scale=0.8)


def boat(position: TabaijanaPosition, words: Words) -> Iterator[Piece]:
    """Give the boat."""
    x, y = spot(position.boat)
    column = 3 * min(position.boat, LAST_CELL + 1)
    yield Piece("boat", "boat", x, y, "\\_/", words("piece boat", cell=int(position.boat)), "B", (0, column - 1))


def columns(height: int) -> Iterator[tuple[float, int]]:
    """Give the heights worth printing over the columns of a stack, and how far aside these stand."""
    if height > COLUMN:
        yield -ASIDE, COLUMN
        yield ASIDE, height
    elif height > 3:
        yield 0, height


def lift(aboard: bool, at: int) -> float:
    """Return how far above the middle of its cell a crate with `at` crates below it stands."""
    return CRATE_HEIGHT * (at % COLUMN) + (3.3 if aboard else 0.6)


def crates(position: TabaijanaPosition, words: Words) -> Iterator[Piece]:
    """Give the crates, each colour numbered along the track and upwards; a stack of more than ten stands in two columns."""
    seen: Tally[str] = Tally()
    for cell in (*range(1, LAST_CELL + 1), *([position.boat] if position.boat > LAST_CELL else [])):
        stack = position.stack(cell)
        for at, letter in enumerate(stack):
            seen[letter] += 1
            yield crate(words, letter, seen[letter], cell, at, len(stack), cell == position.boat)


@lru_cache(8192)
def crate(words: Words, letter: str, number: int, cell: int, at: int, height: int, aboard: bool) -> Piece:
    """Return a crate with `at` crates below it in a stack; the same one each time, so that boards are compared quickly."""
    x, y = spot(cell)
    aside = 0.0 if height <= COLUMN else -ASIDE if at < COLUMN else ASIDE
    return Piece(
        f"{letter}{number}",
        f"crate-{letter}",
        x + aside,
        y - lift(aboard, at),
        letter,
        words("piece crate", colour=f"=own {letter}", at=at + 1, height=height),
        "B" if aboard else str(cell),
        level=at + 1 if aboard else at,
    )


def counters(position: TabaijanaPosition, words: Words) -> Iterator[Counter]:
    """Give a line for each seat with its crates aboard and its privilege, then the dice, the order and the boat."""
    load = position.stack(position.boat)
    for seat, letter in enumerate(seat_colours(position)):
        key = "line four" if has(position.four, letter) else "line three" if has(position.three, letter) else "line seat"
        aboard = load.count(letter)
        yield Counter("aboard", aboard, seat, words(key, number=seat + 1, seat=f"={letter}", aboard=aboard))
    if position.small:
        yield Counter("dice", int(position.small), -1, words("line dice", dice=dice(position)))
    if position.goal:
        yield Counter("order", 0, -1, words("line order", order=", ".join(words(f"={letter}") for letter in ordered(position))))
    yield Counter("boat", int(position.boat), -1, words("line boat", cell=int(position.boat), aboard=len(load)))


def touches(game: Game, scene: Scene, token: str) -> tuple[str, ...]:
    """Return the cells one touches for a token: where from (`B` is the boat) and where to; beyond 24 is the sea."""
    way = re.fullmatch(r"(?:[0-9]+:)?(B|[0-9]+)>([0-9]+)", token)
    if not way:
        return ()
    return way[1], way[2] if int(way[2]) <= LAST_CELL else "sea"


def ask(game: Game, position: TabaijanaPosition) -> Message:
    """Return the question for the seat that has thrown; it says if the game can no longer be won (5.4)."""
    facts: dict[str, Fact] = {"seat": f"={seat_colours(position)[position.turn()]}"}
    hopeless = " hopeless" if stranded(position) else ""
    if not position.small:
        return Message("ask throw" + hopeless, facts)
    if position.large > position.small:
        return Message("ask either" + hopeless, facts | {"small": int(position.small), "large": int(position.large)})
    return Message("ask" + hopeless, facts | {"steps": int(position.small)})


def stranded(position: TabaijanaPosition) -> int:
    """Return how many crates stand on 24 where no boat can load them (5.4)."""
    return 0 if position.counts or position.boat == LAST_CELL else len(position.stack(LAST_CELL))


def tell(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition) -> list[Message]:
    """Return what happened, one sentence for each thing."""
    seat: dict[str, Fact] = {"seat": f"={seat_colours(before)[before.turn()]}"}
    if is_throw(action):
        sentences = [Message("tell throw", seat | {"dice": THROW_TOKENS[action]})]
        return sentences if after.small else [*sentences, Message("tell pass", seat)]
    move = MOVES[action - len(THROW_TOKENS)]
    moved = tell_crates(before, move, seat) if move.count else tell_boat(before, move, seat)
    return [moved, *tell_privileges(before, after), *tell_end(before, after)]


def tell_crates(before: TabaijanaPosition, move: Move, seat: dict[str, Fact]) -> Message:
    """Return the sentence for crates on their way."""
    many = "tell crates" if move.count > 1 else "tell crate"
    case = " off" if not move.start else " aboard" if move.end == before.boat else ""
    return Message(many + case, seat | {"count": move.count, "start": move.start, "end": move.end})


def tell_boat(before: TabaijanaPosition, move: Move, seat: dict[str, Fact]) -> Message:
    """Return the sentence for the boat, and for what it finds where it stops."""
    crates = len(before.stack(move.end))
    key = "tell boat" if not crates else "tell boat crate" if crates == 1 else "tell boat crates"
    return Message(key, seat | {"end": move.end, "count": crates})


def tell_privileges(before: TabaijanaPosition, after: TabaijanaPosition) -> Iterator[Message]:
    """Give the privileges won and, where they do not stay, lost."""
    for letter in seat_colours(after):
        for name, old, new in (("three", before.three, after.three), ("four", before.four, after.four)):
            if has(old, letter) != has(new, letter):
                yield Message(f"tell {name}" if has(new, letter) else f"tell {name} lost", {"seat": f"={letter}"})


def tell_end(before: TabaijanaPosition, after: TabaijanaPosition) -> Iterator[Message]:
    """Give the end of the game, or what makes a win impossible (5.4)."""
    if after.actor() == OVER:
        key = {"5.1": "tell won", "5.2": "tell sunk", "5.3": "tell stuck"}[after.reason()]
        yield Message(key, {"cell": int(after.boat)})
    elif stranded(after) and not stranded(before):
        yield Message("tell stranded")
