"""How Traboulet's computer players think."""

from tablee.core.mind import Mind, Training, make_levels
from tablee.games.traboulet.judgement import TrabouletJudgement, judge
from tablee.games.traboulet.position import TrabouletPosition
from tablee.players.alphabeta import make_search


def training() -> Training:
    """Return how the weights are learned; imported here, because players do not need it."""
    from tablee.games.traboulet.training import configurations, train, untrained

    return Training(train, configurations=configurations, untrained=untrained)


MIND: Mind[TrabouletPosition, TrabouletJudgement] = Mind(
    search=make_search,
    judge=judge,
    weights="weights.txt",
    # Nodes, depth and temperature. One action and the captures after it are always searched; `max` has no limit.
    levels=make_levels(
        (30, 1, 0.4),
        (60, 1, 0.2),
        (100, 1, 0.055),
        (300, 2, 0.025),
        (800, 3, 0.015),
        (3000, 6, 0.005),
        (15000, 20, 0.0),
        (75000, 24, 0.0),
    ),
    training=training,
)
