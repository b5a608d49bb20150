"""The tray as data: 49 dimples, the marbles on them, the captured ones in the gutters; and what is asked and told."""

from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.ruling import Message
from tablee.core.scene import Scene
from tablee.core.words import Words
from tablee.games.traboulet.position import TrabouletPosition


def scene(game: Game, position: Position, words: Words) -> Scene:
    """Return everything one sees of a position."""
    return Scene("traboulet", 160, 160, words("title"), "traboulet-tray", (), ())


def ask(game: Game, position: Position) -> Message:
    """Return what is asked of the side to move."""
    assert isinstance(position, TrabouletPosition)
    return Message("ask bonus" if position.bonus else "ask push", {"side": f"=seat {position.side + 1}"})


def tell(game: Game, before: Position, action: int, after: Position) -> list[Message]:
    """Return what happened, one sentence for each thing."""
    return []
