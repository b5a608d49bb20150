"""A listener who is sent changes holds the very view that a newcomer is sent."""

from contextlib import suppress
from random import Random

import msgspec
import pytest

from tablee.tables.commands import Abandon, Answer, Draw, Invite, Play, Say, ShowHint, TakeBack
from tablee.tables.refused import Refused
from tablee.tables.values import Ask
from tablee.tables.view_applied import Follower, applied
from tablee.tables.view_changes import News
from tablee.tables.view_types import Change, View
from tablee.web.live import Live
from tablee.web.table_view import Listener, table_view
from tests.tables.company import Company

GAMES = ["traboulet", "tabale", "tabaijana", "tablan", "tabu"]


class Screen:
    """Somebody who listens, and keeps his view up to date."""

    def __init__(self, company: Company, name: str, language: str) -> None:
        self.company, self.name, self.language = company, name, language
        self.listener = Listener(company.who(name), language)
        self.follower = Follower()
        self.view: View | None = None
        self.whole = self.changes = 0

    def look(self, live: Live) -> None:
        """Take the next frame in, and compare what it makes with the view of a newcomer."""
        frame = self.listener.frame(live, self.company.now)
        if frame.startswith(b'{"t":"view"'):
            self.whole += 1
        else:
            self.changes += 1
        self.view = self.follower.take(frame)
        shown = msgspec.json.encode(table_view(live, self.company.who(self.name), self.language, self.company.now))
        assert self.view == msgspec.json.decode(shown, type=View)


def do_something(company: Company, random: Random) -> None:
    """Let somebody do something other than playing."""
    seat = random.randrange(2)
    name = ("Ana", "Ben")[seat]
    state = company.table.state
    legal = state.legal(seat) if state is not None and seat in company.table.asked else []
    commands = [TakeBack(seat), Draw(seat), Abandon(seat), Say(seat, "hello"), Say(seat, text="salut"), Invite()]
    commands += [ShowHint(seat, (company.table.game.notate(legal[0]),))] * 3 if legal else []
    with suppress(Refused):
        company.do(name, random.choice(commands))


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_changes_add_up_to_the_view(slug: str, seed: int) -> None:
    random = Random(seed)
    company = Company(slug, seats=2, chat="text", starts="lot")
    live = Live(company.table)
    screens = [Screen(company, name, language) for name, language in (("Ana", "fr"), ("Ben", "en"), ("Olga", "fr"), ("Mallory", "fr"))]
    for screen in screens:
        screen.look(live)
    company.seated("Ana", "Ben")
    for _ in range(60):
        live.table = company.table
        for screen in screens:
            if random.random() < 0.9:  # one is slow now and then
                screen.look(live)
        if random.random() < 0.8:
            company.wander(random.randrange(10**6), most=1)
        else:
            do_something(company, random)
    assert sum(screen.changes for screen in screens) > 8


def test_a_slow_listener_a_take_back_and_a_question_get_a_whole_view() -> None:
    company = Company().seated("Ana", "Ben")
    live = Live(company.table)
    slow, quick = Screen(company, "Ana", "fr"), Screen(company, "Ben", "fr")
    for screen in (slow, quick):
        screen.look(live)
    for name, seat, token in (("Ana", 0, "a7b7"), ("Ben", 1, "a1b1")):
        company.play(name, seat, token)
        live.table = company.table
        quick.look(live)
    slow.look(live)
    assert (slow.whole, slow.changes, quick.whole, quick.changes) == (2, 0, 1, 2)
    company.do("Ben", TakeBack(1))
    live.table = company.table
    quick.look(live)
    assert (quick.whole, quick.changes) == (1, 3)
    company.do("Ana", Answer(0, Ask.TAKE_BACK, True))
    live.table = company.table
    quick.look(live)
    assert (quick.whole, quick.changes) == (2, 3)
    quick.listener.forget()
    quick.look(live)
    assert quick.whole == 3


def test_news_that_may_not_be_true_any_more_are_forgotten() -> None:
    company = Company().seated("Ana", "Ben")
    news, before = News(), company.table.seq
    news.look(company.table, "fr", company.now)
    company.play("Ana", 0, "a7b7")
    assert news.since(company.table, before, "fr", company.now)
    news.forget()
    assert news.since(company.table, before, "fr", company.now) is None


def test_a_change_that_does_not_follow_is_not_taken() -> None:
    company = Company().seated("Ana", "Ben")
    live = Live(company.table)
    screen = Screen(company, "Ana", "fr")
    screen.look(live)
    assert screen.view is not None
    assert applied(screen.view, Change(since=screen.view.seq + 1, to=screen.view.seq + 2, hash="")) is None


def test_a_change_is_small() -> None:
    """A move costs the same early and late in a game, and a fraction of the whole view."""
    company = Company().seated("Ana", "Ben")
    live = Live(company.table)
    watcher = Listener(company.who("Mallory"), "fr")
    whole = len(watcher.frame(live, company.now))
    sizes = []
    for seed in range(80):
        company.wander(seed, most=1)
        live.table = company.table
        sizes.append(len(watcher.frame(live, company.now)))
    assert sum(sizes) / len(sizes) < whole / 6
    assert sum(sizes[-10:]) < 1.5 * sum(sizes[:10])


def test_an_opener_s_invitations_reach_nobody_else() -> None:
    company = Company(sitting="invited")
    company.do("Olga", Invite(1))
    live = Live(company.table)
    openers = Listener(company.who("Olga"), "fr").frame(live, company.now)
    assert b"/join/" in openers
    for name in ("Mallory", "watcher"):
        assert b"/join/" not in Listener(company.who(name), "fr").frame(live, company.now)
    live.views.clear()
    assert b"/join/" not in Listener(company.who("Mallory"), "fr").frame(live, company.now)
    assert b"/join/" in Listener(company.who("Olga"), "fr").frame(live, company.now)


def test_what_a_player_stakes_in_a_row_is_shown_as_a_whole() -> None:
    company = Company("tabu", seats=3).seated("Ana", "Ben", "Cleo")
    live, news = Live(company.table), News()
    seat = company.table.asked[0]
    name = ("Ana", "Ben", "Cleo")[seat]
    news.look(live.table, "fr", None)
    before = live.table.seq
    company.do(name, Play(seat, ("c1", "c5", "a1", "!")))
    live.table = company.table
    frame = news.since(live.table, before, "fr", None)
    assert frame is not None
    assert "path" not in msgspec.json.decode(frame + b"}")
