"""Talking at a table: phrases, and free text where everybody agreed."""

from tablee.tables import commands as c
from tablee.tables.payloads import Said
from tablee.tables.refused import Refused
from tablee.tables.table import MOST_SAID, Table
from tablee.tables.texts import LONGEST_TEXT, clean
from tablee.tables.values import PEOPLE
from tablee.tables.visit import Visit

SAID_WITHIN = 20.0
PHRASES = ("hello", "luck", "well_played", "thanks", "oops", "hurry", "moment", "again", "bye")
REACTIONS = ("clap", "smile", "surprise", "thinking", "sad", "heart")


def say(visit: Visit, command: c.Say) -> None:
    """Say a phrase, or a text where everybody agreed."""
    speaker = visit.holder(command.seat)
    visit.room()
    if visit.table.terms.chat == "none":
        raise Refused("phase", "no chat")
    said = visit.table.spoken.get(command.seat, ())
    if len(said) >= MOST_SAID and visit.now - said[-MOST_SAID] < SAID_WITHIN:
        raise Refused("limit", "no flood")
    if command.phrase and not command.text:
        if command.phrase not in (*PHRASES, *REACTIONS):
            raise Refused("unreadable", "no such phrase")
        visit.emit(Said(phrase=command.phrase), command.seat)
        return
    text = clean(command.text, LONGEST_TEXT)
    if not text:
        raise Refused("unreadable", "no text")
    if not free_text(visit.table):
        raise Refused("phase", "no free text")
    visit.emit(Said(), command.seat, text, speaker.token_hash)


def free_text(table: Table) -> bool:
    """Return whether everybody at the table agreed to free text."""
    return table.terms.chat != "none" and all(place.free_text for place in table.seats if place.player in PEOPLE)
