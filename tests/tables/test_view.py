"""What a viewer sees: everything that is to be seen, and nothing else."""

import json
from fractions import Fraction

import pytest

from tablee.core.words import LANGUAGES
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import AskDraw, Hint, Invite, Replace, Resign, Say
from tablee.tables.tokens import NOBODY, new_token
from tablee.tables.view import view
from tests.tables.company import MINUTE, Company

GAMES = ["traboulet", "tabale", "tabaijana", "tablan", "tabu"]


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_of_a_game_can_be_seen_by_everybody(slug: str, language: str) -> None:
    company = Company(slug)
    assert json.loads(json.dumps(view(company.table, NOBODY, language)))["node"]["kind"] == "waiting"
    company.seated("Ana", "Ben")
    for seed in range(12):
        for name in ("Ana", "watcher"):
            seen = json.loads(json.dumps(view(company.table, company.who(name), language, company.now)))
            assert (seen["seq"], seen["hash"]) == (company.table.seq, company.table.hash)
            assert seen["you"] == ([0] if name == "Ana" else [])
            assert name == "Ana" or seen["legal"] == []
            assert {one["seat"] for one in seen["legal"]} <= set(seen["you"])
        company.wander(seed, 3)
    company.wander(1)
    seen = view(company.table, NOBODY, language)
    assert seen["result"]
    assert seen["legal"] == []


@pytest.mark.parametrize("slug", GAMES)
def test_the_legal_list_is_what_the_rules_say_each_with_touches_or_a_sentence(slug: str) -> None:
    company = Company(slug).seated("Ana", "Ana")
    for seed in range(15):
        state = company.table.state
        assert state is not None
        seen = json.loads(json.dumps(view(company.table, company.who("Ana"))))
        assert [one["token"] for one in seen["legal"]] == [company.table.game.notate(action) for action in state.legal()]
        cells = {cell["name"] for cell in seen["scene"]["cells"]}
        assert all(set(one["touches"]) & cells or one["button"] for one in seen["legal"])
        company.wander(seed, 2)
        if company.table.phase == "over":
            break


@pytest.mark.parametrize("slug", GAMES)
def test_no_view_holds_a_token_a_hash_of_one_or_the_secret_before_the_end(slug: str) -> None:
    company = Company(slug, chat="text", clock=ClockTerms("real", MINUTE * 60)).seated("Ana", "Ben")
    invitation = new_token()
    company.do("Ana", Invite(invitation))
    company.do("Ana", Say(0, text="hi"))
    company.wander(1, 10)
    hidden = [*company.tokens.values(), invitation, company.opening.secret.hex()]
    hidden += [company.table.opener, company.table.watch, *company.table.invitations, *(seat.token_hash for seat in company.table.seats)]
    hidden += [event.aside["salt"] for event in company.table.events if event.aside]
    for actor in (NOBODY, company.who("Ana"), company.who("watcher")):
        text = json.dumps(view(company.table, actor, "en", company.now))
        assert not [one for one in hidden if one and one in text]


def test_the_secret_is_shown_after_the_end() -> None:
    company = Company().seated("Ana", "Ben")
    assert company.table.commitment in json.dumps(view(company.table, NOBODY))
    company.do("Ana", Resign(0))
    assert company.opening.secret.hex() in json.dumps(view(company.table, NOBODY))


def test_a_throw_is_shown_with_its_exact_odds() -> None:
    company = Company("tablan").seated("Ana", "Ben")
    thrown = json.loads(json.dumps(view(company.table, NOBODY)))["throw"]
    odds = {one["token"]: one["odds"] for one in thrown["outcomes"]}
    assert odds[thrown["token"]] == thrown["odds"]
    assert sum(map(Fraction, odds.values())) == 1
    assert set(odds.values()) == {"1/18", "1/36"}


def test_hints_are_shown_in_the_record() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Hint(0, ("a7b7",)))
    company.play("Ana", 0, "a6b6")
    company.play("Ben", 1, "a1b1")
    seen = json.loads(json.dumps(view(company.table, NOBODY)))
    assert [turn.get("hints") for turn in seen["record"]] == [["a7b7"], None]
    assert [seat["hints"] for seat in seen["seats"]] == [1, 0]


def test_one_can_look_back() -> None:
    company = Company().seated("Ana", "Ben")
    start = view(company.table, NOBODY)
    company.play("Ana", 0, "a7b7")
    company.play("Ben", 1, "a1b1")
    back = view(company.table, company.who("Ana"), at=company.table.steps[0].seq)
    assert back["position"] == start["position"]
    assert back["past"]
    assert back["legal"] == []
    assert view(company.table, company.who("Ana"), at=company.table.seq)["legal"]


def test_what_is_asked_shows_who_has_to_answer() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", AskDraw(0))
    assert [ask["answer"] for ask in json.loads(json.dumps(view(company.table, company.who("Ben"))))["asks"]] == [[1]]
    assert [ask["answer"] for ask in json.loads(json.dumps(view(company.table, company.who("Ana"))))["asks"]] == [[]]


def test_an_erased_name_is_somebody() -> None:
    company = Company().seated("Ana", "Ben")
    company.table.seats[0] = company.table.seats[0].__class__("person", token_hash="x")
    seen = json.loads(json.dumps(view(company.table, NOBODY, "fr")))
    assert seen["seats"][0]["name"] == "Quelqu’un"


@pytest.mark.parametrize(("language", "name"), [("fr", "Programme (au plus fort)"), ("en", "Program (at its strongest)")])
def test_the_strongest_program_is_called_so(language: str, name: str) -> None:
    company = Company()
    company.do("Olga", Replace(1, "max"))
    seen = json.loads(json.dumps(view(company.table, NOBODY, language)))
    assert seen["seats"][1]["name"] == name
    assert seen["sentences"][-1]["text"].startswith(f"{name} ")
