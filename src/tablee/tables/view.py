"""What one viewer sees of a table, as JSON: the only way from a table to a screen, so that nothing else can leak."""

from collections import Counter as Tally
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from tablee.core.scene import Scene
from tablee.core.state import Chance, Decision, State
from tablee.locale import words as door_words
from tablee.tables.opening import standing
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.talking import PHRASES, REACTIONS, free_text
from tablee.tables.telling import ending, name, sign, told
from tablee.tables.tokens import Actor
from tablee.tables.values import PLAYING, Step

LAST = 12
View: TypeAlias = dict[str, object]


def view(table: Table, viewer: Actor, language: str = "fr", now: float | None = None, at: int | None = None) -> View:
    """Return the table as a viewer sees it: whoever holds seats, or a watcher (`Refused` where watching needs a link).

    `now` is for the clocks. `at` looks back: the board as it was after that event; nothing can be played there.
    """
    if not table.may_watch(viewer):
        raise Refused("token", "no watching")
    you = table.held_by(viewer)
    step = step_at(table, at)
    past = at is not None and step is not (table.steps[-1] if table.steps else None)
    state = step.state if step else preview(table)
    scene = state.scene(language)
    return {
        "table": table.id,
        "seq": table.seq,
        "hash": table.hash,
        "at": step.seq if step else 0,
        "past": past,
        "game": table.game.slug,
        "title": table.game.kind.words(language)("title"),
        "options": table.game.options,
        "phase": table.phase,
        "terms": terms(table),
        "match": match(table),
        "seats": [seat(table, number, language, now) for number in range(table.game.seats)],
        "you": list(you),
        "opener": table.opened_by(viewer),
        "node": node(table, state, language),
        "scene": scene_view(scene),
        "position": table.game.dump(state) if step else "",
        "legal": [] if past else legal(table, state, scene, you, language),
        "record": record(table),
        "sentences": sentences(table, language),
        "throw": last_throw(table, language),
        "asks": asks(table, you, language),
        "chat": chat(table, language),
        "result": result(table, language),
        "dice": dice(table),
        "next": table.next,
    }


def step_at(table: Table, at: int | None) -> Step | None:
    """Return the last step up to an event, or the last one."""
    steps = [step for step in table.steps if at is None or step.seq <= at] or table.steps[:1]
    return steps[-1] if steps else None


def preview(table: Table) -> State:
    """Return what to show before the start: the position to play on from, or a set-up as it might be drawn."""
    return table.game.load(table.terms.position) if table.terms.position else table.game.start(lambda n: 0)


def terms(table: Table) -> View:
    """Return how the table is kept."""
    one = table.terms
    clock = {"kind": one.clock.kind, "base": one.clock.base, "add": one.clock.add} if one.clock else None
    return {
        "clock": clock,
        "sitting": one.sitting,
        "watching": one.watching,
        "chat": one.chat,
        "hints": one.hints,
        "starts": one.starts,
        "rules": table.game.kind.version,
    }


def match(table: Table) -> View:
    """Return how the match stands, this game counted once it is over."""
    won, shared, points = standing(table, table.result)
    return {
        "id": table.match.id,
        "number": table.match.number,
        "previous": table.match.previous,
        "won": list(won),
        "shared": list(shared),
        "points": list(points),
    }


def seat(table: Table, number: int, language: str, now: float | None) -> View:
    """Return one seat."""
    one, state = table.seats[number], table.state
    return {
        "seat": number,
        "sign": sign(table, number, language),
        "name": name(one, language),
        "kind": one.player,
        "level": one.level,
        "left": one.left,
        "contributed": one.contributed,
        "score": int(state.position.score(number)) if state else 0,
        "asked": number in table.asked,
        "clock": clock(table, number, now),
        "hints": sum(1 for _, hinted, _ in table.hints if hinted == number),
    }


def clock(table: Table, number: int, now: float | None) -> View | None:
    """Return what a seat has left in milliseconds, and whether it is running."""
    if table.clock is None or table.seats[number].player == "program":
        return None
    running = number in table.clock.since and table.phase == PLAYING and table.awake
    left = table.clock.left_at(number, now) if running and now is not None else table.clock.left[number]
    return {"left": max(0, left), "running": running}


def node(table: Table, state: State, language: str) -> View:
    """Return who acts next, and the sentence that asks for it."""
    doors = door_words(language)
    if table.result:
        return {"kind": "over", "seats": [], "ask": " ".join(ending(table, language))}
    if table.phase != PLAYING:
        ready = all(one.player != "nobody" for one in table.seats)
        return {"kind": "waiting", "seats": [], "ask": doors("ask ready" if ready else "ask waiting")}
    match state.node:
        case Decision(seats, ask):
            return {"kind": "decision", "seats": list(seats), "ask": table.game.kind.words(language).say(ask)}
        case Chance():
            return {"kind": "chance", "seats": [state.turn], "ask": ""}
    return {"kind": "over", "seats": [], "ask": doors("ask over")}


def scene_view(scene: Scene) -> View:
    """Return the board as data."""
    return {
        "width": scene.width,
        "height": scene.height,
        "title": scene.title,
        "backdrop": scene.backdrop,
        "cells": [{"name": one.name, "x": one.x, "y": one.y, "symbol": one.symbol, "label": one.label, "turn": one.turn} for one in scene.cells],
        "pieces": [
            {
                "id": one.id,
                "symbol": one.symbol,
                "x": one.x,
                "y": one.y,
                "turn": one.turn,
                "scale": one.scale,
                "label": one.label,
                "cell": one.cell,
                "level": one.level,
            }
            for one in scene.pieces
        ],
        "tracks": [{"points": [list(point) for point in one.points], "width": one.width, "colour": one.colour} for one in scene.tracks],
        "labels": [{"text": one.text, "x": one.x, "y": one.y, "size": one.size, "colour": one.colour} for one in scene.labels],
        "counters": [{"name": one.name, "value": one.value, "seat": one.seat, "text": one.text} for one in scene.counters],
        "marks": list(scene.marks),
    }


def legal(table: Table, state: State, scene: Scene, you: tuple[int, ...], language: str) -> list[View]:
    """Return every action that the viewer may play, with the touches that lead to it.

    What no cell leads to has the sentence of its `button`; so has what the game has words for (`button .`). Where the same
    touches lead to several actions, `said` tells them apart.
    """
    if table.phase != PLAYING:
        return []
    game, found, bare = table.game, [], replace(scene, marks=())
    known = {cell.name for cell in scene.cells}
    sentences = game.kind.words(language).sentences
    for number in table.asked:
        if number not in you:
            continue
        acts = [(action, token := game.notate(action), game.kind.touches(game, bare, token)) for action in state.legal(number)]
        often = Tally(touches for _, _, touches in acts)
        for action, token, touches in acts:
            one: View = {"seat": number, "token": token, "touches": list(touches)}
            if f"button {token}" in sentences:
                one["button"] = sentences[f"button {token}"]
            elif known.isdisjoint(touches):
                one["button"] = told_ahead(state, action, language)
            elif often[touches] > 1:
                one["said"] = told_ahead(state, action, language)
            found.append(one)
    return found


def told_ahead(state: State, action: int, language: str) -> str:
    """Return what would be told first of an action."""
    kind = state.game.kind
    after = state.play(action)
    return " ".join(kind.words(language).say(message) for message in kind.tell(state.game, state.position, action, after.position)[:1])


def record(table: Table) -> list[View]:
    """Return the turns played: who, the tokens and the event of the last one.

    Only where there is something to say: `seqs`, the event of each of several tokens; `throws`, which of them were thrown; `hints` shown.
    """
    turns: list[View] = []
    seen = table.steps[0].seq if table.steps else 0
    for mover, steps in groupby(table.steps[1:], key=lambda step: step.state.mover):
        turn = list(steps)
        hints = [tokens for seq, hinted, tokens in table.hints if hinted == mover and seen < seq < turn[-1].seq]
        one: View = {"seat": mover, "tokens": [step.token for step in turn], "seq": turn[-1].seq}
        if len(turn) > 1:
            one["seqs"] = [step.seq for step in turn]
        if any(step.kind == "threw" for step in turn):
            one["throws"] = [step.kind == "threw" for step in turn]
        if hints:
            one["hints"] = hints
        turns.append(one)
        seen = turn[-1].seq
    return turns


def sentences(table: Table, language: str) -> list[View]:
    """Return what happened last, oldest first."""
    return [
        {"seq": event.seq, "kind": event.kind, "seat": event.seat, "text": text, "at": event.at}
        for event in table.events[-LAST:]
        for text in told(table, event, language)
        if text
    ]


def last_throw(table: Table, language: str) -> View | None:
    """Return the last throw with its exact odds, and those of every other that could have come."""
    at = next((n for n in range(len(table.steps) - 1, 0, -1) if table.steps[n].kind == "threw"), None)
    if at is None:
        return None
    step, before = table.steps[at], table.steps[at - 1].state.node
    outcomes = dict(before.outcomes) if isinstance(before, Chance) else {}
    odds = outcomes.get(step.state.action, Fraction(0))
    return {
        "seq": step.seq,
        "seat": step.seat,
        "token": step.token,
        "odds": str(odds),
        "outcomes": [{"token": table.game.notate(action), "odds": str(chance)} for action, chance in outcomes.items()],
    }


def asks(table: Table, you: tuple[int, ...], language: str) -> list[View]:
    """Return what is asked, and which of the viewer's seats have still to answer."""
    return [
        {
            "what": ask.what,
            "seat": ask.seat,
            "seq": ask.seq,
            "answer": [number for number in table.others(ask.seat) if number in you and number not in ask.yes],
            "text": door_words(language)(
                f"told asked {ask.what}", seat=door_words(language)("somebody") if ask.seat is None else sign(table, ask.seat, language)
            ),
        }
        for ask in table.asks.values()
    ]


def chat(table: Table, language: str) -> View:
    """Return what can be said here (the sentence of a key is `phrase KEY` in `locale`), and what was said last."""
    none = table.terms.chat == "none"
    return {
        "phrases": [] if none else list(PHRASES),
        "reactions": [] if none else list(REACTIONS),
        "text": free_text(table),
        "said": [
            {
                "seq": event.seq,
                "seat": event.seat,
                "at": event.at,
                "phrase": event.payload.get("phrase", ""),
                "text": " ".join(told(table, event, language)),
            }
            for event in table.talk
        ],
    }


def result(table: Table, language: str) -> View | None:
    """Return how it ended."""
    if table.result is None:
        return None
    one = table.result
    return {"scores": list(one.scores), "winners": list(one.winners), "reason": one.reason, "sentences": ending(table, language)}


def dice(table: Table) -> View:
    """Return what is known of the dice: the seal from the first event on, the secret only after the end."""
    revealed = any(event.kind == "revealed" for event in table.events[-LAST * 4 :]) if table.result else False
    return {
        "commitment": table.commitment,
        "contributions": [{"seat": number, "bytes": data.hex()} for number, data in table.contributions],
        "secret": table.secret.hex() if revealed and table.secret else None,
    }
