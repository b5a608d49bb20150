"""Observations and information states as OpenSpiel asks for them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.gym.sight import observation_of

if TYPE_CHECKING:
    from tablee.gym.openspiel import SpielState


class SpielObserver:
    """Writes the parts of the game's observation as one tensor; the information state has the same numbers, since a position forgets nothing.

    The string of an information state is the whole history.
    """

    def __init__(self, observation: Observation, *, perfect_recall: bool) -> None:
        """Make the tensor and its parts by name."""
        self.perfect_recall = perfect_recall
        self.tensor = np.zeros(observation.width, np.float32)
        shapes = {part.name: part.shape for part in observation.parts}
        self.dict: dict[str, Any] = {name: self.tensor[begin:end].reshape(shapes[name]) for name, (begin, end) in observation.places.items()}

    def set_from(self, state: "SpielState", player: int) -> None:
        """Write what a seat sees of a state."""
        now = state.now
        self.tensor.fill(0)
        if now.ready:
            eye = now.rules.eye
            eye.observer.write(now.position, max(player, 0), eye.row, 0)
            self.tensor[: len(eye.row)] = np.frombuffer(eye.row, np.int32)  # type: ignore[call-overload]
        if "dealt" in self.dict:
            self.dict["dealt"][: len(now.drawn)] = [1 + number for number in now.drawn]

    def string_from(self, state: "SpielState", player: int) -> str:
        """Return what a seat sees, or knows, as text."""
        return f"seat {player}: {state.history()}" if self.perfect_recall else f"seat {player}: {state}"


def whole_observation(game: Game) -> Observation:
    """Return the observation of a game and, where a set-up is drawn, what was dealt: 1 more than each number drawn, 0 for none."""
    observation = observation_of(game)
    deal, drawn = game.kind.deal, ()
    most = 0
    while outcomes := deal.outcomes(game, drawn):
        most = max(most, *(number for number, _ in outcomes))
        drawn += (outcomes[0][0],)  # type: ignore[assignment]
    return Observation((*observation.parts, Part("dealt", (len(drawn),), most + 1)), observation.observer) if drawn else observation
