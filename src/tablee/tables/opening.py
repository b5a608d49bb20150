"""Opens a table: on its terms with sealed dice, or as the next game of a match."""

import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from msgspec import UNSET, structs

from tablee.core.errors import TableeError
from tablee.core.setup_choice import follow_players
from tablee.tables.dice import SECRET_BYTES, VERSION, commitment
from tablee.tables.events import Event, chain, with_aside
from tablee.tables.payloads import InvitationKept, Match, Opened, Seated, fields_of, payload_as
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import TOKEN, hash_token, new_table_id, watch_token
from tablee.tables.values import Reason, Result, Seat, Sitter


@dataclass(frozen=True)
class Opening:
    """A table that is not yet in any log: its first events, and the secret of its dice.

    Events of `handle` may be added before the log creates it, so that a game against a program is one transaction.
    """

    table: str
    events: list[Event]
    secret: bytes = field(repr=False)


def open_table(
    terms: Terms,
    opener: str,
    now: float | None = None,
    *,
    invitations: Iterable[tuple[str, int | None]] = (),
    watch: str = "",
    table: str = "",
    secret: bytes | None = None,
) -> Opening:
    """Open a table on checked terms; its name and the secret of its dice are drawn, unless they are given.

    `opener` is the token of the opener, who may seat programs, invite, start and close it. `invitations` are (token, seat or None for any),
    each good for one person; `watch` is the token of the link to watch, where one is needed that of `watch_token`. Only their hashes are kept.
    """
    name = table or new_table_id()
    watch = watch or (watch_token(opener, name) if terms.watching == "link" else "")
    given = list(invitations)
    for token in (opener, *(token for token, _ in given), *([watch] if watch else [])):
        if not TOKEN.fullmatch(token):
            raise TableeError("a token is not well formed: expected one made by `new_token`")
    people = People(
        opener=hash_token(name, opener),
        invitations=tuple(InvitationKept(hash_token(name, token), seat) for token, seat in given),
        watch=hash_token(name, watch) if watch else "",
        match=Match(name),
    )
    return lay(terms, name, people, now, secret)


@dataclass(frozen=True)
class People:
    """Who may do what at a new table, and the match it belongs to; `Opened` says what each field is."""

    opener: str
    invitations: tuple[InvitationKept, ...]
    watch: str
    match: Match


def lay(terms: Terms, name: str, people: People, now: float | None, secret: bytes | None = None) -> Opening:
    """Seal the dice and write the first event."""
    game = terms.agreed()
    secret = secret or secrets.token_bytes(SECRET_BYTES)
    agreed = {**vars(terms), "seats": game.seats, "options": game.written_options, "rules": game.rules, "setup": dict(terms.setup)}
    by_seat = tuple(choice.name for choice in game.kind.choices if choice.by_seat and choice.name in terms.setup)
    opened = Opened(commitment=commitment(name, secret), dice=VERSION, setup_by_seat=by_seat or UNSET, **agreed, **vars(people))
    return Opening(name, [chain(name, 0, opened.kind, fields_of(opened), time.time() if now is None else now, "")], secret)


def open_rematch(table: Table, now: float | None = None) -> Opening:
    """Open the next game of a match, which the log of the last one names: same terms, same players, seats changed as the game says.

    It is played by the current rules, whatever rules the last game was begun with.
    """
    if not table.next or table.result is None:
        raise TableeError(f"table {table.id!r} has no rematch: expected a finished game and everybody's yes")
    order = next_seats(table, table.result)
    opening = lay(
        replace(table.terms, starts="seats", position="", rules=None, setup=next_setup(table, order)),
        table.next,
        People(table.opener, (), table.watch, next_match(table, table.result, order)),
        now,
    )
    for seat, old in enumerate(order):
        player = table.seats[old]
        if player.player != Sitter.NOBODY:
            opening.events.append(seated(opening, seat, player, aside_of(table, player)))
    return opening


def aside_of(table: Table, seat: Seat) -> dict[str, str]:
    """Return the name that a player sat down with, as it was sealed, unless it was erased."""
    for event in table.events.other_than_plays():
        if event.kind != Seated.kind or not seat.token_hash:
            continue
        payload = payload_as(event, Seated)
        if payload.token_hash == seat.token_hash:
            return dict(event.aside) | {"seal": payload.seal or ""}
    return {}


def seated(opening: Opening, seat: int, player: Seat, aside: dict[str, str]) -> Event:
    """Return the event that seats a player of the last game again."""
    last = opening.events[-1]
    payload = Seated(player=player.player, level=player.level)
    if player.token_hash:
        payload = structs.replace(payload, token_hash=player.token_hash, invitation="", seal=aside.pop("seal", ""))
    return with_aside(chain(opening.table, last.seq + 1, payload.kind, fields_of(payload), last.at, last.hash, seat=seat), aside)


def next_seats(table: Table, result: Result) -> list[int]:
    """Return the seats of the next game: `order[k]` is the old seat of the player who goes to seat k.

    The seats move on by one, so that another begins; where the game says so, the loser begins (Traboulet 1.3).
    Nobody moves after a game without a result.
    """
    seats = range(table.game.seats)
    if not result.winners and not table.game.kind.together:
        return list(seats)
    if table.game.kind.loser_first and len(result.winners) == 1:
        return [*(seat for seat in seats if seat not in result.winners), *result.winners]
    return [(seat + 1) % len(seats) for seat in seats]


def next_setup(table: Table, order: list[int]) -> dict[str, str]:
    """Return what the table has chosen of the set-up for the next game: an item by seat moves with its player."""
    kept = follow_players(table.game, table.terms.setup, table.lot)
    return follow_players(table.game, kept, [order.index(seat) for seat in range(table.game.seats)])


def standing(table: Table, result: Result | None) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return what each seat has won, shared and scored in the match so far, this game counted."""
    before, seats = table.match, range(table.game.seats)
    won, shared, points = (list(counts) or [0] * len(seats) for counts in (before.won, before.shared, before.points))
    if result is not None and result.winners:
        tally = won if len(result.winners) == 1 or table.game.kind.together else shared
        for seat in result.winners:
            tally[seat] += 1
    if result is not None and result.reason not in (Reason.ABANDONED, Reason.EXPIRED):
        points = [points[seat] + (result.scores[seat] if result.scores else 0) for seat in seats]
    return tuple(won), tuple(shared), tuple(points)


def next_match(table: Table, result: Result, order: list[int]) -> Match:
    """Return the match as the next game begins it, seat by seat as they sit then."""
    won, shared, points = (tuple(tally[old] for old in order) for tally in standing(table, result))
    return Match(table.match.id, table.match.number + 1, table.id, won, shared, points)
