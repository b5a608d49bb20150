"""stub"""
from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.ruling import Message
from tablee.core.scene import Scene
from tablee.core.words import Words


def scene(game: Game, position: Position, words: Words) -> Scene:
    return Scene("tabaijana", 160, 160, words("title"), "tabaijana-tray", (), ())
def ask(game: Game, position: Position) -> Message:
    return Message("ask")
def tell(game: Game, before: Position, action: int, after: Position) -> list[Message]:
    return []
def touches(game: Game, scene: Scene, token: str) -> tuple[str, ...]:
    return ()
