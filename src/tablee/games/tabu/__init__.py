"""Tabu: all stake at once on six boxes, the banker throws three dice and settles out of his own money."""

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.kind import Draw, Kind, Option, Setup
from tablee.games.tabu.goal import goal
from tablee.games.tabu.look import ask, scene, tell, throw_scenes, touches
from tablee.games.tabu.mind import MIND
from tablee.games.tabu.notation import FREE_ROUNDS, blank, dump, load, notate, parse
from tablee.games.tabu.observation import observation
from tablee.games.tabu.position import ACTION_COUNT, NONE, TabuPosition
from tablee.games.tabu.promises import SYMMETRIES, conserved
from tablee.games.tabu.reasons import reason
from tablee.games.tabu.rulings import rulings


def setup(game: Game, draw: Draw, chosen: Setup) -> Setup:
    """Draw the first banker by lot (1.3); seats are written from 1."""
    return {"banker": str(draw(game.seats) + 1)}


def start(game: Game, setup: Setup) -> TabuPosition:
    """Return the first turn of the bank: everybody with the same money (1.2)."""
    for name in setup:
        if name != "banker":
            raise TableeError(f"unknown set-up {shown(name)}: tabu draws banker alone (1.3)")
    banker = setup.get("banker", "")
    if len(banker) != 1 or banker not in "12345678"[: game.seats]:
        raise TableeError(f"{shown(banker)} is no first banker: expected banker=1 to banker={game.seats} in the set-up (1.3)")
    position = blank(game)
    position.arrange(int(banker) - 1, [int(game.option("money"))] * game.seats, [0] * game.seats, NONE)
    return position


KIND = Kind(
    slug="tabu",
    title="Tabu",
    version=1,
    package=__name__,
    seats=(2, 3, 4, 5, 6, 7, 8),
    minutes=20,
    options=(
        Option("money", "100", least=20, most=10000),
        Option("rounds", "3", values=(FREE_ROUNDS,), least=1, most=20),
        Option("may_pass", "no", values=("no", "yes")),
        Option("doubling", "symbols", values=("symbols", "all", "none")),
        Option("odds", "net", values=("net", "stake_included")),
    ),
    action_count=ACTION_COUNT,
    refusing=("2.1", "2.2", "2.3", "2.4", "4.1", "4.2"),
    start=start,
    notate=notate,
    parse=parse,
    dump=dump,
    load=load,
    rulings=rulings,
    scene=scene,
    ask=ask,
    tell=tell,
    goal=goal,
    reason=reason,
    throw_scenes=throw_scenes,
    conserved=conserved,
    setup=setup,
    symmetries=SYMMETRIES,
    touches=touches,
    counted_by="4.2",
    whole_turns=True,
    mind=MIND,
    observation=observation,
)
