"""Sentences of one language, from a gettext catalogue: complete sentences with facts in braces, never assembled from words."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from tablee.core.catalogue import read_catalogue, read_mo_alone
from tablee.core.errors import TableeError, unknown
from tablee.core.ruling import Fact, Message

LANGUAGES = ("fr", "en")
# How many sentences with their facts a language remembers.
MOST_SAID = 4096


class Words:
    """The sentences of one language; call it with a key and facts, or with a `Message`.

    >>> Words("en", {"2.2": "the cell behind {cell} must be empty"})("2.2", cell="a7")
    'the cell behind a7 must be empty'
    """

    def __init__(self, language: str, sentences: Mapping[str, str]) -> None:
        """Keep the sentences by key."""
        self.language = language
        self.sentences = dict(sentences)
        self.said: dict[tuple[object, ...], str] = {}

    def __call__(self, key: str, **facts: Fact) -> str:
        """Return the sentence of a key with the facts filled in.

        A fact that is itself the key `=name` of a sentence is replaced by that sentence: `{colour}` with `=white`.
        """
        try:
            sentence = self.sentences[key]
        except KeyError:
            raise TableeError(f"no sentence {key!r} in {self.language!r}") from None
        for name, fact in facts.items():
            if isinstance(fact, str) and fact[:1] == "=":
                facts[name] = self.sentences.get(fact, fact)
        return sentence.format(**facts) if "{" in sentence else sentence

    def say(self, message: Message) -> str:
        """Return the sentence of a message; many are said again and again, to each listener and after each move."""
        asked = (message.key, *message.facts.items())
        sentence = self.said.get(asked)
        if sentence is None:
            if len(self.said) >= MOST_SAID:
                self.said.clear()
            sentence = self.said[asked] = self(message.key, **message.facts)
        return sentence

    def __or__(self, other: "Words") -> "Words":
        """Return both together; the other's sentences win."""
        return Words(self.language, self.sentences | other.sentences)


@cache
def load_words(package: str, folder: str, prefix: str, language: str) -> Words:
    """Return the sentences of a package in a language, read once from `folder/prefixLANGUAGE.po` or its compiled .mo file; either will do."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    place = files(package).joinpath(folder) if folder else files(package)
    compiled = place.joinpath(f"{prefix}{language}.mo")
    source = place.joinpath(f"{prefix}{language}.po")
    if not source.is_file() and compiled.is_file():
        return Words(language, read_mo_alone(compiled.read_bytes()))
    return Words(language, read_catalogue(source.read_bytes(), compiled.read_bytes() if compiled.is_file() else None))
