"""How much a deeper search changes the best action at Tabaijana, and what an early stop loses and saves.

    python -m bench.margin --seats 5 --game enfants --games 4

At every choice the eight actions that look best after one throw are searched to each depth; then the best is played, or one choice in
four any of them, so that there are games in trouble too. Printed is how far the difference between an action and the best one still
changes, in parts of the variance v (1 - v), separately for games that go well and games in trouble; then, for several margins at the root, how
much of a win a choice loses against the deepest search, and how many nodes it takes.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import mean

from tablee import catalog
from tablee.core.judgement import doubt
from tablee.core.state import Chance, Over, State
from tablee.players.expectimax import LITTLE, TOGETHER_ROOT_MARGIN, Expectimax, narrowed
from tablee.players.searches import make_search

CANDIDATES = 8
WELL = 0.85
CLOSE = 0.3
BY_LOT = 4


@dataclass(frozen=True)
class Choice:
    """What each candidate looked worth at depth 1, 2 and so on, and how many nodes a candidate took at each."""

    values: list[list[float]]
    nodes: list[float]

    def goes_well(self) -> bool:
        """Return whether the game looks far from lost one throw ahead."""
        return max(values[0] for values in self.values) >= WELL

    def best(self, depth: int, among: list[int]) -> int:
        """Return the candidate that looks best at a depth."""
        return max(among, key=lambda candidate: self.values[candidate][depth])


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=5, help="how many seats")
    parser.add_argument("--game", choices=("famille", "enfants"), default="enfants", help="which game")
    parser.add_argument("--games", type=int, default=4, help="how many games")
    parser.add_argument("--depth", type=int, default=4, help="how many throws the deepest search looks ahead")
    parser.add_argument("--seed", type=int, default=3, help="settles stacks and throws")
    asked = parser.parse_args()
    if asked.depth < 2 or asked.games < 1:
        parser.error("expected a depth of 2 or more, and 1 game or more")
    game = catalog.game("tabaijana", asked.seats, game=asked.game)
    choices: list[Choice] = []
    for number in range(asked.games):
        random = Random(f"{asked.seed} {number}")
        choices += voyage(game.start(random.randrange), asked.depth, random)
    well = [choice for choice in choices if choice.goes_well()]
    trouble = [choice for choice in choices if not choice.goes_well()]
    print(f"{asked.game}, {asked.seats} seats, {asked.games} games: {len(well)} choices where it goes well, {len(trouble)} in trouble\n")
    print(f"| throws ahead | change until {asked.depth}, going well | in trouble |\n|--:|--:|--:|")
    for depth in range(1, asked.depth):
        print(f"| {depth} | {root_mean_square(changes(well, depth))} | {root_mean_square(changes(trouble, depth))} |")
    print("\n| margin after d throws | lost a choice, going well | nodes | lost, in trouble | nodes |\n|---|--:|--:|--:|--:|")
    for name, rule in rules().items():
        print(f"| {name} | {cost(well, rule)} | {cost(trouble, rule)} |")


def rules() -> dict[str, Callable[[float, int], float]]:
    """Return some margins by the value of the best action and the depth it was seen at; the last is the one in use."""
    return {
        "0.02 / d²": lambda value, depth: 0.02 / depth**2,
        "0.1 doubt / d²": lambda value, depth: 0.1 * doubt(value) / depth**2,
        f"{TOGETHER_ROOT_MARGIN} doubt / d√d, none below {LITTLE}": shipped,
    }


def shipped(value: float, depth: int) -> float:
    """Return the margin of the search: none at all where it is little."""
    margin = narrowed(TOGETHER_ROOT_MARGIN, value, depth)
    return 0.0 if margin < LITTLE else margin


def voyage(state: State, deepest: int, random: Random) -> list[Choice]:
    """Play one game and return its choices."""
    choices = []
    search = make_search(state.game, state.position, deepest, seed=1)
    assert isinstance(search, Expectimax)
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            state = state.throw(random.randrange)
        elif len(state.legal()) == 1:
            state = state.play(state.legal()[0])
        else:
            actions, choice = searched(search, state, deepest)
            choices.append(choice)
            everything = list(range(len(actions)))
            state = state.play(actions[choice.best(deepest - 1, everything) if random.randrange(BY_LOT) else random.choice(everything)])
    return choices


def searched(search: Expectimax, state: State, deepest: int) -> tuple[list[int], Choice]:
    """Return the candidates of a choice, and what they look worth at every depth."""
    seat = int(state.position.turn())
    search.look(state.position, seat)
    actions = [action for action, _ in search.ranking()]
    values: dict[int, list[float]] = {action: [] for action in actions}
    nodes = []
    for depth in range(1, deepest + 1):
        search.thoughts += 1
        before = int(search.stop.nodes)
        for action in actions:
            search.positions[1].copy_from(state.position)
            search.positions[1].play(action)
            values[action].append(search.value(1, depth, 0.0, 1.0))
        nodes.append((search.stop.nodes - before) / len(actions))
        if depth == 1:
            actions = sorted(actions, key=lambda action: -values[action][0])[:CANDIDATES]
    return actions, Choice([values[action] for action in actions], nodes)


def changes(choices: list[Choice], depth: int) -> list[float]:
    """Return the changes of small differences to the best from a depth to the deepest, in parts of the variance."""
    differences = []
    for choice in choices:
        best = choice.values[choice.best(depth - 1, list(range(len(choice.values))))]
        part = doubt(best[depth - 1])
        for other in choice.values:
            if other is not best and part > 0.0 and best[depth - 1] - other[depth - 1] < CLOSE * part:
                differences.append((other[-1] - best[-1] - other[depth - 1] + best[depth - 1]) / part)
    return differences


def root_mean_square(differences: list[float]) -> str:
    """Return the root of the mean square, and of how many."""
    return f"{mean(difference * difference for difference in differences) ** 0.5:.3f} of {len(differences)}" if differences else ""


def cost(choices: list[Choice], rule: Callable[[float, int], float]) -> str:
    """Return what a choice by a rule loses on average against the deepest search, and the nodes it takes."""
    lost, nodes = [], []
    for choice in choices:
        left = list(range(len(choice.values)))
        spent, depth = len(left) * choice.nodes[0], 1
        while depth < len(choice.nodes):
            best = choice.values[choice.best(depth - 1, left)][depth - 1]
            margin = rule(best, depth)
            left = [other for other in left if choice.values[other][depth - 1] >= best - margin]
            if len(left) == 1 or not margin:
                break
            spent += len(left) * choice.nodes[depth]
            depth += 1
        taken = choice.best(depth - 1, left)
        lost.append(max(values[-1] for values in choice.values) - choice.values[taken][-1])
        nodes.append(spent)
    return f"{mean(lost):.6f} | {mean(nodes):.0f}" if lost else " | "


if __name__ == "__main__":
    main()
