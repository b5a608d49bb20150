"""Sentences of one language, from a gettext catalogue: whole sentences with facts in braces, never glued words."""

from collections.abc import Mapping
from io import BytesIO

from babel.messages.pofile import read_po

from tablee.core.errors import TableeError
from tablee.core.ruling import Fact, Message

LANGUAGES = ("fr", "en")


class Words:
    """The sentences of one language; call it with a key and facts, or with a `Message`.

    >>> Words("en", {"2.2": "the cell behind {cell} must be empty"})("2.2", cell="a7")
    'the cell behind a7 must be empty'
    """

    def __init__(self, language: str, sentences: Mapping[str, str]) -> None:
        """Keep the sentences by key."""
        self.language = language
        self.sentences = dict(sentences)

    def __call__(self, key: str, **facts: Fact) -> str:
        """Return the sentence of a key with the facts filled in.

        A fact that is itself the key `=name` of a sentence is replaced by that sentence: `{colour}` with `=white`.
        """
        try:
            sentence = self.sentences[key]
        except KeyError:
            raise TableeError(f"no sentence {key!r} in {self.language!r}") from None
        return sentence.format(**{name: self.fact(fact) for name, fact in facts.items()})

    def fact(self, fact: Fact) -> Fact:
        """Return a fact as it is said: a key that begins with `=` becomes its sentence."""
        if isinstance(fact, str) and fact.startswith("=") and fact in self.sentences:
            return self.sentences[fact]
        return fact

    def say(self, message: Message) -> str:
        """Return the sentence of a message."""
        return self(message.key, **message.facts)

    def __or__(self, other: "Words") -> "Words":
        """Return both together; the other's sentences win."""
        return Words(self.language, self.sentences | other.sentences)


def read_words(language: str, text: str) -> Words:
    """Return the sentences of a gettext catalogue given as text (msgid is the key, msgstr the sentence)."""
    catalogue = read_po(BytesIO(text.encode()), locale=language)
    return Words(language, {str(message.id): str(message.string) for message in catalogue if message.id})
