"""What people do at a table: sit, play, ask, answer, leave, come back; each refusal says why and changes nothing."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES
from tablee.locale import words
from tablee.tables.allowed import allowed
from tablee.tables.commands import (
    Abandon,
    Answer,
    Command,
    Contribute,
    Dismiss,
    Draw,
    Expire,
    Hint,
    Invite,
    Leave,
    Play,
    Rematch,
    Replace,
    Resign,
    Say,
    ShowHint,
    Sit,
    Start,
    Stop,
    TakeBack,
    Text,
    tag_of,
)
from tablee.tables.dice import bound_dice
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.opening import open_table, standing
from tablee.tables.refused import Refused
from tablee.tables.table import MOST_SAID, Table
from tablee.tables.talking import PHRASES, REACTIONS
from tablee.tables.telling import event_sentences
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, hash_token, new_token, seat_token
from tablee.tables.values import Ask, Result
from tablee.tables.view import view
from tests.tables.company import NOON, Company, plain_view, same_table


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of events."""
    return [event.kind for event in events]


def refused(company: Company, name: str, command: object, code: str) -> Refused:
    """Check that something is refused with this code, in a sentence of both languages, and that nothing has changed."""
    before = company.table.fork()
    with pytest.raises(Refused) as found:
        company.do(name, command)  # type: ignore[arg-type]
    assert found.value.code == code, found.value
    assert all(found.value.say(language) for language in LANGUAGES)
    assert same_table(before, company.table)
    return found.value


# Sitting down.


def test_a_table_begins_by_itself_once_all_sit_and_have_contributed() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana", contribution="00" * 16))
    company.do("Ben", Sit(1, "Ben"))
    assert company.table.phase == "waiting"
    events = company.do("Ben", Contribute(1, "11" * 16))
    assert kinds(events) == ["contributed", "started"]
    assert [seat.name for seat in company.table.seats] == ["Ana", "Ben"]


def test_a_game_can_begin_without_everybodys_contribution() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    refused(company, "Ana", Start(), "phase")
    company.do("Olga", Replace(1, "1"))
    events = company.do("Ana", Start())
    assert kinds(events) == ["contributed", "started"]
    assert events[0].seat == 1
    assert events[1].payload["silent"] == [0]


def test_whoever_plays_alone_needs_one_transaction() -> None:
    """Two clicks: the events of sitting, seating a program and beginning can all be made before the log creates the table."""
    token = new_token()
    opening = open_table(Terms("tablan"), token, NOON)
    table = Table.from_events(opening.events, opening.secret)
    for command in (Sit(0, "Ana", contribution="00" * 16), Replace(1, "1")):
        outcome = handle(table, command, Actor((token,)), NOON)
        table = outcome.table
        opening.events.extend(outcome.events)
    assert same_table(Table.from_events(opening.events, opening.secret), table)
    assert table.phase == "playing"


def test_an_invitation_is_good_for_one_person_and_one_seat() -> None:
    company = Company(sitting="invited")
    one, any_seat = company.invitation("Olga", 1), company.invitation("Olga")
    refused(company, "Ana", Sit(0, "Ana"), "token")
    refused(company, "Ana", Sit(0, "Ana", one), "token")
    company.do("Ana", Sit(1, "Ana", one))
    company.do("Ana", Leave(1))
    refused(company, "Ben", Sit(1, "Ben", one), "token")
    company.do("Ben", Sit(1, "Ben", any_seat))
    refused(company, "Cleo", Sit(0, "Cleo", any_seat), "token")


def test_the_log_holds_no_token() -> None:
    company = Company(sitting="invited")
    invitation = company.invitation("Olga", 0)
    company.do("Ana", Sit(0, "Ana", invitation, move_id="m"))
    text = repr(company.table.events) + repr(company.table) + repr(Sit(0, "Ana", invitation)) + repr(Actor((invitation,)))
    assert not any(token in text for token in [invitation, *company.tokens.values()])


def test_a_seat_is_taken_once() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    refused(company, "Ben", Sit(0, "Ben"), "phase")
    refused(company, "Ben", Sit(2, "Ben"), "unreadable")


def test_a_carte_holds_the_seats_of_a_match_on_every_device() -> None:
    carte = new_token()
    company = Company()
    company.tokens["Ana"] = seat_token(carte, company.table.match.id)
    company.seated("Ana", "Ben")
    assert company.table.held_by(Actor((seat_token(carte, company.table.match.id),))) == (0,)
    assert seat_token(carte, "another match") != company.tokens["Ana"]


def test_names_are_cleaned() -> None:
    company = Company()
    company.do("Ana", Sit(0, "  A\u202en\u200ba\n" + "x" * 100))
    assert company.table.seats[0].name == "Ana " + "x" * 36


def test_the_lot_gives_the_seats_and_can_be_checked() -> None:
    """Over many tables both come out; who goes where is in the draws of the start."""
    orders = set()
    for _ in range(40):
        company = Company(starts="lot").seated("Ana", "Ben")
        started = next(event for event in company.table.events if event.kind == "started")
        orders.add(tuple(started.payload["order"]))  # type: ignore[arg-type]
        first = company.table.held_by(company.who("Ana"))[0]
        assert started.payload["order"] == ([0, 1] if first == 0 else [1, 0])
        assert company.table.seats[first].name == "Ana"
    assert orders == {(0, 1), (1, 0)}


def test_the_set_up_is_drawn_with_the_dice_of_the_start() -> None:
    for slug, name in (("tabu", "banker"), ("tabaijana", "stack")):
        company = Company(slug).seated("Ana", "Ben")
        started = next(event for event in company.table.events if event.kind == "started")
        setup = company.table.game.kind.setup(
            company.table.game, bound_dice(2, company.opening.secret, company.table.id, 0, None, company.table.contributions).draw, {}
        )
        assert started.payload["setup"] == setup
        assert name in setup


def test_a_game_can_be_played_on_from_a_position() -> None:
    line = "6b/7/7/3r3/7/7/w5w b 0 0 - -"
    company = Company(position=line).seated("Ana", "Ben")
    assert company.table.state is not None
    assert company.table.game.dump(company.table.state) == line
    assert company.table.asked == (1,)


# Playing.


def test_an_action_is_confirmed_with_the_event_that_carries_it() -> None:
    company = Company().seated("Ana", "Ben")
    events = company.do("Ana", Play(0, ("a7b7",), move_id="m1"))
    answer = company.table.answer_of("m1")
    assert answer is not None
    assert (answer.seq, answer.hash) == (events[0].seq, events[0].hash)


def test_handle_changes_nothing() -> None:
    company = Company("tablan").seated("Ana", "1")
    before = company.table.fork()
    state = company.table.state
    assert state is not None
    for _ in range(3):
        seat = company.table.asked[0]
        command = Play(seat, (company.table.game.notate(state.legal(seat)[0]),))
        handle(company.table, command, company.who("Ana" if seat == 0 else "house"), NOON)
        assert same_table(before, company.table)
        assert company.table.events == before.events


@pytest.mark.parametrize("slug", ["traboulet", "tablan", "tabu"])
def test_the_table_after_a_command_is_the_one_that_its_log_tells(slug: str) -> None:
    """What `handle` returns beside the events is just what folding the whole log anew gives."""
    company = Company(slug).seated("Ana", "Ben")
    for seed in range(10):
        company.wander(seed, 3)
        assert same_table(company.table, Table.from_events(company.table.events, company.opening.secret))


def test_a_resend_gives_the_same_answer_and_nothing_new() -> None:
    company = Company().seated("Ana", "Ben")
    command = Play(0, ("a7b7",), seq=company.table.seq, move_id="m1")
    company.do("Ana", command)
    answer, seq = company.table.answer_of("m1"), company.table.seq
    assert company.do("Ana", command) == []
    company.reload()
    assert company.do("Ana", command) == []
    assert (company.table.answer_of("m1"), company.table.seq) == (answer, seq)


def test_a_used_number_is_refused_for_anything_else() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Play(0, ("a7b7",), move_id="m1"))
    refused(company, "Ana", Play(0, ("a6b6",), move_id="m1"), "again")
    refused(company, "Ana", Resign(0, move_id="m1"), "again")
    refused(company, "Ben", Play(0, ("a7b7",), move_id="m1"), "again")


def test_a_player_who_has_not_seen_the_last_action_is_told_so() -> None:
    company = Company().seated("Ana", "Ben")
    seen = company.table.seq
    company.play("Ana", 0, "a7b7")
    refused(company, "Ben", Play(1, ("a1b1",), seq=seen), "stale")
    refused(company, "Ben", Play(1, ("a1b1",), seq=10_000), "stale")
    company.do("Ben", Say(1, "hello"))
    company.do("Ben", Play(1, ("a1b1",), seq=seen + 1))


def test_a_play_from_before_a_take_back_is_stale() -> None:
    company = Company().seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    company.play("house", 1, "a1b1")
    seen = company.table.seq
    company.do("Ana", TakeBack(0))
    refused(company, "Ana", Play(0, ("a6b6",), seq=seen), "stale")
    company.do("Ana", Play(0, ("a6b6",), seq=company.table.seq))


def test_those_who_act_at_the_same_time_do_not_make_each_other_stale() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    seen = company.table.seq
    first, second = company.table.asked
    names = {0: "Ana", 1: "Ben", 2: "Cleo"}
    company.do(names[first], Play(first, ("c1",), seq=seen))
    company.do(names[second], Play(second, ("h1",), seq=seen))
    refused(company, names[first], Play(first, ("c1",), seq=seen), "stale")


def test_a_refusal_of_the_rules_names_paragraph_and_cells() -> None:
    company = Company().seated("Ana", "Ben")
    found = refused(company, "Ana", Play(0, ("b7c7",)), "rules")
    assert found.paragraphs == ("2.2",)
    assert "2.2" in found.say("fr")
    assert found.cells
    assert refused(company, "Ben", Play(1, ("a1b1",)), "rules").paragraphs
    refused(company, "Ana", Play(0, ("z9",)), "unreadable")
    refused(company, "Ana", Play(0, ()), "unreadable")


def test_tokens_are_played_all_or_none() -> None:
    company = Company().seated("Ana", "Ben")
    refused(company, "Ana", Play(0, ("a7b7", "a6b6")), "turn")


def test_a_turn_of_several_parts_is_sent_at_once() -> None:
    company = Company(position="6b/7/7/5wr/7/7/w5w w 0 0 - -").seated("Ana", "Ben")
    events = company.do("Ana", Play(0, ("f4g4", "a1b1"), move_id="m"))
    assert kinds(events) == ["acted", "acted"]
    assert [event.move_id for event in events] == ["m", None]


def test_the_dice_fall_by_themselves_after_the_action_that_asks_for_them() -> None:
    company = Company("tabu").seated("Ana", "Ben")
    seat = company.table.asked[0]
    name = ("Ana", "Ben")[seat]
    events = company.do(name, Play(seat, ("c1", "!")))
    assert kinds(events)[:3] == ["acted", "acted", "threw"]


def test_only_the_house_plays_for_its_programs() -> None:
    company = Company().seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    refused(company, "Ana", Play(1, ("a1b1",)), "token")
    refused(company, "house", Play(0, ("a1b1",)), "token")
    company.play("house", 1, "a1b1")


@pytest.mark.parametrize("slug", ["traboulet", "tabale", "tabaijana", "tablan", "tabu"])
def test_a_whole_game_ends_with_the_secret_revealed(slug: str) -> None:
    company = Company(slug).seated("Ana", "Ben").wander(5)
    assert company.table.phase == "over"
    assert kinds(company.table.events[-2:]) == ["ended", "revealed"]
    assert company.table.result is not None
    assert same_table(Table.from_events(company.table.events), company.table)


# The end by agreement and without.


def test_resigning_gives_the_other_the_game_and_reveals_the_dice() -> None:
    company = Company().seated("Ana", "Ben")
    assert kinds(company.do("Ana", Resign(0))) == ["resigned", "ended", "revealed"]
    assert company.table.result is not None
    assert (company.table.result.winners, company.table.result.reason) == ((1,), "resigned")
    refused(company, "Ben", Play(1, ("a1b1",)), "phase")


def test_one_resigns_only_where_two_play_against_each_other() -> None:
    for slug, seats in (("tabu", 3), ("tabaijana", 2)):
        company = Company(slug, seats).seated(*("Ana", "Ben", "Cleo")[:seats])
        refused(company, "Ana", Resign(0), "phase")


def test_a_draw_is_offered_and_accepted() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Draw(0))
    refused(company, "Ana", Answer(0, Ask.DRAW, True), "token")
    refused(company, "Ana", Draw(0), "phase")
    assert kinds(company.do("Ben", Answer(1, Ask.DRAW, True))) == ["answered", "ended", "revealed"]
    assert company.table.result is not None
    assert company.table.result.winners == (0, 1)


def test_a_draw_refused_is_not_offered_again_before_the_game_moves_on() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Draw(0))
    company.do("Ben", Answer(1, Ask.DRAW, False))
    refused(company, "Ana", Draw(0), "phase")
    company.play("Ana", 0, "a7b7")
    company.do("Ana", Draw(0))


def test_an_offer_lapses_when_somebody_plays() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Draw(0))
    company.play("Ana", 0, "a7b7")
    refused(company, "Ben", Answer(1, Ask.DRAW, True), "phase")


def test_a_program_is_asked_for_a_draw_through_the_house() -> None:
    company = Company().seated("Ana", "1")
    assert kinds(company.do("Ana", Draw(0))) == ["asked"]
    refused(company, "Ana", Answer(1, Ask.DRAW, True), "token")
    assert kinds(company.do("house", Answer(1, Ask.DRAW, False))) == ["answered"]


def test_a_game_is_abandoned_when_all_agree() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    company.do("Ana", Abandon(0))
    assert kinds(company.do("Ben", Answer(1, Ask.ABANDON, True))) == ["answered"]
    assert kinds(company.do("Cleo", Answer(2, Ask.ABANDON, True))) == ["answered", "ended", "revealed"]
    assert company.table.result is not None
    assert company.table.result.winners == ()


def test_a_game_is_stopped_and_counted_when_all_agree() -> None:
    """Tabu 4.2: stakes not yet settled go back, and whoever has most wins."""
    company = Company("tabu", 3, options={"money": "1000"}).seated("Ana", "Ben", "Cleo").wander(3, 40)
    state = company.table.state
    assert state is not None
    money = tuple(int(state.position.score(seat)) for seat in range(3))
    assert sum(money) == 3000
    assert kinds(company.do("Ana", Stop(0))) == ["asked"]
    assert kinds(company.do("Ben", Answer(1, Ask.STOP, True))) == ["answered"]
    assert kinds(company.do("Cleo", Answer(2, Ask.STOP, True))) == ["answered", "ended", "revealed"]
    winners = tuple(seat for seat in range(3) if money[seat] == max(money))
    assert company.table.result == Result(money, winners, "4.2 agreed")
    said = plain_view(company.table, company.who("Ana"), "en")["result"]["sentences"]
    assert said[0] == "The game is stopped by agreement: the money is counted, and the richest wins. (Tabu 4.2)"
    company.reload()
    assert company.table.result == Result(money, winners, "4.2 agreed")
    for name, seat in (("Ana", 0), ("Ben", 1), ("Cleo", 2)):
        company.do(name, Rematch(seat))
    assert company.rematch().table.match.points


def test_a_stop_that_one_player_declines_changes_nothing() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    company.do("Ana", Stop(0))
    assert kinds(company.do("Ben", Answer(1, Ask.STOP, False))) == ["answered"]
    assert company.table.result is None
    refused(company, "Ana", Stop(0), "phase")
    refused(company, "Cleo", Answer(2, Ask.STOP, True), "phase")


def test_programs_agree_to_a_stop() -> None:
    company = Company("tabu").seated("Ana", "1")
    assert kinds(company.do("Ana", Stop(0))) == ["asked", "ended", "revealed"]


@pytest.mark.parametrize("slug", ["traboulet", "tabale", "tabaijana", "tablan"])
def test_a_game_that_cannot_be_counted_cannot_be_stopped(slug: str) -> None:
    company = Company(slug).seated("Ana", "Ben")
    refused(company, "Ana", Stop(0), "phase")
    assert "stop" not in [tag_of(type(command).__name__) for command in allowed(company.table, company.who("Ana"))]


def test_a_stop_is_offered_as_a_button_where_it_can_be_done() -> None:
    company = Company("tabu").seated("Ana", "Ben")
    assert Stop(0) in allowed(company.table, company.who("Ana"))
    waiting = Company("tabu")
    waiting.do("Ana", Sit(0, "Ana"))
    refused(waiting, "Ana", Stop(0), "phase")


def test_a_table_that_never_began_can_be_closed_and_reveals_its_secret_too() -> None:
    company = Company()
    assert kinds(company.do("Olga", Abandon())) == ["asked", "ended", "revealed"]
    company = Company().seated("Ana", "Ben")
    assert kinds(company.do("house", Expire())) == ["ended", "revealed"]


# Taking back.


def test_a_take_back_is_asked_and_granted() -> None:
    company = Company().seated("Ana", "Ben")
    state = company.table.state
    company.play("Ana", 0, "a7b7")
    assert kinds(company.do("Ana", TakeBack(0))) == ["asked"]
    assert kinds(company.do("Ben", Answer(1, Ask.TAKE_BACK, True))) == ["answered", "took_back"]
    assert company.table.state is state


def test_whoever_gives_no_name_is_told_by_colour() -> None:
    company = Company()
    (event,) = company.do("Ana", Sit(0, ""))
    assert [event_sentences(company.table, event, language) for language in ("fr", "en")] == [["Blanc prend place."], ["White sits down."]]


def test_what_was_taken_back_is_still_told_in_a_sentence() -> None:
    company = Company().seated("Ana", "Ana")
    company.play("Ana", 0, "a7b7")
    played = company.table.events[-1]
    company.do("Ana", TakeBack(0))
    told = event_sentences(company.table, played, "en")
    assert told == ["White pushes a marble from a7 to b7, and one more with it."]
    company.play("Ana", 0, "g1f1")
    company.play("Ana", 1, "a1b1")
    later = [event for event in company.table.events if event.kind == "acted"][1:]
    company.do("Ana", TakeBack(0))
    assert [event_sentences(company.table, event, "en")[0].split(" pushes ")[0] for event in later] == ["White", "Black"]
    assert event_sentences(company.table, played, "en") == told


def test_a_take_back_takes_the_answer_with_it() -> None:
    company = Company().seated("Ana", "Ben")
    state = company.table.state
    company.play("Ana", 0, "a7b7")
    company.play("Ben", 1, "a1b1")
    company.do("Ana", TakeBack(0))
    company.do("Ben", Answer(1, Ask.TAKE_BACK, True))
    assert company.table.state is state
    refused(company, "Ana", TakeBack(0), "phase")


def test_a_take_back_is_free_against_programs_and_on_one_screen() -> None:
    company = Company().seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    company.play("house", 1, "a1b1")
    assert kinds(company.do("Ana", TakeBack(0))) == ["asked", "took_back"]
    company = Company().seated("Ana", "Ana")
    company.play("Ana", 0, "a7b7")
    assert kinds(company.do("Ana", TakeBack(0))) == ["asked", "took_back"]


def test_a_take_back_never_crosses_a_throw() -> None:
    """Neither asked, nor slipped into the log."""
    company = Company("tablan").seated("Ana", "Ana")
    random = Random(2)
    crossed = 0
    while company.table.state is not None and company.table.asked and crossed < 5:
        seat = company.table.asked[0]
        action = random.choice(company.table.state.legal(seat))
        events = company.play("Ana", seat, company.table.game.notate(action))
        if "threw" in kinds(events) and company.table.phase == "playing":
            refused(company, "Ana", TakeBack(seat), "phase")
            crossed += 1
    assert crossed == 5


def test_a_take_back_leaves_what_was_thrown_before() -> None:
    """Tabale's woods and steps are no throws: there a turn can be taken back part by part, and the events stay in the log."""
    company = Company("tabale").seated("Ana", "1")
    seat = company.table.asked[0]
    assert company.table.state is not None
    before = len(company.table.events)
    name = "Ana" if seat == 0 else "house"
    company.play(name, seat, company.table.game.notate(company.table.state.legal(seat)[0]))
    company.do("Ana", TakeBack(0))
    assert len(company.table.events) == before + 3
    assert len(company.table.steps) == 1


# Changing players.


def test_a_leavers_seat_is_taken_by_a_program_or_a_friend() -> None:
    company = Company(sitting="invited")
    ana, ben = company.invitation("Olga", 0), company.invitation("Olga", 1)
    company.do("Ana", Sit(0, "Ana", ana, "00" * 16))
    company.do("Ben", Sit(1, "Ben", ben, "00" * 16))
    company.play("Ana", 0, "a7b7")
    refused(company, "Ana", Replace(1, "1"), "token")
    company.do("Ben", Leave(1))
    refused(company, "Ben", Play(1, ("a1b1",)), "token")
    refused(company, "Mallory", Sit(1, "Mallory"), "token")
    company.do("Ana", Replace(1, "1"))
    company.play("house", 1, "a1b1")
    friend = company.invitation("Ana", 1)
    company.do("Cleo", Sit(1, "Cleo", friend))
    company.play("Ana", 0, "a6b6")
    assert company.table.seats[1].name == "Cleo"
    refused(company, "house", Play(1, ("a1b1",)), "token")


def test_one_may_let_a_program_play_ones_own_seat_and_come_back() -> None:
    company = Company(sitting="invited")
    company.do("Olga", Sit(0, "Olga"))
    company.do("Olga", Replace(1, "1"))
    company.do("Olga", Start())
    company.do("Olga", Replace(0, "8"))
    company.play("house", 0, "a7b7")
    company.do("Olga", Sit(0, "Olga"))
    assert company.table.held_by(company.who("Olga")) == (0,)


def test_whoever_plays_alone_may_change_sides() -> None:
    company = Company(sitting="invited")
    company.do("Olga", Sit(0, "Olga"))
    company.do("Olga", Sit(1, "Olga"))
    company.do("Olga", Start())
    assert company.table.held_by(company.who("Olga")) == (0, 1)


def test_the_house_may_say_that_somebody_is_gone_who_may_come_back() -> None:
    company = Company(sitting="invited")
    company.do("Olga", Sit(0, "Olga"))
    ben = company.invitation("Olga", 1)
    company.do("Ben", Sit(1, "Ben", ben))
    company.do("Olga", Start())
    refused(company, "Olga", Dismiss(1), "token")
    company.do("house", Dismiss(1))
    assert company.table.seats[1].left
    refused(company, "Mallory", Sit(1, "Mallory"), "token")
    company.do("Olga", Replace(1, "1"))
    refused(company, "Mallory", Sit(1, "Mallory"), "token")
    company.do("Ben", Sit(1, "Ben"))
    assert company.table.held_by(company.who("Ben")) == (1,)


def test_whose_seat_a_friend_has_taken_cannot_come_back() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ben", Leave(1))
    company.do("Cleo", Sit(1, "Cleo"))
    company.do("Cleo", Replace(1, "1"))
    refused(company, "Ben", Sit(1, "Ben"), "token")


def test_a_game_that_everybody_left_is_abandoned() -> None:
    company = Company().seated("Ana", "1")
    assert kinds(company.do("Ana", Leave(0))) == ["left", "ended", "revealed"]


def test_who_leaves_can_no_longer_agree_to_anything() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    company.do("Ana", Abandon(0))
    company.do("Ben", Leave(1))
    assert company.table.asks == {}


# Hints and talk.


def test_a_hint_is_written_down() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", ShowHint(0, ("a7b7",)))
    assert [tokens for _, _, tokens in company.table.hints] == ["a7b7"]
    refused(company, "Ben", ShowHint(1, ("a1b1",)), "turn")
    refused(company, "Ana", ShowHint(0, ("b7c7",)), "rules")


def test_a_hint_stays_in_the_record_when_the_action_is_taken_back() -> None:
    company = Company().seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    company.play("house", 1, "a1b1")
    company.do("Ana", ShowHint(0, ("a6b6",)))
    company.do("Ana", TakeBack(0))
    assert len(company.table.hints) == 1


def test_a_table_may_play_without_hints() -> None:
    company = Company(hints="no").seated("Ana", "Ben")
    refused(company, "Ana", ShowHint(0, ("a7b7",)), "phase")


def test_every_phrase_has_its_sentence_in_every_language() -> None:
    for language in LANGUAGES:
        assert all(words(language)(f"phrase {key}") for key in (*PHRASES, *REACTIONS))


def test_people_talk_by_phrases_and_not_too_much() -> None:
    company = Company().seated("Ana", "Ben")
    refused(company, "Ana", Say(0, "swear"), "unreadable")
    for _ in range(MOST_SAID):
        company.do("Ana", Say(0, "hello"))
    refused(company, "Ana", Say(0, "hello"), "limit")
    company.do("Ben", Say(1, "clap"))
    company.now += 20
    company.do("Ana", Say(0, "hello"))


def test_free_text_is_only_where_everybody_agreed() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "Cleo")
    refused(company, "Ana", Say(0, text="hi"), "phase")
    company.do("Ana", Text(0))
    company.do("Ben", Answer(1, Ask.TEXT, True))
    refused(company, "Ana", Say(0, text="hi"), "phase")
    company.do("Cleo", Answer(2, Ask.TEXT, True))
    company.do("Ana", Say(0, text="hi <b>\u202e"))
    assert company.table.events[-1].aside["text"] == "hi <b>"
    company.do("Ben", Leave(1))
    company.do("Mallory", Sit(1, "Mallory"))
    refused(company, "Ana", Say(0, text="hi"), "phase")


def test_whoever_sits_at_a_table_of_free_text_agrees_to_it_and_a_silent_one_is_silent() -> None:
    company = Company(chat="text").seated("Ana", "Ben")
    company.do("Ana", Say(0, text="hi"))
    company = Company(chat="none").seated("Ana", "Ben")
    refused(company, "Ana", Say(0, "hello"), "phase")
    refused(company, "Ana", Text(0), "phase")


def test_alone_with_programs_one_may_write() -> None:
    company = Company().seated("Ana", "1")
    company.do("Ana", Text(0))
    company.do("Ana", Say(0, text="hm"))


def test_what_was_said_last_is_kept() -> None:
    company = Company(chat="text").seated("Ana", "Ben")
    for number in range(40):
        company.now += 5
        company.do("Ana", Say(0, text=f"word {number}"))
    assert [event.aside["text"] for event in company.table.talk] == [f"word {number}" for number in range(10, 40)]


# Nonsense.

text = st.text(max_size=12) | st.sampled_from(["a7b7", "hello", "1", "draw", "\ud800", "00" * 16, "{seat}", "=seat 1", "\x00", "é" * 43])
seat = st.integers(-2, 3) | st.sampled_from([2**80, -(2**80)])
words_said = st.lists(text, max_size=3).map(tuple)
NONSENSE = st.one_of(
    st.builds(Sit, seat, text, text, text, text, move_id=st.none() | text),
    st.builds(Leave, seat),
    st.builds(Replace, seat, text),
    st.builds(Invite, st.none() | seat),
    st.builds(Contribute, seat, text),
    st.builds(Play, seat, words_said, st.none() | seat, move_id=st.none() | text),
    st.builds(TakeBack, seat),
    st.builds(Abandon, st.none() | seat),
    st.builds(Answer, seat, text, st.booleans()),
    st.builds(Hint, seat),
    st.builds(ShowHint, seat, words_said),
    st.builds(Say, seat, text, text),
    st.builds(Rematch, seat),
)


@cache
def table_of_tabu() -> Company:
    """Return a table in the middle of a game."""
    return Company("tabu", 2, chat="text").seated("Ana", "Ben")


@settings(deadline=None, max_examples=300)
@given(NONSENSE, st.sampled_from(["Ana", "Ben", "Mallory", "house"]))
def test_whatever_is_asked_is_done_or_refused_in_words(command: Command, name: str) -> None:
    company = table_of_tabu()
    before = company.table.fork()
    said: list[str] = []
    table, events = company.table, list[Event]()
    try:
        outcome = handle(company.table, command, company.who(name), NOON)
        table, events = outcome.table, outcome.events
    except Refused as refusal:
        said = [refusal.say(language) for language in LANGUAGES]
    assert events or all(said)
    assert view(table, company.who(name))
    assert same_table(before, company.table)


# Rematch.


def test_in_traboulet_the_loser_is_white_in_the_next_game() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ben", Resign(1))
    company.do("Ana", Rematch(0))
    assert kinds(company.do("Ben", Rematch(1))) == ["answered", "rematch"]
    again = company.rematch()
    assert [seat.name for seat in again.table.seats] == ["Ben", "Ana"]
    assert (again.table.match.won, again.table.match.number) == ((0, 1), 2)
    assert again.table.match.id == company.table.id
    again.do("Ben", Contribute(0, "00" * 16))
    again.do("Ana", Contribute(1, "00" * 16))
    again.do("Ana", Resign(1))
    again.do("Ana", Rematch(1))
    again.do("Ben", Answer(0, Ask.REMATCH, True))
    third = again.rematch()
    assert [seat.name for seat in third.table.seats] == ["Ana", "Ben"]
    assert third.table.match.won == (1, 1)


def test_after_a_draw_the_colours_change_and_after_no_result_they_do_not() -> None:
    for ask, what, names, shared in ((Draw(0), "draw", ["Ben", "Ana"], (1, 1)), (Abandon(0), "abandon", ["Ana", "Ben"], (0, 0))):
        company = Company().seated("Ana", "Ben")
        company.do("Ana", ask)
        company.do("Ben", Answer(1, Ask(what), True))
        company.do("Ana", Rematch(0))
        company.do("Ben", Rematch(1))
        again = company.rematch()
        assert [seat.name for seat in again.table.seats] == names
        assert again.table.match.shared == shared


def test_elsewhere_another_begins_each_time() -> None:
    company = Company("tabu", 3).seated("Ana", "Ben", "1").wander(1)
    company.do("Ana", Rematch(0))
    company.do("Ben", Answer(1, Ask.REMATCH, True))
    again = company.rematch()
    assert [seat.name for seat in again.table.seats] == ["Ben", "", "Ana"]
    assert again.table.commitment != company.table.commitment


def test_nobody_is_taken_to_a_rematch_that_was_refused() -> None:
    company = Company().seated("Ana", "Ben")
    refused(company, "Ana", Rematch(0), "phase")
    company.do("Ben", Resign(1))
    company.do("Ana", Rematch(0))
    company.do("Ben", Answer(1, Ask.REMATCH, False))
    assert company.table.next == ""


def test_a_rematch_is_opened_only_when_all_have_agreed() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ben", Resign(1))
    with pytest.raises(TableeError, match="no rematch"):
        company.rematch()


def test_a_rematch_keeps_terms_and_links_and_begins_as_the_game_does() -> None:
    line = "6b/7/7/3r3/7/7/w5w b 0 0 - -"
    company = Company(position=line, starts="lot", watching="link", chat="text").seated("Ana", "1")
    seat = company.table.held_by(company.who("Ana"))[0]
    company.do("Ana", Resign(seat))
    company.do("Ana", Rematch(seat))
    again = company.rematch().table
    assert again.terms == replace(company.table.terms, starts="seats", position="")
    assert (again.opener, again.watch) == (company.table.opener, company.table.watch)


def test_what_counts_in_a_match_is_games_won_shared_and_points() -> None:
    """A game won together is won by each; what was abandoned brings no points."""
    together, against = Company("tabaijana", 2).table, Company().table
    assert standing(together, Result((20, 20), (0, 1), "4.1")) == ((1, 1), (0, 0), (20, 20))
    assert standing(against, Result((3, 2), (0, 1), "draw")) == ((0, 0), (1, 1), (3, 2))
    assert standing(against, Result((3, 2), (), "abandoned")) == ((0, 0), (0, 0), (0, 0))
    assert standing(against, Result((3, 2), (1,), "resigned")) == ((0, 1), (0, 0), (3, 2))


def test_the_hash_of_a_token_is_bound_to_its_match() -> None:
    token = new_token()
    assert hash_token("one", token) != hash_token("other", token)
