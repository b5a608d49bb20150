"""What goes wrong, said in one sentence: what was given, what is wrong, what was expected."""

from collections.abc import Iterable
from difflib import get_close_matches


class TableeError(ValueError):
    """The mother of all errors that outside data can cause; its text is one clear sentence."""


class UnknownName(TableeError):
    """A game, an option, a value or a player that does not exist."""


class NotationError(TableeError):
    """A token that names no action; `paragraph` is the rule that no action of the game could follow, if one says so."""

    def __init__(self, token: str, expected: str, paragraph: str = "") -> None:
        """Keep the token and say what was expected."""
        super().__init__(f"{shown(token)} is no action: expected {expected}" + (f" ({paragraph})" if paragraph else ""))
        self.token = token
        self.paragraph = paragraph


class PositionError(TableeError):
    """A line that is no position of the game; `paragraph` is the rule it breaks, if one says so."""

    def __init__(self, line: str, wrong: str, paragraph: str = "") -> None:
        """Keep the line and say what is wrong with it."""
        super().__init__(f"{shown(line)} is no position: {wrong}" + (f" ({paragraph})" if paragraph else ""))
        self.line = line
        self.paragraph = paragraph


class RecordError(TableeError):
    """A record that cannot be read or breaks a rule, with the line and the token where it does."""

    def __init__(self, line: int, token: str, wrong: str, paragraphs: tuple[str, ...] = ()) -> None:
        """Keep where it went wrong; line 0 speaks of the whole record."""
        where = f"line {line}: " if line else ""
        super().__init__(where + (f"{shown(token)}: " if token and shown(token) not in wrong else "") + wrong)
        self.line = line
        self.token = token
        self.paragraphs = paragraphs


def shown(text: str) -> str:
    """Return outside text quoted, cut short, and safe to print on one line."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownName:
    """Return the error for a name nobody knows, with the nearest one and the whole list."""
    names = list(known)
    near = get_close_matches(given[:60], names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return UnknownName(f"unknown {what} {shown(given)}{hint}: known are {', '.join(names)}")
