"""How Tabaijana's computer players think."""

from tablee.core.mind import Mind, Training, make_levels
from tablee.games.tabaijana.judgement import TabaijanaJudgement, judge
from tablee.games.tabaijana.position import TabaijanaPosition
from tablee.players.expectimax import make_search


def training() -> Training:
    """Return how the weights are learned; imported here, because players do not need it."""
    from tablee.games.tabaijana.training import configurations, go_on, train, train_on_cores

    return Training(train, configurations=configurations, go_on=go_on, train_on_cores=train_on_cores)


MIND: Mind[TabaijanaPosition, TabaijanaJudgement] = Mind(
    search=make_search,
    judge=judge,
    weights="weights.txt",
    # Nodes, depth and temperature; the depth counts throws.
    levels=make_levels(
        (1, 0, 0.025),
        (1, 0, 0.02),
        (1, 0, 0.016),
        (1, 0, 0.0125),
        (1, 0, 0.0095),
        (1, 0, 0.0065),
        (1, 0, 0.0035),
        (1, 0, 0.0),
        (0, 60, 0.0),
    ),
    training=training,
)
