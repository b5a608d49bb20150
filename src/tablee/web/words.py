"""The sentences of the pages, beside those of the doors and those that each game brings."""

from tablee.core.words import LANGUAGES, Words, load_words


def page_words(language: str) -> Words:
    """Return the sentences of the pages in a language."""
    return load_words("tablee.web", "locale", "", language)


def figures(number: int, language: str) -> str:
    """Return a number as it is written in a language: its thousands stand apart.

    >>> figures(10000, "en")
    '10,000'
    """
    return f"{number:,}".replace(",", "\u202f") if language == "fr" else f"{number:,}"


def wanted_language(accepted: str) -> str:
    """Return the first of our languages that a browser accepts, by its own weights; French where it names none of ours.

    >>> wanted_language("de, en-GB;q=0.8, fr;q=0.3")
    'en'
    """
    best, highest = LANGUAGES[0], 0.0
    for part in accepted[:400].split(","):
        name, _, weight = part.partition(";")
        language = name.strip().lower().partition("-")[0]
        quality = read_quality(weight)
        if language in LANGUAGES and quality > highest:
            best, highest = language, quality
    return best


def read_quality(text: str) -> float:
    """Return the weight of `q=0.8`; 1 where none is given, 0 where it cannot be read."""
    name, equals, value = text.strip().partition("=")
    if not name:
        return 1.0
    digits = value.strip()
    if name.strip() != "q" or not equals or len(digits) > 5 or not digits.isascii() or not digits.replace(".", "", 1).isdigit():
        return 0.0
    return min(float(digits), 1.0)
