"""Players by name, ours and others: `level3`, `mymodule:Mine`, `cmd:./mine`."""

from contextlib import AbstractContextManager, nullcontext

from tablee.core.game import Game
from tablee.players.name import read_name
from tablee.players.player import Player, strength
from tablee.players.program import PATIENCE, Program, names_program


def make_player(game: Game, name: str, seed: int = 0, patience: float = PATIENCE) -> Player | Program:
    """Return the player that a name means; a program of its own must be closed after use."""
    return Program(game, name, seed, patience) if names_program(name) else Player(game, name, seed)


def lent_player(game: Game, name: str, seed: int = 0, patience: float = PATIENCE) -> AbstractContextManager[Player | Program]:
    """Return the player for a `with` block, which ends its program."""
    player = make_player(game, name, seed, patience)
    return player if isinstance(player, Program) else nullcontext(player)


def check_player(game: Game, name: str, patience: float = PATIENCE) -> None:
    """Raise the error of a name that means no player of this game; a program is started to see whether it answers."""
    if names_program(name):
        Program(game, name, patience=patience).close()
    else:
        strength(game, read_name(name))
