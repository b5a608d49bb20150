"""The same games on a Ray cluster: a real one on this machine."""

import pytest

from tablee import catalog
from tablee.arena.plan import make_plan
from tablee.arena.run import carry_out
from tablee.arena.spread import spread
from tablee.core.errors import TableeError
from tests.arena.test_arena import double, timeless

pytest.importorskip("ray", reason="Ray is an extra, and not built for every machine: pip install tablee[ray]")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_cluster_plays_the_same_games_as_one_process() -> None:
    plan = make_plan(catalog.game("tablan"), ("level1", "greedy"), 4)
    alone = [timeless(line) for line in carry_out(plan, cores=1)]
    assert [timeless(line) for line in carry_out(plan, ray="local")] == alone


def test_an_error_on_the_cluster_comes_back() -> None:
    with pytest.raises(ValueError, match="thirteen"):
        list(spread(double, [(13,)], ray="local"))


def test_a_cluster_that_is_not_there_is_said_to_be_so() -> None:
    with pytest.raises(TableeError, match="no Ray cluster answers"):
        list(spread(double, [(1,)], ray="127.0.0.1:1"))
