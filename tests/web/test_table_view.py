"""What a screen is sent: kept for those who see the same, and never for anybody else."""

import json

import pytest

from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Invite, Leave, Resign, Sit
from tablee.tables.refused import Refused
from tablee.tables.tokens import Actor, new_token
from tablee.web.live import Live
from tablee.web.table_view import MOST_KEPT, Listener, table_view, view_bytes
from tests.tables.company import MINUTE, Company


def test_a_view_kept_for_whoever_has_the_link_is_not_given_to_a_stranger() -> None:
    company = Company(watching="link").seated("Ana", "Ben")
    live = Live(company.table)
    assert view_bytes(live, company.who("watcher"), "fr", company.now)
    with pytest.raises(Refused):
        view_bytes(live, company.who("Mallory"), "fr", company.now)
    with pytest.raises(Refused):
        Listener(company.who("Mallory"), "fr").frame(live, company.now)
    assert view_bytes(live, Actor(watch=company.tokens["watcher"]), "fr", company.now)
    with pytest.raises(Refused):
        view_bytes(live, Actor(), "fr", company.now)


def test_whoever_may_not_watch_any_more_is_told_nothing_more() -> None:
    """An invitation lets one look until somebody has used it."""
    company = Company(watching="link", sitting="invited")
    invitation = company.invitation("Olga", 0)
    live = Live(company.table)
    others = [Listener(actor, "fr") for actor in (Actor((invitation,)), company.who("Olga"))]
    for listener in others:
        assert listener.frame(live, company.now)
    company.do("Ana", Sit(0, "Ana", invitation))
    live.table = company.table
    assert others[1].frame(live, company.now).startswith(b'{"t":"change"')
    with pytest.raises(Refused):
        others[0].frame(live, company.now)


def test_a_clock_that_runs_is_shown_as_it_stands() -> None:
    company = Company(clock=ClockTerms("real", 5 * MINUTE)).seated("Ana", "Ben")
    live = Live(company.table)
    left = [json.loads(view_bytes(live, company.who("Ana"), "fr", company.now + passed))["seats"][0]["clock"]["left"] for passed in (0, 10)]
    assert left == [5 * MINUTE, 5 * MINUTE - 10_000]


def test_so_many_views_are_kept_and_no_more() -> None:
    company = Company().seated("Ana", "Ben")
    live = Live(company.table)
    kept = []
    for _ in range(3 * MOST_KEPT):
        view_bytes(live, Actor((company.tokens["Ana"], new_token())), "fr", company.now)
        kept.append(len(live.views))
    assert max(kept) == MOST_KEPT


def test_invitations_are_shown_to_their_maker_while_he_belongs_to_the_table_and_it_goes_on() -> None:
    company = Company().seated("Ana", "Ben")
    for name in ("Ana", "Ben", "Olga"):
        company.do(name, Invite())
    shown = {name: [one.path for one in table_view(Live(company.table), company.who(name), "fr", company.now).invitations] for name in company.tokens}
    assert {name: len(paths) for name, paths in shown.items() if paths} == {"Ana": 1, "Ben": 1, "Olga": 1}
    assert len({path for paths in shown.values() for path in paths}) == 3
    company.do("Ana", Leave(0))
    assert table_view(Live(company.table), company.who("Ana"), "fr", company.now).invitations == []
    company.do("Ben", Resign(1))
    for name in ("Ben", "Olga"):
        assert table_view(Live(company.table), company.who(name), "fr", company.now).invitations == []


def test_a_listener_who_asks_for_a_whole_view_gets_one_even_after_a_move() -> None:
    company = Company().seated("Ana", "Ben")
    live = Live(company.table)
    listener = Listener(company.who("Ana"), "fr")
    listener.frame(live, company.now)
    listener.forget()
    company.play("Ana", 0, "a7b7")
    live.table = company.table
    assert listener.frame(live, company.now).startswith(b'{"t":"view"')


def test_a_button_names_the_seat_it_acts_for() -> None:
    company = Company().seated("Ana", "Ben")
    for name, seat in (("Ana", 0), ("Ben", 1)):
        buttons = table_view(Live(company.table), company.who(name), "fr", company.now).commands
        assert {one.seat for one in buttons if one.t in ("draw", "resign", "abandon", "leave")} == {seat}
        assert all(one.label for one in buttons)
