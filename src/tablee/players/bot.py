"""A player of your own: a base of two methods, and how one is found by the name `module:Class`."""

import re
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import ClassVar, Protocol

from tablee.core.errors import TableeError, shown, unknown
from tablee.core.game import Game
from tablee.core.state import State
from tablee.players.name import NAMES

BOT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class Chooser(Protocol):
    """Anything that chooses actions: one of our players, a bot of your own, or an adapter of another library."""

    def choose(self, state: State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Return the action of a seat within a budget, as a number or a token."""


class Bot:
    """The base of a player of your own: write `choose`, and `begin` if something must be prepared for each game.

    `options` are names with their usual values; `mymodule:Mine [depth=3]` sets one, and the bot finds it in `self.settings`.
    """

    options: ClassVar[Mapping[str, str]] = MappingProxyType({})
    settings: Mapping[str, str] = MappingProxyType({})

    def begin(self, game: Game, seed: int) -> None:
        """Prepare for a new game; a seed repeats what is left to chance."""

    def choose(self, state: State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Return the action of a seat, as a number or a token, within seconds and nodes if given."""
        raise NotImplementedError


class Fault(TableeError):
    """A player that fails: it hangs, crashes, breaks the protocol or plays what is not legal."""


def names_bot(name: str) -> bool:
    """Return whether a name is that of a bot in a module: `mymodule:Mine`."""
    return bool(BOT.fullmatch(name)) and name.partition(":")[0] not in NAMES


def load_bot(name: str) -> Bot:
    """Return the bot that `module:Class` names, or raise the error that says what is missing."""
    module_name, _, wanted = name.partition(":")
    if not names_bot(name):
        raise TableeError(f"{shown(name)} is no player: expected module:Class")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise TableeError(f"the module of {shown(name)} cannot be found: no module named {error.name!r}") from error
    except Exception as error:
        raise TableeError(f"the module of {shown(name)} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, wanted):
        raise unknown(f"player of {module_name}", wanted, [key for key in vars(module) if isinstance(vars(module)[key], type)])
    held = getattr(module, wanted)
    try:
        bot = held() if isinstance(held, type) else held
    except Exception as error:
        raise TableeError(f"{shown(name)} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(bot, Bot):
        raise TableeError(f"{shown(name)} is no player: expected a class that extends tablee.Bot")
    return bot
