"""The pages of measured strength: what is measured, how it is kept, and what a game says of itself."""

import re
from pathlib import Path

import pytest

from tablee import catalog
from tablee.arena.plan import make_plan
from tablee.arena.report import make_report, percent, written
from tablee.arena.run import carry_out
from tablee.arena.strength import PEERS, file_name, parted, ship, shipped, strength_plan, strongest
from tablee.catalog import OURS
from tablee.core.words import LANGUAGES
from tablee.players.levels import levels


@pytest.mark.parametrize("slug", OURS)
def test_each_level_meets_the_one_below_and_all_meet_the_usual_peers(slug: str) -> None:
    game = catalog.game(slug)
    plan = strength_plan(game, 2)
    names = plan.everyone
    met = {tuple(names[index] for index in meeting) for meeting in plan.meetings()}
    numbered = [level.name for level in levels(game.kind)[:-1]]
    if game.kind.together:
        assert met == {(name,) for name in (*numbered, strongest(), *PEERS)}
        return
    assert {("level1", "level2"), (numbered[-1], strongest()), ("level1", "uniform"), (strongest(), "greedy")} <= met
    assert ("level1", "level3") not in met
    assert ("uniform", "greedy") not in met
    assert len(met) == len(numbered) + len(PEERS) * (len(numbered) + 1)


def test_what_is_measured_anew_takes_the_place_of_what_was_measured_before(tmp_path: Path) -> None:
    for games, preset in ((2, "fiche"), (2, "mysore"), (4, "fiche")):
        plan = make_plan(catalog.game("tablan", preset=preset), ("level1",), games, against=("uniform",))
        ship(make_report(plan, carry_out(plan, cores=1)), tmp_path)
    for language in LANGUAGES:
        parts = parted((tmp_path / file_name(language)).read_text(encoding="utf-8"))
        assert len(parts) == 2
        usual, mysore = parts.values()
        assert "mysore" in mysore.partition("\n")[0]
        assert "--games 4" in usual
        assert "--games 2" in mysore


@pytest.mark.parametrize("slug", OURS)
def test_every_game_ships_what_was_measured_of_its_levels_in_both_languages(slug: str) -> None:
    kind = catalog.kind(slug)
    pages = [parted(shipped(kind, language)) for language in LANGUAGES]
    assert len({len(page) for page in pages}) == 1
    for page in pages:
        assert page
        for part in page.values():
            assert all(f"`{name}`" in part for name in (*(level.name for level in levels(kind)[:-1]), *PEERS))
            assert "`max:seconds=" in part
            assert f"tablee arena {slug} level1" in part


@pytest.mark.parametrize("slug", OURS)
def test_the_page_that_ships_says_what_its_command_prints(slug: str) -> None:
    """The two weakest levels play their games of the page again: they have budgets of nodes, so every game is the same."""
    title, part = next(iter(parted(shipped(catalog.kind(slug), "en")).items()))
    seats, games = int(re.search(r"--seats (\d+)", part)[1]), int(re.search(r"--games (\d+)", part)[1])  # type: ignore[index]
    plan = make_plan(catalog.game(slug, seats), ("level1", "level2"), games, ladder=True)
    report = make_report(plan, carry_out(plan, cores=1))
    rows = [f"| `level1` | `level2` | {percent(meeting.rate)} | {games} |" for meeting in report.meetings]
    if not rows:
        rows = [f"| `{standing.player}` | {percent(standing.rate)} | {games} |" for standing in report.standings]
    assert [row for row in rows if row not in part] == [], title


@pytest.mark.parametrize("slug", OURS)
def test_the_french_page_has_the_figures_of_the_english_one_as_french_writes_them(slug: str) -> None:
    rows = [[line for line in shipped(catalog.kind(slug), language).splitlines() if line.startswith("| `")] for language in ("en", "fr")]
    assert len(rows[0]) == len(rows[1])
    for english, french in zip(*rows, strict=True):
        names = english.rindex("` |") + 1
        assert french == english[:names] + written(english[names:], "fr")


def test_french_figures_have_a_comma_and_a_minus_sign() -> None:
    assert written("-365 ± 140 | 75.7 %", "fr") == "−365 ± 140 | 75,7\u202f%"
    assert written("-365 ± 140 | 75.7 %", "en") == "-365 ± 140 | 75.7 %"
