"""Errors that outside data can cause; each says what was given, what is wrong and what was expected."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from types import MappingProxyType
from typing import Self


class TableeError(ValueError):
    """Any error that outside data can cause; its text is one clear sentence.

    `key` and `facts` are its sentence in the words of the game or of the pages, where players can cause it by a choice.
    """

    key: str = ""
    facts: Mapping[str, int | str] = MappingProxyType({})

    def with_key(self, key: str, **facts: int | str) -> Self:
        """Return the error with its sentence for players."""
        self.key, self.facts = key, facts
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes the error again, so that it can cross a process pool."""
        return restored_error, (type(self), self.args, vars(self))


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
        """Keep where it went wrong; line 0 means the whole record."""
        where = f"line {line}: " if line else ""
        super().__init__(where + (f"{shown(token)}: " if token and shown(token) not in wrong else "") + wrong)
        self.line = line
        self.token = token
        self.paragraphs = paragraphs


def restored_error(kind: type[TableeError], args: tuple[object, ...], fields: dict[str, object]) -> TableeError:
    """Return an error that was pickled, with its text and its fields."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


def shown(text: str) -> str:
    """Return outside text quoted, cut short, and safe to print on one line."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownName:
    """Return the error for an unknown name, with the nearest known name and the full list."""
    names = list(known)
    near = get_close_matches(given[:60], names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return UnknownName(f"unknown {what} {shown(given)}{hint}: known are {', '.join(names)}")


@contextmanager
def needing(what: str, extra: str) -> Iterator[None]:
    """Import what an extra of the package brings; if it is missing, raise the error that names the command to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "tablee":
            raise
        raise TableeError(f"{what} needs the extra {extra!r} ({error.name} is missing): pip install 'tablee[{extra}]'") from error
