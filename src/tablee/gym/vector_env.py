"""`gymnasium.vector` over `Batch`: many games, each with one seat that learns."""

from typing import Any

from tablee.core.errors import TableeError, needing
from tablee.gym.batch import Batch
from tablee.gym.drawing import MODES, check_mode, draw
from tablee.gym.sight import Array, seen_space

with needing("tablee.gym.vector", "gym"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


def vector(slug: str, num_envs: int = 1, *, opponents: str = "greedy", render_mode: str | None = None, **more: Any) -> "BatchEnv":
    """Return games as `gymnasium.vector` sees them; `more` is what `Batch` takes."""
    return BatchEnv(Batch(slug, num_envs, opponents=opponents, **more), render_mode)


class BatchEnv(VectorEnv[Any, Any, Any]):
    """A batch with opponents; a game that ends begins again in the same step, `final_obs` keeps its last sight."""

    def __init__(self, batch: Batch, render_mode: str | None = None) -> None:
        """Wrap a batch with opponents."""
        if batch.plan.opponents is None:
            raise TableeError("a batch without opponents has no seat that learns: expected opponents, such as greedy")
        self.batch = batch
        self.num_envs = batch.n
        self.render_mode = check_mode(render_mode)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": list(MODES)}
        self.single_observation_space = seen_space(batch.observation, batch.game.action_count)
        self.single_action_space = spaces.Discrete(batch.game.action_count)
        self.observation_space = batch_space(self.single_observation_space, batch.n)
        self.action_space = batch_space(self.single_action_space, batch.n)
        self.lanes = np.arange(batch.n)
        self.learners = batch.learners
        self.seeds = np.random.default_rng()

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin new games; one seed decides all of them."""
        first = seed[0] if isinstance(seed, list) else seed
        if first is not None:
            self.seeds = np.random.default_rng(first)
        self.batch.reset(int(self.seeds.integers(1 << 62)) if first is None else first)
        return self.seen(), {}

    def step(self, actions: Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Play one action in each game; an illegal one is an error, and nothing is played."""
        batch = self.batch
        batch.step(actions)
        info: dict[str, Any] = {}
        if batch.ended.any():
            final = np.full(batch.n, None, dtype=object)
            for lane in np.flatnonzero(batch.ended):
                final[lane] = {"observation": batch.final_observations[lane].copy(), "action_mask": np.zeros(batch.game.action_count, np.int8)}
            info = {"final_obs": final, "_final_obs": batch.ended.copy()}
        rewards = batch.rewards[self.lanes, self.learners]
        return self.seen(), rewards, batch.ended & ~batch.cut, batch.cut.copy(), info

    def seen(self) -> dict[str, Array]:
        """Return what every learner sees and may do, as arrays of their own."""
        return {"observation": self.batch.observations.copy(), "action_mask": self.batch.masks.astype(np.int8)}

    def render(self) -> Any:
        """Return the board of every game as the render mode says."""
        return tuple(draw(self.batch.game, self.batch.engine.position(lane), self.render_mode) for lane in range(self.batch.n))

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes of the batch."""
        self.batch.close()
