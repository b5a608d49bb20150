"""The tray as data: 49 dimples, the marbles on them, the captured ones in the gutters; and the sentences of questions and events."""

from collections.abc import Iterator
from functools import cache, lru_cache

from tablee.core.game import Game
from tablee.core.ruling import Fact, Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.traboulet.notation import EACH, FILES, PUSHES, RANKS, REDS, SIDE, SPOTS, Spot, beyond, colour_at, inside, name
from tablee.games.traboulet.position import BONUS_ANY, BONUS_RED, STOP, TrabouletPosition

SIZE = 116.0
MIDDLE = SIZE / 2
PITCH = 10.0
GUTTER = 47.0
TRAY_PITCH = 9.4
NAMES = 39.6
INK = "#f3dfbcd9"
COLOURS = "wbr"
MOST = (EACH, EACH, REDS)
RED = 2
FULL = (1 << SIDE) - 1
SYMBOLS = {"w": "white", "b": "black", "r": "red"}


def scene(game: Game, position: TrabouletPosition, words: Words) -> Scene:
    """Return everything visible in a position: White sits below, Black above."""
    return Scene(
        game="traboulet",
        width=SIZE,
        height=SIZE,
        title=words("title"),
        backdrop="tray",
        cells=cells(),
        pieces=tuple(pieces(position, words)),
        labels=labels(),
        counters=tuple(counters(position, words)),
    )


@cache
def cells() -> tuple[Cell, ...]:
    """Return the dimples."""
    return tuple(Cell(name(spot), *centre(spot), "dimple", place(spot)) for spot in SPOTS)


@cache
def labels() -> tuple[Label, ...]:
    """Return what is printed on the tray."""
    return tuple(names())


def centre(spot: Spot) -> tuple[float, float]:
    """Return the middle of a cell in the drawing."""
    return MIDDLE + PITCH * (spot[0] - 3), MIDDLE - PITCH * (spot[1] - 3)


def place(spot: Spot) -> tuple[int, int]:
    """Return the line and column of a cell in the text drawing."""
    return SIDE - spot[1], 3 + 2 * spot[0]


def names() -> Iterator[Label]:
    """Give the letters below and above, the numbers to the left and to the right; in text on all sides too."""
    for at in range(SIDE):
        along = MIDDLE + PITCH * (at - 3)
        for x, y, line in ((along, MIDDLE + NAMES, SIDE + 1), (along, MIDDLE - NAMES, 0)):
            yield Label(FILES[at], x, y + 0.9, 2.8, INK, (line, 3 + 2 * at))
        for x, column in ((MIDDLE - NAMES, 0), (MIDDLE + NAMES, 2 * SIDE + 4)):
            yield Label(RANKS[at], x, 2 * MIDDLE - along + 0.9, 2.8, INK, (SIDE - at, column))


def pieces(position: TrabouletPosition, words: Words) -> Iterator[Piece]:
    """Give the marbles on the board, each colour counted from a7 on, then the captured ones, so that every marble has its number."""
    number = [0, 0, 0]
    known = marbles_of(words)
    white, black, red = int(position.white), int(position.black), int(position.red)
    for rank in reversed(range(SIDE)):
        at = 8 * rank
        for colour, file in on_rank(white >> at & FULL, black >> at & FULL, red >> at & FULL):
            number[colour] += 1
            yield known[colour][number[colour]][SIDE * rank + file]
    for seat in (0, 1):
        for colour, count in ((RED, reds(position, seat)), (1 - seat, enemies(position, seat))):
            for at in range(count):
                number[colour] += 1
                yield taken(words, COLOURS[colour], number[colour], seat, at)


@cache
def on_rank(white: int, black: int, red: int) -> tuple[tuple[int, int], ...]:
    """Return the colour and the file of every marble of a rank, given as the sets of its files that each colour holds."""
    return tuple((colour, file) for file in range(SIDE) for colour, files in enumerate((white, black, red)) if files >> file & 1)


@lru_cache(8)
def marbles_of(words: Words) -> tuple[list[list[Piece]], ...]:
    """Return every marble on every cell, by colour, number and cell; the same ones each time, so that boards are compared quickly."""
    return tuple([[marble(words, colour, at, spot) for spot in SPOTS] for at in range(most + 1)] for colour, most in zip(COLOURS, MOST, strict=True))


def marble(words: Words, colour: str, number: int, spot: Spot) -> Piece:
    """Return a marble on the board."""
    return Piece(f"{colour}{number}", SYMBOLS[colour], *centre(spot), colour, words(f"piece {SYMBOLS[colour]}", cell=name(spot)), name(spot))


@lru_cache(2048)
def taken(words: Words, colour: str, number: int, seat: int, at: int) -> Piece:
    """Return a captured marble: reds lie before the seat that has taken them, others beside."""
    side = -1 if seat else 1
    if colour == "r":
        x, y = MIDDLE + side * PITCH * (at - 3), MIDDLE + side * GUTTER
        label = words("piece red taken", side=f"=seat {seat + 1}")
    else:
        x, y = MIDDLE + side * GUTTER, MIDDLE + side * TRAY_PITCH * (3.5 - at)
        label = words(f"piece {SYMBOLS[colour]} taken")
    return Piece(f"{colour}{number}", SYMBOLS[colour], x, y, colour, label)


def counters(position: TrabouletPosition, words: Words) -> Iterator[Counter]:
    """Give the reds and the enemy marbles that each seat has taken; in text both on one line."""
    for seat in (0, 1):
        yield from counted(words, seat, reds(position, seat), enemies(position, seat))


@lru_cache(1024)
def counted(words: Words, seat: int, red: int, enemy: int) -> tuple[Counter, Counter]:
    """Return the counters of a seat."""
    line = words("counter line", side=f"=seat {seat + 1}", reds=red, enemies=enemy)
    return Counter("reds", red, seat, line), Counter("enemies", enemy, seat)


def reds(position: TrabouletPosition, seat: int) -> int:
    """Return how many reds a seat has taken."""
    return int(position.black_taken if seat else position.white_taken)


def enemies(position: TrabouletPosition, seat: int) -> int:
    """Return how many enemy marbles are no longer on the board."""
    return EACH - int(position.white if seat else position.black).bit_count()


def ask(game: Game, position: TrabouletPosition) -> Message:
    """Return the question for the side to move: a push, or a bonus push that may be declined."""
    return Message("ask bonus" if position.bonus else "ask push", {"side": f"=seat {position.side + 1}"})


def tell(game: Game, before: TrabouletPosition, action: int, after: TrabouletPosition) -> list[Message]:
    """Return what happened: the push, what fell, the bonus push or the turn that ended by itself, the end."""
    seat = int(before.side)
    side = f"=seat {seat + 1}"
    if action == STOP:
        return [Message("tell stop", {"side": side}), *tell_end(after)]
    push = PUSHES[action]
    moved = [push.start]
    while inside(spot := beyond(moved[-1], push.step)) and colour_at(before, spot):
        moved.append(spot)
    facts: dict[str, Fact] = {"side": side, "cell": name(push.start), "target": name(push.target), "others": len(moved) - 1}
    sentences = [Message("tell push" if len(moved) == 1 else "tell push one" if len(moved) == 2 else "tell push line", facts)]
    if not inside(spot):
        sentences += tell_capture(before, after, colour_at(before, moved[-1]))
    return sentences + tell_end(after)


def tell_capture(before: TrabouletPosition, after: TrabouletPosition, fallen: str) -> list[Message]:
    """Return which marble was captured, and whether the same side may push again."""
    seat = int(before.side)
    side = f"=seat {seat + 1}"
    if fallen == "r":
        sentences = [Message("tell red", {"side": side, "taken": reds(after, seat)})]
    else:
        sentences = [Message("tell enemy", {"side": side, "colour": f"={fallen}", "left": EACH - enemies(after, seat)})]
    if after.bonus:
        sentences.append(Message("tell bonus", {"side": side}))
    elif not after.over and earns(before, fallen):
        sentences.append(Message("tell no push", {"side": side}))
    return sentences


def earns(position: TrabouletPosition, fallen: str) -> bool:
    """Return whether the capture of such a marble gives a bonus push under the options."""
    return bool(position.bonus_rule == BONUS_ANY or (position.bonus_rule == BONUS_RED and fallen == "r"))


def tell_end(after: TrabouletPosition) -> list[Message]:
    """Return how the game ended, if it did."""
    if not after.over:
        return []
    if after.winner < 0:
        return [Message("tell third time")]
    winner, loser = f"=seat {after.winner + 1}", f"=seat {2 - after.winner}"
    if after.ended_by == 1:
        return [Message("tell seventh", {"side": winner})]
    return [Message("tell stuck" if (after.white and after.black) else "tell no marble", {"side": loser})]
