"""Tabaijana (Wolfgang Kramer, 1990): all together, load the crates in good order before the island sinks."""

from tablee.core.kind import Kind, Option
from tablee.games.tabaijana.deal import CHOICES, check, setup, start
from tablee.games.tabaijana.dealing import CrateByCrate
from tablee.games.tabaijana.goal import goal, seat_key
from tablee.games.tabaijana.look import ask, passes, scene, tell, throw_scenes, touches
from tablee.games.tabaijana.mind import MIND
from tablee.games.tabaijana.notation import dump, load, notate, parse
from tablee.games.tabaijana.observation import observation
from tablee.games.tabaijana.position import ACTION_COUNT
from tablee.games.tabaijana.promises import SYMMETRIES, conserved
from tablee.games.tabaijana.reasons import reason, warning
from tablee.games.tabaijana.rulings import rulings

KIND = Kind(
    slug="tabaijana",
    title="Tabaijana",
    version=1,
    package=__name__,
    seats=(2, 3, 4, 5),
    minutes=20,
    age=5,
    options=(
        Option("game", "famille", ("famille", "enfants")),
        Option("far_end", "24", ("24", "23")),
        Option("privileges", "keep", ("keep", "while_it_lasts")),
        Option("boat_for_four", "no", ("no", "yes")),
        Option("cell_24", "lost", ("lost", "counts")),
        Option("order", "off", ("off", "on")),
    ),
    action_count=ACTION_COUNT,
    refusing=("1.4", "2.1", "2.3", "2.4", "2.5", "2.6", "3.2", "4.1", "4.4", "5.1", "5.2", "5.3"),
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
    warning=warning,
    throw_scenes=throw_scenes,
    passes=passes,
    seat_key=seat_key,
    conserved=conserved,
    setup=setup,
    choices=CHOICES,
    check=check,
    symmetries=SYMMETRIES,
    touches=touches,
    together=True,
    mind=MIND,
    observation=observation,
    deal=CrateByCrate(),
)
