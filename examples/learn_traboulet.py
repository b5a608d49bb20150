"""Learn Traboulet from nothing on `tablee.Batch`, until the policy beats the player `greedy` in most games.

    pip install torch==2.13.0                       # on Linux choose the CPU build, as PyTorch's install page says; the default brings CUDA
    pip install 'tablee[torch]'
    python examples/learn_traboulet.py --plot learning.svg

The method is PPO: play many games at once with the present policy, then make the actions that turned out better than
expected more likely, in small steps. The network looks at the 14 lines of the board, all with the same weights, because
a push only ever moves one line. `--minutes` are of processor time: 20 are ten by the clock where two cores work.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import tablee
from tablee.gym.sight import split

LANES, HORIZON, EPOCHS, MINIBATCHES = 512, 32, 2, 8
DISCOUNT, TRACE, CLIP, ENTROPY, RATE = 0.99, 0.9, 0.2, 0.01, 1e-3
SHAPING = 0.3  # what a captured red is worth on the way; a won game is worth 1
WANTED = 0.8


class Policy(nn.Module):  # type: ignore[misc, unused-ignore]
    """Reads every line with the same weights; gives a logit for each action, and the value of the position."""

    def __init__(self, game: tablee.Game, width: int = 48) -> None:
        """Make the layers, and the table from an action to its line, direction and cell."""
        super().__init__()
        self.line = nn.Sequential(nn.Linear(28 + 14 + 7, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.whole = nn.Sequential(nn.Linear(3 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU())
        self.own, self.shared, self.push = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, 14)
        self.stop, self.value = nn.Linear(width, 1), nn.Linear(width, 1)
        self.register_buffer("place", torch.tensor([place(game.notate(action)) for action in range(game.action_count - 1)]))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits (lanes, actions) and the values (lanes)."""
        n = len(seen)
        planes, rest = seen[:, :196].view(n, 4, 7, 7), seen[:, 196:]
        rows, columns = planes.permute(0, 2, 1, 3).reshape(n, 7, 28), planes.permute(0, 3, 1, 2).reshape(n, 7, 28)
        names = torch.eye(14).expand(n, 14, 14)
        lines = self.line(torch.cat([torch.cat([rows, columns], 1), names, rest[:, None].expand(n, 14, 7)], 2))
        whole = self.whole(torch.cat([lines[:, :7].sum(1), lines[:, 7:].sum(1), lines.amax(1)], 1))
        pushes = self.push(torch.relu(self.own(lines) + self.shared(whole)[:, None])).flatten(1)
        return torch.cat([pushes[:, self.place], self.stop(whole)], 1), self.value(whole).squeeze(1)

    def choose(self, seen: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Return the distribution over the legal actions, and the values."""
        logits, values = self(seen)
        return Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False), values


def place(token: str) -> int:
    """Return where the logit of a push stands: lines are rows 1 to 7, then columns a to g; each has 7 cells twice, once for each direction."""
    x, y, to_x, to_y = "abcdefg".index(token[0]), int(token[1]) - 1, "abcdefg".index(token[2]), int(token[3]) - 1
    line, cell, back = (y, x, to_x < x) if y == to_y else (7 + x, y, to_y < y)
    return 14 * line + 7 * back + cell


def looked_at(batch: tablee.Batch) -> tuple[Tensor, Tensor, np.ndarray]:
    """Return what the learners see, what they may do, and by how many reds they lead."""
    taken = split(batch.observation, batch.observations)["taken"]
    return (
        torch.from_numpy(batch.observations.astype(np.float32)),
        torch.from_numpy(batch.masks.copy()),
        (taken[:, 0] - taken[:, 1]).astype(np.float32),
    )


class Games:
    """Lanes that the policy plays, and the shares of the games that ended."""

    def __init__(self, opponents: str, seed: int, lanes: int = LANES) -> None:
        """Sit down in both seats by turns."""
        self.batch = tablee.Batch("traboulet", lanes, seed=seed, opponents=opponents)
        self.seats, self.lanes = self.batch.learners, np.arange(lanes)
        self.won: list[float] = []

    def step(self, actions: Tensor, lead: np.ndarray) -> tuple[Tensor, Tensor]:
        """Play; return rewards, with a part for every red taken, and which lanes ended a game."""
        batch = self.batch
        batch.step(actions.numpy())
        result = batch.rewards[self.lanes, self.seats].astype(np.float32)
        ended = batch.ended.copy()
        self.won += ((1 + result[ended]) / 2).tolist()
        after = np.where(ended, 0, looked_at(batch)[2])
        return torch.from_numpy(result + SHAPING * (DISCOUNT * after - lead).astype(np.float32)), torch.from_numpy(ended)


def roll(policy: Policy, games: Games) -> dict[str, Tensor]:
    """Play HORIZON actions in every lane; return what was seen, done, and how much better it went than expected."""
    kept: dict[str, list[Tensor]] = {name: [] for name in ("seen", "masks", "actions", "chance", "values", "rewards", "ended")}
    with torch.no_grad():
        for _ in range(HORIZON):
            seen, masks, lead = looked_at(games.batch)
            choice, values = policy.choose(seen, masks)
            actions = choice.sample()
            rewards, ended = games.step(actions, lead)
            step = {"seen": seen, "masks": masks, "actions": actions, "chance": choice.log_prob(actions), "values": values}
            for name, tensor in (step | {"rewards": rewards, "ended": ended}).items():
                kept[name].append(tensor)
        following, gain = policy(looked_at(games.batch)[0])[1], torch.zeros(len(games.lanes))
    gains = []
    for values, rewards, ended in zip(*(reversed(kept[name]) for name in ("values", "rewards", "ended")), strict=True):
        goes_on = (~ended).float()
        gain = rewards + DISCOUNT * following * goes_on - values + DISCOUNT * TRACE * goes_on * gain
        gains.append(gain)
        following = values
    return {name: torch.cat(tensors) for name, tensors in kept.items()} | {"gains": torch.cat(gains[::-1])}


def improve(policy: Policy, optimiser: torch.optim.Optimizer, played: dict[str, Tensor]) -> None:
    """Make what went better than expected more likely, and expect what happened."""
    targets = played["gains"] + played["values"]
    gains = (played["gains"] - played["gains"].mean()) / (played["gains"].std() + 1e-6)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(gains)).chunk(MINIBATCHES):
            choice, values = policy.choose(played["seen"][some], played["masks"][some])
            ratio = (choice.log_prob(played["actions"][some]) - played["chance"][some]).exp()
            better = torch.minimum(ratio * gains[some], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[some]).mean()
            loss = 0.5 * (values - targets[some]).square().mean() - better - ENTROPY * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def measure(policy: Policy, opponents: str, least: int, seed: int) -> float:
    """Return the share of at least so many new games that the policy wins, always with its likeliest action."""
    games = Games(opponents, seed, 256)
    with torch.no_grad():
        while len(games.won) < least:
            seen, masks, lead = looked_at(games.batch)
            games.step(policy.choose(seen, masks)[0].logits.argmax(1), lead)
    return float(np.mean(games.won))


def plot(points: list[tuple[float, float]], file: Path) -> None:
    """Draw the share of games won over the minutes, as SVG."""
    right = max(minutes for minutes, _ in points) or 1.0
    path = " ".join(f"{60 + 520 * minutes / right:.1f},{320 - 300 * won:.1f}" for minutes, won in points)
    marks = "".join(f'<text x="50" y="{325 - 3 * percent}" text-anchor="end">{percent}</text>' for percent in (0, 20, 40, 60, 80, 100))
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 360" font-family="sans-serif" font-size="12">'
        f'<rect width="600" height="360" fill="white"/>{marks}<path d="M60 80H580" stroke="gray" stroke-dasharray="4"/>'
        f'<path d="M60 20V320H580" fill="none" stroke="black"/><polyline points="{path}" fill="none" stroke="#06c" stroke-width="2"/>'
        f'<text x="580" y="340" text-anchor="end">{right:.1f} processor minutes</text><text x="60" y="14">% won against greedy</text></svg>\n',
        encoding="utf-8",
    )


def main() -> None:
    """Learn until the minutes are over; print and draw how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20, help="how long to learn, in minutes of processor time")
    parser.add_argument("--opponents", default="greedy", help="whom to play against")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, default=Path("learning.svg"))
    parser.add_argument("--save", type=Path, help="where to keep the weights")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    games = Games(given.opponents, given.seed)
    policy = Policy(games.batch.game)
    optimiser = torch.optim.Adam(policy.parameters(), RATE)
    points, moves = [(0.0, 0.0)], 0
    while time.process_time() < 60 * given.minutes:
        improve(policy, optimiser, roll(policy, games))
        moves += LANES * HORIZON
        if moves % (10 * LANES * HORIZON) == 0 and games.won:
            won, games.won = float(np.mean(games.won)), []
            points.append((time.process_time() / 60, won))
            print(f"{points[-1][0]:5.1f} min of processor time  {moves:>10,} moves  {won:6.1%} won while learning", flush=True)
            plot(points, given.plot)
            if won > 0.95:
                break
    final = measure(policy, given.opponents, 2000, given.seed + 1)
    print(f"{final:.1%} of 2000 new games won against {given.opponents}: {'reached' if final >= WANTED else 'NOT REACHED'} ({WANTED:.0%} wanted)")
    if given.save:
        torch.save(policy.state_dict(), given.save)


if __name__ == "__main__":
    main()
