"""What a seat sees and may do as NumPy arrays, and the spaces they belong to."""

from collections.abc import Mapping
from typing import Any

from tablee.core.errors import needing
from tablee.core.game import Game
from tablee.core.observation import Observation
from tablee.core.position import Position
from tablee.gym.eye import Eye
from tablee.gym.scene_observer import scene_observation

with needing("tablee.gym", "gym"):
    import numpy as np
    from gymnasium import spaces

Array = np.ndarray[Any, Any]
Seen = dict[str, Array]


def observation_of(game: Game) -> Observation:
    """Return the observation that a game declares, or else the one of its scene."""
    return scene_observation(game) if game.kind.observation is None else game.kind.observation(game)


def limits(observation: Observation) -> tuple[Array, Array]:
    """Return the least and the most that each number of an observation can be."""
    least = [np.full(part.size, part.least, np.int32) for part in observation.parts]
    most = [np.full(part.size, part.most, np.int32) for part in observation.parts]
    return np.concatenate(least), np.concatenate(most)


def seen_space(observation: Observation, actions: int) -> spaces.Dict:
    """Return the space of an observation with its mask."""
    least, most = limits(observation)
    return spaces.Dict({"observation": spaces.Box(least, most, dtype=np.int32), "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def split(observation: Observation, row: Array) -> Mapping[str, Array]:
    """Return the parts of an observation, or of a batch of them, by name and in their shapes."""
    shapes = {part.name: part.shape for part in observation.parts}
    return {name: row[..., begin:end].reshape(*row.shape[:-1], *shapes[name]) for name, (begin, end) in observation.places.items()}


class Sight:
    """Looks at positions of one game."""

    def __init__(self, game: Game) -> None:
        """Make the buffers."""
        self.observation = observation_of(game)
        self.eye = Eye(self.observation.observer, game.action_count)
        self.row: Array = np.frombuffer(self.eye.row, np.int32)  # type: ignore[call-overload]
        self.mask: Array = np.frombuffer(self.eye.mask, np.int8)  # type: ignore[call-overload]

    def look(self, position: Position, seat: int) -> Seen:
        """Return the observation and the mask of a seat, as arrays of their own."""
        self.eye.look(position, seat)
        return {"observation": self.row.copy(), "action_mask": self.mask.copy()}
