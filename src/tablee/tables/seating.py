"""Sitting down at a table and getting up, inviting, and adding to the dice."""

import re

from tablee.tables import commands as c
from tablee.tables.dice import LEAST_CONTRIBUTION, MOST_CONTRIBUTION
from tablee.tables.events import Json
from tablee.tables.playing import begin_if_ready, end
from tablee.tables.refused import Refused
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, Actor, hash_token, shows
from tablee.tables.values import PEOPLE
from tablee.tables.visit import Visit

LEVEL = re.compile(r"[a-z0-9_-]{1,40}")
HEX = re.compile(r"(?:[0-9a-f]{2})+")


def sit(visit: Visit, command: c.Sit) -> None:
    """Sit down: on an empty seat, or on one that a program plays."""
    table, found = visit.table, visit.seat(command.seat)
    visit.during("waiting", "playing")
    visit.room()
    if not visit.actor.tokens or not TOKEN.fullmatch(visit.actor.tokens[0]):
        raise Refused("token", "no token to sit")
    if command.player not in PEOPLE:
        raise Refused("unreadable", "no such player")
    if found.player in PEOPLE:
        raise Refused("phase", "no taken", visit.seat_fact(command.seat))
    invitation = shown_invitation(visit, command)
    alone = bool(table.held_by(visit.actor)) and not strangers(visit)
    stands_open = table.terms.sitting == "open" and found.player == "nobody"
    returns = shows(visit.actor, table.match.id, found.before)
    if not (invitation or stands_open or alone or returns or table.opened_by(visit.actor)):
        raise Refused("token", "no invitation")
    kept = hash_token(table.match.id, visit.actor.tokens[0])
    payload: dict[str, Json] = {"player": command.player, "token_hash": kept, "invitation": invitation}
    contribution = read_contribution(command.contribution) if command.contribution else ""
    visit.emit("seated", payload, command.seat, clean(command.name, LONGEST_NAME), kept)
    if contribution and table.phase == "waiting":
        visit.emit("contributed", {"bytes": contribution}, command.seat)
    begin_if_ready(visit)


def shown_invitation(visit: Visit, command: c.Sit) -> str:
    """Return the hash of the invitation shown, if it is good for the seat."""
    shown = Actor((command.invitation,))
    for kept, seat in visit.table.invitations.items():
        if shows(shown, visit.table.match.id, kept) and seat in (None, command.seat):
            return kept
    if command.invitation:
        raise Refused("token", "no invitation left")
    return ""


def strangers(visit: Visit) -> bool:
    """Return whether somebody else than the actor sits at the table."""
    return any(one.player in PEOPLE and not visit.table.holds(visit.actor, at) for at, one in enumerate(visit.table.seats))


def leave(visit: Visit, command: c.Leave) -> None:
    """Get up; when the last person does so in a game, it is abandoned."""
    found = visit.seat(command.seat)
    if command.absent:
        visit.house()
        if found.player not in PEOPLE:
            raise Refused("phase", "no player there")
    else:
        visit.holder(command.seat)
    visit.during("waiting", "playing")
    visit.emit("left", {"absent": command.absent}, command.seat)
    if visit.table.phase == "playing" and not any(one.player in PEOPLE for one in visit.table.seats):
        end(visit, (), "abandoned")


def replace(visit: Visit, command: c.Replace) -> None:
    """Let a program play an empty seat, one's own, or one that a program plays already."""
    found = visit.seat(command.seat)
    visit.member()
    visit.during("waiting", "playing")
    visit.room()
    if found.player in PEOPLE and not visit.table.holds(visit.actor, command.seat):
        raise Refused("token", "no token", visit.seat_fact(command.seat))
    if not LEVEL.fullmatch(command.level):
        raise Refused("unreadable", "no such level")
    visit.emit("seated", {"player": "program", "level": command.level}, command.seat)
    begin_if_ready(visit)


def invite(visit: Visit, command: c.Invite) -> None:
    """Keep the hash of an invitation."""
    if command.seat is not None:
        visit.seat(command.seat)
    visit.member()
    visit.during("waiting", "playing")
    visit.room()
    if not TOKEN.fullmatch(command.token):
        raise Refused("unreadable", "no token to give")
    visit.emit("invited", {"hash": hash_token(visit.table.match.id, command.token), "seat": command.seat})


def contribute(visit: Visit, command: c.Contribute) -> None:
    """Add to the dice, once a player, before the start."""
    found = visit.holder(command.seat)
    visit.during("waiting")
    if found.contributed:
        raise Refused("phase", "no second contribution")
    visit.emit("contributed", {"bytes": read_contribution(command.contribution)}, command.seat)
    begin_if_ready(visit)


def read_contribution(text: str) -> str:
    """Return a contribution in hex, of the right length."""
    if not HEX.fullmatch(text) or not 2 * LEAST_CONTRIBUTION <= len(text) <= 2 * MOST_CONTRIBUTION:
        raise Refused("unreadable", "no contribution", {"least": LEAST_CONTRIBUTION, "most": MOST_CONTRIBUTION})
    return text
