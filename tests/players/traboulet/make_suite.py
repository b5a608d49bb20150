"""Find positions of Traboulet with a known best action, by looking at everything that can happen, and print them as the suite.

    python -m tests.players.traboulet.make_suite > tests/players/traboulet/suite.txt

Games of a greedy player against itself, led astray now and then, give the positions; what is best there is not his opinion but
follows from a full search without any judgement: every action of both sides, to the end or to a fixed number of actions.
"""

from collections.abc import Iterator
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.bits import count
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import OVER, Position
from tablee.core.state import Decision
from tablee.games.traboulet.judgement import plain
from tablee.games.traboulet.position import TrabouletPosition

EACH = {
    "wins at once": 4,
    "wins in 2 or 3 actions": 7,
    "wins in 4 or 5 actions": 7,
    "alone does not lose within 4 actions": 6,
    "alone gains two marbles": 6,
}
FEWEST = 6
ASTRAY = 0.1


def legal(position: Position) -> list[int]:
    """Return the actions of whoever acts."""
    buffer = vec[i64]([0] * 169)
    return [int(buffer[k]) for k in range(int(position.actions(position.actor(), buffer)))]


def after(position: Position, action: int) -> Position:
    """Return the position after an action."""
    child = position.copy()
    child.play(action)
    return child


def wins(position: Position, seat: int, actions: int) -> bool:
    """Return whether a seat can force a win within so many actions of both, whatever the other does."""
    actor = position.actor()
    if actor == OVER:
        return position.winners() == 1 << seat
    if actions == 0:
        return False
    if actor == seat:
        return any(wins(after(position, action), seat, actions - 1) for action in legal(position))
    return all(wins(after(position, action), seat, actions - 1) for action in legal(position))


def lead(position: Position, seat: int) -> int:
    """Return what a seat has taken more than the other, reds and marbles."""
    assert isinstance(position, TrabouletPosition)
    white = int(position.white_taken - position.black_taken) + int(count(position.white) - count(position.black))
    return white if seat == 0 else -white


def gains(position: Position, seat: int, target: int, actions: int) -> bool:
    """Return whether a seat can force a lead of so much after so many actions of both, whatever the other does."""
    actor = position.actor()
    if actor == OVER:
        return position.winners() == 1 << seat
    if actions == 0:
        return lead(position, seat) >= target
    if actor == seat:
        return any(gains(after(position, action), seat, target, actions - 1) for action in legal(position))
    return all(gains(after(position, action), seat, target, actions - 1) for action in legal(position))


def judged(position: Position) -> Iterator[tuple[str, list[int]]]:
    """Give what is known of a position: why, and the best actions."""
    seat = int(position.actor())
    choices = {action: after(position, action) for action in legal(position)}
    if len(choices) < FEWEST:
        return
    won = 0
    for most, why in ((1, "wins at once"), (3, "wins in 2 or 3 actions"), (5, "wins in 4 or 5 actions")):
        if most == 5 and taken(position) < 5:
            continue
        found = [action for action, child in choices.items() if wins(child, seat, most - 1)]
        if found:
            yield why, found
            won = most
            break
    if won:
        return
    lost = [action for action, child in choices.items() if wins(child, 1 - seat, 3)]
    if 0 < len(lost) < len(choices):
        yield "alone does not lose within 4 actions", [action for action in choices if action not in lost]


def taken(position: Position) -> int:
    """Return the most reds that a side has taken."""
    assert isinstance(position, TrabouletPosition)
    return int(max(position.white_taken, position.black_taken))


def quiet_gain(position: Position) -> list[int]:
    """Return the one action that forces a lead of two more, be it counted after 4 or after 6 actions, where no other forces one of one more.

    Only where no capture is to be had at once, which would be too easy.
    """
    seat = int(position.actor())
    judgement: Judgement = plain()
    if judgement.urgent(position, seat, vec[i64]([0] * 169)):
        return []
    now = lead(position, seat)
    choices = {action: after(position, action) for action in legal(position)}
    found = [action for action, child in choices.items() if gains(child, seat, now + 2, 3)]
    if len(found) != 1 or not gains(choices[found[0]], seat, now + 2, 5):
        return []
    others = [child for action, child in choices.items() if action not in found]
    return [] if any(gains(child, seat, now + 1, actions) for actions in (3, 5) for child in others) else found


def walk(game: Game, random: Random) -> Iterator[Position]:
    """Give the positions of games without end, each as its line tells it, and none twice."""
    seen: set[str] = set()
    while True:
        state = game.start(random.randrange)
        while isinstance(state.node, Decision):
            line = game.dump(state)
            if line not in seen:
                seen.add(line)
                yield game.load(line).position
            seat = state.node.seats[0]
            state = state.play(random.choice(state.legal(seat) if random.random() < ASTRAY else state.best_at_once(seat)))


def main() -> None:
    """Print the suite."""
    game = tablee.game("traboulet")
    left = dict(EACH)
    print("# position | best actions | why; made by tests/players/traboulet/make_suite.py")
    last: dict[str, int] = {}
    for number, position in enumerate(walk(game, Random(7))):
        if not any(left.values()):
            break
        for why, actions in known(position, left):
            if left.get(why, 0) and len(actions) <= 2 and number - last.get(why, -10) > 9:
                left[why] -= 1
                last[why] = number
                print(f"{game.kind.dump(game, position)} | {' '.join(game.notate(action) for action in actions)} | {why}", flush=True)


def known(position: Position, left: dict[str, int]) -> Iterator[tuple[str, list[int]]]:
    """Give what is known of a position; what takes long to find is asked only while it is wanted."""
    if taken(position) >= 4:
        yield from judged(position)
    elif left["alone gains two marbles"]:
        actions = quiet_gain(position)
        if actions:
            yield "alone gains two marbles", actions


if __name__ == "__main__":
    main()
