"""Every game keeps every promise of `check_game`; the long form is `make contract`, the small one is part of `make quick`."""

import os

import pytest

from tablee.catalog import OURS, kind
from tablee.core import position
from tablee.testing import check_game

COMPILED = not str(position.__file__).endswith(".py")
QUICK = "TABLEE_CONTRACT_ACTIONS"
ACTIONS = int(os.environ.get(QUICK) or (6000 if COMPILED else 2500))
# The quick form looks at text, copies and sentences now and then; fast and slow rules meet at every position all the same.
OFTEN = 8 if QUICK in os.environ else 1


@pytest.mark.parametrize("slug", OURS)
def test_the_game_keeps_its_promises(slug: str) -> None:
    report = check_game(kind(slug), actions=ACTIONS, often=OFTEN)
    assert report.games >= 10
