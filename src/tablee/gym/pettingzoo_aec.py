"""Our games in PettingZoo, one seat after the other."""

from typing import Any

from tablee import catalog
from tablee.core.errors import needing
from tablee.core.game import Game, choose
from tablee.core.position import OVER
from tablee.gym.play import LONGEST
from tablee.gym.seats_env import SeatsEnv
from tablee.gym.sight import Seen

with needing("tablee.gym.aec", "gym"):
    from pettingzoo import AECEnv


def aec(slug: str, seats: int | None = None, *, render_mode: str | None = None, longest: int = LONGEST, **options: object) -> "TurnsEnv":
    """Return a game as PettingZoo's AEC interface sees it; a game is cut off after `longest` actions."""
    return TurnsEnv(choose(catalog.kind(slug), seats, options), render_mode, longest)


class TurnsEnv(SeatsEnv, AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """One game; where several seats may act at once, the lowest acts first. An illegal action is refused and nothing changes."""

    def __init__(self, game: Game, render_mode: str | None = None, longest: int = LONGEST) -> None:
        """Sit everybody down; `reset` begins."""
        super().__init__()
        self.lay(game, f"tablee_{game.slug}_v1", render_mode, longest, game.action_count)
        self.metadata["is_parallelizable"] = False

    def observe(self, agent: str) -> Seen:
        """Return what a seat sees now, with the mask of what it may do."""
        return self.sight.look(self.play.position, self.seat_of[agent])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        self.play.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.play.position.actor()]

    def step(self, action: Any) -> None:
        """Play an action of the seat that is asked, and throw what is due."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self.play.check(self.seat_of[agent], action)
        self._cumulative_rewards[agent] = 0.0
        self.play.act(number)
        actor = self.play.position.actor()
        if actor == OVER or self.play.cut:
            self.rewards = dict(zip(self.agents, self.play.utilities(), strict=True))
            self.terminations = dict.fromkeys(self.agents, self.play.over)
            self.truncations = dict.fromkeys(self.agents, self.play.cut)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[actor]
