"""Why an action is refused: the numbered paragraphs it breaks, the cells concerned, and the facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError

if TYPE_CHECKING:
    from tablee.core.game import Game

Fact = int | str


@dataclass(frozen=True)
class Message:
    """A sentence as data: its key in the words of the game, and its facts."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True)
class Ruling:
    """One broken paragraph; `case` is the way of breaking it; each case has a sentence of its own."""

    paragraph: str
    case: str = ""
    cells: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)

    @property
    def message(self) -> Message:
        """The sentence that says it: key `2.1` or, with a case, `2.1 case`."""
        return Message(f"{self.paragraph} {self.case}".strip(), self.facts)


@dataclass(frozen=True)
class Refusal:
    """All the rulings against one action, in the order of the paragraphs."""

    rulings: tuple[Ruling, ...]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Every broken paragraph, once."""
        return tuple(dict.fromkeys(ruling.paragraph for ruling in self.rulings))

    @property
    def cells(self) -> tuple[str, ...]:
        """Every cell concerned, once."""
        return tuple(dict.fromkeys(cell for ruling in self.rulings for cell in ruling.cells))

    @property
    def facts(self) -> dict[str, Fact]:
        """The facts of all rulings together."""
        return {name: fact for ruling in self.rulings for name, fact in ruling.facts.items()}


class IllegalAction(TableeError):
    """An action that the rules refuse; carries the same `Refusal` that `State.refusal` gives."""

    def __init__(self, text: str, refusal: Refusal, game: "Game") -> None:
        """Keep the refusal beside the sentence, and the game, which has its words in every language."""
        super().__init__(text)
        self.refusal, self.game = refusal, game

    def reasons(self, language: str) -> str:
        """Return the sentences of the broken paragraphs in a language."""
        return reasons(self.game, self.refusal, language)


def reasons(game: "Game", refusal: Refusal, language: str) -> str:
    """Return the sentences of a refusal, one for each broken paragraph."""
    words = game.kind.words(language)
    return " ".join(words.say(ruling.message) for ruling in refusal.rulings)
