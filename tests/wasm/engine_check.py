"""What runs in the Python of the browser: random games of every game, and the contract of every game. `given` and `found` are the test's."""

import sys
from types import ModuleType
from typing import Any

from tablee.catalog import OURS, game, kind
from tablee.core import position
from tablee.players.playout import playouts

given: dict[str, Any] = globals()["given"]
testing = ModuleType("tablee.testing")
sys.modules["tablee.testing"] = testing
exec(compile(given["testing"], "tablee/testing.py", "exec"), testing.__dict__)

digests = {}
games = {}
rare = []
for slug in OURS:
    chosen = game(slug)
    digests[slug] = list(playouts(chosen.start(seed=1).position, given["games"], 7, chosen.action_count))
    if given["actions"]:
        try:
            games[slug] = testing.check_game(kind(slug), actions=given["actions"], often=8).games
        except testing.Broken as broken:
            # So few actions do not meet every paragraph; that is asked last of all, so everything else was kept.
            if "never seen refusing" not in str(broken):
                raise
            rare.append(slug)
found = {"digests": digests, "games": games, "rare": rare, "engine": position.__file__}
