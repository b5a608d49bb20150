"""Figures show ways and lifted stacks by arrows."""

import re

import pytest

from tablee.catalog import OURS, kind
from tablee.core.errors import TableeError
from tablee.core.game import choose
from tablee.core.rulebook import read_arrow, read_rulebook
from tablee.core.scene import Arrow
from tablee.core.svg import paint
from tablee.core.words import LANGUAGES


def test_an_arrow_is_read_with_its_bend_its_load_and_its_end_beyond() -> None:
    assert read_arrow("b1>e4>h4", 1) == Arrow(("b1", "e4", "h4"))
    assert read_arrow("3:1>4", 1) == Arrow(("1", "4"), lifted=3)
    assert read_arrow("a4>g4+", 1) == Arrow(("a4", "g4"), beyond=True)
    with pytest.raises(TableeError, match="line 7: 'a4' is no arrow: expected cells joined by >"):
        read_arrow("a4", 7)


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_arrow_of_a_page_names_cells_of_its_board(slug: str, language: str) -> None:
    variants = [f"essentials-{value}" for option in kind(slug).options for value in option.values if kind(slug).brings(f"essentials-{value}.fr.md")]
    assert len(variants) == {"tabaijana": 1, "tablan": 2}.get(slug, 0)
    for page in ("rules", "essentials", *variants):
        for figure in read_rulebook(kind(slug).text(f"{page}.{language}.md")).figures.values():
            cells = {cell.name for cell in choose(kind(slug), figure.seats, dict(figure.options)).load(figure.position).scene(language).cells}
            assert cells.issuperset(name for arrow in figure.arrows for name in arrow.cells), figure.id


def test_the_crates_that_an_arrow_lifts_are_drawn_higher() -> None:
    from dataclasses import replace

    game = choose(kind("tabaijana"), 5, {})
    scene = game.load("turn=5 dice=2 colours=rwgby three=- four=- boat=10 load=- 1=ygbwrygwrbygwbyr 3=wgrb").scene("fr")
    flat, raised = paint(scene, None), paint(replace(scene, arrows=(Arrow(("1", "3"), lifted=3),)), None)
    assert raised.count('class="arrow"') == 1
    places = [re.findall(r'data-piece="([^"]+)" data-on="1" transform="([^"]+)"', drawing) for drawing in (flat, raised)]
    assert sum(was != now for was, now in zip(sorted(places[0]), sorted(places[1]), strict=True)) == 3
