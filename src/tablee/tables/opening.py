"""How a table comes to be: opened on its terms with sealed dice, or as the next game of a match."""

import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tablee.core.errors import TableeError
from tablee.tables.dice import SECRET_BYTES, commitment
from tablee.tables.events import Event, Json, chain
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import TOKEN, hash_token, new_table_id
from tablee.tables.values import Match, Result, Seat


@dataclass(frozen=True)
class Opening:
    """A table that is not yet in any log: its first events, and the secret of its dice.

    Events of `Table.handle` may be added before the log creates it, so that a game against a program is one transaction.
    """

    table: str
    events: list[Event]
    secret: bytes = field(repr=False)


def open_table(
    terms: Terms, opener: str, now: float | None = None, *, invitations: Iterable[tuple[str, int | None]] = (), watch: str = "", table: str = ""
) -> Opening:
    """Open a table on checked terms.

    `opener` is the token of whoever opens it, who may seat programs, invite, start and close it. `invitations` are (token, seat or None for any),
    each good for one person; `watch` is the token of the link to watch. Only their hashes are kept.
    """
    name = table or new_table_id()
    given = list(invitations)
    for token in (opener, *(token for token, _ in given), *([watch] if watch else [])):
        if not TOKEN.fullmatch(token):
            raise TableeError("a token is not well formed: expected one made by `new_token`")
    payload: dict[str, Json] = {
        "opener": hash_token(name, opener),
        "invitations": [{"hash": hash_token(name, token), "seat": seat} for token, seat in given],
        "watch": hash_token(name, watch) if watch else "",
        "match": Match(name).payload,
    }
    return lay(terms, name, payload, now)


def lay(terms: Terms, name: str, payload: dict[str, Json], now: float | None) -> Opening:
    """Seal new dice and write the first event."""
    game = terms.agreed()
    secret = secrets.token_bytes(SECRET_BYTES)
    whole: dict[str, Json] = {**terms.payload(game), **payload, "commitment": commitment(name, secret)}
    return Opening(name, [chain(name, 0, "opened", whole, time.time() if now is None else now, "")], secret)


def open_rematch(table: Table, now: float | None = None) -> Opening:
    """Open the next game of a match, which the log of the last one names: same terms, same players, seats changed as the game says."""
    if not table.next or table.result is None:
        raise TableeError(f"table {table.id!r} has no rematch: expected a finished game and everybody's yes")
    order = next_seats(table, table.result)
    opening = lay(
        replace(table.terms, starts="seats", position=""),
        table.next,
        {"opener": table.opener, "invitations": [], "watch": table.watch, "match": next_match(table, table.result, order).payload},
        now,
    )
    for seat, old in enumerate(order):
        one = table.seats[old]
        if one.player != "nobody":
            opening.events.append(seated(opening, seat, one, aside_of(table, one)))
    return opening


def aside_of(table: Table, seat: Seat) -> dict[str, str]:
    """Return the name that a player sat down with, as it was sealed, unless it was erased."""
    for event in reversed(table.events):
        if event.kind == "seated" and seat.token_hash and event.payload.get("token_hash") == seat.token_hash:
            return dict(event.aside) | {"seal": str(event.payload.get("seal", ""))}
    return {}


def seated(opening: Opening, seat: int, one: Seat, aside: dict[str, str]) -> Event:
    """Return the event that seats a player of the last game again."""
    last = opening.events[-1]
    payload: dict[str, Json] = {"player": one.player, "level": one.level}
    if one.token_hash:
        payload |= {"token_hash": one.token_hash, "invitation": "", "seal": aside.pop("seal", "")}
    return chain(opening.table, last.seq + 1, "seated", payload, last.at, last.hash, seat=seat, aside=aside)


def next_seats(table: Table, result: Result) -> list[int]:
    """Return who sits where in the next game: `order[k]` is the old seat of who goes to k.

    The seats move on by one, so that another begins; where the game says so, the loser begins (Traboulet 1.3).
    Nobody moves after a game without a result.
    """
    seats = range(table.game.seats)
    if not result.winners and not table.game.kind.together:
        return list(seats)
    if table.game.kind.loser_first and len(result.winners) == 1:
        return [*(seat for seat in seats if seat not in result.winners), *result.winners]
    return [(seat + 1) % len(seats) for seat in seats]


def standing(table: Table, result: Result | None) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return what each seat has won, shared and scored in the match so far, this game counted."""
    before, seats = table.match, range(table.game.seats)
    won, shared, points = (list(one) or [0] * len(seats) for one in (before.won, before.shared, before.points))
    if result is not None and result.winners:
        tally = won if len(result.winners) == 1 or table.game.kind.together else shared
        for seat in result.winners:
            tally[seat] += 1
    if result is not None and result.reason not in ("abandoned", "expired"):
        points = [points[seat] + (result.scores[seat] if result.scores else 0) for seat in seats]
    return tuple(won), tuple(shared), tuple(points)


def next_match(table: Table, result: Result, order: list[int]) -> Match:
    """Return the match as the next game begins it, seat by seat as they sit then."""
    won, shared, points = (tuple(tally[old] for old in order) for tally in standing(table, result))
    return Match(table.match.id, table.match.number + 1, table.id, won, shared, points)
