"""A state is a value: who acts next, what is legal, why something is not, and the state after an action."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from tablee.core.bits import members
from tablee.core.kind import Setup
from tablee.core.position import CHANCE, OVER, Position, listed
from tablee.core.ruling import IllegalAction, Message, Refusal
from tablee.core.scene import Scene
from tablee.core.svg import paint
from tablee.core.text import write

if TYPE_CHECKING:
    from tablee.core.game import Game

DICE = -1


@dataclass(frozen=True)
class Decision:
    """These seats may act, in any order where they are several; `ask` is what is asked of them."""

    seats: tuple[int, ...]
    ask: Message


@dataclass(frozen=True)
class Chance:
    """A throw is due: every outcome, as an action, with its exact odds."""

    outcomes: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Over:
    """The game has ended: the scores by seat, the paragraph that ended it, and the seats that won or share the win."""

    scores: tuple[int, ...]
    reason: str
    winners: tuple[int, ...]


Node = Decision | Chance | Over


class State:
    """One moment of a game; playing gives a new state, and the old one stays as it is."""

    def __init__(
        self, game: "Game", position: Position, setup: Setup | None, previous: "State | None" = None, action: int = -1, mover: int = DICE
    ) -> None:
        """Take over a position that nobody changes any more; `mover` is the seat that played or threw the last action."""
        self.game = game
        self.position = position
        self.setup = setup
        self.previous = previous
        self.action = action
        self.mover = mover

    @cached_property
    def node(self) -> Node:
        """Who acts next."""
        position = self.position
        actor = position.actor()
        if actor == OVER:
            scores = tuple(int(position.score(seat)) for seat in range(self.game.seats))
            return Over(scores, position.reason(), tuple(members(position.winners())))
        if actor == CHANCE:
            return Chance(odds(position))
        return Decision(tuple(members(position.actors())), self.game.kind.ask(self.game, position))

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.position.turn())

    def legal(self, seat: int | None = None) -> list[int]:
        """Return the legal actions of a seat, or of every seat that may act; at a chance node, the throws."""
        match self.node:
            case Over():
                return []
            case Chance(outcomes):
                return [action for action, _ in outcomes] if seat is None else []
            case Decision(seats, _):
                return [action for one in seats if seat is None or seat == one for action in self.listed[one]]

    @cached_property
    def listed(self) -> dict[int, list[int]]:
        """What the fast statement of the rules lists for each seat that may act."""
        return {seat: listed(self.position, seat, self.game.action_count) for seat in members(self.position.actors())}

    def best_at_once(self, seat: int) -> list[int]:
        """Return the legal actions after which the seat stands best at a glance: what a greedy player plays."""
        child = self.position.copy()
        standings: dict[int, int] = {}
        for action in self.legal(seat):
            child.copy_from(self.position)
            child.play(action)
            standings[action] = int(child.standing(seat))
        highest = max(standings.values(), default=0)
        return [action for action, standing in standings.items() if standing == highest]

    def refusal(self, seat: int, action: int) -> Refusal | None:
        """Return why the slow statement of the rules refuses an action of a seat (DICE throws), or None."""
        self.game.notate(action)
        rulings = self.game.kind.rulings(self.game, self.position, seat, action)
        return Refusal(tuple(rulings)) if rulings else None

    def play(self, action: int) -> "State":
        """Return the state after a legal action or a throw; raise `IllegalAction` with the refusal otherwise."""
        match self.node:
            case Decision(seats, _):
                mover = next((seat for seat in seats if action in self.listed[seat]), None)
            case _:
                mover = self.turn if action in self.legal() else None
        if mover is None:
            raise self.illegal(action)
        position = self.position.copy()
        position.play(action)
        return State(self.game, position, self.setup, self, action, mover)

    def illegal(self, action: int) -> IllegalAction:
        """Return the error for an action nobody may play now: the refusal of the seat it concerns most."""
        seats = self.node.seats if isinstance(self.node, Decision) else (DICE,)
        refusals = [refusal for seat in seats if (refusal := self.refusal(seat, action))]
        refusal = min(refusals, key=lambda one: len(one.rulings))
        cited = ", ".join(f"{self.game.kind.title} {paragraph}" for paragraph in refusal.paragraphs)
        words = self.game.kind.words("en")
        said = " ".join(words.say(ruling.message) for ruling in refusal.rulings)
        return IllegalAction(f"{self.game.notate(action)!r} is refused by {cited}: {said}", refusal)

    def path(self) -> Iterator["State"]:
        """Give every state from the first to this one."""
        states = []
        state: State | None = self
        while state is not None:
            states.append(state)
            state = state.previous
        return reversed(states)

    def scene(self, language: str = "fr") -> Scene:
        """Return the board as data, the cells of the last action marked."""
        scene = self.game.kind.scene(self.game, self.position, self.game.kind.words(language))
        if self.previous is None:
            return scene
        return replace(scene, marks=self.game.kind.touches(self.game, scene, self.game.notate(self.action)))

    def svg(self, language: str = "fr") -> str:
        """Return the board painted as SVG."""
        return paint(self.scene(language), self.game.kind.text("art.svg"))

    def _repr_svg_(self) -> str:
        """Show the board in a notebook."""
        return self.svg()

    def __str__(self) -> str:
        """Return the board as text."""
        return write(self.scene())

    def __repr__(self) -> str:
        """Return what one would type."""
        return f"{self.game!r}.load({self.game.dump(self)!r})"


def odds(position: Position) -> tuple[tuple[int, Fraction], ...]:
    """Return every throw with its exact odds, in the order of their numbers."""
    cases = int(position.chances())
    weights: dict[int, int] = {}
    for case in range(cases):
        action = int(position.throw(case))
        weights[action] = weights.get(action, 0) + 1
    return tuple((action, Fraction(weight, cases)) for action, weight in sorted(weights.items()))
