"""Computer players: in processes of their own, kept for their table, with a deadline, and nobody waits for them."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tablee import Player, catalog, game
from tablee.core.kind import Kind
from tablee.core.position import Position
from tablee.core.record import write_record
from tablee.core.state import Decision, Over, State
from tablee.players.player import Choice
from tablee.players.stop import Stop
from tablee.tables.levels import checked, levels, middle, player_name
from tablee.tables.refused import Refused
from tablee.web.engine_pool import EnginePool, MoveRequest, Worker, player_seed
from tablee.web.engine_worker import MOST_PLAYERS, NICENESS, KeptPlayers, Request
from tablee.web.metrics import Metrics
from tests.material import step
from tests.web.serving import Serving, now, serving, view, wait_for

SECRET = b"a secret of the house"
# Levels have their own nodes: so many seconds are never needed, and no answer depends on the speed of the machine.
PLENTY = 600.0

Ask = Callable[[Worker, MoveRequest, int, float], Awaitable[str]]


def deciding(slug: str) -> State:
    """Return the first state of a game in which somebody decides."""
    state = game(slug).start(lambda n: 0)
    while not isinstance(state.node, Decision):
        state = state.play(state.legal()[0])
    return state


def at_a_turn(seed: int = 7) -> State:
    """Return a state of Tabale at the beginning of a turn of several actions, after some at random."""
    random = Random(seed)
    state = game("tabale").start(random.randrange)
    played = 0
    while played < 8 or (state.previous and state.turn == state.previous.turn):
        state = step(state, random)
        played += 1
    return state


def request(slug: str, level: str = "2", table: str = "table") -> MoveRequest:
    """Return a request for the first decision of a game."""
    state = deciding(slug)
    return MoveRequest(table, state, int(state.position.actor()), level, "group")


def keeping(most: int = MOST_PLAYERS) -> KeptPlayers:
    """Return the players of a worker with any amount of memory: the process of the tests may be large."""
    return KeptPlayers(most, memory=1 << 60)


def to_worker(state: State, seat: int, seed: int = 1, level: str = "2") -> Request:
    """Return a request with a record, as a worker reads it."""
    return Request(seed, seat, level, PLENTY, write_record(state))


@pytest.mark.parametrize("slug", catalog.OURS)
@pytest.mark.parametrize("level", ["1", "2", "max", "no more"])
def test_every_level_answers_with_a_legal_token(slug: str, level: str) -> None:
    state = deciding(slug)
    seat = int(state.position.actor())
    for token in keeping().answer(Request(1, seat, level, 0.05, write_record(state))).split():
        action = state.game.parse(token, seat)
        assert action in state.legal(seat)
        state = state.play(action)


@pytest.mark.parametrize("slug", catalog.OURS)
def test_a_table_offers_the_levels_that_the_game_has(slug: str) -> None:
    kind = catalog.kind(slug)
    assert levels(kind)[0] == "1"
    assert levels(kind)[-1] == "max"
    assert checked(kind, "") == middle(kind) != "max"
    assert checked(kind, "max") == "max"
    with pytest.raises(Refused) as caught:
        checked(kind, "9")
    assert "max" in caught.value.say("en")


def test_a_player_is_given_the_seconds_of_its_house(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def choose(self: Player, state: State, seat: int, *, seconds: float) -> int:
        given.append(seconds)
        return state.legal(seat)[0]

    monkeypatch.setattr(Player, "choose", choose)
    keeping().answer(Request(1, 0, "max", 0.2, write_record(deciding("tabale"))))
    assert given == [0.2]


# The house plays the player that was measured: one Player for the whole game.


async def held_against_one_player(pool: EnginePool, slug: str, level: str, seed: int, most: int) -> int:
    """Let seat 0 be played by a pool, the others at random, and hold every choice against one kept `Player`; return how many there were."""
    random = Random(seed)
    played = game(slug)
    table = f"{slug} {seed}"
    measured = Player(played, player_name(played.kind, level), player_seed(SECRET, (table, 0, level)))
    state = played.start(random.randrange)
    choices = 0
    while choices < most and not isinstance(state.node, Over):
        if isinstance(state.node, Decision) and 0 in state.node.seats:
            answer = await pool.answer(MoveRequest(table, state, 0, level, table))
            assert answer is not None
            for token in answer.split():
                action = measured.choose(state, 0)
                assert token == played.notate(action), f"choice {choices}"
                state = state.play(action)
                choices += 1
        else:
            state = step(state, random)
    return choices


@pytest.mark.parametrize(
    ("slug", "level"), [("tabale", "4"), ("tabale", "6"), ("tabu", "1"), ("tabu", "3"), ("traboulet", "3"), ("tablan", "3"), ("tabaijana", "2")]
)
def test_the_house_chooses_as_one_kept_player_does(slug: str, level: str) -> None:
    async def look() -> None:
        pool = EnginePool(1, PLENTY, Metrics(), SECRET)
        assert await held_against_one_player(pool, slug, level, 1, 200) > 5
        await pool.close()

    asyncio.run(look())


def test_players_of_several_tables_do_not_mix() -> None:
    async def look() -> None:
        pool = EnginePool(1, PLENTY, Metrics(), SECRET)
        await asyncio.gather(*(held_against_one_player(pool, slug, "1", seed, 30) for seed in (1, 2) for slug in catalog.OURS))
        await pool.close()

    asyncio.run(look())


def test_a_worker_makes_one_player_for_a_table_seat_and_level() -> None:
    kept = keeping()
    state = deciding("traboulet")
    for seed, level in ((1, "1"), (1, "1"), (2, "1"), (1, "2"), (2, "1")):
        kept.answer(to_worker(state, 0, seed, level))
    assert [(seed, level) for seed, _, level in kept.players] == [(1, "1"), (1, "2"), (2, "1")]


def test_a_worker_drops_the_player_that_was_not_used_for_longest() -> None:
    kept = keeping(most=2)
    state = deciding("traboulet")
    for seed in (1, 2, 1, 3):
        kept.answer(to_worker(state, 0, seed))
    assert [seed for seed, _, _ in kept.players] == [1, 3]


def test_a_worker_that_is_too_large_keeps_no_player_and_answers_all_the_same() -> None:
    kept = KeptPlayers(memory=1)
    assert kept.answer(to_worker(deciding("tabu"), 1))
    assert not kept.players


def test_a_worker_reads_the_weights_of_a_level_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels are kept apart: the search of each Tabu level sets up its judgement in another way."""
    reads: list[str] = []
    text = Kind.text

    def counted(self: Kind, name: str) -> str:
        reads.append(name)
        return text(self, name)

    monkeypatch.setattr(Kind, "text", counted)
    kept = keeping()
    for seed, level in ((1, "1"), (2, "1"), (3, "1"), (4, "3"), (5, "3")):
        kept.answer(to_worker(deciding("tabu"), 1, seed, level))
    assert reads == ["weights.txt"] * 2


# A kept player after a take-back, in a new game, and after it was dropped.


def turn_of(kept: KeptPlayers, state: State, seat: int, level: str) -> list[State]:
    """Let a worker play a turn; return the states before each of its actions and after the last."""
    states = [state]
    while isinstance(state.node, Decision) and seat in state.node.seats:
        for token in kept.answer(to_worker(state, seat, level=level)).split():
            state = state.play(state.game.parse(token, seat))
            states.append(state)
    return states


def test_a_plan_is_not_followed_where_play_was_taken_back() -> None:
    """The answers are those of a player that never had the plan."""
    kept = keeping()
    state = at_a_turn()
    states = turn_of(kept, state, state.turn, "5")
    assert len(states) > 3
    planned = {later.position.hash() for later in states}
    for back in (states[0], states[2], states[1]):
        others = (back.play(action) for action in back.legal(state.turn))
        other = next(later for later in others if later.position.hash() not in planned and later.turn == state.turn)
        for asked in (other, back):
            assert kept.answer(to_worker(asked, state.turn, level="5")) == keeping().answer(to_worker(asked, state.turn, level="5"))


def test_a_turn_that_is_played_again_after_a_take_back_is_thought_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts = count_thoughts(monkeypatch)
    kept = keeping()
    state = at_a_turn()
    states = turn_of(kept, state, state.turn, "5")
    assert len(states) > 3
    assert len(thoughts) == 1
    assert turn_of(kept, state, state.turn, "5")[-1].position.hash() == states[-1].position.hash()
    assert len(thoughts) == 2


def test_a_new_game_is_not_played_by_an_old_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rematch has a table, and so players, of its own; a player that met a new game would think anew all the same."""
    thoughts = count_thoughts(monkeypatch)
    kept = keeping()
    games = [at_a_turn(seed) for seed in (7, 8, 7)]
    answers = [kept.answer(to_worker(state, state.turn, level="5")) for state in games]
    assert len(thoughts) == 3
    assert answers == [keeping().answer(to_worker(state, state.turn, level="5")) for state in games]


def test_a_player_that_was_dropped_in_mid_turn_thinks_again_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts = count_thoughts(monkeypatch)
    kept = keeping(most=1)
    state = at_a_turn()
    seat = state.turn
    while state.turn == seat:
        token = kept.answer(to_worker(state, seat, level="5")).split()[0]
        state = state.play(state.game.parse(token, seat))
        kept.answer(to_worker(deciding("tabu"), 1, seed=2))  # takes the one place
    assert seat == 0
    assert thoughts.count(0) > 1  # the player of Tabu has seat 1


def count_thoughts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by a seat each time a player searches."""
    thoughts: list[int] = []
    think = Player.think

    def counted(self: Player, position: Position, seat: int, stop: Stop) -> int:
        thoughts.append(seat)
        return think(self, position, seat, stop)

    monkeypatch.setattr(Player, "think", counted)
    return thoughts


def test_a_stake_of_tabu_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    decide = Player.decide

    def noted(self: Player, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> Choice:
        choice = decide(self, state, seat, seconds=seconds, nodes=nodes)
        searches.append(choice.nodes)
        return choice

    monkeypatch.setattr(Player, "decide", noted)
    state = deciding("tabu")
    assert isinstance(state.node, Decision)
    turn_of(keeping(), state, state.node.seats[0], "3")
    assert len(searches) > 2
    assert searches[0] > 0
    assert not any(searches[1:])


def test_a_seed_depends_on_table_seat_level_and_secret() -> None:
    keys = [("a", 0, "1"), ("a", 1, "1"), ("a", 0, "2"), ("b", 0, "1")]
    assert len({player_seed(secret, key) for key in keys for secret in (SECRET, b"another")}) == 8
    assert player_seed(SECRET, keys[0]) == player_seed(SECRET, keys[0])


# Processes.


def test_a_worker_is_niced_knows_no_secret_and_ends_with_its_house(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        worker = Worker()
        assert await worker.ask(request("tabu"), 1, PLENTY)
        process = worker.process
        assert process is not None
        stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        assert int(stat[16]) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert b"hidden" not in Path(f"/proc/{process.pid}/environ").read_bytes()
        files = [os.readlink(file) for file in Path(f"/proc/{process.pid}/fd").iterdir()]
        assert not [file for file in files if "sqlite" in file or file.startswith("socket:")]
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0

    monkeypatch.setenv("TABLEE_TEST_SECRET", "hidden")
    asyncio.run(look())


def test_a_worker_that_dies_or_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        metrics = Metrics()
        pool = EnginePool(1, PLENTY, metrics)
        assert await pool.answer(request("tabu"))
        worker = pool.free[-1]
        assert worker.process is not None
        first = worker.process.pid
        os.kill(first, 9)
        assert await pool.answer(request("tabu"))  # whether or not its end was noticed before
        assert worker.process.pid != first
        with monkeypatch.context() as patched:
            patched.setattr("tablee.web.engine_pool.MARGIN_SECONDS", 0.2)
            pool.seconds = 0.1
            os.kill(worker.process.pid, 19)  # stopped: it will never answer
            assert await pool.answer(request("tabu")) is None
        assert metrics.counts["engines_failed"] >= 1
        assert not worker.running
        pool.seconds = PLENTY
        assert await pool.answer(request("tabu"))
        await pool.close()

    asyncio.run(look())


# The queue.


def asked_in_order(order: list[int], gate: asyncio.Event | None = None) -> Ask:
    """Return an `ask` that notes the seats it is asked for, and answers when a gate is open."""

    async def ask(self: Worker, request: MoveRequest, seed: int, seconds: float) -> str:
        order.append(request.seat)
        await (asyncio.sleep(0) if gate is None else gate.wait())
        return "."

    return ask


def waiting(seat: int, group: str) -> MoveRequest:
    """Return a request whose state does not matter."""
    return MoveRequest("table", STATE, seat, "1", group)


STATE = deciding("traboulet")


def test_no_more_think_at_once_than_there_are_workers_and_requests_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    async def look() -> None:
        gate = asyncio.Event()
        monkeypatch.setattr(Worker, "ask", asked_in_order(order, gate))
        pool = EnginePool(2, PLENTY, Metrics())
        tasks = [asyncio.ensure_future(pool.answer(waiting(seat, "same"))) for seat in range(8)]
        while sum(map(len, pool.queues.values())) < 6:
            await asyncio.sleep(0)
        assert order == [0, 1]
        assert pool.thinking == 2
        gate.set()
        await asyncio.gather(*tasks)

    asyncio.run(look())
    assert order == list(range(8))


def test_whoever_opens_many_tables_gets_no_more_than_his_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    async def look() -> None:
        pool = EnginePool(1, PLENTY, Metrics())
        greedy = [pool.answer(waiting(seat, "greedy")) for seat in range(50)]
        modest = [pool.answer(waiting(100 + seat, "modest")) for seat in range(2)]
        await asyncio.gather(*greedy, *modest)
        assert len(pool.free) == 1

    monkeypatch.setattr(Worker, "ask", asked_in_order(order))
    asyncio.run(look())
    assert order.index(100) <= 3
    assert order.index(101) <= 5


def test_what_waits_for_nobodys_table_gets_its_turn_when_somebody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    async def look() -> None:
        gate = asyncio.Event()
        monkeypatch.setattr(Worker, "ask", asked_in_order(order, gate))
        pool = EnginePool(1, PLENTY, Metrics())
        nobodys = [asyncio.ensure_future(pool.answer(replace(waiting(seat, ""), table=f"t{seat}"))) for seat in range(60)]
        while sum(map(len, pool.queues.values())) < 59:
            await asyncio.sleep(0)
        pool.regroup("t59", "", "192.0.2.9")
        gate.set()
        await asyncio.gather(*nobodys)
        assert len(pool.free) == 1

    asyncio.run(look())
    assert order.index(59) <= 2
    assert sorted(order) == list(range(60))


def test_whoever_gives_up_waiting_keeps_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    async def look() -> None:
        gate = asyncio.Event()
        monkeypatch.setattr(Worker, "ask", asked_in_order(order, gate))
        pool = EnginePool(1, PLENTY, Metrics())
        tasks = [asyncio.ensure_future(pool.answer(waiting(seat, str(seat)))) for seat in range(6)]
        while len(pool.queues) < 5:
            await asyncio.sleep(0)
        for task in tasks[1::2]:
            task.cancel()
        gate.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(pool.free) == 1
        assert not pool.queues

    asyncio.run(look())
    assert order == [0, 2, 4]


def test_a_player_stays_with_its_worker_while_that_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its worker is busy, a free one makes the player again and keeps it from then on."""

    async def look() -> None:
        gate = asyncio.Event()
        gate.set()
        monkeypatch.setattr(Worker, "ask", asked_in_order([], gate))
        pool = EnginePool(2, PLENTY, Metrics())
        await pool.answer(waiting(0, "a"))
        first = pool.homes[waiting(0, "a").player]
        gate.clear()
        others = [asyncio.ensure_future(pool.answer(waiting(seat, "a"))) for seat in (1, 0)]  # 1 takes the worker used last
        while pool.free:
            await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*others)
        second = pool.homes[waiting(0, "a").player]
        assert second is not first
        for seat in (1, 0, 0, 1, 0):
            await pool.answer(waiting(seat, "a"))
        assert [pool.homes[waiting(seat, "a").player] for seat in (0, 1)] == [second, first]

    asyncio.run(look())


def test_a_player_stays_with_its_worker_while_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    used: dict[int, list[Worker]] = {}

    async def ask(self: Worker, request: MoveRequest, seed: int, seconds: float) -> str:
        used.setdefault(request.seat, []).append(self)
        for _ in range(request.seat % 3):
            await asyncio.sleep(0)
        return "."

    async def play(pool: EnginePool, seat: int) -> None:
        for _ in range(30):
            await pool.answer(waiting(seat, str(seat)))

    async def look() -> None:
        pool = EnginePool(3, PLENTY, Metrics())
        await asyncio.gather(*(play(pool, seat) for seat in range(12)))

    monkeypatch.setattr(Worker, "ask", ask)
    asyncio.run(look())
    moves = [sum(one is not other for one, other in pairwise(workers[:20])) for workers in used.values()]
    assert max(moves) <= 1


def test_a_pool_forgets_where_the_player_is_that_was_not_asked_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        monkeypatch.setattr(Worker, "ask", asked_in_order([]))
        pool = EnginePool(1, PLENTY, Metrics())
        pool.most_homes = 2
        for seat in (0, 1, 0, 2):
            await pool.answer(waiting(seat, "a"))
        assert list(pool.homes) == [waiting(seat, "a").player for seat in (0, 2)]

    asyncio.run(look())


# In the house.


def test_when_no_player_answers_the_first_legal_action_is_played_and_play_goes_on(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(self: EnginePool, request: MoveRequest) -> None:
        return None

    monkeypatch.setattr(EnginePool, "answer", silent)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/do", data={"t": "play", "tokens": found["legal"][0]["token"], "seat": "0"})
        assert [line["seat"] for line in wait_for(person, table, "legal")["record"]] == [0, 1]


def test_when_a_player_answers_nonsense_the_first_legal_action_is_played(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mad(self: EnginePool, request: MoveRequest) -> str:
        return "z9z9"

    monkeypatch.setattr(EnginePool, "answer", mad)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/do", data={"t": "play", "tokens": found["legal"][0]["token"], "seat": "0"})
        wait_for(person, table, "legal")
        assert view(person, table)["record"][1]["seat"] == 1


def test_a_player_is_asked_with_the_state_of_its_table_after_a_take_back_and_by_another_name_after_a_rematch(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[MoveRequest] = []

    async def noted(self: EnginePool, request: MoveRequest) -> None:
        asked.append(request)

    def play(number: int) -> str:
        token: str = wait_for(person, table, "legal")["legal"][number]["token"]
        person.post(f"/t/{table}/do", data={"t": "play", "tokens": token, "seat": "0"})
        wait_for(person, table, "legal")
        return token

    def do(what: str) -> None:
        person.post(f"/t/{table}/do", data={"t": what, "seat": "0", "move_id": f"{what}-this-time"})

    monkeypatch.setattr(EnginePool, "answer", noted)
    with serving(data) as house, house.person() as person:
        table = first = now(person, "traboulet")
        tokens = [play(0)]
        do("take_back")
        tokens.append(play(1))
        states = [request.state for request in asked]
        assert [state.game.notate(state.action) for state in states] == tokens
        assert all(state.previous is not None and state.previous.previous is None for state in states)
        assert {request.player for request in asked} == {(first, 1, "4")}
        do("resign")
        do("rematch")
        table = view(person, first)["next"]
        play(0)
        assert asked[-1].table == table != first


def test_people_are_answered_while_a_player_thinks(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The structure, not the figure: an answer that never comes holds up nobody, at this table or another."""
    waiting = asyncio.Event

    async def for_ever(self: EnginePool, request: MoveRequest) -> str:
        await waiting().wait()
        return ""

    monkeypatch.setattr(EnginePool, "answer", for_ever)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/do", data={"t": "play", "tokens": found["legal"][0]["token"], "seat": "0"})
        assert view(person, table)["node"]["seats"] == [1]
        assert person.post(f"/t/{table}/do", data={"t": "take_back", "seat": "0", "move_id": "take-it-back"}).status_code == 200
        assert view(person, table)["legal"]
        other = now(person, "tabu")
        assert wait_for(person, other, "playing")


def test_a_seat_left_by_its_person_is_taken_by_a_program(house: Serving) -> None:
    with house.person() as person, house.person() as friend:
        answer = person.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "open", "who": "open"})
        table = answer.url.path.removeprefix("/t/")
        friend.post(f"/t/{table}/sit")
        wait_for(person, table, "legal")
        friend.post(f"/t/{table}/do", data={"t": "leave", "seat": "1", "move_id": "leave-now-1"})
        person.post(f"/t/{table}/do", data={"t": "fill", "move_id": "fill-now-1"})
        assert view(person, table)["seats"][1]["kind"] == "program"
        token = view(person, table)["legal"][0]["token"]
        person.post(f"/t/{table}/do", data={"t": "play", "tokens": token, "seat": "0"})
        assert len(wait_for(person, table, "legal")["record"]) == 2
