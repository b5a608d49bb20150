"""What a viewer sees: everything that is to be seen, and nothing else."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from tablee.core.state import State
from tablee.core.words import LANGUAGES
from tablee.locale import words
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Abandon, Answer, Draw, Replace, Resign, Say, ShowHint, Sit, Tick
from tablee.tables.telling import end_sentences, shown_state
from tablee.tables.tokens import NOBODY
from tablee.tables.values import Ask, Result, Seat, Sitter
from tablee.tables.view import legal
from tests.tables.company import MINUTE, Company
from tests.tables.company import plain_view as view

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


def test_who_acts_with_others_at_once_sees_only_what_he_may_play_himself() -> None:
    company = Company("tabu", seats=4).seated("Olga", "Ana", "Ben", "Cleo")
    asked = company.table.asked
    assert len(asked) == 3
    for seat, name in enumerate(("Olga", "Ana", "Ben", "Cleo")):
        seen = json.loads(json.dumps(view(company.table, company.who(name))))
        assert {action["seat"] for action in seen["legal"]} == {seat} & set(asked)


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
    invitation = company.invitation("Ana")
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
    for _ in range(60):
        company.now += 5
        company.do("Ana", Say(0, "bye"))
    assert view(company.table, NOBODY)["dice"]["secret"] == company.opening.secret.hex()


def test_a_throw_is_shown_with_its_exact_odds() -> None:
    company = Company("tablan").seated("Ana", "Ben")
    thrown = json.loads(json.dumps(view(company.table, NOBODY)))["throw"]
    odds = {one["token"]: one["odds"] for one in thrown["outcomes"]}
    assert odds[thrown["token"]] == thrown["odds"]
    assert sum(map(Fraction, odds.values())) == 1
    assert set(odds.values()) == {"1/18", "1/36"}
    company.wander(1, 20)
    last = [event for event in company.table.events if event.kind == "threw"][-1]
    thrown = view(company.table, NOBODY)["throw"]
    assert (thrown["seq"], thrown["token"], thrown["seat"]) == (last.seq, last.payload["token"], last.seat)


def test_hints_are_shown_in_the_record() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", ShowHint(0, ("a7b7",)))
    company.play("Ana", 0, "a6b6")
    company.do("Ben", ShowHint(1, ("a2b2",)))
    company.play("Ben", 1, "a1b1")
    company.play("Ana", 0, "a7b7")
    seen = json.loads(json.dumps(view(company.table, NOBODY)))
    assert [turn.get("hints") for turn in seen["record"]] == [["a7b7"], ["a2b2"], None]
    assert [seat["hints"] for seat in seen["seats"]] == [1, 1]


def test_a_turn_shows_no_hint_that_another_seat_was_given() -> None:
    """At Tabu two seats stake at the same time."""
    names = ("Ana", "Ben", "Cleo")
    company = Company("tabu", 3).seated(*names)
    first, second = company.table.asked
    company.do(names[second], ShowHint(second, ("c5",)))
    company.play(names[first], first, "c1")
    seen = view(company.table, NOBODY)
    assert [turn.get("hints") for turn in seen["record"] if "c1" in turn["tokens"]] == [None]
    assert [seat["hints"] for seat in seen["seats"]] == [int(seat == second) for seat in range(3)]


def test_an_action_that_no_cell_leads_to_has_a_sentence_for_its_button() -> None:
    company = Company().seated("Ana", "Ben")
    state = company.table.state
    assert state is not None
    bare = replace(state.scene("en"), cells=())
    buttons = {entry.token: entry.button for entry in legal(company.table, state, bare, (0,), "en")}
    assert "a7" in buttons["a7b7"]
    assert all(buttons.values())


def test_the_record_names_each_event_and_tells_throws_from_actions() -> None:
    company = Company("tablan").seated("Ana", "Ben").wander(1, 8)
    steps = company.table.steps[1:]
    turns = view(company.table, NOBODY)["record"]
    assert [seq for turn in turns for seq in turn.get("seqs", [turn["seq"]])] == [step.seq for step in steps]
    assert [threw for turn in turns for threw in turn.get("throws", [False] * len(turn["tokens"]))] == [step.kind == "threw" for step in steps]
    assert [token for turn in turns for token in turn["tokens"]] == [step.token for step in steps]


def test_actions_with_the_same_touches_are_told_apart_in_words() -> None:
    company = Company("tabaijana").seated("Ana", "Ana")
    told_apart = 0
    for seed in range(20):
        legal = view(company.table, company.who("Ana"))["legal"]
        shown = [(one["seat"], *one["touches"], one.get("button", ""), one.get("said", "")) for one in legal]
        assert len(set(shown)) == len(shown)
        told_apart += sum("said" in one for one in legal)
        company.wander(seed, 2)
    assert told_apart


def test_the_clocks_show_what_is_left_and_which_runs() -> None:
    company = Company(clock=ClockTerms("real", 5 * MINUTE)).seated("Ana", "Ben")

    def clocks(passed: float) -> list[tuple[int, bool] | None]:
        seats = view(company.table, NOBODY, now=company.now + passed)["seats"]
        return [seat["clock"] and (seat["clock"]["left"], seat["clock"]["running"]) for seat in seats]

    assert clocks(10) == [(290_000, True), (300_000, False)]
    assert clocks(1000) == [(0, True), (300_000, False)]
    company.reload()
    assert clocks(10) == [(300_000, False), (300_000, False)]  # nobody's time runs before the house is awake
    company.do("Ana", Replace(0, "1"))
    assert clocks(10)[0] is None


def test_a_table_that_waits_says_whether_it_waits_for_somebody() -> None:
    company = Company()
    asks = [view(company.table, NOBODY, "en")["node"]["ask"]]
    for seat, name in enumerate(("Ana", "Ben")):
        company.do(name, Sit(seat, name))
    asks.append(view(company.table, NOBODY, "en")["node"]["ask"])
    assert asks == [words("en")("ask waiting"), words("en")("ask ready")]
    assert asks[0] != asks[1]


def test_contributions_are_shown_with_their_seats() -> None:
    company = Company().seated("Ana", "Ben")
    assert view(company.table, NOBODY)["dice"]["contributions"] == [{"seat": 0, "bytes": "01" * 16}, {"seat": 1, "bytes": "02" * 16}]


def test_a_silent_table_offers_no_phrases() -> None:
    chats = [view(Company(chat=chat).table, NOBODY)["chat"] for chat in ("none", "phrases")]
    assert [bool(chat["phrases"]) for chat in chats] == [False, True]
    assert [bool(chat["reactions"]) for chat in chats] == [False, True]


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
    company.do("Ana", Draw(0))
    assert [ask["answer"] for ask in json.loads(json.dumps(view(company.table, company.who("Ben"))))["asks"]] == [[1]]
    assert [ask["answer"] for ask in json.loads(json.dumps(view(company.table, company.who("Ana"))))["asks"]] == [[]]


def test_whoever_has_agreed_is_not_asked_again() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    company.do("Ana", Abandon(0))
    company.do("Ben", Answer(1, Ask.ABANDON, True))
    asked = {name: view(company.table, company.who(name))["asks"][0]["answer"] for name in ("Ana", "Ben", "Cleo")}
    assert asked == {"Ana": [], "Ben": [], "Cleo": [2]}


def test_what_happens_is_told_in_its_own_words() -> None:
    company = Company("tabu", 3, clock=ClockTerms("real", MINUTE), chat="text").seated("Ana", "Ben", "Cleo")
    doors = words("en")

    def last() -> str:
        return str(view(company.table, NOBODY, "en")["sentences"][-1]["text"])

    seats = [company.table.game.kind.words("en")(f"seat {seat}") for seat in (1, 2, 3)]
    company.do("Ana", Abandon(0))
    company.do("Ben", Answer(1, Ask.ABANDON, False))
    assert last() == doors("told no", seat=seats[1])
    company.do("Ana", Say(0, text="hi"))
    company.table.events.kept[-1] = replace(company.table.events[-1], aside={})
    assert last() == doors("told erased", seat=seats[0])
    company.now += 60
    company.do("house", Tick())
    assert last() == doors("told seated time", name=doors("program strongest"), seat=seats[company.table.events[-1].seat or 0])


def test_an_ending_says_why_and_who_has_won() -> None:
    doors = words("en")
    against, together = shown_state(Company().table), shown_state(Company("tabaijana", 2).table)

    def told(state: State, result: Result) -> list[str]:
        return end_sentences(state, result, "en")[1:]

    assert told(against, Result((1, 2), (), "abandoned")) == []
    assert told(against, Result((1, 2), (), "time")) == [doors("nobody")]
    assert told(against, Result((2, 2), (0, 1), "draw")) == [doors("draw")]
    assert told(together, Result((20, 20), (0, 1), "time")) == [doors("all win")]


def test_an_erased_name_is_somebody() -> None:
    company = Company().seated("Ana", "Ben")
    company.table.seats[0] = Seat(Sitter.PERSON, token_hash="x")
    seen = json.loads(json.dumps(view(company.table, NOBODY, "fr")))
    assert seen["seats"][0]["name"] == "Quelqu’un"


@pytest.mark.parametrize(("language", "name"), [("fr", "Ordinateur, au plus fort"), ("en", "Computer, at its strongest")])
def test_the_strongest_program_is_called_so(language: str, name: str) -> None:
    company = Company()
    company.do("Olga", Replace(1, "max"))
    seen = json.loads(json.dumps(view(company.table, NOBODY, language)))
    assert seen["seats"][1]["name"] == name
    assert seen["sentences"][-1]["text"].startswith(name)
