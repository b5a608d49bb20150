"""Tablan (Mysore): run your men along the whole cloth, and hold the most squares of the enemy's home row."""

from collections.abc import Mapping

from tablee.core.game import Game
from tablee.core.kind import Kind, Option, Setup
from tablee.core.scene import Scene
from tablee.games.tablan.goal import goal
from tablee.games.tablan.look import ask, passes, scene, tell, throw_scenes
from tablee.games.tablan.mind import MIND
from tablee.games.tablan.notation import dump, empty, load, notate, parse
from tablee.games.tablan.observation import observation
from tablee.games.tablan.position import ACTION_COUNT, TablanPosition
from tablee.games.tablan.promises import SYMMETRIES, conserved
from tablee.games.tablan.reasons import reason
from tablee.games.tablan.rulings import rulings

PRESETS = {
    "fiche": {"throw": "dice", "first_move": "table", "filling": "in_order", "throw_again": "no"},
    "mysore": {"throw": "sticks", "first_move": "each_man", "filling": "in_order", "throw_again": "yes"},
    "lettre": {"throw": "dice", "first_move": "each_man", "filling": "in_order", "throw_again": "no"},
}


def start(game: Game, setup: Setup) -> TablanPosition:
    """Return the set-up of 1.2; nothing is drawn."""
    return empty(game)


def preset(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Return the options that a preset sets."""
    return PRESETS[chosen.get("preset", "fiche")]


def touches(game: Game, scene: Scene, token: str) -> tuple[str, ...]:
    """Return the squares that a move names; a throw names none, though `s1` looks as if it did."""
    return tuple(token.split(">")) if ">" in token else ()


KIND = Kind(
    slug="tablan",
    title="Tablan",
    version=2,
    package=__name__,
    seats=(2,),
    minutes=40,
    options=(
        Option("preset", "fiche", ("fiche", "mysore", "lettre")),
        Option("throw", "dice", ("dice", "sticks")),
        Option("first_move", "table", ("table", "each_player", "each_man")),
        Option("filling", "in_order", ("in_order", "any_square")),
        Option("last_man", "may_stay", ("may_stay", "must_move")),
        Option("throw_again", "no", ("no", "yes")),
        Option("end", "first", ("first", "both")),
        Option("ties", "draw", ("draw", "first_finisher")),
    ),
    action_count=ACTION_COUNT,
    refusing=("1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "3.2", "4.1", "4.2", "5.1", "5.2"),
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
    passes=passes,
    conserved=conserved,
    preset=preset,
    symmetries=SYMMETRIES,
    touches=touches,
    mind=MIND,
    observation=observation,
    # In version 1 a last man had to use every throw that he could use.
    older={1: {"last_man": "must_move"}},
)
