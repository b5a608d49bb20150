"""The sentences of the doors, beside those that each game brings."""

from functools import cache
from importlib.resources import files

from tablee.core.errors import unknown
from tablee.core.words import LANGUAGES, Words, read_words


@cache
def words(language: str) -> Words:
    """Return the sentences of the doors in a language."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    return read_words(language, files(__package__).joinpath(f"{language}.po").read_text(encoding="utf-8"))
