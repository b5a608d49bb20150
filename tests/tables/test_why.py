"""Why touches lead nowhere: one reason, the one that fits what was touched."""

from collections.abc import Sequence

import pytest

from tablee.tables.why import why_not
from tests.tables.company import Company


def said(company: Company, touches: Sequence[str], seat: int = 0, language: str = "en") -> str:
    """Return the reason in words; empty if there is none."""
    refused = why_not(company.table, seat, touches)
    return refused.plainly(language) if refused else ""


def at(game: str, position: str) -> Company:
    """Return a company that plays on from a position."""
    return Company(game, position=position).seated("Ana", "Ben")


def test_a_marble_of_nobody_and_an_empty_cell_are_named() -> None:
    company = Company().seated("Ana", "Ben")
    assert "red" in said(company, ["d4"])
    assert "no marble on d7" in said(company, ["d7"])


def test_what_can_be_touched_and_a_seat_that_is_not_asked_have_no_reason() -> None:
    company = Company().seated("Ana", "Ben")
    assert not said(company, ["a7"])
    assert not said(company, ["d4"], seat=1)
    assert not said(company, ["nowhere"])
    assert not said(Company(), ["d4"])


def test_a_second_touch_is_judged_with_the_first() -> None:
    company = Company().seated("Ana", "Ben")
    assert said(company, ["a1"]).startswith("The marble on a1 is black")
    assert said(company, ["a7", "a1"]).startswith("First touch one of the ringed places")
    assert not said(company, ["a7", "b7"])


@pytest.mark.parametrize(("language", "words"), [("fr", "Prenez d’abord un jeton"), ("en", "First pick a chip")])
def test_a_box_touched_before_a_chip_asks_for_the_chip(language: str, words: str) -> None:
    company = Company("tabu").seated("Ana", "Ben")
    seat = company.table.asked[0]
    assert said(company, ["h"], seat, language).startswith(words)
    assert not said(company, ["1"], seat, language)


def test_of_many_refused_actions_the_rarest_reason_is_told() -> None:
    """A marble with marbles behind it in one direction and a free way in none is told of the finger, not of the edge alone."""
    company = Company().seated("Ana", "Ben")
    refused = why_not(company.table, 0, ["b6"])
    assert refused is not None
    assert refused.paragraphs == ("2.2",)
    assert "b6" in refused.cells


def test_a_reason_that_holds_for_every_action_is_not_told_before_the_rare_one() -> None:
    """No throw moves this bird anywhere; that its own bird stands where one throw would lead is what the eye has missed."""
    company = at("tablan", "www..w.www../w.w.ww....../..b.bbb.b.bb/.bb.b.b.b... 1 3-5 open -")
    assert said(company, ["N"]).startswith("One of your birds is on R already")


@pytest.mark.parametrize("cell", ["4", "22", "23"])
def test_an_empty_cell_of_the_island_or_the_sea_is_called_empty_however_far_the_throw_goes(cell: str) -> None:
    company = at("tabaijana", "turn=1 dice=3 colours=rw three=- four=- boat=10 load=- 1=wgbyrbywgyrbyw 5=rgbrgw")
    assert said(company, [cell]).startswith(f"There is no crate on cell {cell}")
