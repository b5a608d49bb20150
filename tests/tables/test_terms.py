"""What a table may choose before play, and what it may not."""

import pytest

from tablee.core.errors import TableeError
from tablee.tables.telling import shown_state
from tablee.tables.terms import Terms
from tests.tables.company import Company


@pytest.mark.parametrize(
    ("game", "options", "setup", "says"),
    [
        ("tabaijana", {}, {"colours": "bb"}, "'bb' cannot be chosen as colours: expected 2 different letters of rwgby"),
        ("tabaijana", {}, {"colours": "bgr"}, "expected 2 different letters"),
        ("tabaijana", {}, {"colours": "bx"}, "expected 2 different letters"),
        ("tabaijana", {}, {"colours": ""}, "expected 2 different letters"),
        ("tabaijana", {}, {"stack": "r" * 20}, "unknown set-up of tabaijana to choose 'stack': known are colours"),
        ("tabaijana", {}, {"first": "2"}, "unknown set-up of tabaijana to choose 'first'"),
        ("tabaijana", {}, {"order": "rwgby"}, "unknown set-up of tabaijana to choose 'order': known are colours"),
        ("tabaijana", {"order": "on"}, {"order": "rwgb"}, "expected 5 different letters"),
        ("tabu", {}, {"banker": "1"}, "the set-up 'banker' cannot be chosen: tabu leaves none to the table"),
    ],
)
def test_what_cannot_be_chosen_is_refused_in_words(game: str, options: dict[str, str], setup: dict[str, str], says: str) -> None:
    with pytest.raises(TableeError, match=says):
        Terms(game, 2, options, setup=setup).agreed()


def test_a_table_chooses_either_a_set_up_or_a_position() -> None:
    line = "turn=1 dice=- colours=rw three=- four=- boat=10 load=- 1=ywgrbywrbgyrgwbyrbwg"
    Terms("tabaijana", 2, position=line).agreed()
    with pytest.raises(TableeError, match="either a set-up or a position"):
        Terms("tabaijana", 2, position=line, setup={"colours": "bg"}).agreed()


def test_the_board_shows_the_chosen_colours_before_play() -> None:
    company = Company("tabaijana", 3, {"order": "on"}, setup={"colours": "ybw", "order": "bgrwy"})
    line = company.table.game.dump(shown_state(company.table))
    assert "colours=ybw order=bgrwy" in line
