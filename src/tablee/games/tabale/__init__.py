"""Tabale (Cabale): a fool runs, turns once, and leaves a pawn where it turned; the centre pays best."""

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.kind import Kind, Option, Setup
from tablee.games.tabale.goal import goal
from tablee.games.tabale.look import ask, scene, tell, touches
from tablee.games.tabale.mind import MIND
from tablee.games.tabale.notation import blank, dump, load, notate, parse
from tablee.games.tabale.observation import observation
from tablee.games.tabale.position import ACTION_COUNT, TabalePosition
from tablee.games.tabale.promises import SYMMETRIES, conserved
from tablee.games.tabale.reasons import reason
from tablee.games.tabale.rulings import rulings


def start(game: Game, setup: Setup) -> TabalePosition:
    """Return the empty board of 1.4 and 1.5; nothing is drawn, since seats are numbered from the first player."""
    for name in setup:
        raise TableeError(f"unknown set-up {shown(name)}: tabale draws nothing (1.5)")
    return blank(game)


def check(game: Game) -> None:
    """Raise if the table wants teams without being four."""
    if game.option("teams") == "on" and game.seats != 4:
        wrong = f"option teams=on needs 4 seats, not {game.seats}: partners sit opposite (5.4)"
        raise TableeError(wrong).with_key("choice teams", seats=game.seats)


KIND = Kind(
    slug="tabale",
    title="Tabale (Cabale)",
    version=1,
    package=__name__,
    seats=(2, 3, 4),
    minutes=30,
    age=12,
    options=(
        Option("edges", "114", ("114", "84", "66", "156")),
        Option("reversal", "no", ("no", "yes")),
        Option("ties", "share", ("share", "captures")),
        Option("teams", "off", ("off", "on")),
    ),
    action_count=ACTION_COUNT,
    refusing=("1.4", "1.5", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "3.4", "4.1", "5.1", "5.2"),
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
    dice=False,
    conserved=conserved,
    check=check,
    symmetries=SYMMETRIES,
    glue="-",
    touches=touches,
    mind=MIND,
    observation=observation,
)
