"""A state is a value: who acts next, what is legal, why something is not, and the state after an action."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import index
from typing import TYPE_CHECKING

from tablee.core import position as fast
from tablee.core.bits import members
from tablee.core.draws import Draw, seeded
from tablee.core.errors import TableeError, shown
from tablee.core.kind import Setup
from tablee.core.node import Chance, Decision, Node, Outcomes, Over
from tablee.core.position import CHANCE, NOBODY, OVER, Position
from tablee.core.ruling import IllegalAction, Refusal, Ruling, reasons
from tablee.core.scene import Scene
from tablee.core.svg import paint
from tablee.core.text import write

if TYPE_CHECKING:
    from tablee.core.game import Game

__all__ = ["AGREED", "DICE", "Chance", "Decision", "Node", "Over", "State"]

DICE: int = CHANCE
AGREED = "agreed"
# A position takes more memory than the rest of a state, and this number of actions is played again in microseconds.
KEPT_EVERY = 32


class State:
    """One moment of a game; playing gives a new state, and the old one stays as it is.

    Two states are equal if game and position are; earlier positions count only where a rule looks at them. `agreed` says that
    the players have stopped the game here and counted the scores.
    """

    __slots__ = ("__weakref__", "_node", "_position", "action", "agreed", "game", "mover", "previous", "setup", "steps")

    def __init__(
        self, game: "Game", position: Position, setup: Setup | None, previous: "State | None" = None, action: int = -1, mover: int = DICE
    ) -> None:
        """Keep a position, which must not change any more; `mover` is the seat that played or threw the last action."""
        self.game = game
        self._position: Position | None = position
        self.setup = setup
        self.previous = previous
        self.action = action
        self.mover = mover
        self.agreed = False
        self.steps: int = 0 if previous is None else previous.steps + 1
        self._node: Node | None = None

    @property
    def position(self) -> Position:
        """The position; it must not be changed."""
        if self._position is None:
            assert self.previous is not None
            self._position = fast.after(self.previous.position, self.action)
        return self._position

    @property
    def node(self) -> Node:
        """Who acts next."""
        if self._node is None:
            self._node = self._find_node()
        return self._node

    def _find_node(self) -> Node:
        """Return who acts next; the odds and the question are computed on first use."""
        game, position = self.game, self.position
        actor = position.actor()
        if actor == OVER or self.agreed:
            reason = f"{game.kind.counted_by} {AGREED}" if self.agreed else position.reason()
            return Over(tuple(int(position.score(seat)) for seat in range(game.seats)), reason, tuple(members(position.winners())))
        if actor == CHANCE:
            return Chance(lambda: odds(position))
        return Decision(tuple(members(position.actors())), lambda: game.kind.ask(game, position))

    def let_go(self) -> None:
        """Drop what can be computed again: a long game has many states that are not looked at any more.

        Every `KEPT_EVERY`-th state keeps its position, from which the states in between are played again.
        """
        self._node = None
        if self.previous is not None and self.steps % KEPT_EVERY:
            self._position = None

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.position.turn())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.agreed or bool(self.position.actor() == OVER)

    @property
    def may_stop(self) -> bool:
        """Whether the players may agree to stop here and count the scores."""
        return bool(self.game.kind.counted_by) and not self.over

    def stop(self) -> "State":
        """Return the game stopped here because the players agreed on it, the scores counted as they stand; this is no action of the rules."""
        if not self.may_stop:
            why = "the game is over" if self.over else f"{self.game.slug} has no rule for it"
            raise TableeError(f"the players cannot agree to stop here: {why}")
        stopped = State(self.game, self.position, self.setup, self.previous, self.action, self.mover)
        stopped.agreed = True
        return stopped

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won or share the win; none while the game goes on."""
        return self.node.winners if isinstance(self.node, Over) else ()

    def legal(self, seat: int | None = None) -> list[int]:
        """Return the legal actions of a seat, or of every seat that may act; at a chance node, the throws."""
        if self.agreed:
            return []
        if seat is None:
            return fast.legal_actions(self.position, self.game.kind.action_count)
        if seat not in members(self.position.actors()):
            return []
        return fast.listed(self.position, seat, self.game.kind.action_count)

    def best_at_once(self, seat: int) -> list[int]:
        """Return the legal actions with the highest `standing` of the seat after them: what a greedy player plays."""
        child = self.position.copy()
        standings: dict[int, int] = {}
        for action in self.legal(seat):
            child.copy_from(self.position)
            child.play(action)
            standings[action] = int(child.standing(seat))
        highest = max(standings.values(), default=0)
        return [action for action, standing in standings.items() if standing == highest]

    def refusal(self, seat: int, action: int | str) -> Refusal | None:
        """Return why the slow statement of the rules refuses an action of a seat (DICE throws), or None."""
        if seat != DICE:
            self.game.check_seat(seat)
        number = self.number(action, max(seat, 0))
        if self.agreed:
            return Refusal((Ruling(self.game.kind.counted_by, AGREED),))
        rulings = self.game.kind.rulings(self.game, self.position, seat, number)
        return Refusal(tuple(rulings)) if rulings else None

    def play(self, action: int | str, seat: int | None = None) -> "State":
        """Return the state after a legal action or a throw, given as a number or a token.

        Raise `IllegalAction` with the refusal otherwise. A token needs `seat` where several seats may act.
        """
        number = self.number(action, seat)
        mover = fast.mover(self.position, number, self.game.kind.action_count)
        if self.agreed or mover == NOBODY or (seat is not None and seat != mover):
            raise self.illegal(number, seat)
        return State(self.game, fast.after(self.position, number), self.setup, self, number, mover)

    def throw(self, draw: Draw | int) -> "State":
        """Return the state after a throw with the odds of the rules; `draw(n)` gives a fair number below n, a seed repeats."""
        number = self.drawn(draw if callable(draw) else seeded(whole_number(draw, "seed"), self.steps))
        return State(self.game, fast.after(self.position, number), self.setup, self, number, self.turn)

    def drawn(self, draw: Draw) -> int:
        """Return the number of the throw that is drawn here, without playing it."""
        position = self.position
        if self.agreed or position.actor() != CHANCE:
            raise TableeError("no throw is due: " + ("the game is over" if self.over else f"seat {self.turn} may act"))
        return int(position.throw(draw(int(position.chances()))))

    def number(self, action: int | str, seat: int | None = None) -> int:
        """Return the number of an action that is given as a number or a token."""
        if isinstance(action, str):
            return self.game.parse(action, self.reader(action) if seat is None else seat)
        number = whole_number(action, "action: expected a number or a token")
        if not 0 <= number < self.game.kind.action_count:
            self.game.notate(number)
        return number

    def reader(self, token: str) -> int:
        """Return the seat whose token this must be, or raise where several seats may act."""
        seats = members(self.position.actors())
        if len(seats) > 1:
            raise TableeError(f"{shown(token)} may be an action of several seats: name one, seat={' or seat='.join(map(str, seats))}")
        return seats[0] if seats else self.turn

    def illegal(self, action: int, seat: int | None = None) -> IllegalAction:
        """Return the error for an action that nobody may play now, with the refusal that has the fewest rulings."""
        acting = members(self.position.actors()) or [DICE]
        refusals = [refusal for asked in (acting if seat is None else [seat]) if (refusal := self.refusal(asked, action))]
        refusal = min(refusals, key=lambda candidate: len(candidate.rulings))
        cited = ", ".join(f"{self.game.kind.title} {paragraph}" for paragraph in refusal.paragraphs)
        said = reasons(self.game, refusal, "en")
        return IllegalAction(f"{self.game.notate(action)!r} is refused by {cited}: {said}", refusal, self.game)

    def told(self, language: str = "fr") -> list[str]:
        """Return the sentences for what the last action did; none for the first state."""
        if self.previous is None:
            return []
        kind = self.game.kind
        words = kind.words(language)
        return [words.say(message) for message in kind.tell(self.game, self.previous.position, self.action, self.position)]

    def seat_name(self, seat: int, language: str = "fr") -> str:
        """Return what a seat is called: its colour or its number."""
        return self.game.kind.words(language)(self.seat_key(seat))

    def seat_key(self, seat: int) -> str:
        """Return the key of the words that name a seat."""
        return self.game.kind.seat_key(self.game, self.position, seat)

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
        return scene.marked(self.game.kind.touches(self.game, scene, self.game.notate(self.action)))

    def scenes(self, language: str = "fr") -> list[Scene]:
        """Return the boards to show after the last action: a throw before its effect, where the board no longer shows it, then the board."""
        return [*self.throw_scenes(language), self.scene(language)]

    def throw_scenes(self, language: str = "fr") -> Sequence[Scene]:
        """Return the boards before that of this state: a throw before its effect, where the last action was one that the board no longer shows."""
        kind, before = self.game.kind, self.previous
        if before is None or before.position.actor() != CHANCE:
            return ()
        return kind.throw_scenes(self.game, before.position, self.action, self.position, kind.words(language))

    def svg(self, language: str = "fr") -> str:
        """Return the board painted as SVG."""
        return paint(self.scene(language), self.game.kind.text("art.svg"))

    def _repr_svg_(self) -> str:
        """Show the board in a notebook."""
        return self.svg()

    def __str__(self) -> str:
        """Return the board as text."""
        return write(self.scene())

    def __eq__(self, other: object) -> bool:
        """Return whether game and position are equal, with the history where a rule looks at it."""
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (self.game == other.game and self.position == other.position and self.agreed == other.agreed)

    def __hash__(self) -> int:
        """Return a number that is equal for equal states."""
        return hash((self.game, self.position))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes the state again: the first position, then every action."""
        first, *rest = self.path()
        return replayed, (self.game, first.position, self.setup, [(state.action, state.mover) for state in rest], self.agreed)

    def __copy__(self) -> "State":
        """Return the state itself, which is immutable."""
        return self

    def __deepcopy__(self, memo: object) -> "State":
        """Return the state itself, which is immutable."""
        return self

    def __repr__(self) -> str:
        """Return Python code that makes an equal value."""
        return f"{self.game!r}.load({self.game.dump(self)!r})"


def odds(position: Position) -> Outcomes:
    """Return every throw with its exact odds, in the order of their numbers."""
    cases = int(position.chances())
    weights: dict[int, int] = {}
    for case in range(cases):
        action = int(position.throw(case))
        weights[action] = weights.get(action, 0) + 1
    return tuple((action, Fraction(weight, cases)) for action, weight in sorted(weights.items()))


def replayed(game: "Game", position: Position, setup: Setup | None, actions: list[tuple[int, int]], agreed: bool = False) -> State:
    """Return the state after legal actions, each with the seat that played it; stopped there, if that was agreed."""
    state = State(game, position, setup)
    for action, mover in actions:
        state = State(game, fast.after(state.position, action), setup, state, action, mover)
    return state.stop() if agreed else state


def whole_number(given: object, what: str) -> int:
    """Return a whole number, or raise the error that says what it should have been."""
    if type(given) is int:
        return given
    try:
        if isinstance(given, bool):
            raise TypeError
        return index(given)  # type: ignore[arg-type]
    except TypeError:
        raise TableeError(f"{shown(repr(given))} is no {what}") from None
