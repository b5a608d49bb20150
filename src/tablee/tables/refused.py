"""A refusal at the table's one door, with a sentence in every language."""

from collections.abc import Mapping

from tablee.core.errors import TableeError
from tablee.core.kind import Kind
from tablee.core.ruling import Fact, Refusal
from tablee.locale import words

CODES = ("token", "rules", "turn", "stale", "again", "unreadable", "time", "phase", "limit")


class Refused(TableeError):
    """Something that the table does not do; nothing has changed.

    `code` says which sort: `token` (not yours to do), `rules` (see `refusal`), `turn`, `stale` (the board has changed: look again),
    `again` (the `move_id` was used for something else), `unreadable`, `time`, `phase` (not now), `limit` (too much).
    `key` and `facts` are its sentence in `locale`; `say(language)` says it.
    """

    def __init__(
        self,
        code: str,
        key: str,
        facts: Mapping[str, Fact] | None = None,
        *,
        kind: Kind | None = None,
        refusal: Refusal | None = None,
        paragraph: str = "",
    ) -> None:
        """Keep the key and the facts; with a refusal of the rules, the kind of game that can say it."""
        self.code = code
        self.key = key
        self.facts = dict(facts or {})
        self.kind = kind
        self.refusal = refusal
        self.paragraphs = refusal.paragraphs if refusal else (paragraph,) if paragraph else ()
        self.cells = refusal.cells if refusal else ()
        super().__init__(self.say("en"))

    def say(self, language: str) -> str:
        """Return the refusal in a language: the rules' own sentences, or the table's."""
        doors = words(language)
        if self.refusal and self.kind:
            said = self.kind.words(language)
            title = said("title")
            return " ".join(
                doors("refused", game=title, paragraph=ruling.paragraph, sentence=said.say(ruling.message)) for ruling in self.refusal.rulings
            )
        return doors(self.key, **self.facts)
