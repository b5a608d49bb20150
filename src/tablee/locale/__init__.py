"""The sentences of the doors, beside those that each game brings."""

import os

from tablee.core.words import Words, load_words


def words(language: str) -> Words:
    """Return the sentences of the doors in a language."""
    return load_words(__package__, "", "", language)


def spoken() -> str:
    """Return the language of the machine's locale: French if that is French, else English."""
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "fr" if named.startswith("fr") else "en"
