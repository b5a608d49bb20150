"""How Tabu's computer players think."""

from tablee.core.mind import Mind, Training, make_levels
from tablee.games.tabu.judgement import TabuJudgement, judge
from tablee.games.tabu.position import TabuPosition
from tablee.games.tabu.stakes import make_search


def training() -> Training:
    """Return how the weights are learned; imported here, because players do not need it."""
    from tablee.games.tabu.training import configurations, train, untrained

    return Training(train, configurations=configurations, untrained=untrained)


MIND: Mind[TabuPosition, TabuJudgement] = Mind(
    search=make_search,
    judge=judge,
    weights="weights.txt",
    # Nodes, depth and temperature. A node is a throw settled. Depth 1 looks through the next throw, 2 through the last turns of two seats too.
    # Luck leaves room for three levels; `max` is only more thorough than the last.
    levels=make_levels(
        (600, 1, 0.05),
        (2500, 2, 0.0),
        (10000, 2, 0.0),
        (0, 2, 0.0),
    ),
    training=training,
)
