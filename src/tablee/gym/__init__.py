"""Our games for other libraries of learning and search, as PettingZoo, Gymnasium and OpenSpiel know games, and in batches.

tablee.gym.aec("traboulet", bonus="red")              PettingZoo, one seat after the other
tablee.gym.parallel("tabu", seats=3)                  PettingZoo, all seats at once
gymnasium.make("tablee/Traboulet-v1", opponents="level3")
tablee.gym.vector("traboulet", 64)                    gymnasium.vector, over tablee.Batch
import tablee.gym.openspiel                           then pyspiel.load_game("tablee_traboulet")
"""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from tablee.gym.registration import register_all

if TYPE_CHECKING:
    from tablee.gym.batch import Batch
    from tablee.gym.one_seat import SeatEnv
    from tablee.gym.pettingzoo_aec import aec
    from tablee.gym.pettingzoo_parallel import parallel
    from tablee.gym.vector_env import vector

__all__ = ["Batch", "SeatEnv", "aec", "parallel", "vector"]

HOMES = {"Batch": "batch", "SeatEnv": "one_seat", "aec": "pettingzoo_aec", "parallel": "pettingzoo_parallel", "vector": "vector_env"}

with suppress(ModuleNotFoundError):  # OpenSpiel and PettingZoo do without Gymnasium's names
    register_all()


def __getattr__(name: str) -> object:
    """Import what is asked for on first use: each adapter needs other packages."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
