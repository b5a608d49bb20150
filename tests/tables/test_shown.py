"""What a table shows of a turn: trails, boards on the way, hints with their reasons."""

from itertools import groupby, pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from tablee import catalog
from tablee.catalog import OURS
from tablee.core.kind import Kind
from tablee.core.position import after
from tablee.core.scene import Piece, Scene
from tablee.core.state import Chance, State
from tablee.core.words import LANGUAGES
from tablee.games.tablan.position import TablanPosition
from tablee.games.tablan.reasons import threats
from tablee.tables import view_changes
from tablee.tables.commands import ShowHint, TakeBack
from tablee.tables.scene_views import scene_view
from tablee.tables.trails import moved, trails, turn_states
from tablee.tables.view_applied import applied_scene
from tablee.tables.view_changes import MOST_STEPS, News, path_between, snapshot
from tests.tables.company import Company
from tests.tables.company import plain_view as view


def test_a_turn_of_several_pushes_leaves_one_set_of_trails() -> None:
    company = Company().seated("Ana", "Ben")
    assert view(company.table, company.who("Ana"))["trails"] == []
    company.play("Ana", 0, "a7b7")
    pushed = view(company.table, company.who("Ana"))["trails"]
    assert len(pushed) == 1
    assert len(pushed[0]) == 4
    company.play("Ben", 1, "a1b1")
    assert view(company.table, company.who("Ana"))["trails"] != pushed


def test_trails_of_a_turn_end_where_the_pieces_stand() -> None:
    """A piece that goes on in the same turn goes on from there."""
    for slug in ("traboulet", "tablan", "tabale", "tabaijana"):
        company = Company(slug, 2).seated("Ana", "Ben").wander(5, most=12)
        shown = view(company.table, company.who("Ana"))
        places = {(piece["x"], piece["y"]) for piece in shown["scene"]["pieces"]}
        places |= {tuple(trail[:2]) for trail in shown["trails"]}
        assert shown["trails"]
        assert all(tuple(trail[-2:]) in places for trail in shown["trails"])


def test_every_push_of_a_turn_leaves_its_own_trails() -> None:
    """Of marbles that look alike, none is drawn as if it had jumped from one line to another."""
    company = Company().seated("Ana", "Ben").wander(11, most=300)
    pushes = 0
    for step in range(2, len(company.table.steps)):
        steps = company.table.steps[: step + 1]
        lines = trails(steps, steps[-1].state.scene("fr"), "fr")
        cells = [list(zip(trail[::2], trail[1::2], strict=True)) for trail in lines if len(trail) > 2]
        assert all(len({x for x, _ in points}) == 1 or len({y for _, y in points}) == 1 for points in cells)
        pushes = max(pushes, len(turn_states(steps)) - 1)
    assert pushes > 1


def test_no_trail_is_left_of_stakes_that_are_gone() -> None:
    company = Company("tabu", 2).seated("Ana", "Ben")
    points = 0
    for seed in range(40):
        company.wander(seed, most=1)
        shown = view(company.table, company.who("Ana"))
        places = {(piece["x"], piece["y"]) for piece in shown["scene"]["pieces"]}
        assert all(tuple(trail) in places for trail in shown["trails"] if len(trail) == 2)
        points += sum(len(trail) == 2 for trail in shown["trails"])
    assert points


@pytest.mark.parametrize("slug", ["tablan", "tabaijana"])
def test_a_trail_follows_the_track(slug: str) -> None:
    company = Company(slug, 2).seated("Ana", "Ben")
    bends = 0
    for seed in range(60):
        if company.table.result:
            break
        company.wander(seed, most=1)
        scene = company.table.steps[-1].state.scene("fr")
        middles = {(cell.x, cell.y) for cell in scene.cells}
        for trail in trails(company.table.steps, scene, "fr"):
            between = list(zip(trail[2:-2:2], trail[3:-2:2], strict=True))
            assert all(point in middles for point in between)
            steps = [trail[:2], *between, trail[-2:]]
            bends += len(steps) > 3 and len({(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(steps)}) > 1
    assert bends


def test_a_board_of_the_past_has_no_trails() -> None:
    company = Company().seated("Ana", "Ben")
    company.play("Ana", 0, "a7b7")
    company.play("Ben", 1, "a1b1")
    assert view(company.table, company.who("Ana"), at=company.table.steps[0].seq)["trails"] == []


def test_trails_begin_with_the_first_action_of_a_turn() -> None:
    """A turn of Tabale has several parts."""
    company = Company("tabale", 2).seated("Ana", "Ben")
    parts: list[int] = []
    for seed in range(20):
        company.wander(seed, most=1)
        turns = groupby(reversed(company.table.steps[1:]), key=lambda step: step.state.mover)
        parts.append(len(list(next(turns)[1])))
        states = turn_states(company.table.steps)
        assert states[0] is company.table.steps[-1 - parts[-1]].state
        assert states[1:] == [step.state for step in company.table.steps[-parts[-1] :]]
    assert max(parts) > 1


def test_a_piece_has_one_trail_and_it_is_the_shortest() -> None:
    def board(*places: float) -> Scene:
        pieces = tuple(Piece(str(x), "man", x, 0, "o", "", cell=f"c{x}") for x in places)
        return Scene("toy", 10, 10, "", "", (), pieces)

    assert list(moved(board(0, 5), board(6))) == [(5, 0, 6, 0)]
    assert list(moved(board(0, 5), board(1, 6))) == [(0, 0, 1, 0), (5, 0, 6, 0)]
    assert list(moved(board(5), board(5, 7))) == [(7, 0)]


@pytest.mark.parametrize("slug", ["tablan", "tabaijana", "tabu"])
def test_every_throw_is_on_a_board(slug: str) -> None:
    """Whatever a throw leads to, one of the boards shown for it has its dice."""
    random = Random(3)
    state = catalog.game(slug).start(random.randrange)
    dead = 0
    for _ in range(4000):
        if state.over:
            state = catalog.game(slug).start(random.randrange)
        if not isinstance(state.node, Chance):
            state = state.play(random.choice(state.legal()))
            continue
        state = state.throw(random.randrange)
        boards = state.scenes("fr")
        faces = sorted(piece.symbol for piece in boards[0].pieces if piece.symbol.startswith(("die", "stick")))
        wanted = state.game.notate(state.action).replace("/", "-").split("-")
        assert faces == sorted(f"die-{face}" for face in wanted)
        dead += len(boards) > 1
    assert dead


def test_tabus_stakes_lie_there_when_the_dice_fall_and_the_boxes_that_win_are_lit() -> None:
    state = catalog.game("tabu").start(Random(1).randrange)
    while not isinstance(state.node, Chance):
        seat = state.node.seats[0]  # type: ignore[union-attr]
        state = state.play(next((a for a in state.legal(seat) if state.game.notate(a) == "!"), state.legal(seat)[0]))
    fallen = state.throw(lambda n: 0)
    thrown, paid, settled = fallen.scenes("fr")
    assert [piece.id for piece in thrown.pieces if piece.id.startswith("stake")] == [p.id for p in state.scene().pieces if p.id.startswith("stake")]
    assert {piece.cell for piece in paid.pieces if piece.id.startswith("stake")} == {""}
    assert not [piece for piece in settled.pieces if piece.id.startswith("stake")]
    assert set(thrown.marks) == set(state.game.notate(fallen.action).split("-"))


def test_a_change_holds_every_board_between_two_frames() -> None:
    company = Company("tablan").seated("Ana", "1")
    news = News()
    paths = 0
    for seed in range(12):
        before = news.look(company.table, "fr", company.now)
        company.wander(seed, most=1)
        frame = news.since(company.table, before.seq, "fr", company.now)
        change = msgspec.json.decode((frame or b"{") + b"}")
        boards = sum(len(step.state.scenes("fr")) for step in company.table.steps[before.steps :])
        assert len(change.get("path", [])) == max(0, boards - 1)
        paths += len(change.get("path", []))
    assert paths


def test_each_board_between_two_frames_is_a_change_of_the_one_before() -> None:
    company = Company("tablan").seated("Ana", "1")
    compared = 0
    for seed in range(12):
        before = snapshot(company.table, "fr", company.now)
        company.wander(seed, most=2)
        boards = [scene for step in company.table.steps[before.steps :] for scene in step.state.scenes("fr")]
        shown = scene_view(before.scene)
        for part, board in zip(path_between(company.table, before, "fr"), boards, strict=False):
            shown = applied_scene(shown, part.scene) if part.scene else shown
            assert shown == scene_view(board)
            compared += 1
    assert compared > 12


def test_a_screen_that_has_missed_much_is_shown_the_last_board_alone() -> None:
    company = Company().seated("Ana", "Ben")
    before = snapshot(company.table, "fr", company.now)
    company.wander(1, most=MOST_STEPS)
    assert list(path_between(company.table, before, "fr"))
    company.wander(2, most=1)
    assert not list(path_between(company.table, before, "fr"))


def test_of_a_long_row_of_dead_throws_the_last_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """At Tablan nobody moves before the first 2; more throws than are shown come before it now and then."""
    monkeypatch.setattr(view_changes, "MOST_STEPS", 5)
    for _ in range(100):
        company = Company("tablan")
        before = snapshot(company.table, "fr", company.now)
        company.seated("Ana", "Ben")
        if len(company.table.steps) - before.steps > 6:
            break
    path = list(path_between(company.table, before, "fr"))
    assert sum(part.throw for part in path) == 4  # the last throw comes with the view itself
    shown = scene_view(before.scene)
    boards = [scene for step in company.table.steps[-5:] for scene in step.state.scenes("fr")]
    for part, board in zip(path, boards, strict=False):
        shown = applied_scene(shown, part.scene) if part.scene else shown
        assert shown == scene_view(board)


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_shown_with_its_touches_and_what_it_does(slug: str, language: str) -> None:
    company = Company(slug, 2).seated("Ana", "Ben")
    seat = company.table.asked[0]
    name = ("Ana", "Ben")[seat]
    assert company.table.state is not None
    for action in company.table.state.legal(seat)[:6]:
        token = company.table.game.notate(action)
        company.do(name, ShowHint(seat, (token,)))
        hint = view(company.table, company.who(name), language)["hint"]
        assert (hint["seat"], hint["token"]) == (seat, token)
        assert hint["text"]
        assert "{" not in hint["text"] + hint["why"]
    company.play(name, seat, token)
    assert view(company.table, company.who(name), language)["hint"] is None


def test_a_hint_goes_with_the_position_it_was_about() -> None:
    company = Company().seated("Ana", "1")
    company.play("Ana", 0, "a7b7")
    company.play("house", 1, "a1b1")
    company.do("Ana", ShowHint(0, ("b7c7",)))
    assert view(company.table, company.who("Ana"))["hint"]
    company.do("Ana", TakeBack(0))
    assert view(company.table, company.who("Ana"))["hint"] is None


@pytest.mark.parametrize("slug", OURS)
def test_reasons_are_facts(slug: str) -> None:
    """Every reason that random play meets has its words in both languages, and most games have several."""
    random, kind, keys = Random(2), catalog.kind(slug), set()
    for seed in range(6):
        state = catalog.game(slug).start(Random(seed).randrange)
        for _ in range(120):
            if state.over:
                break
            if isinstance(state.node, Chance):
                state = state.throw(random.randrange)
                continue
            action = random.choice(state.legal())
            played = state.play(action)
            if reason := kind.reason(state.game, state.position, action, played.position):
                keys.add(reason.key)
                assert all("{" not in kind.words(language).say(reason) for language in LANGUAGES)
            state = played
    assert len(keys) >= 2


def test_the_chances_to_be_taken_are_those_of_the_throws_that_take() -> None:
    """Counted here by the sentences of each move; the reason counts second halves too, so it may find more, never fewer."""
    random = Random(4)
    state = catalog.game("tablan").start(random.randrange)
    compared = 0
    while not state.over:
        if not isinstance(state.node, Chance):
            state = state.play(random.choice(state.legal()))
            continue
        kind, side = state.game.kind, state.turn
        throws = [State(state.game, after(state.position, int(state.position.throw(case))), None) for case in range(36)]
        taking = sum(any(takes(kind, thrown, action) for action in thrown.legal(side)) for thrown in throws)
        assert isinstance(state.position, TablanPosition)
        assert taking <= threats(state.position) <= 36
        compared += taking > 0
        state = state.throw(random.randrange)
    assert compared


def takes(kind: Kind[Any], state: State, action: int) -> bool:
    """Return whether a move is told as a capture."""
    return any(message.key == "tell capture" for message in kind.tell(state.game, state.position, action, after(state.position, action)))


def test_a_crate_that_could_not_be_saved_any_more_is_warned_of() -> None:
    line = "turn=1 dice=1 colours=rw three=- four=- boat=13 load=wgbyb 9=gygrbr 12=bwywrw 17=yg 23=r"
    company = Company("tabaijana", 2, position=line).seated("Ana", "Ben")
    legal = {act["token"]: act for act in view(company.table, company.who("Ana"), "en")["legal"]}
    assert "could no longer be won" in legal["1:23>24"]["warning"]
    assert [token for token, act in legal.items() if act.get("warning")] == ["1:23>24"]
