"""The felt as data: six boxes with everybody's chips, three dice, the chips to choose from, the seats; and the sentences of questions and events."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache

from tablee.core.game import Game
from tablee.core.ruling import Fact, Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene, Track
from tablee.core.words import Words
from tablee.games.tabu.notation import BOX_NAMES, TOKENS, is_free
from tablee.games.tabu.position import CHIPS, EACH, MOST_TURNS, NONE, READY, SHOWN, SIGNS, THROWS, TabuPosition, throws

WIDTH, HEIGHT = 184.0, 134.0
BOX_X = (31.0, 75.0, 119.0)
BOX_Y = (28.0, 71.5)
SIGN_RISE = 10.7
SIGN_LEFT = 10.5
TRAY = {"1": (153.8, 58.4), "5": (167.2, 58.4), "20": (153.8, 71.3), "100": (167.2, 71.3), "!": (160.5, 84.3)}
DICE = ((153.0, 21.0, -9.0), (168.2, 19.5, 7.0), (161.0, 36.0, 3.0))
SEATS_Y = 114.0
CREAM = "#fdf3d0"
STRAW = "#f1e3b0c0"
PAYS = "#f1e3b0"
PLAQUE = "#08281966"

GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "p": "♠", "a": "‡", "s": "☼"}
BOX_COLUMNS = 18
HEIGHTS = (1, 5, 20, 100, 500)


def scene(game: Game, position: TabuPosition, words: Words) -> Scene:
    """Return everything visible in a position."""
    return Scene(
        game="tabu",
        width=WIDTH,
        height=HEIGHT,
        title=words("title"),
        backdrop="felt",
        cells=cells(game.seats),
        pieces=tuple(pieces(game, position, words)),
        tracks=tuple(plaque(seat_x(game, seat)) for seat in range(game.seats)),
        labels=tuple(labels(game, position, words)),
        counters=tuple(counters(game, position, words)),
    )


def touches(game: Game, scene: Scene, token: str) -> tuple[str, ...]:
    """Return what one touches for a token: the chip, then the box; for a throw, the boxes it shows."""
    if token == "!":
        return ("!",)
    return tuple(dict.fromkeys(token.split("-"))) if "-" in token else (token[1:], token[0])


def sign_place(box: int) -> tuple[float, float]:
    """Return the middle of the sign of a box."""
    return BOX_X[box % 3] - SIGN_LEFT, BOX_Y[box // 3] - SIGN_RISE


def text_place(seats: int, box: int) -> tuple[int, int]:
    """Return where a box begins in the text drawing: three beside each other, the stakes of two seats a line below."""
    return (box // 3) * (2 + (seats + 1) // 2), 1 + box % 3 * BOX_COLUMNS


def throw_scenes(game: Game, before: TabuPosition, action: int, after: TabuPosition, words: Words) -> list[Scene]:
    """Return the felt with the dice thrown and every stake still there, the boxes that win lit; then every stake where it goes."""
    thrown = before.copy()
    thrown.last = action - int(THROWS)
    winning = {BOX_NAMES[box] for box in throws()[thrown.last]}
    fallen = replace(scene(game, thrown, words), marks=tuple(sorted(winning)))
    banker = seat_x(game, int(before.banker))
    paid = [
        replace(piece, x=seat_x(game, int(piece.glyph) - 1) - 5 if piece.cell in winning else banker - 5, y=SEATS_Y, cell="")
        if piece.id.startswith("stake")
        else piece
        for piece in fallen.pieces
    ]
    hands = tuple(label for label in fallen.labels if label.y > SEATS_Y or not label.text.isdecimal())
    return [fallen, replace(fallen, pieces=tuple(paid), labels=hands)]


def text_below(seats: int) -> int:
    """Return the first line of the text drawing below the boxes."""
    return text_place(seats, 3)[0] * 2


def pile_place(game: Game, seat: int, box: int) -> tuple[float, float]:
    """Return where the chips of a seat stand in a box: up to four seats in one row, more in two."""
    columns = min(game.seats, 4)
    x = BOX_X[box % 3] + (seat % 4 - (columns - 1) / 2) * 38 / columns
    y = BOX_Y[box // 3] + (9.0 if game.seats <= 4 else 3.2 + 10.4 * (seat // 4))
    return x, y


def pile_scale(game: Game) -> float:
    """Return how large the chips on the boxes are: the fewer seats, the larger."""
    return (1.25, 1.25, 1.1, 0.85)[min(game.seats, 5) - 2]


def pile_text(game: Game, seat: int, box: int) -> tuple[int, int]:
    """Return where the stake of a seat on a box is written in the text drawing."""
    line, column = text_place(game.seats, box)
    return line + 1 + seat // 2, column + seat % 2 * (BOX_COLUMNS // 2)


def seat_x(game: Game, seat: int) -> float:
    """Return where a seat sits below the felt."""
    return WIDTH / 2 + (seat - (game.seats - 1) / 2) * 21.6


def plaque(x: float) -> Track:
    """Return the dark plaque on which a seat's money is written."""
    return Track(((x - 4.4, SEATS_Y), (x + 4.4, SEATS_Y)), 11.5, PLAQUE)


def stake(position: TabuPosition, seat: int, box: int) -> int:
    """Return what a seat has on a box."""
    return int(position.stakes[6 * seat + box])


def is_in(seats: int, seat: int) -> bool:
    """Return whether a set of seats holds a seat."""
    return bool(seats >> seat & 1)


@cache
def cells(seats: int) -> tuple[Cell, ...]:
    """Return the six boxes, the four chips to choose from, and the button to say that one is ready."""
    boxes = [Cell(name, *sign_place(box), f"box-{name}", text_place(seats, box), GLYPHS[name]) for box, name in enumerate(BOX_NAMES)]
    tray, column = [], 1
    for name, (x, y) in TRAY.items():
        tray.append(Cell(name, x, y, "button" if name == "!" else "chip", (text_below(seats), column), name, "" if name == "!" else name))
        column += len(name) + 3
    return (*boxes, *tray)


def pieces(game: Game, position: TabuPosition, words: Words) -> Iterator[Piece]:
    """Give the stakes, the dice, a chip for each seat, the mark of those who are ready, and the banker's lamp."""
    for seat in range(game.seats):
        for box in range(6):
            yield from pile(game, position, words, seat, box)
        x = seat_x(game, seat)
        if is_in(position.inside, seat):
            yield Piece(f"seat-{seat + 1}", f"chip-{seat + 1}", x - 5, SEATS_Y, "", words(f"seat {seat + 1}"))
            if seat != position.banker and not position.ended_by and not is_in(position.waiting, seat):
                yield Piece(f"ready-{seat + 1}", "ready", x + 8.6, SEATS_Y - 5, "", words("piece ready", seat=f"=seat {seat + 1}"), level=1)
    yield Piece(
        "lamp", "lamp", seat_x(game, int(position.banker)), SEATS_Y - 6, "", words("piece lamp", seat=f"=seat {position.banker + 1}"), level=1
    )
    shown = [None] * 3 if position.last == NONE else [BOX_NAMES[box] for box in throws()[position.last]]
    for at, ((x, y, turn), face) in enumerate(zip(DICE, shown, strict=True)):
        symbol, glyph = (f"die-{face}", GLYPHS[face]) if face else ("die", "·")
        label = words("piece die", box=f"=box {face}") if face else words("piece die unthrown")
        yield Piece(f"die-{at + 1}", symbol, x, y, glyph, label, place=(text_below(game.seats), 1 + 2 * BOX_COLUMNS + 2 * at), turn=turn)


def pile(game: Game, position: TabuPosition, words: Words, seat: int, box: int) -> Iterator[Piece]:
    """Give the chips of a seat on a box, one on the other: the more money, the higher."""
    money = stake(position, seat, box)
    if not money:
        return
    for level in range(sum(money >= least for least in HEIGHTS)):
        yield chip(game, words, seat, box, money, level)


@lru_cache(8192)
def chip(game: Game, words: Words, seat: int, box: int, money: int, level: int) -> Piece:
    """Return a chip of the stake of a seat on a box; the same one each time, so that boards are compared quickly."""
    x, y = pile_place(game, seat, box)
    line, column = pile_text(game, seat, box)
    name, number, scale = BOX_NAMES[box], seat + 1, pile_scale(game)
    label = words("piece stake", seat=f"=seat {number}", money=money, box=f"=on {name}")
    place = (line + level, column)
    return Piece(
        f"stake-{number}-{name}-{level + 1}", f"chip-{number}", x, y - 0.95 * scale * level, str(number), label, name, place, level, scale=scale
    )


def labels(game: Game, position: TabuPosition, words: Words) -> Iterator[Label]:
    """Give what the boxes pay, the money of every stake, and each seat's name and money in hand."""
    for box in range(len(BOX_NAMES)):
        yield from printed(game, words, box)
        for seat in range(game.seats):
            if money := stake(position, seat, box):
                x, y = pile_place(game, seat, box)
                line, column = pile_text(game, seat, box)
                yield Label(str(money), x, y + 4 * pile_scale(game) + 3.3, 4 if money < 1000 else 3, CREAM, (line, column + 2))
    for seat in range(game.seats):
        x, hand = seat_x(game, seat), int(position.hand[seat])
        yield Label(words(f"seat {seat + 1}"), x, SEATS_Y + 10.6, 3.8, STRAW)
        if is_in(position.inside, seat):
            yield Label(str(hand), x + 4, SEATS_Y + 1.6, 4.6 if hand < 10000 else 3.7, CREAM)
        else:
            yield Label(words("out"), x, SEATS_Y + 1, 3, STRAW)


@lru_cache(1024)
def printed(game: Game, words: Words, box: int) -> tuple[Label, ...]:
    """Return the name of a box and what it pays."""
    line, column = text_place(game.seats, box)
    name, (x, y) = BOX_NAMES[box], sign_place(box)
    pays = [Label(words(f"pays {shown}", gain=gain), x + 19.9, y - 4.8 + 4.9 * at, 4.5, PAYS) for at, (shown, gain) in enumerate(payouts(game, name))]
    return Label(f"{name} {words(f'=box {name}')}", x, y, 0, STRAW, (line, column + 3)), *pays


def payouts(game: Game, name: str) -> list[tuple[int, str]]:
    """Return what a box pays for one, two and three dice that show it, and what it costs otherwise, for a stake of 1 (3.1 to 3.3)."""
    symbol = BOX_NAMES.index(name) >= SIGNS
    more = int(symbol) - int(game.option("odds") == "stake_included")
    double = game.option("doubling") == "all" or (symbol and game.option("doubling") == "symbols")
    return [*((shown, f"+{shown + more}") for shown in (1, 2, 3)), (0, f"−{2 if double else 1}")]


def counters(game: Game, position: TabuPosition, words: Words) -> Iterator[Counter]:
    """Give each seat's money in hand and on the table, and how often it has held the bank; in a free game all turns of the bank."""
    for seat in range(game.seats):
        hand, held = int(position.hand[seat]), int(position.held[seat])
        staked = sum(stake(position, seat, box) for box in range(6))
        line = words(
            f"counter line {doing(position, seat)}",
            seat=f"=seat {seat + 1}",
            number=seat + 1,
            money=hand,
            staked=staked,
            held=held,
            rounds="∞" if is_free(game) else game.option("rounds"),
        )
        yield Counter("money", hand, seat, line)
        yield Counter("staked", staked, seat)
        yield Counter("held", held, seat)
    if is_free(game):
        turns = int(position.turns)
        yield Counter("turns", turns, -1, words("counter line turns", turns=turns, most=int(MOST_TURNS)))


def doing(position: TabuPosition, seat: int) -> str:
    """Return what a seat does now."""
    if not is_in(position.inside, seat):
        return "out"
    if position.ended_by:
        return "over"
    if seat == position.banker:
        return "banker"
    return "staking" if is_in(position.waiting, seat) else "ready"


def ask(game: Game, position: TabuPosition) -> Message:
    """Return the question for the seats that still stake."""
    waiting = [str(seat + 1) for seat in range(game.seats) if is_in(position.waiting, seat)]
    key = "ask stake one" if len(waiting) == 1 else "ask stake"
    if game.option("may_pass") == "yes":
        key += " or pass"
    facts: dict[str, Fact] = {"banker": f"=seat {position.banker + 1}", "count": len(waiting), "seat": f"=seat {waiting[0]}"}
    return Message(key, facts)


def tell(game: Game, before: TabuPosition, action: int, after: TabuPosition) -> list[Message]:
    """Return what happened: a chip, a seat that is ready, or a throw with all it settles."""
    if action >= THROWS:
        return list(tell_throw(game, before, action - int(THROWS), after))
    seat = f"=seat {action // EACH + 1}"
    step = action % EACH
    if step == READY:
        return [Message("tell ready", {"seat": seat}) if is_in(before.staked, action // EACH) else Message("tell pass", {"seat": seat})]
    box = TOKENS[step][0]
    total = stake(after, action // EACH, BOX_NAMES.index(box))
    return [Message("tell stake", {"seat": seat, "chip": CHIPS[step % 4], "box": f"=on {box}", "total": total})]


def tell_throw(game: Game, before: TabuPosition, throw: int, after: TabuPosition) -> Iterator[Message]:
    """Give the dice, what everybody won or lost, who is out, and who is banker next or how the game ended."""
    first, second, third = (f"=box {BOX_NAMES[box]}" for box in throws()[throw])
    banker = int(before.banker)
    yield Message("tell throw", {"seat": f"=seat {banker + 1}", "first": first, "second": second, "third": third})
    for seat in range(game.seats):
        if is_in(before.staked, seat):
            yield Message(*won(before, after, seat, "tell"))
    if any(is_in(before.staked, seat) for seat in range(game.seats)):
        yield Message(*won(before, after, banker, "tell bank"))
    if falls_short(before, throw, after):
        yield Message("tell short", {"seat": f"=seat {banker + 1}"})
    for seat in range(game.seats):
        if is_in(before.inside, seat) and not is_in(after.inside, seat):
            yield Message("tell out", {"seat": f"=seat {seat + 1}"})
    if after.ended_by == 1:
        yield Message("tell last", {"seat": f"=seat {int(after.inside).bit_length()}"})
    elif after.ended_by == 2:
        yield Message("tell turns", {"turns": int(MOST_TURNS)}) if is_free(game) else Message("tell rounds", {"rounds": game.option("rounds")})
    else:
        yield Message("tell banker", {"seat": f"=seat {after.banker + 1}"})


def won(before: TabuPosition, after: TabuPosition, seat: int, key: str) -> tuple[str, dict[str, int | str]]:
    """Return the key and the facts of what a seat won or lost."""
    gain = int(after.money(seat) - before.money(seat))
    what = "wins" if gain > 0 else "loses" if gain < 0 else "even"
    return f"{key} {what}", {"seat": f"=seat {seat + 1}", "money": abs(gain)}


def falls_short(before: TabuPosition, throw: int, after: TabuPosition) -> bool:
    """Return whether the winners got less than what was due to them."""
    for seat in range(before.seats):
        if is_in(before.staked, seat):
            due = sum(stake(before, seat, box) * gain(before, throw, box) for box in range(6))
            if after.money(seat) - before.money(seat) < max(due, -before.money(seat)):
                return True
    return False


def gain(position: TabuPosition, throw: int, box: int) -> int:
    """Return what a stake of 1 on a box brings with a throw, if the banker can pay."""
    dice, symbol = int(SHOWN[6 * throw + box]), int(box >= SIGNS)
    if dice:
        return dice + symbol - int(position.stake_included)
    return -2 if position.doubling + symbol >= 2 else -1
