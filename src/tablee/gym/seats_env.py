"""What both interfaces of PettingZoo share: the seats, what they see and may do, and the drawing of the board."""

from typing import Any

from tablee.core.errors import needing
from tablee.core.game import Game
from tablee.gym.drawing import MODES, check_mode, draw
from tablee.gym.play import Play
from tablee.gym.sight import Sight, seen_space

with needing("tablee.gym", "gym"):
    from gymnasium import spaces


class SeatsEnv:
    """One game whose agents are its seats."""

    def lay(self, game: Game, name: str, render_mode: str | None, longest: int, actions: int) -> None:
        """Make the agents; each has the same number of actions, legal or not."""
        self.metadata: dict[str, Any] = {"name": name, "render_modes": list(MODES), "render_fps": 2}
        self.game = game
        self.render_mode = check_mode(render_mode)
        self.sight = Sight(game)
        self.play = Play(game, self.sight.eye, longest)
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen_space(self.sight.observation, actions))
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return what a seat sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the actions, the same for all seats: their numbers never change."""
        return self.action_spaces[agent]

    def render(self) -> Any:
        """Return the board as the render mode says."""
        return draw(self.game, self.play.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
