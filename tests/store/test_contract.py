"""What every store promises, on SQLite and on a real PostgreSQL: never written twice, never changed unseen, erased with a card."""

import asyncio

import pytest

from tablee.local.log import LocalLog
from tablee.store.log import Heads, Log, Stale, StoreError, UnknownTable
from tablee.store.postgres import PostgresLog
from tablee.store.rows import hash_carte
from tablee.store.sqlite import SqliteLog
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Play, Rematch, Say, Sit
from tablee.tables.door import handle
from tablee.tables.events import chain
from tablee.tables.opening import Opening, open_rematch, open_table
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token, seat_token
from tests.store.places import Place
from tests.tables.company import NOON, Company


def opening(slug: str = "traboulet") -> Opening:
    """Return a table that nobody has written yet."""
    return open_table(Terms(slug), new_token(), NOON)


async def written(log: Log, company: Company) -> None:
    """Write all that has happened at a table."""
    await log.create(company.table.id, company.table.events, company.opening.secret)


def test_it_is_a_log(place: Place) -> None:
    async def work(log: Log) -> None:
        promised: Log = log
        assert await promised.tables() == []

    place.run(work)


def test_what_was_written_reads_back_also_from_a_new_process(place: Place) -> None:
    company = Company("tablan", chat="text").seated("Ana", "Ben").wander(1, 30)

    async def write(log: Log) -> None:
        await written(log, company)

    async def read(log: Log) -> None:
        assert await log.events(company.table.id) == company.table.events
        assert await log.events(company.table.id, 5) == company.table.events[5:]
        assert await log.secret(company.table.id) == company.opening.secret
        checked = await log.check()
        assert (checked.wrong, checked.tables, checked.events) == ((), 1, len(company.table.events))

    place.run(write)
    place.run(read)


def test_tables_are_listed_live_or_finished(place: Place) -> None:
    async def work(log: Log) -> None:
        live, over = Company().seated("Ana", "Ben"), Company().seated("Ana", "Ben").wander(1)
        await written(log, live)
        await written(log, over)
        assert await log.tables() == [live.table.id, over.table.id]
        assert await log.tables(True) == [live.table.id]
        assert await log.tables(False) == [over.table.id]

    place.run(work)


def test_tables_that_need_the_house_are_listed(place: Place) -> None:
    """Those with a clock, open to anybody, without people, and those that were forgotten; not those that are over or simply go on."""

    async def work(log: Log) -> None:
        timed = Company(clock=ClockTerms("real", 60_000, 0)).seated("Ana", "Ben")
        plain, waiting, over = Company().seated("Ana", "Ben"), Company(), Company().seated("Ana", "Ben").wander(1)
        programs = Company(sitting="invited").seated("1", "1")
        for company in (timed, plain, waiting, programs, over):
            await written(log, company)
        assert await log.pending(NOON - 1) == [timed.table.id, waiting.table.id, programs.table.id]
        assert await log.pending(NOON + 1) == [timed.table.id, plain.table.id, waiting.table.id, programs.table.id]

    place.run(work)


def test_tables_that_are_due_are_found_by_an_index(place: Place) -> None:
    """They no longer need the house before; what is over is due no more, and who writes without a word about it changes nothing."""
    timed = [Company(clock=ClockTerms("real", 60_000, 0)).seated("Ana", "Ben") for _ in range(3)]
    over = Company(clock=ClockTerms("real", 60_000, 0)).seated("Ana", "Ben")

    async def work(log: Log) -> None:
        for company, due in zip(timed, (NOON + 30.5, NOON + 10, None), strict=True):
            await log.create(company.table.id, company.table.events, company.opening.secret, due)
        await log.create(over.table.id, over.table.events, over.opening.secret, NOON + 5)
        before = len(over.table.events)
        await log.append(over.table.id, over.wander(1).table.events[before:], NOON + 6)
        assert await log.pending(NOON - 1) == [timed[2].table.id]
        assert await log.due(NOON + 10) == []
        assert await log.due(NOON + 31) == [timed[1].table.id, timed[0].table.id]
        assert [await log.due_of(company.table.id) for company in timed] == [NOON + 30.5, NOON + 10, None]
        await log.append(timed[1].table.id, timed[1].play("Ana", 0, "a7b7"))
        assert await log.due_of(timed[1].table.id) == NOON + 10
        await log.append(timed[2].table.id, timed[2].play("Ana", 0, "a7b7"), NOON + 20)
        assert await log.due(NOON + 31) == [timed[1].table.id, timed[2].table.id, timed[0].table.id]

    place.run(work)


def test_what_is_due_is_put_off_once_by_the_time_that_everybody_was_away(place: Place) -> None:
    company = Company(clock=ClockTerms("real", 60_000, 0)).seated("Ana", "Ben")

    async def write(log: Log) -> None:
        await log.create(company.table.id, company.table.events, company.opening.secret, NOON + 30)
        await log.beat(NOON + 1.5)

    async def work(log: Log) -> None:
        since = await log.last_beat()
        assert since == NOON + 1.5
        for _ in range(2):
            await log.postpone(since, NOON + 101.5)
        assert await log.due_of(company.table.id) == NOON + 130

    place.run(write)
    place.run(work)


def test_a_number_is_written_once(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        one = handle(company.table, Play(0, ("a7b7",)), company.who("Ana"), NOON).events
        other = handle(company.table, Play(0, ("a6b6",)), company.who("Ana"), NOON).events
        await log.append(company.table.id, one)
        with pytest.raises(Stale):
            await log.append(company.table.id, other)
        with pytest.raises(Stale):
            await log.append(company.table.id, one)
        with pytest.raises(Stale):
            await log.create(company.table.id, company.table.events, company.opening.secret)
        assert (await log.events(company.table.id))[-1] == one[-1]

    place.run(work)


def test_a_move_id_is_written_once_even_under_another_number(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        one = chain(last.table, last.seq + 1, "said", {"phrase": "hello"}, NOON, last.hash, seat=0, move_id="m")
        two = chain(last.table, last.seq + 2, "said", {"phrase": "hello"}, NOON, one.hash, seat=0, move_id="m")
        await log.append(last.table, [one])
        with pytest.raises(Stale):
            await log.append(last.table, [two])

    place.run(work)


def test_only_the_next_event_of_the_chain_is_taken(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        gap = chain(last.table, last.seq + 2, "said", {}, NOON, last.hash)
        fork = chain(last.table, last.seq + 1, "said", {}, NOON, "0" * 64)
        strange = chain("elsewhere", last.seq + 1, "said", {}, NOON, last.hash)
        for event in (gap, fork, strange):
            with pytest.raises(StoreError):
                await log.append(last.table, [event])
        assert await log.events(last.table) == company.table.events

    place.run(work)


def test_events_of_one_request_are_written_all_or_none(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        good = chain(last.table, last.seq + 1, "said", {}, NOON, last.hash)
        bad = chain(last.table, last.seq + 3, "said", {}, NOON, good.hash)
        with pytest.raises(Stale):
            await log.append(last.table, [good, bad])
        assert await log.events(last.table) == company.table.events

    place.run(work)


def test_what_waits_together_is_committed_together(place: Place) -> None:
    async def work(log: Log) -> None:
        openings = [opening() for _ in range(100)]
        if isinstance(log, LocalLog):
            pytest.skip("one person plays in a browser: what little is written is written one after the other")
        assert isinstance(log, SqliteLog | PostgresLog)
        before = log.commits
        await asyncio.gather(*(log.create(one.table, one.events, one.secret) for one in openings))
        assert log.commits - before < 20
        assert set(await log.tables()) == {one.table for one in openings}

    place.run(work)


def test_one_that_comes_too_late_spoils_nobody_else_in_its_commit(place: Place) -> None:
    async def work(log: Log) -> None:
        first, others = opening(), [opening() for _ in range(20)]
        await log.create(first.table, first.events, first.secret)
        jobs = [log.create(one.table, one.events, one.secret) for one in (*others[:10], first, *others[10:])]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(result) for result in results if result is not None] == [Stale]
        assert len(await log.tables()) == 21

    place.run(work)


def test_of_many_who_write_the_same_number_one_wins(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        tries = [handle(company.table, Say(0, "hello", move_id=f"m{n}"), company.who("Ana"), NOON).events for n in range(50)]
        results = await asyncio.gather(*(log.append(company.table.id, events) for events in tries), return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert len(await log.events(company.table.id)) == len(company.table.events) + 1

    place.run(work)


def test_unknown_tables_are_said_to_be_unknown(place: Place) -> None:
    async def work(log: Log) -> None:
        for asked in (log.events("nowhere"), log.secret("nowhere")):
            with pytest.raises(UnknownTable):
                await asked

    place.run(work)


def test_the_last_beat_before_a_restart_is_known(place: Place) -> None:
    async def first(log: Log) -> None:
        assert await log.last_beat() is None
        await log.beat(NOON)
        await log.beat(NOON + 1.5)

    async def second(log: Log) -> None:
        await log.beat(NOON + 99)
        assert await log.last_beat() == NOON + 1.5

    place.run(first)
    place.run(second)


# Tampering.


FORGERIES = {
    "an edited action": "UPDATE events SET payload = replace(payload, 'a7b7', 'a6b6') WHERE kind = 'acted'",
    "an edited time": "UPDATE events SET at = at + 1 WHERE seq = 3",
    "a deleted event": "DELETE FROM events WHERE seq = 3",
    "a log cut off at its end": "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
    "a whole log gone": "DELETE FROM events",
    "a table gone": "DELETE FROM events; DELETE FROM secrets; DELETE FROM tables",
    "an edited line of the ledger": "UPDATE ledger SET seq = seq - 1 WHERE number = 2",
    "a deleted line of the ledger": "DELETE FROM ledger WHERE number = 1",
    "an exchanged name": "UPDATE asides SET text = 'Zoé'",
    "log and ledger cut off together": """
        DELETE FROM asides WHERE seq >= 6; DELETE FROM events WHERE seq >= 6; DELETE FROM ledger WHERE number >= 2;
    """,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_was_done_behind_the_back_is_found(place: Place, forgery: str) -> None:
    checkpoint: list[Heads] = []

    async def write(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        for name, seat, token in (("Ana", 0, "a7b7"), ("Ben", 1, "a1b1")):
            await log.append(company.table.id, company.play(name, seat, token))
        checked = await log.check()
        assert checked.wrong == ()
        checkpoint.append(checked.heads)

    async def check(log: Log) -> None:
        assert (await log.check(checkpoint[0])).wrong != ()

    place.run(write)
    assert place.forge(FORGERIES[forgery]) > 0
    place.run(check)


def test_a_ledger_whose_lines_were_numbered_anew_is_found(place: Place) -> None:
    """Its chain is whole: only the numbers show that lines may be missing before the first."""

    async def write(log: Log) -> None:
        await written(log, Company().seated("Ana", "Ben"))

    async def check(log: Log) -> None:
        assert [one.partition(":")[0] for one in (await log.check()).wrong] == ["ledger"]

    place.run(write)
    assert place.forge("UPDATE ledger SET number = number + 1") == 1
    place.run(check)


def test_an_honest_log_that_has_grown_passes_an_old_checkpoint(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        checked = await log.check()
        await log.append(company.table.id, company.play("Ana", 0, "a7b7"))
        assert (await log.check(checked.heads)).wrong == ()

    place.run(work)


@pytest.mark.parametrize("sql", ["UPDATE events SET kind = 'said'", "DELETE FROM events", "UPDATE ledger SET seq = 0", "DELETE FROM ledger"])
def test_the_database_itself_refuses_to_change_the_past(place: Place, sql: str) -> None:
    place.run(lambda log: written(log, Company().seated("Ana", "Ben")))
    assert place.refused(sql)


# The visitors' cards.


def test_a_card_is_made_found_changed_and_only_by_its_secret(place: Place) -> None:
    async def work(log: Log) -> None:
        secret = await log.new_carte("Ana\n", NOON)
        found = await log.carte(secret)
        assert found is not None
        assert (found.name, found.made) == ("Ana", NOON)
        for wrong in ("", new_token(), secret[:-1], hash_carte(secret), found.id, "' OR 1=1 --"):
            assert await log.carte(wrong) is None
            assert await log.tables_of(wrong) == []
            assert await log.export_carte(wrong) is None
            assert await log.change_carte(wrong, "Mallory") is None
            assert await log.delete_carte(wrong) == []
        changed = await log.change_carte(secret, "An\u202ena\n", {"language": "fr"})
        assert changed is not None
        assert (changed.name, dict(changed.settings)) == ("Anna", {"language": "fr"})
        assert await log.carte(secret) == changed

    place.run(work)


def test_a_card_knows_nothing_of_another(place: Place) -> None:
    """Two who sit at one table each: names, settings, tables and texts are their own, before one card is deleted and after."""

    async def work(log: Log) -> None:
        company, other = Company(chat="text"), Company()
        ana, ben = await log.new_carte("Ana", NOON), await log.new_carte("Ben", NOON)
        company.tokens["Ana"], company.tokens["Ben"] = (seat_token(secret, company.table.match.id) for secret in (ana, ben))
        other.tokens["Ben"] = seat_token(ben, other.table.match.id)
        company.seated("Ana", "Ben")
        company.do("Ben", Say(1, text="a word of Ben"))
        other.seated("Ben", "Cleo")
        for one, secrets in ((company, (ana, ben)), (other, (ben,))):
            await written(log, one)
            for secret in secrets:
                await log.remember(secret, one.table.match.id)
        await log.change_carte(ana, "Anna", {"language": "fr"})
        before = await log.carte(ben)
        assert before is not None
        assert (before.name, dict(before.settings)) == ("Ben", {})
        assert await log.tables_of(ana) == [company.table.id]
        assert await log.tables_of(ben) == [other.table.id, company.table.id]
        assert [text for _, text in await texts(log, ana)] == ["Ana"]
        await log.delete_carte(ana)
        assert await log.carte(ben) == before
        assert sorted(await texts(log, ben)) == sorted([(company.table.id, "Ben"), (company.table.id, "a word of Ben"), (other.table.id, "Ben")])

    place.run(work)


async def texts(log: Log, secret: str) -> list[tuple[str, str]]:
    """Return what the holder of a card has written, each with its table."""
    export = await log.export_carte(secret)
    assert export is not None
    return [(one["table"], one["text"]) for one in export["texts"]]  # type: ignore[attr-defined]


def test_a_card_that_is_not_there_sits_nowhere(place: Place) -> None:
    async def work(log: Log) -> None:
        with pytest.raises(StoreError, match="no such card"):
            await log.remember(new_token(), "match")

    place.run(work)


def test_my_tables_follow_the_card_through_a_match(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company()
        secret = await log.new_carte("Ana", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.seated("Ana", "1")
        await written(log, company)
        assert await log.tables_of(secret) == []
        await log.remember(secret, company.table.match.id)
        assert await log.tables_of(secret) == [company.table.id]
        company.wander(1)
        company.do("Ana", Rematch(0))
        again = open_rematch(company.table, NOON)
        await log.create(again.table, again.events, again.secret)
        assert await log.tables_of(secret) == [again.table, company.table.id]
        table = Table.from_events(await log.events(again.table))
        assert "Ana" in {seat.name for seat in table.seats}

    place.run(work)


def test_deleting_a_card_makes_its_holder_somebody_and_leaves_the_chain_whole(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company(chat="text")
        secret = await log.new_carte("Ana Unique", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.do("Ana", Sit(0, "Ana Unique", contribution="00" * 16))
        company.do("Ben", Sit(1, "Ben", contribution="00" * 16))
        company.do("Ana", Say(0, text="a private word"))
        await written(log, company)
        await log.remember(secret, company.table.match.id)
        export = await log.export_carte(secret)
        assert export is not None
        assert [one["text"] for one in export["texts"]] == ["Ana Unique", "a private word"]  # type: ignore[attr-defined]
        assert await log.delete_carte(secret) == [company.table.id]
        table = Table.from_events(await log.events(company.table.id), company.opening.secret)
        assert [seat.name for seat in table.seats] == ["", "Ben"]
        assert table.hash == company.table.hash
        assert table.held_by(Actor((company.tokens["Ana"],))) == (0,)
        assert (await log.check()).wrong == ()
        assert await log.carte(secret) is None

    place.run(work)


def test_a_table_sealed_anew_keeps_both_secrets(place: Place) -> None:
    async def work(log: Log) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        sealed = chain(last.table, last.seq + 1, "said", {"phrase": "hello"}, NOON, last.hash, seat=0)
        await log.reseal(last.table, [sealed], b"n" * 32)
        assert await log.secret(last.table) == company.opening.secret + b"n" * 32
        assert (await log.events(last.table))[-1] == sealed
        with pytest.raises(Stale):
            await log.reseal(last.table, [sealed], b"o" * 32)
        assert await log.secret(last.table) == company.opening.secret + b"n" * 32
        assert (await log.check()).wrong == ()

    place.run(work)


def test_a_closed_log_takes_nothing_more(place: Place) -> None:
    async def work(log: Log) -> None:
        one = opening()
        await log.close()
        with pytest.raises(StoreError, match="closed"):
            await log.create(one.table, one.events, one.secret)
        with pytest.raises(StoreError, match="closed"):
            await log.tables()

    place.run(work)


def test_cards_move_to_another_store_as_they_are(place: Place) -> None:
    async def work(log: Log) -> None:
        secret = await log.new_carte("Ana", NOON)
        await log.change_carte(secret, settings={"language": "fr"})
        await log.remember(secret, "match")
        (kept,) = await log.cartes()
        assert (kept.name, dict(kept.settings), kept.made, len(kept.owners)) == ("Ana", {"language": "fr"}, NOON, 1)
        with pytest.raises(Stale):
            await log.adopt(kept)
        await log.delete_carte(secret)
        assert await log.cartes() == []
        await log.adopt(kept)
        assert await log.cartes() == [kept]
        assert (await log.carte(secret)) is not None

    place.run(work)
