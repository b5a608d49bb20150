"""The log of a house in a browser tab: every row is in the database of the browser before it is confirmed; all are read at the start."""

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from tablee.local.disk import Batch, Disk, Taken
from tablee.local.shelved import Facts, Shelved, check_next
from tablee.store.checking import Check
from tablee.store.ledger import ledger_head
from tablee.store.log import Carte, CarteKept, Checked, Heads, Stale, StoreError, UnknownTable
from tablee.store.rows import hash_carte
from tablee.tables.events import Event, write_line
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, hash_token, new_token, seat_token

# The keys of the rows: what they are, then which one. Events and lines of the ledger are numbered so that they sort.
EVENT, TABLE, CARTE, LEDGER, BEAT = "event", "table", "carte", "ledger", "beat"


def key(*parts: str | int) -> str:
    """Return the key of a row."""
    return "/".join(f"{part:08}" if isinstance(part, int) else part for part in parts)


class LocalLog:
    """A `Log` over the rows of a disk; nobody else writes them while it is open."""

    def __init__(self, disk: Disk, rows: Mapping[str, str]) -> None:
        """Take in every row."""
        self.disk = disk
        self.shelf: dict[str, Shelved] = {}
        self.lines: list[list[str | int]] = []
        self.kept: dict[str, CarteKept] = {}
        self.first_beat: float | None = json.loads(rows[BEAT]) if BEAT in rows else None
        self.postponed: float | None = None
        self.turn = asyncio.Lock()
        self.closed = False
        lines: dict[str, list[str]] = {}
        for name in sorted(rows):
            match name.split("/"):
                case [kind, table, _] if kind == EVENT:
                    lines.setdefault(table, []).append(rows[name])
                case [kind, table] if kind == TABLE:
                    self.shelf[table] = Shelved(Facts(**json.loads(rows[name])), [])
                case [kind, carte] if kind == CARTE:
                    fields = json.loads(rows[name])
                    self.kept[carte] = CarteKept(**{**fields, "owners": tuple(fields["owners"])})
                case [kind, _] if kind == LEDGER:
                    self.lines.append(json.loads(rows[name]))
        self.shelf = dict(sorted(self.shelf.items(), key=lambda item: item[1].facts.number))
        for table, of_table in lines.items():
            if table in self.shelf:
                self.shelf[table].lines = of_table

    @classmethod
    async def open(cls, disk: Disk) -> "LocalLog":
        """Read everything."""
        return cls(disk, await disk.read())

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write a batch; nothing in memory changes unless it is written."""
        self.require_open()
        try:
            await self.disk.write(batch, strict=strict)
        except Taken as error:
            raise Stale(f"already written: {error}") from error
        except OSError as error:
            raise StoreError(f"the browser has not written it: {error}") from error

    def require_open(self) -> None:
        """Raise if the log is closed."""
        if self.closed:
            raise StoreError("the store is closed")

    def table(self, table_id: str) -> Shelved:
        """Return a table."""
        self.require_open()
        if table_id not in self.shelf:
            raise UnknownTable(f"there is no table {table_id!r}")
        return self.shelf[table_id]

    # The log.

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes, due: float | None = None) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already. `due`: see `append`."""
        async with self.turn:
            self.require_open()
            if table_id in self.shelf:
                raise Stale(f"table {table_id!r} is already written")
            number = max((shelved.facts.number for shelved in self.shelf.values()), default=0) + 1
            await self.add(table_id, Shelved(Facts(number, secret.hex()), []), events, due)

    async def append(self, table_id: str, events: Sequence[Event], due: float | None = None) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken.

        `due` is when the house must look at the table by itself from now on; None keeps the earlier value.
        """
        async with self.turn:
            if events:
                await self.add(table_id, self.table(table_id), events, due)

    async def reseal(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write events that seal the dice anew, and the new secret behind the secrets before."""
        async with self.turn:
            shelved = self.table(table_id)
            await self.add(table_id, replace(shelved, facts=replace(shelved.facts, secret=shelved.facts.secret + secret.hex())), events)

    async def add(self, table_id: str, shelved: Shelved, events: Sequence[Event], due: float | None = None) -> None:
        """Write events of a table, its row and a line of the ledger, then take them in."""
        check_next(table_id, shelved if shelved.lines else None, events)
        facts, last, written = shelved.facts.after(events), events[-1], [write_line(event) for event in events]
        facts.due = facts.due if due is None else due
        before: list[str | int] = self.lines[-1] if self.lines else [0, "", 0, "", ""]
        line: list[str | int] = [int(before[0]) + 1, table_id, last.seq, last.hash, ledger_head(str(before[4]), table_id, last.seq, last.hash)]
        new = {key(EVENT, table_id, event.seq): text for event, text in zip(events, written, strict=True)}
        await self.write(Batch(new | {key(LEDGER, line[0]): json.dumps(line)}, {key(TABLE, table_id): facts.text()}))
        answered = shelved.move_ids | {event.move_id for event in events if event.move_id} if shelved.lines else None
        self.lines.append(line)
        self.shelf[table_id] = Shelved(facts, [*shelved.lines, *written], answered)

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""
        return self.table(table_id).events(since)

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""
        self.require_open()
        return [table for table, shelved in self.shelf.items() if live is None or live != shelved.facts.finished]

    async def pending(self, before: float) -> list[str]:
        """Return the unfinished tables that the house looks after by itself."""
        self.require_open()
        return [table for table, shelved in self.shelf.items() if shelved.lines and shelved.waits_for_house(before)]

    async def due(self, before: float) -> list[str]:
        """Return the unfinished tables that are due before a time, the first first."""
        self.require_open()
        waiting = [
            (facts.due, table)
            for table, facts in ((table, shelved.facts) for table, shelved in self.shelf.items())
            if facts.due is not None and facts.due < before and not facts.finished
        ]
        return [table for _, table in sorted(waiting)]

    async def due_of(self, table_id: str) -> float | None:
        """Return when a table is due, or None; it is later than its log says by the length of the outages since."""
        return self.table(table_id).facts.due

    async def postpone(self, since: float, now: float) -> None:
        """Move all deadlines by the time since the last beat, in which no house could answer; once for each outage."""
        async with self.turn:
            if self.postponed == since:
                return
            later = {
                table: replace(shelved, facts=replace(shelved.facts, due=shelved.facts.due + now - since))
                for table, shelved in self.shelf.items()
                if shelved.facts.due is not None and not shelved.facts.finished
            }
            put = {key(TABLE, table): shelved.facts.text() for table, shelved in later.items()}
            await self.write(Batch(put={**put, BEAT: json.dumps(now)}))
            self.shelf.update(later)
            self.postponed = since

    async def secret(self, table_id: str) -> bytes:
        """Return the secrets of a table's dice, 32 bytes for each seal, oldest first."""
        return bytes.fromhex(self.table(table_id).facts.secret)

    async def beat(self, at: float) -> None:
        """Note that the house could answer at this time; this one row may be lost."""
        await self.write(Batch(put={BEAT: json.dumps(at)}), strict=False)

    async def last_beat(self) -> float | None:
        """Return when the house could last answer, before the first `beat` of this run."""
        return self.first_beat

    async def time(self) -> float | None:
        """Return None: a browser's database has no clock of its own."""
        return None

    async def check(self, checkpoint: Heads | None = None) -> Checked:
        """Read everything and list what was edited, deleted or cut off; a `checkpoint` are the heads of an earlier check."""
        self.require_open()
        check = Check(checkpoint)
        for number, table, seq, digest, head in self.lines:
            check.line(0, int(number), str(table), int(seq), str(digest), str(head))
        for name, shelved in self.shelf.items():
            check.log(name, shelved.events())
        return check.done()

    # The cards: the people who play in this browser.

    def holder(self, secret: str) -> CarteKept | None:
        """Return the card of a secret as it is kept."""
        self.require_open()
        hashed = hash_carte(secret) if TOKEN.fullmatch(secret) else ""
        return next((carte for carte in self.kept.values() if carte.secret_hash == hashed), None)

    async def keep(self, carte: CarteKept) -> None:
        """Write a card."""
        await self.write(Batch(put={key(CARTE, carte.id): json.dumps(asdict(carte))}))
        self.kept[carte.id] = carte

    async def new_carte(self, name: str, at: float) -> str:
        """Make a visitor's card and return its secret, which is kept only as a hash."""
        secret = new_token()
        await self.keep(CarteKept(secrets.token_hex(8), hash_carte(secret), clean(name, LONGEST_NAME), {}, round(at * 1000) / 1000, ()))
        return secret

    async def carte(self, secret: str) -> Carte | None:
        """Return the card of a secret."""
        kept = self.holder(secret)
        return Carte(kept.id, kept.name, dict(kept.settings), kept.made) if kept else None

    async def change_carte(self, secret: str, name: str | None = None, settings: Mapping[str, str] | None = None) -> Carte | None:
        """Change the name or the settings of a card, and return it."""
        async with self.turn:
            kept = self.holder(secret)
            if kept is not None:
                named = kept.name if name is None else clean(name, LONGEST_NAME)
                await self.keep(replace(kept, name=named, settings=dict(kept.settings if settings is None else settings)))
        return await self.carte(secret)

    async def remember(self, secret: str, match_id: str) -> None:
        """Note that the holder of a card sits at the tables of a match with `seat_token(secret, match_id)`."""
        async with self.turn:
            kept = self.holder(secret)
            if kept is None:
                raise StoreError("there is no such card")
            owner = hash_token(match_id, seat_token(secret, match_id))
            if owner not in kept.owners:
                await self.keep(replace(kept, owners=tuple(sorted((*kept.owners, owner)))))

    async def tables_of(self, secret: str) -> list[str]:
        """Return the tables at which the holder of a card sits or sat, newest first."""
        kept = self.holder(secret)
        owners = set(kept.owners) if kept else set()
        return [table for table, shelved in reversed(self.shelf.items()) if owners.intersection(shelved.facts.owners)]

    def texts_of(self, kept: CarteKept) -> list[Event]:
        """Return the events beside which the holder of a card has written something."""
        with_words = [event for table in sorted(self.shelf) for event in self.shelf[table].events() if event.aside]
        return [event for event in with_words if event.aside["owner"] in kept.owners]

    async def export_carte(self, secret: str) -> dict[str, object] | None:
        """Return all stored data of the holder of a card."""
        kept = self.holder(secret)
        if kept is None:
            return None
        texts = [{"table": event.table, "seq": event.seq, "text": event.aside["text"]} for event in self.texts_of(kept)]
        return {"name": kept.name, "settings": dict(kept.settings), "made": kept.made, "tables": await self.tables_of(secret), "texts": texts}

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; return those tables, to be read anew."""
        async with self.turn:
            kept = self.holder(secret)
            if kept is None:
                return []
            changed = await self.tables_of(secret)
            erased = {(event.table, event.seq): write_line(replace(event, aside={})) for event in self.texts_of(kept)}
            await self.write(Batch(put={key(EVENT, *where): line for where, line in erased.items()}, gone=[key(CARTE, kept.id)]))
            for (table, seq), line in erased.items():
                self.shelf[table].lines[seq] = line
            del self.kept[kept.id]
            return changed

    async def cartes(self) -> list[CarteKept]:
        """Return every card as it is kept, to move to another store."""
        self.require_open()
        return sorted(self.kept.values(), key=lambda carte: (carte.made, carte.id))

    async def adopt(self, carte: CarteKept) -> None:
        """Take over a card from another store; `Stale` if it is there already."""
        async with self.turn:
            if carte.id in self.kept or carte.secret_hash in {other.secret_hash for other in self.kept.values()}:
                raise Stale(f"the card {carte.id} is already there")
            await self.keep(carte)

    async def close(self) -> None:
        """Take nothing more."""
        async with self.turn:
            self.closed = True
