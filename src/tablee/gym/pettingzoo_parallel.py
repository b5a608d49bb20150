"""Our games in PettingZoo, all seats at once: for Tabu, where everybody stakes at the same time, and for programs that want this form."""

from collections.abc import Mapping
from typing import Any

from tablee import catalog
from tablee.core.errors import TableeError, needing, shown
from tablee.core.game import Game, choose
from tablee.gym.play import LONGEST
from tablee.gym.seats_env import SeatsEnv
from tablee.gym.sight import Seen

with needing("tablee.gym.parallel", "gym"):
    import numpy as np
    from pettingzoo import ParallelEnv


def parallel(slug: str, seats: int | None = None, *, render_mode: str | None = None, longest: int = LONGEST, **options: object) -> "TogetherEnv":
    """Return a game as PettingZoo's parallel interface sees it; a game is cut off after `longest` actions."""
    return TogetherEnv(choose(catalog.kind(slug), seats, options), render_mode, longest)


class TogetherEnv(SeatsEnv, ParallelEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """One game; every seat that may act acts, the others wait: the last action of the space, legal for them alone."""

    def __init__(self, game: Game, render_mode: str | None = None, longest: int = LONGEST) -> None:
        """Sit everybody down; `reset` begins."""
        self.wait = game.action_count
        self.lay(game, f"tablee_{game.slug}_parallel_v1", render_mode, longest, self.wait + 1)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin a new game."""
        self.play.begin(seed)
        self.agents = list(self.possible_agents)
        return self.seen(), {agent: {} for agent in self.agents}

    def seen(self) -> dict[str, Seen]:
        """Return the observation of every seat; the mask of a waiting seat allows `wait` alone."""
        acting = self.play.seats
        everybody = {}
        for agent in self.agents:
            seen = self.sight.look(self.play.position, self.seat_of[agent])
            waits = np.array([self.seat_of[agent] not in acting], np.int8)
            everybody[agent] = {"observation": seen["observation"], "action_mask": np.concatenate([seen["action_mask"], waits])}
        return everybody

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of all seats that may act, the lowest first; all are checked before any is played."""
        for number in self.checked(actions):
            self.play.act(number)
        over, cut = self.play.over, self.play.cut
        rewards = dict(zip(self.possible_agents, self.play.utilities(), strict=True))
        everybody = self.agents
        seen = self.seen()
        if over or cut:
            self.agents = []
        return (
            seen,
            {agent: rewards[agent] for agent in everybody},
            dict.fromkeys(everybody, over),
            dict.fromkeys(everybody, cut),
            {agent: {} for agent in everybody},
        )

    def checked(self, actions: Mapping[str, Any]) -> list[int]:
        """Return the actions to play, or raise the error for the first that is wrong."""
        for agent in actions:
            if agent not in self.agents:
                raise TableeError(f"{shown(str(agent))} is not playing: expected {', '.join(self.agents) or 'reset() first'}")
        numbers, acting = [], self.play.seats
        for agent in self.agents:
            if self.seat_of[agent] in acting:
                if agent not in actions:
                    raise TableeError(f"no action of {agent} is given: expected one of every seat that may act")
                numbers.append(self.play.check(self.seat_of[agent], actions[agent]))
            elif int(actions.get(agent, self.wait)) != self.wait:
                raise TableeError(f"{agent} may not act now: expected to wait, action {self.wait}")
        return numbers
