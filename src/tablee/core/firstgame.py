"""A guided first game: a few steps on the real board, declared in `firstgame.toml` of a game's folder and checked by its rules.

The file names the `seats` and `options`, then its `[[step]]`s. Each has the key of its sentence (`say`) in `firstgame.LANGUAGE.po`, and
either `play`, the action to be played, or `refused`, an action that the rules refuse, with the `paragraph` that refuses it. A step
begins with its own `position`, or where the step before ended; `then` are the actions and throws that follow by themselves.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.state import Decision, State
from tablee.core.words import Words, load_words

FILE = "firstgame.toml"
FIELDS = {"say", "position", "seat", "play", "refused", "paragraph", "then"}


@dataclass(frozen=True)
class FirstStep:
    """One step: the state in which it begins, the seat that learns, and what is expected; `after` follows an action played."""

    say: str
    state: State
    seat: int
    token: str
    paragraph: str = ""
    after: tuple[State, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the rules are expected to refuse the action."""
        return bool(self.paragraph)


def brings_first_game(kind: Kind) -> bool:
    """Return whether a game brings a guided first game."""
    return kind.brings(FILE)


def first_words(kind: Kind, language: str) -> Words:
    """Return the sentences of a guided first game."""
    return load_words(kind.package, "", "firstgame.", language)


@cache
def first_game(kind: Kind) -> tuple[FirstStep, ...]:
    """Return the steps of a game's guided first game; what does not fit the rules is an error that names the step."""
    if not brings_first_game(kind):
        raise TableeError(f"{kind.slug} has no guided first game: its folder has no {FILE}")
    try:
        declared = tomllib.loads(kind.text(FILE))
        game = choose(kind, declared.get("seats"), dict(declared.get("options", {})))
    except (TableeError, ValueError) as error:
        raise TableeError(f"{kind.slug}, {FILE}: {error}") from error
    steps: list[FirstStep] = []
    for number, fields in enumerate(declared.get("step", []), 1):
        try:
            steps.append(read_step(game, fields, steps[-1] if steps else None))
        except TableeError as error:
            raise TableeError(f"{kind.slug}, {FILE}, step {number}: {error}") from error
    return tuple(steps)


def read_step(game: Game, fields: Mapping[str, object], before: FirstStep | None) -> FirstStep:
    """Return one step, checked by the rules: what is to be played is legal, what is to be refused is refused by its paragraph."""
    if wrong := set(fields) - FIELDS:
        raise TableeError(f"unknown field {shown(min(wrong))}: expected some of {', '.join(sorted(FIELDS))}")
    if ("play" in fields) == ("refused" in fields):
        raise TableeError("expected either `play` or `refused`")
    if "say" not in fields:
        raise TableeError("expected `say`, the key of its sentence")
    state = begin(game, str(fields.get("position", "")), before)
    token = str(fields.get("play", fields.get("refused")))
    node = state.node
    if not isinstance(node, Decision):
        raise TableeError("nobody is to act here")
    given = fields.get("seat")
    seat = given - 1 if isinstance(given, int) else node.seats[0]
    if "play" in fields:
        after = [state.play(token, seat)]
        for each in fields.get("then", ()):  # type: ignore[attr-defined]
            after.append(after[-1].play(str(each)))
        return FirstStep(str(fields["say"]), state, seat, token, after=tuple(after))
    paragraph = str(fields.get("paragraph", ""))
    refusal = state.refusal(seat, token)
    if refusal is None or paragraph not in refusal.paragraphs:
        raise TableeError(f"{shown(token)} is refused by {', '.join(refusal.paragraphs) if refusal else 'nothing'}, not by {shown(paragraph)}")
    return FirstStep(str(fields["say"]), state, seat, token, paragraph)


def begin(game: Game, position: str, before: FirstStep | None) -> State:
    """Return the state in which a step begins: its own position, or the end of the step before."""
    if position:
        return game.load(position)
    if before is None:
        raise TableeError("the first step needs a position")
    return before.after[-1] if before.after else before.state
