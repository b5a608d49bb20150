"""What counts for a person: an aim for every seat, and a number that is no internal result."""

import pytest

from tablee.catalog import OURS, kind
from tablee.core.words import LANGUAGES
from tablee.games.traboulet.position import TrabouletPosition
from tablee.tables.commands import Answer, Draw, Replace, Resign, Sit, Start
from tablee.tables.telling import sign
from tablee.tables.values import Ask
from tests.tables.company import Company
from tests.tables.company import plain_view as view


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", OURS)
def test_everybody_is_told_his_aim_and_every_seat_has_one_number(slug: str, language: str) -> None:
    company = Company(slug, seats=2).seated("Ana", "Ben").wander(3, 40)
    for name in ("Ana", "Ben", "Mallory"):
        seen = view(company.table, company.who(name), language)
        assert seen["aim"].endswith(".")
        assert "{" not in seen["aim"]
        for seat in seen["seats"]:
            assert seat["count"] >= 0
            assert seat["of"] == 0 or seat["count"] <= seat["of"]
            assert "{" not in seat["state"]


def test_reds_count_at_traboulet() -> None:
    company = Company().seated("Ana", "Ben")
    assert view(company.table, company.who("Ana"), "fr")["aim"] == "Sortez 7 billes rouges avant Noir\u202f: 0 sur 7."
    assert view(company.table, company.who("Ben"), "fr")["aim"] == "Sortez 7 billes rouges avant Blanc\u202f: 0 sur 7."
    company.wander(3, 200)
    assert company.table.state is not None
    position = company.table.state.position
    assert isinstance(position, TrabouletPosition)
    assert [seat["count"] for seat in view(company.table, company.who("Ana"))["seats"]] == [position.white_taken, position.black_taken]


def test_money_in_hand_and_on_the_table_counts_at_tabu() -> None:
    company = Company("tabu", seats=2).seated("Ana", "Ben")
    before = [seat["count"] for seat in view(company.table, company.who("Ana"))["seats"]]
    seat = company.table.asked[0]
    company.play(("Ana", "Ben")[seat], seat, "c5")
    assert [one["count"] for one in view(company.table, company.who("Ana"))["seats"]] == before


def test_only_what_throws_or_draws_has_dice() -> None:
    assert [slug for slug in OURS if not kind(slug).dice] == ["traboulet", "tabale"]


def test_the_end_is_told_as_won_lost_or_drawn_to_those_who_played() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    assert [view(company.table, company.who(name))["verdict"] for name in ("Ana", "Ben", "Mallory")] == ["lost", "won", ""]
    drawn = Company().seated("Ana", "Ben")
    drawn.do("Ana", Draw(0))
    drawn.do("Ben", Answer(1, Ask.DRAW, True))
    assert [view(drawn.table, drawn.who(name))["verdict"] for name in ("Ana", "Ben")] == ["drew", "drew"]
    alone = Company().seated("Ana", "Ana")
    alone.do("Ana", Resign(0))
    assert view(alone.table, alone.who("Ana"))["verdict"] == ""


def test_after_a_game_the_next_level_is_offered_until_there_is_none() -> None:
    for level, above in (("1", "2"), ("8", "max"), ("max", "")):
        company = Company()
        company.do("Ana", Sit(0, "Ana"))
        company.do("Ana", Replace(1, level))
        company.do("Ana", Start())
        assert view(company.table, company.who("Ana"))["harder"] == ""
        company.do("Ana", Resign(0))
        assert view(company.table, company.who("Ana"))["harder"] == above
        assert view(company.table, company.who("Mallory"))["harder"] == ""


def test_a_seat_is_named_by_the_colour_that_was_chosen() -> None:
    company = Company("tabaijana", 3, setup={"colours": "bgr"})
    assert [sign(company.table, seat, "en") for seat in range(3)] == ["Blue", "Green", "Red"]
    company.seated("Ana", "Cleo", "Ben")
    assert [sign(company.table, seat, "fr") for seat in range(3)] == ["Bleu", "Vert", "Rouge"]
