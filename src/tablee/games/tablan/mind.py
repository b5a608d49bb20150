"""How Tablan's computer players think."""

from tablee.core.mind import Mind, Training, make_levels
from tablee.games.tablan.judgement import TablanJudgement, judge
from tablee.games.tablan.position import TablanPosition
from tablee.players.expectimax import make_search


def training() -> Training:
    """Return how the weights are learned; imported here, because players do not need it."""
    from tablee.games.tablan.training import configurations, go_on, train

    return Training(train, configurations=configurations, go_on=go_on)


MIND: Mind[TablanPosition, TablanJudgement] = Mind(
    search=make_search,
    judge=judge,
    weights="weights.txt",
    # Nodes, depth and temperature; the depth counts throws.
    levels=make_levels(
        (1, 0, 0.2),
        (1, 0, 0.1),
        (1, 0, 0.066),
        (1, 0, 0.047),
        (1, 0, 0.034),
        (1, 0, 0.022),
        (1, 0, 0.01),
        (1, 0, 0.0),
        (0, 60, 0.0),
    ),
    training=training,
)
