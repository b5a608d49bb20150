"""Sitting down at a table and getting up, inviting, and adding to the dice."""

import re

from tablee.tables import commands as c
from tablee.tables.dice import LEAST_CONTRIBUTION, MOST_CONTRIBUTION
from tablee.tables.invitations import next_invitation
from tablee.tables.levels import checked
from tablee.tables.payloads import Contributed, Invited, Left, Seated
from tablee.tables.playing import begin_if_ready, end
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, Actor, hash_token, shows
from tablee.tables.values import PEOPLE, Phase, Reason, Sitter
from tablee.tables.visit import Visit

LEVEL = re.compile(r"[a-z0-9_:=.,-]{1,60}")
HEX = re.compile(r"(?:[0-9a-f]{2})+")


def sit(visit: Visit, command: c.Sit) -> None:
    """Sit down: on an empty seat, or on one that a program plays."""
    number = free_seat(visit.table) if command.seat is None else command.seat
    table, place = visit.table, visit.seat(number)
    visit.during(Phase.WAITING, Phase.PLAYING)
    visit.room()
    if not visit.actor.tokens or not TOKEN.fullmatch(visit.actor.tokens[0]):
        raise Refused("token", "no token to sit")
    if command.player not in PEOPLE:
        raise Refused("unreadable", "no such player")
    if place.player in PEOPLE:
        raise Refused("phase", "no taken", visit.seat_fact(number))
    invitation = shown_invitation(visit, command.invitation, number)
    alone = bool(table.held_by(visit.actor)) and not strangers(visit)
    stands_open = table.terms.sitting == "open" and place.player == Sitter.NOBODY
    returns = shows(visit.actor, table.match.id, place.before)
    if not (invitation or stands_open or alone or returns or table.opened_by(visit.actor)):
        raise Refused("token", "no invitation")
    kept = hash_token(table.match.id, visit.actor.tokens[0])
    payload = Seated(player=Sitter(command.player), token_hash=kept, invitation=invitation)
    contribution = read_contribution(command.contribution) if command.contribution else ""
    visit.emit(payload, number, clean(command.name, LONGEST_NAME), kept)
    if contribution and table.phase == Phase.WAITING:
        visit.emit(Contributed(bytes=contribution), number)
    begin_if_ready(visit)


def free_seat(table: Table) -> int:
    """Return the first empty seat, or the first of all where none is empty."""
    return next((seat for seat, place in enumerate(table.seats) if place.player == Sitter.NOBODY), 0)


def shown_invitation(visit: Visit, token: str, number: int) -> str:
    """Return the hash of the invitation shown, if it is good for the seat."""
    shown = Actor((token,))
    for kept, seat in visit.table.invitations.items():
        if shows(shown, visit.table.match.id, kept) and seat in (None, number):
            return kept
    if token:
        raise Refused("token", "no invitation left")
    return ""


def strangers(visit: Visit) -> bool:
    """Return whether somebody else than the actor sits at the table."""
    return any(place.player in PEOPLE and not visit.table.holds(visit.actor, at) for at, place in enumerate(visit.table.seats))


def leave(visit: Visit, command: c.Leave) -> None:
    """Get up; when the last person does so in a game, it is abandoned."""
    visit.holder(command.seat)
    free(visit, command.seat, absent=False)


def dismiss(visit: Visit, command: c.Dismiss) -> None:
    """Free the seat of a player who has gone."""
    place = visit.seat(command.seat)
    visit.house()
    if place.player not in PEOPLE:
        raise Refused("phase", "no player there")
    free(visit, command.seat, absent=True)


def free(visit: Visit, seat: int, *, absent: bool) -> None:
    """Let a seat be empty, and abandon a game that nobody plays any more."""
    visit.during(Phase.WAITING, Phase.PLAYING)
    visit.emit(Left(absent=absent), seat)
    if visit.table.phase == Phase.PLAYING and not any(place.player in PEOPLE for place in visit.table.seats):
        end(visit, (), Reason.ABANDONED)


def replace(visit: Visit, command: c.Replace) -> None:
    """Let a program play an empty seat, the sender's own, or one that a program plays already."""
    place = visit.seat(command.seat)
    visit.member()
    visit.during(Phase.WAITING, Phase.PLAYING)
    visit.room()
    if place.player in PEOPLE and not visit.table.holds(visit.actor, command.seat):
        raise Refused("token", "no token", visit.seat_fact(command.seat))
    visit.emit(Seated(player=Sitter.PROGRAM, level=level_for(visit, command.level)), command.seat)
    begin_if_ready(visit)


def fill(visit: Visit, command: c.Fill) -> None:
    """Let programs play every empty seat."""
    visit.member()
    visit.during(Phase.WAITING, Phase.PLAYING)
    visit.room()
    empty = [seat for seat, place in enumerate(visit.table.seats) if place.player == Sitter.NOBODY]
    if not empty:
        raise Refused("phase", "no empty seat")
    level = level_for(visit, command.level)
    for seat in empty:
        visit.emit(Seated(player=Sitter.PROGRAM, level=level), seat)
    begin_if_ready(visit)


def level_for(visit: Visit, level: str) -> str:
    """Return the level of a program that somebody seats: one of the game's, or whatever program the host itself brings."""
    if not visit.actor.host:
        return checked(visit.table.game.kind, level)
    if not LEVEL.fullmatch(level):
        raise Refused("unreadable", "no such level")
    return level


def invite(visit: Visit, command: c.Invite) -> None:
    """Keep the hash of an invitation."""
    if command.seat is not None:
        visit.seat(command.seat)
    visit.member()
    visit.during(Phase.WAITING, Phase.PLAYING)
    visit.room()
    if not visit.actor.tokens:
        raise Refused("token", "no token table")
    token = next_invitation(visit.table, visit.actor.tokens[-1])
    visit.emit(Invited(hash=hash_token(visit.table.match.id, token), seat=command.seat))


def contribute(visit: Visit, command: c.Contribute) -> None:
    """Add to the dice, once a player, before the start."""
    place = visit.holder(command.seat)
    visit.during(Phase.WAITING)
    if place.contributed:
        raise Refused("phase", "no second contribution")
    visit.emit(Contributed(bytes=read_contribution(command.contribution)), command.seat)
    begin_if_ready(visit)


def read_contribution(text: str) -> str:
    """Return a contribution in hex, of the right length."""
    if not HEX.fullmatch(text) or not 2 * LEAST_CONTRIBUTION <= len(text) <= 2 * MOST_CONTRIBUTION:
        raise Refused("unreadable", "no contribution", {"least": LEAST_CONTRIBUTION, "most": MOST_CONTRIBUTION})
    return text
