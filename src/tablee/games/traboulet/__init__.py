"""Traboulet (Akiba, Kuba): push lines of marbles, and be the first to send seven reds over the edge."""

from tablee.core.game import Game
from tablee.core.kind import Kind, Option, Setup
from tablee.games.traboulet.goal import goal
from tablee.games.traboulet.look import ask, scene, tell
from tablee.games.traboulet.mind import MIND
from tablee.games.traboulet.notation import START, dump, load, notate, parse
from tablee.games.traboulet.observation import observation
from tablee.games.traboulet.position import ACTION_COUNT, TrabouletPosition
from tablee.games.traboulet.promises import SYMMETRIES, conserved
from tablee.games.traboulet.reasons import reason
from tablee.games.traboulet.rulings import rulings


def start(game: Game, setup: Setup) -> TrabouletPosition:
    """Return the set-up of 1.2; nothing is drawn."""
    return load(game, START)


KIND = Kind(
    slug="traboulet",
    title="Traboulet",
    version=1,
    package=__name__,
    seats=(2,),
    minutes=20,
    age=8,
    options=(
        Option("bonus", "any", ("any", "red", "none")),
        Option("ko", "reverse", ("reverse", "row", "position")),
        Option("repetition", "draw", ("draw", "forbid", "play_on")),
    ),
    action_count=ACTION_COUNT,
    refusing=("2.1", "2.2", "2.4", "3.1", "4.2", "5.1", "5.2", "5.3"),
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
    symmetries=SYMMETRIES,
    forgets=True,
    loser_first=True,
    mind=MIND,
    observation=observation,
)
