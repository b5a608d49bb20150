"""Tabu as text: tokens (`c5`, `!`, `d-d-a`) and the position line, both ways.

`bank=2 93/1:c5+s2! 100/0 88/0 out dice=d-d-a`: seat 2 is banker; seat 1 has 93 in hand, has held the bank once, has 5 on
clubs and 2 on the sun and is ready; seat 4 is out; the last throw. Before the first throw `dice=-`. With `rounds=free` the turns
of the bank so far, those of seats now out included, stand after `bank=`: `bank=2 turns=31 …`.
"""

import re

from tablee.core.errors import NotationError, PositionError
from tablee.core.game import Game
from tablee.games.tabu.position import (
    CHIPS,
    DOUBLING_ALL,
    DOUBLING_NONE,
    DOUBLING_SYMBOLS,
    EACH,
    FREE,
    MOST_TURNS,
    NONE,
    READY,
    THROWS,
    TabuPosition,
    throws,
)

BOX_NAMES = "cdhpas"
FREE_ROUNDS = "free"
DOUBLING = {"none": DOUBLING_NONE, "symbols": DOUBLING_SYMBOLS, "all": DOUBLING_ALL}
TOKENS = [f"{box}{chip}" for box in BOX_NAMES for chip in CHIPS] + ["!"]
THROW_TOKENS = ["-".join(BOX_NAMES[box] for box in throw) for throw in throws()]
STEPS = {token: number for number, token in enumerate(TOKENS)}
THROW_NUMBERS = {token: number for number, token in enumerate(THROW_TOKENS)}

CHIP = re.compile(r"([a-z])([0-9]{1,9})")
DICE = re.compile(r"[a-z](-[a-z])+")
NUMBER = r"(0|[1-9][0-9]{0,5})"
TURNS = re.compile(r"turns=(0|[1-9][0-9]{0,2})")
SEAT = re.compile(rf"{NUMBER}/{NUMBER}(?::([^!]+))?(!?)")
STAKE = re.compile(r"([cdhpas])([1-9][0-9]{0,5})")
EXPECTED = "a box c d h p a s with a chip of 1, 5, 20 or 100 (`c5`), `!`, or a throw in the order of the boxes (`d-d-a`)"


def notate(game: Game, action: int) -> str:
    """Return the token of an action; the seat of a chip or of `!` is known from whose token it is."""
    return THROW_TOKENS[action - THROWS] if action >= THROWS else TOKENS[action % EACH]


def parse(game: Game, token: str, seat: int) -> int:
    """Return the action of a seat's token, or the throw."""
    if token in STEPS:
        return int(seat * EACH + STEPS[token])
    if token in THROW_NUMBERS:
        return int(THROWS + THROW_NUMBERS[token])
    if chip := CHIP.fullmatch(token):
        paragraph = "2.1" if chip[1] in BOX_NAMES else "1.1"
        raise NotationError(token, EXPECTED, paragraph)
    raise NotationError(token, EXPECTED, "1.1" if DICE.fullmatch(token) else "")


def blank(game: Game) -> TabuPosition:
    """Return an empty table under the options of a game."""
    options = game.options
    rounds = int(FREE) if is_free(game) else int(options["rounds"])
    return TabuPosition(game.seats, rounds, options["may_pass"] == "yes", DOUBLING[options["doubling"]], options["odds"] == "stake_included")


def is_free(game: Game) -> bool:
    """Return whether no number of rounds is agreed (4.2)."""
    return game.option("rounds") == FREE_ROUNDS


def dump(game: Game, position: TabuPosition) -> str:
    """Return the position on one line."""
    dice = "-" if position.last == NONE else THROW_TOKENS[position.last]
    bank = [f"bank={position.banker + 1}", *([f"turns={position.turns}"] if is_free(game) else [])]
    return " ".join((*bank, *(dump_seat(position, seat) for seat in range(game.seats)), f"dice={dice}"))


def dump_seat(position: TabuPosition, seat: int) -> str:
    """Return one seat: money in hand, turns of the bank held, stakes box by box, whether it is ready."""
    if not (position.inside >> seat) & 1:
        return "out"
    stakes = "+".join(f"{box}{stake}" for at, box in enumerate(BOX_NAMES) if (stake := position.stakes[6 * seat + at]))
    waits = (position.waiting >> seat) & 1 or seat == position.banker or position.ended_by
    return f"{position.hand[seat]}/{position.held[seat]}{':' if stakes else ''}{stakes}{'' if waits else '!'}"


def load(game: Game, line: str) -> TabuPosition:
    """Return the position of a line, all of it checked."""
    fields = line.split(" ")
    bank = ("bank=", "turns=") if is_free(game) else ("bank=",)
    named = len(fields) == game.seats + len(bank) + 1 and all(field.startswith(name) for field, name in zip(fields, bank, strict=False))
    if not named or not fields[-1].startswith("dice="):
        raise PositionError(line, f"expected {', '.join(bank)}, one field for each of the {game.seats} seats, dice=")
    banker = read_banker(line, fields[0][5:], game.seats)
    last = read_dice(line, fields[-1][5:])
    seats = [read_seat(game, line, field) for field in fields[len(bank) : -1]]
    check_money(game, line, seats)
    turns = read_turns(line, fields[1], seats) if is_free(game) else 0
    check_bank(game, line, seats, banker, last, turns)
    position = blank(game)
    position.arrange(banker, [seat.money for seat in seats], [seat.held for seat in seats], last, turns)
    for at, seat in enumerate(seats):
        place(game, line, position, at, seat)
    return position


class Seat:
    """What the line says of one seat."""

    def __init__(self, hand: int, held: int, stakes: dict[str, int], ready: bool) -> None:
        """Keep it; a seat that is out has nothing."""
        self.money = hand + sum(stakes.values())
        self.held = held
        self.stakes = stakes
        self.ready = ready


def read_banker(line: str, text: str, seats: int) -> int:
    """Return the banker's seat."""
    if len(text) != 1 or text not in "12345678"[:seats]:
        raise PositionError(line, f"expected a banker from 1 to {seats}", "1.3")
    return int(text) - 1


def read_dice(line: str, text: str) -> int:
    """Return the number of the last throw, NONE before the first."""
    if text == "-":
        return int(NONE)
    if text not in THROW_NUMBERS:
        raise PositionError(line, "expected three dice in the order of the boxes c d h p a s, like d-d-a, or -", "1.1")
    return THROW_NUMBERS[text]


def read_turns(line: str, field: str, seats: list[Seat]) -> int:
    """Return the turns of the bank in a free game: those of the seats still in, and what those now out can have held."""
    match = TURNS.fullmatch(field)
    if not match or int(match[1]) > MOST_TURNS:
        raise PositionError(line, f"expected turns=0 to turns={MOST_TURNS}", "4.2")
    turns = int(match[1])
    held = [seat.held for seat in seats if seat.money]
    out = len(seats) - len(held)
    # The bank goes round, so nobody out has held it more than once more than somebody still in.
    if not sum(held) <= turns <= sum(held) + out * (max(held) + 1) or (out and not turns):
        raise PositionError(line, f"turns={turns} do not fit the {sum(held)} turns of the seats still in", "4.2")
    return turns


def read_seat(game: Game, line: str, field: str) -> Seat:
    """Return one seat, its numbers within what the game allows."""
    if field == "out":
        return Seat(0, 0, {}, False)
    parts = SEAT.fullmatch(field)
    if not parts:
        raise PositionError(line, f"{field[:40]!r} is no seat: expected money/turns held, stakes, !: like 93/1:c5+s2! or out")
    stakes: dict[str, int] = {}
    for text in parts[3].split("+") if parts[3] else ():
        stake = STAKE.fullmatch(text)
        if not stake:
            raise PositionError(line, f"{text[:40]!r} is no stake: expected a box c d h p a s and its money, like c5", "1.1")
        if stakes and BOX_NAMES.index(stake[1]) <= max(map(BOX_NAMES.index, stakes)):
            raise PositionError(line, "expected each box once, in the order c d h p a s", "2.1")
        stakes[stake[1]] = int(stake[2])
    seat = Seat(int(parts[1]), int(parts[2]), stakes, bool(parts[4]))
    if not seat.money:
        raise PositionError(line, "a seat without money is out", "4.1")
    if not is_free(game) and seat.held > int(game.option("rounds")):
        raise PositionError(line, f"nobody holds the bank more than {game.option('rounds')} times", "4.2")
    return seat


def check_money(game: Game, line: str, seats: list[Seat]) -> None:
    """Raise unless all money, stakes included, is what the players brought."""
    expected = game.seats * int(game.option("money"))
    total = sum(seat.money for seat in seats)
    if total != expected:
        raise PositionError(line, f"all money with the stakes is {total}, expected {expected}", "1.2")


def check_bank(game: Game, line: str, seats: list[Seat], banker: int, last: int, turns: int) -> None:
    """Raise unless the bank can have gone round like this: from the banker leftwards h times, then h + 1 times."""
    inside = [seat for seat in seats if seat.money]
    fresh = len(inside) == len(seats) and not any(seat.held for seat in seats)
    if fresh != (last == NONE):
        raise PositionError(line, "expected dice=- before the first throw, and only then", "1.3")
    if fresh and any(seat.money != int(game.option("money")) for seat in seats):
        raise PositionError(line, f"before the first throw everybody has {game.option('money')}", "1.2")
    free = is_free(game)
    played = turns == MOST_TURNS if free else all(seat.held == int(game.option("rounds")) for seat in inside)
    over = len(inside) == 1 or played
    if over and seats[banker].money and not seats[banker].held:
        raise PositionError(line, "the last banker has held the bank", "1.3")
    if over and not (free and played):
        return
    if not over and not seats[banker].money:
        raise PositionError(line, "the banker is out", "1.3")
    first = banker + 1 if over else banker
    held = [seat.held for seat in seats[first:] + seats[:first] if seat.money]
    if held != sorted(held) or held[-1] > held[0] + 1:
        raise PositionError(line, "the bank goes round to the left, so those before the banker have held it once more", "1.3")


def place(game: Game, line: str, position: TabuPosition, at: int, seat: Seat) -> None:
    """Lay a seat's stakes, if the rules let them lie there."""
    if not seat.stakes and not seat.ready:
        return
    if position.ended_by:
        raise PositionError(line, "the game is over: no stakes and nobody ready", position.reason())
    if at == position.banker:
        raise PositionError(line, "the banker stakes nothing", "2.4")
    total = sum(seat.stakes.values())
    doubling = game.option("doubling")
    doubled = {"none": 0, "symbols": seat.stakes.get("a", 0) + seat.stakes.get("s", 0), "all": total}[doubling]
    if seat.money < total + doubled and not (doubling == "all" and seat.money == 1):
        raise PositionError(line, f"money {seat.money} does not cover stakes {total} and doubling {doubled}", "2.3")
    for box, stake in seat.stakes.items():
        position.lay(at, BOX_NAMES.index(box), stake)
    if seat.ready:
        if not total and game.option("may_pass") == "no":
            raise PositionError(line, "a seat is ready without a stake", "2.2")
        position.play(at * EACH + READY)
