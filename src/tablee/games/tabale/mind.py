"""How Tabale's computer players think."""

from tablee.core.mind import Mind, Training, make_levels
from tablee.games.tabale.judgement import TabaleJudgement, judge
from tablee.games.tabale.position import TabalePosition
from tablee.players.turn_beam import make_search


def training() -> Training:
    """Return how the weights are learned; imported here, because players do not need it."""
    from tablee.games.tabale.training import configurations, train, untrained

    return Training(train, configurations=configurations, untrained=untrained)


MIND: Mind[TabalePosition, TabaleJudgement] = Mind(
    search=make_search,
    judge=judge,
    weights="weights.txt",
    # Nodes a thought, turns to look ahead (0: the next action alone), temperature. From level 4 on a turn is one thought, and
    # the temperature chooses among whole turns; below, each action is one.
    levels=make_levels(
        (100, 0, 0.12),
        (100, 0, 0.05),
        (100, 0, 0.014),
        (3500, 1, 0.08),
        (3500, 1, 0.0),
        (4500, 2, 0.0),
        (9000, 3, 0.0),
        (25000, 3, 0.0),
        (0, 12, 0.0),
    ),
    training=training,
)
