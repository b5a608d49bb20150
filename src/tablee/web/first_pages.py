"""The guided first game of a game: a few steps on the real board. Nothing is stored: the declaration of each step gives its state."""

import re
from dataclasses import replace

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tablee import catalog
from tablee.core.errors import UnknownName
from tablee.core.firstgame import FirstStep, brings_first_game, first_game, first_words
from tablee.core.kind import Kind
from tablee.tables import view_types as v
from tablee.tables.refused import Refused
from tablee.tables.scene_views import scene_view
from tablee.tables.view import playable
from tablee.web.pages import as_json, page, whole_number
from tablee.web.routing import Pages
from tablee.web.rulepage import essentials
from tablee.web.shelf import card, draw_board
from tablee.web.visitors import read_visitor
from tablee.web.words import page_words

# In the sentences of a first game: [a7] and [c|the clubs] are cells to touch, [=.|End the turn] a button to press.
PLACE = re.compile(r"\[(=?)([^|\]]+)(?:\|([^\]]+))?\]")
SENTENCES = ("cell empty", "cell lit", "which action", "not from here", "why", "how many")

router = Pages("/first/{slug}")


@router.get("")
async def show_first_game(request: Request, slug: str) -> Response:
    """Show a step of the guided first game; the first one, unless the address names another."""
    language = read_visitor(request).language
    kind, number = kind_with_first_game(slug), whole_number(request.query_params.get("step", ""), 1)
    steps = first_game(kind)
    step = step_at(steps, number)
    words = page_words(language)
    return page(
        request,
        "first.html",
        card=card(slug, language),
        number=number,
        count=len(steps),
        aim=aim(slug, language),
        sentence=sentence(kind, step.say, language),
        end=first_words(kind, language)("end"),
        board=Markup(draw_board(kind, step.state.scene(language))),
        step_json=as_json(step_view(steps, number, language)),
        sentences_json=as_json({key: words.sentences[key] for key in SENTENCES}),
    )


def aim(slug: str, language: str) -> str:
    """Return the aim of a game in one sentence: how its essentials begin, or the line of its card."""
    said = [part.html for part in essentials(slug, language, art=False) if part.kind == "html"]
    return said[0].striptags() if said else card(slug, language).line


@router.get("/{number:int}/try")
async def try_action(request: Request, slug: str, number: int) -> Response:
    """Say what the rules make of an action that the learner tries in a step; nothing is changed."""
    language = read_visitor(request).language
    kind = kind_with_first_game(slug)
    steps = first_game(kind)
    step = step_at(steps, number)
    answer = tried(kind, step, request.query_params.get("token", "")[:40], language)
    following = step_view(steps, number + 1, language) if answer["done"] and number < len(steps) else None
    return Response(msgspec.json.encode({**answer, "next": following}), media_type="application/json")


def kind_with_first_game(slug: str) -> Kind:
    """Return a game that brings a guided first game."""
    kind = catalog.kind(slug)
    if not brings_first_game(kind):
        raise UnknownName(f"{slug} has no guided first game")
    return kind


def step_at(steps: tuple[FirstStep, ...], number: int) -> FirstStep:
    """Return a step by its number, counted from 1."""
    if not 1 <= number <= len(steps):
        raise UnknownName(f"no step {number}: expected 1 to {len(steps)}")
    return steps[number - 1]


def tried(kind: Kind, step: FirstStep, token: str, language: str) -> dict[str, object]:
    """Return whether the expected thing was tried, what it does or why it is refused, and the boards after it."""
    game = step.state.game
    action = game.parse(token, step.seat)
    refusal = step.state.refusal(step.seat, action)
    expected = game.parse(step.token, step.seat) == action
    if refusal:
        rulings = [ruling for ruling in refusal.rulings if ruling.paragraph == step.paragraph] or list(refusal.rulings)
        text = Refused("rules", "rules", kind=kind, refusal=replace(refusal, rulings=tuple(rulings))).plainly(language)
        return {
            "done": expected and step.refused,
            "refused": True,
            "text": text,
            "paragraph": rulings[0].paragraph,
            "cells": refusal.cells,
            "boards": [],
        }
    if not expected:
        return {"done": False, "refused": False, "text": page_words(language)("first other"), "paragraph": "", "cells": [], "boards": []}
    sentences = [text for state in step.after for text in state.told(language)]
    boards = [scene_view(scene) for state in step.after for scene in state.scenes(language)]
    return {"done": True, "refused": False, "text": " ".join(sentences), "paragraph": "", "cells": [], "boards": boards}


def step_view(steps: tuple[FirstStep, ...], number: int, language: str) -> dict[str, object]:
    """Return a step as its page needs it: the board, what can be tried, what to touch, and the sentence."""
    step = step_at(steps, number)
    kind, game = step.state.game.kind, step.state.game
    scene = replace(step.state.scene(language), marks=())
    return {
        "number": number,
        "scene": scene_view(scene),
        "acts": acts(step, language),
        "touches": kind.touches(game, scene, step.token),
        "sentence": sentence(kind, step.say, language),
    }


def acts(step: FirstStep, language: str) -> list[v.LegalView]:
    """Return what the learner can try: every legal action, and the one that is to be refused."""
    state = step.state
    action = state.game.parse(step.token, step.seat)
    refused = () if action in state.legal(step.seat) else (action,)
    return playable(state, step.seat, replace(state.scene(language), marks=()), language, refused)


def sentence(kind: Kind, key: str, language: str) -> list[dict[str, str]]:
    """Return a sentence of a first game in pieces: plain words, and places to touch with the cell or the button that they mean."""
    text = first_words(kind, language)(key)
    pieces, at = [], 0
    for place in PLACE.finditer(text):
        pieces.append({"text": text[at : place.start()], "touch": "", "button": ""})
        button = bool(place[1])
        pieces.append({"text": place[3] or place[2], "touch": "" if button else place[2], "button": place[2] if button else ""})
        at = place.end()
    return [*pieces, {"text": text[at:], "touch": "", "button": ""}]
