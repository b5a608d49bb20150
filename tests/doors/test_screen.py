"""The full screen: played by keys and mouse in Textual's own pilot, and once in a real terminal under tmux."""

import asyncio
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Select, Static

import tablee
from tablee.catalog import OURS
from tablee.core.text import drawn, lines
from tablee.players.bot import Fault
from tablee.players.player import Player
from tablee.terminal.board import Board, acts_of
from tablee.terminal.choosing import ChooseScreen
from tablee.terminal.plain import Keeping
from tablee.terminal.screen import TableScreen, mistakes
from tablee.terminal.sitting import HouseTable, OwnTable
from tests.golden.screens import HERE as SCREENS
from tests.golden.screens import picture_names, picture_of
from tests.web.serving import serving

BIN = Path(sys.executable).parent


def screen_of(slug: str = "traboulet", players: str = "human,human", language: str = "en") -> TableScreen:
    """Return a full screen with a game of its own."""
    game = tablee.game(slug)
    return TableScreen(OwnTable(game, players.split(","), language, 1))


def shown(app: TableScreen, widget: str) -> str:
    """Return the text of a widget."""
    return str(app.query_one(widget, Static).render())


async def settled(app: TableScreen, pilot: Pilot[Any]) -> None:
    """Wait until the programs have played."""
    await pilot.pause()
    while app.following:
        await asyncio.sleep(0.02)
    await pilot.pause()


async def appeared(app: ChooseScreen, pilot: Pilot[Any], widget: str) -> None:
    """Wait until the screen shows a widget, and has done all that follows."""
    while not app.query(widget):
        await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("width", [60, 100])
def test_every_game_is_shown_as_the_text_drawing_with_legal_places_lit(slug: str, width: int) -> None:
    async def play() -> None:
        app = screen_of(slug, "human", "fr")
        async with app.run_test(size=(width, 40)) as pilot:
            await pilot.pause()
            board = app.query_one(Board)
            assert board.scene is not None
            for line in lines(drawn(board.scene)):
                assert line.strip() in str(board.render())
            state = app.states()[-1]
            seat = app.sitting.due()[0]
            first = {act.touches[0] for act in acts_of(state, seat, board.scene) if act.touches}
            assert board.lit() == first
            assert app.screen.has_class("narrow") is (width - board.columns - 2 < app.BESIDE)

    asyncio.run(play())


@pytest.mark.parametrize("path", sorted(SCREENS.glob("*.ansi")), ids=lambda path: path.stem)
def test_the_screen_looks_as_it_did(path: Path) -> None:
    assert picture_of(path.name) == path.read_text(encoding="utf-8"), "see it with cat; `make golden` takes the pictures anew"


def test_every_picture_is_kept() -> None:
    assert {path.name for path in SCREENS.glob("*.ansi")} == set(picture_names())


def test_a_board_that_is_too_large_scrolls_to_the_cursor() -> None:
    async def play() -> None:
        app = screen_of("tabale", "human")
        async with app.run_test(size=(60, 24)) as pilot:
            await pilot.pause()
            cloth = app.query_one("#cloth")
            assert cloth.max_scroll_y > 0
            for cell in ("i5", "a1"):
                board = app.query_one(Board)
                board.at = cell
                board.redraw()
                await pilot.pause()
                await pilot.pause()
                line = next(place[0] for place, name in board.places.items() if name == cell)
                assert cloth.scroll_y <= line < cloth.scroll_y + cloth.size.height

    asyncio.run(play())


def test_what_may_be_played_is_listed_however_many_sit_there() -> None:
    async def play() -> None:
        for slug in OURS:
            app = TableScreen(OwnTable(tablee.game(slug, tablee.kind(slug).seats[-1]), ["human"], "fr", 1))
            async with app.run_test(size=(60, 24)) as pilot:
                await pilot.pause()
                app.say("one\ntwo")
                await pilot.pause()
                assert app.query_one("#choices").size.height >= 3, slug
                assert app.query_one("#cloth").size.height >= 3, slug
                assert app.query_one("#state").size.height >= 2, slug

    asyncio.run(play())


def test_a_line_that_comes_all_at_once_is_done_and_what_is_pasted_is_typed() -> None:
    async def play() -> None:
        app = screen_of()
        async with app.run_test(size=(80, 30)) as pilot:
            await pilot.pause()
            for key in ("a", "6", "b", "6", "enter"):  # none of them waits for the one before
                app.post_message(events.Key(key, key if len(key) == 1 else None))
            await settled(app, pilot)
            assert [state.game.notate(state.action) for state in app.states()[1:]] == ["a6b6"]
            assert app.query_one(Input).value == ""
            app.query_one(Board).focus()
            await pilot.pause()
            app.post_message(events.Paste("a2b2\n"))
            await settled(app, pilot)
            assert app.query_one(Input).value == "a2b2"
            await pilot.press("enter")
            await settled(app, pilot)
            assert len(app.states()) == 3

    asyncio.run(play())


def test_a_game_is_played_by_touches_with_keys_and_the_program_answers() -> None:
    async def play() -> None:
        app = screen_of(players="human,greedy")
        async with app.run_test(size=(80, 30)) as pilot:
            await settled(app, pilot)
            board = app.query_one(Board)
            board.at = "a7"
            await pilot.press("down")
            assert board.at == "a6"
            await pilot.press("enter", "right", "enter")
            await settled(app, pilot)
            assert [state.game.notate(state.action) for state in app.states()[1:2]] == ["a6b6"]
            assert len(app.states()) >= 3

    asyncio.run(play())


def test_a_mouse_touches_cells_and_a_wrong_place_is_refused_by_its_paragraph() -> None:
    async def play() -> None:
        app = screen_of()
        async with app.run_test(size=(80, 30)) as pilot:
            await pilot.pause()
            board = app.query_one(Board)
            where = {cell: place for place, cell in board.places.items()}
            for cell in ("b7", "c7"):
                await pilot.click(Board, offset=(where[cell][1], where[cell][0]))
            await pilot.pause()
            assert "Traboulet 2.2" in shown(app, "#said")
            for cell in ("a6", "b6"):
                await pilot.click(Board, offset=(where[cell][1], where[cell][0]))
            await pilot.pause()
            assert len(app.states()) == 2

    asyncio.run(play())


def test_hint_undo_replay_review_and_typed_commands() -> None:
    async def play() -> None:
        app = screen_of()
        async with app.run_test(size=(80, 30)) as pilot:
            typed = app.query_one(Input)
            for line in ("a6b6", "a2b2"):
                typed.focus()
                typed.value = line
                await pilot.press("enter")
                await settled(app, pilot)
            assert len(app.states()) == 3
            await pilot.press("f5", "f5")
            assert app.looking == 0
            assert shown(app, "#ask").startswith("Looking back: action 0 of 2")
            assert app.query_one(Board).lit() == set()
            await pilot.press("f6", "f6")
            assert app.looking is None
            await pilot.press("f2")
            assert "I would play" in shown(app, "#said")
            await pilot.press("f3")
            await settled(app, pilot)
            assert len(app.states()) == 2
            app.action_typed("rule 2.1")
            assert shown(app, "#said").startswith("2.1")
            await pilot.press("f7")
            while "Reviewing" in shown(app, "#said"):
                await asyncio.sleep(0.02)
            assert "gave" in shown(app, "#said") or "costs" in shown(app, "#said")

    asyncio.run(play())


def test_keys_where_nobody_sits_or_the_game_is_over_say_why_nothing_happens() -> None:
    async def play() -> None:
        kept = Keeping("5wr/6b/7/7/7/7/w6 w 6 6 - -")
        over = TableScreen(OwnTable(tablee.game("traboulet"), ["human", "human"], "fr", 1, kept=kept))
        async with over.run_test(size=(80, 30)) as pilot:
            await settled(over, pilot)
            over.action_typed("f7g7")
            assert over.sitting.table.result
            for line, said in (
                ("aide", "montre ceci"),
                ("règle 2.1", "2.1"),
                ("record", "game: traboulet"),
                ("hint", "la partie est terminée"),
                ("undo", ""),
            ):
                over.action_typed(line)
                assert said in shown(over, "#said"), line
                assert shown(over, "#said") or line == "undo"
        nobody = screen_of(players="greedy,greedy")
        nobody.follow = lambda: None  # type: ignore[method-assign]
        async with nobody.run_test(size=(80, 30)) as pilot:
            await pilot.pause()
            for key in ("f2", "f3"):
                nobody.say("")
                await pilot.press(key)
                await pilot.pause()
                assert shown(nobody, "#said")

    asyncio.run(play())


def test_a_command_is_for_a_seat_held_here_where_another_is_asked() -> None:
    async def play() -> None:
        app = screen_of(players="greedy,human")
        app.follow = lambda: None  # type: ignore[method-assign]
        asked = []
        app.sitting.command = lambda line, seat: str(asked.append(seat) or "")  # type: ignore[method-assign,func-returns-value]
        async with app.run_test(size=(80, 30)) as pilot:
            await pilot.press("f3")
            await pilot.pause()
        assert asked == [1]

    asyncio.run(play())


def test_choices_fit_the_board_shown_though_the_game_goes_on_meanwhile() -> None:
    async def play() -> None:
        app = screen_of()
        async with app.run_test(size=(80, 30)) as pilot:
            await pilot.pause()
            due = app.sitting.due
            played: list[str] = []

            def due_before() -> Any:
                seats = due()
                if not played:
                    played.append(app.sitting.play(0, "a6b6"))
                return seats

            app.sitting.due = due_before  # type: ignore[method-assign]
            app.renew()
            assert played == [""]
            assert "a6b6" in [act.token for act in app.offered]
            app.renew()
            assert "a6b6" not in [act.token for act in app.offered]
            app.action_look(-1)
            app.action_typed("undo")
            assert app.looking is None

    asyncio.run(play())


class Slow(Player):
    """Thinks until it is told to go on."""

    def __init__(self, game: tablee.Game, failing: bool = False) -> None:
        """Think about a game, and perhaps fail."""
        super().__init__(game, "greedy")
        self.asked, self.go_on, self.failing = threading.Event(), threading.Event(), failing

    def choose(self, *args: Any, **more: Any) -> int:
        """Wait, then answer or fail."""
        self.asked.set()
        self.go_on.wait(60)
        if self.failing:
            raise Fault("the player 'mine' failed: it does not answer: expected play TOKEN")
        return super().choose(*args, **more)


def test_what_is_typed_is_done_while_a_program_thinks_and_an_answer_to_what_was_taken_back_is_not_played() -> None:
    game = tablee.game("traboulet")
    own = OwnTable(game, ["human", "greedy"], "en", 1)
    slow = own.plain.programs[1] = Slow(game)
    assert own.play(0, "a6b6") == ""
    thread = threading.Thread(target=own.follow, args=(lambda: None, lambda: False, print))
    thread.start()
    slow.asked.wait()
    assert own.command("rule 2.1", 0).startswith("2.1")
    assert thread.is_alive()
    own.command("undo", 0)
    slow.go_on.set()
    thread.join()
    assert own.plain.state.steps == 0


def test_a_program_that_fails_is_told_and_another_plays_on() -> None:
    async def play() -> None:
        game = tablee.game("traboulet")
        own = OwnTable(game, ["human", "greedy"], "fr", 1)
        slow = own.plain.programs[1] = Slow(game, failing=True)
        slow.go_on.set()
        app = TableScreen(own)
        async with app.run_test(size=(80, 30)) as pilot:
            await settled(app, pilot)
            app.act("a6b6")
            await settled(app, pilot)
            assert "mine" in shown(app, "#said")
            assert len(shown(app, "#said").splitlines()) > 1
            assert len(app.states()) >= 3

    asyncio.run(play())


def test_a_review_names_what_was_given_away() -> None:
    from tablee.locale import words

    game = tablee.game("tablan")
    state = game.start(seed=1)
    draw = iter(range(10**6))
    while state.steps < 30 and not state.over:
        state = state.throw(lambda n: next(draw) % n) if isinstance(state.node, tablee.Chance) else state.play(state.legal()[-1])
    assert all("costs" in line for line in mistakes(list(state.path()), words("en"), "en"))


def test_the_screen_before_asks_for_game_seats_players_and_options() -> None:
    async def choose() -> Any:
        app = ChooseScreen("fr")
        async with app.run_test(size=(60, 50)) as pilot:
            await pilot.pause()
            app.query_one("#game", Select).value = "tabu"
            await appeared(app, pilot, "#option-rounds")
            app.query_one("#seats", Select).value = 3
            await appeared(app, pilot, "#player-2")
            app.query_one("#player-2", Select).value = "human"
            await pilot.pause()
            await pilot.press("f2")
            await pilot.pause()
        return app.return_value

    chosen = asyncio.run(choose())
    assert (chosen.game.slug, chosen.game.seats) == ("tabu", 3)
    assert chosen.players[0] == chosen.players[2] == "human" != chosen.players[1]


def test_another_number_of_seats_keeps_the_players_and_options_chosen() -> None:
    async def choose() -> Any:
        app = ChooseScreen("en", "tabu")
        async with app.run_test(size=(60, 50)) as pilot:
            await pilot.pause()
            app.query_one("#player-1", Select).value = "human"
            app.query_one("#option-rounds", Input).value = "7"
            await pilot.pause()
            app.query_one("#seats", Select).value = 3
            await appeared(app, pilot, "#player-2")
            await pilot.click("#start")
            await pilot.pause()
        return app.return_value

    chosen = asyncio.run(choose())
    assert chosen.players[:2] == ["human", "human"]
    assert chosen.game.option("rounds") == "7"


def test_a_person_sits_at_a_table_of_a_house_and_another_watches(tmp_path: Path) -> None:
    async def evening(base: str) -> None:
        host = tablee.Room(base)
        one, _ = host.open("traboulet")
        mine = tablee.Room(one)
        mine.sit("Anne", player="person")
        mine.do("fill", level="1")
        mine.refresh()
        app, watcher = TableScreen(HouseTable(mine, "en")), TableScreen(HouseTable(tablee.Room(host.url), "en"))
        async with app.run_test(size=(80, 30)) as pilot:
            while not app.sitting.due():
                await asyncio.sleep(0.02)
                mine.refresh()
            app.renew()
            app.act("b7c7")
            assert "2.2" in shown(app, "#said") or "finger" in shown(app, "#said")
            app.act("a6b6")
            while len(app.states()) < 3:
                await asyncio.sleep(0.02)
            await pilot.pause()
            app.action_typed("resign")
            while not mine.table.result:
                await asyncio.sleep(0.02)
                mine.refresh()
        async with watcher.run_test(size=(60, 30)) as pilot:
            await pilot.pause()
            assert len(watcher.states()) == len(app.states())
            assert not watcher.sitting.due()

    with serving(tmp_path) as house:
        asyncio.run(evening(house.base))


def test_while_a_table_waits_commands_are_answered_and_one_can_leave(tmp_path: Path) -> None:
    async def evening(base: str) -> None:
        one, _ = tablee.Room(base).open("traboulet")
        mine = tablee.Room(one)
        mine.sit("Anne", player="person")
        mine.refresh()
        app = TableScreen(HouseTable(mine, "en"))
        async with app.run_test(size=(80, 30)) as pilot:
            await pilot.pause()
            for line, said in (("help", "“help” shows this"), ("?", "has not begun"), ("a6b6", "has not begun"), ("hint", "not begun")):
                app.say("")
                app.action_typed(line)
                assert said in shown(app, "#said"), line
            app.action_typed("quit")
            await pilot.pause()
            assert app.gone or not app.is_running

    with serving(tmp_path) as house:
        asyncio.run(evening(house.base))


def test_at_a_table_of_a_house_every_command_of_the_terminal_works(tmp_path: Path) -> None:
    async def evening(base: str) -> None:
        host = tablee.Room(base)
        _, two = host.open("traboulet")
        mine = tablee.Room(two, language="fr")
        mine.sit("Anne", player="person")
        host.do("fill", level="1")
        mine.refresh()
        app = TableScreen(HouseTable(mine, "fr"))
        async with app.run_test(size=(80, 30)) as pilot:
            while not app.sitting.due():
                await asyncio.sleep(0.02)
                mine.refresh()
            app.renew()

            def typed(line: str) -> str:
                """Return what is said after a line."""
                app.action_typed(line)
                return shown(app, "#said")

            await pilot.press("f1")
            assert "«\u202faide\u202f» montre" in shown(app, "#said")
            assert "«\u202fabandonner\u202f»" in shown(app, "#said")
            await pilot.press("f2")
            assert shown(app, "#said").startswith("La maison jouerait")
            assert len(mine.table.hints) == 1
            assert typed("règle 2.1").startswith("2.1 ")
            assert "a b c d e f g" in typed("plateau")
            assert typed("?").split() == [mine.table.game.notate(action) for action in app.states()[-1].legal(app.sitting.due()[0])]
            assert typed("partie").startswith("game: traboulet")
            assert "enregistrer FICHIER" in typed("enregistrer")
            assert str(tmp_path / "mine") in typed(f"save {tmp_path / 'mine'}")
            assert tablee.read((tmp_path / "mine").read_text(encoding="utf-8")) == app.states()[-1]
            assert len(app.states()) == len(list(mine.table.state.path() if mine.table.state else ()))
            token = typed("?").split()[0]
            assert typed(token) == ""
            assert typed("reprendre") == "C’est demandé."  # asked for one's own seat, whoever is to act
            app.action_typed("quitter")
            await pilot.pause()
            assert app.gone or not app.is_running

    with serving(tmp_path / "house") as house:
        asyncio.run(evening(house.base))


@pytest.mark.parametrize("setting", ["TERM=screen", "TERM=screen NO_COLOR=1"])
def test_in_a_real_terminal_of_sixty_columns_under_tmux(setting: str, tmp_path: Path) -> None:
    tmux = shutil.which("tmux")
    assert tmux, "the tests need tmux: apt-get install tmux"
    socket = str(tmp_path / "tmux")
    command = f"env {setting} {BIN / 'tablee'} play traboulet --players human,human --lang en"

    def run(*words: str) -> str:
        return subprocess.run([tmux, "-S", socket, *words], capture_output=True, text=True, check=True).stdout

    def until(text: str, key: str = "") -> str:
        end = time.monotonic() + 120
        while True:
            pane = run("capture-pane", "-p")
            if text in pane:
                return pane
            assert time.monotonic() < end, pane
            if key:
                run("send-keys", key)
            time.sleep(0.2)

    run("-f", "/dev/null", "new-session", "-d", "-x", "60", "-y", "30", command)
    try:
        until("a b c d e f g")
        until("shows this", key="F1")  # until it reads keys
        run("send-keys", "a6b6", "Enter")
        until("6 [.|w]w")
        pane = run("capture-pane", "-p", "-e")
        assert ("\x1b[31m" in pane or "\x1b[1;31m" in pane or "31m" in pane) is ("NO_COLOR" not in setting)
        run("send-keys", "F10")
    finally:
        subprocess.run([tmux, "-S", socket, "kill-server"], check=False, capture_output=True)
