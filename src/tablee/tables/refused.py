"""The refusal of a command, with a sentence in every language."""

from collections.abc import Mapping
from typing import Literal, get_args

from tablee.core.errors import TableeError
from tablee.core.kind import Kind
from tablee.core.ruling import Fact, Refusal
from tablee.locale import words

Code = Literal["token", "rules", "turn", "stale", "again", "unreadable", "time", "phase", "limit"]
CODES: tuple[Code, ...] = get_args(Code)


class Refused(TableeError):
    """Something that the table does not do; nothing has changed.

    `code` says which sort: `token` (not yours to do), `rules` (see `refusal`), `turn`, `stale` (the board has changed: look again),
    `again` (the `move_id` was used for something else), `unreadable`, `time`, `phase` (not now), `limit` (too much).
    `key` and `facts` are its sentence in `locale`; `say(language)` says it.
    """

    def __init__(
        self,
        code: Code,
        key: str,
        facts: Mapping[str, Fact] | None = None,
        *,
        kind: Kind | None = None,
        refusal: Refusal | None = None,
        paragraph: str = "",
    ) -> None:
        """Keep the key and the facts; with a refusal of the rules also the kind of game, which has its sentences."""
        self.code = code
        self.key = key
        self.facts = dict(facts or {})
        self.kind = kind
        self.refusal = refusal
        self.paragraphs = refusal.paragraphs if refusal else (paragraph,) if paragraph else ()
        self.cells = refusal.cells if refusal else ()
        super().__init__(code, key)

    def __str__(self) -> str:
        """Return the refusal in English, for programmers."""
        return self.say("en")

    def say(self, language: str) -> str:
        """Return the refusal in a language."""
        return " ".join(self.sentences(language))

    def sentences(self, language: str) -> list[str]:
        """Return the refusal in a language: a sentence of the rules for each broken paragraph, or the table's own."""
        doors, reasons = words(language), self.reasons(language)
        if not (self.kind and reasons):
            return [doors(self.key, **self.facts)]
        title = self.kind.words(language)("title")
        return [doors("refused", game=title, paragraph=paragraph, sentence=sentence) for paragraph, sentence in reasons]

    def plainly(self, language: str) -> str:
        """Return the first reason alone, without its paragraph, for pages that show the paragraph beside it."""
        if reasons := self.reasons(language):
            return reasons[0][1]
        own = self.kind.words(language) if self.kind else None
        return (own if own and self.key in own.sentences else words(language))(self.key, **self.facts)

    def reasons(self, language: str) -> list[tuple[str, str]]:
        """Return each broken paragraph with the game's sentence; a token that no action has may have one too, `misread PARAGRAPH`."""
        if not self.kind:
            return []
        said = self.kind.words(language)
        if self.refusal:
            return [(ruling.paragraph, said.say(ruling.message)) for ruling in self.refusal.rulings]
        return [(paragraph, said(f"misread {paragraph}")) for paragraph in self.paragraphs if f"misread {paragraph}" in said.sentences]
