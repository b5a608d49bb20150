"""Every game keeps every promise of `check_game`; the long form is `make contract`."""

import pytest

from tablee.catalog import OURS, kind
from tablee.core import position
from tablee.testing import check_game

COMPILED = not str(position.__file__).endswith(".py")


@pytest.mark.parametrize("slug", OURS)
def test_the_game_keeps_its_promises(slug: str) -> None:
    report = check_game(kind(slug), actions=6000 if COMPILED else 2500)
    assert report.games >= 10
