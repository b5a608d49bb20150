"""The observation of a game that declares none: which pieces are on which cells of its scene, the scores and the turn."""

import re

from librt.vecs import vec
from mypy_extensions import i32

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.core.observer import Observer
from tablee.core.position import Position

DRAWN = "g|symbol|path|circle|ellipse|rect|polygon|use"
MOST = 2**31 - 1


class SceneObserver(Observer):
    """Counts the pieces of each symbol on each cell; slow, since it makes a scene each time."""

    def __init__(self, width: int, game: Game, cells: dict[str, int], symbols: dict[str, int]) -> None:
        """Remember the places of cells and symbols in the planes."""
        super().__init__(width)
        self.game, self.cells, self.symbols = game, cells, symbols
        self.words = game.kind.words("en")

    def write(self, position: Position, seat: int, into: vec[i32], at: int) -> None:
        """Write the row of a seat; seats are counted from its own on."""
        self.clear(into, at)
        for piece in self.game.kind.scene(self.game, position, self.words).pieces:
            if piece.cell in self.cells and piece.symbol in self.symbols:
                into[at + self.symbols[piece.symbol] * len(self.cells) + self.cells[piece.cell]] += 1
        at += len(self.symbols) * len(self.cells)
        for k in range(self.game.seats):
            into[at + k] = i32(position.score((seat + k) % self.game.seats))
        into[at + self.game.seats + (position.turn() - seat) % self.game.seats] = 1
        into[at + 2 * self.game.seats + seat] = 1


def scene_observation(game: Game) -> Observation:
    """Return the observation that any game has."""
    scene = game.kind.scene(game, game.start(lambda n: 0).position, game.kind.words("en"))
    cells = {cell.name: number for number, cell in enumerate(scene.cells)}
    names = re.findall(rf'<(?:{DRAWN})\b[^>]*\bid="{game.slug}-([^"]+)"', game.kind.text("art.svg"))
    symbols = {name: number for number, name in enumerate(names)}
    parts = (
        Part("pieces", (len(symbols), len(cells)), most=MOST),
        Part("scores", (game.seats,), most=MOST, least=-MOST),
        Part("turn", (game.seats,)),
        Part("seat", (game.seats,)),
    )
    return Observation(parts, SceneObserver(sum(part.size for part in parts), game, cells, symbols))
