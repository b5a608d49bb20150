"""Errors in French: an English sentence is matched with its template, and written with the French template of the same facts.

Errors are raised in English and translated only where they are shown to a person. A sentence without a template stays English.
"""

import re
from functools import cache
from importlib.resources import files

from tablee.core.catalogue import read_po
from tablee.core.ruling import IllegalAction

FACT = re.compile(r"\\{(\w+)\\}")
GIVEN = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^:]+?)"""
# A paragraph of the rules may stand behind any sentence.
PARAGRAPH = re.compile(r"(?P<sentence>.+?)(?P<paragraph> \(\d+\.\d+\))", re.DOTALL)
WHERE = ("line {", "event {", "lane {")
ENGLISH = "en"
# Matching is slow on long sentences; a longer one holds a text that somebody sent, and stays English.
LONGEST = 1000


@cache
def templates(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the templates of a language: first those that only say where something is, then those with the most fixed letters."""
    sentences = read_po(files(__package__).joinpath(f"errors.{language}.po").read_text(encoding="utf-8"))
    ranked = sorted(sentences.items(), key=lambda pair: (not pair[0].startswith(WHERE), -len(re.sub(r"\{\w+\}", "", pair[0]))))
    return [(re.compile(FACT.sub(fact_pattern, re.escape(english)), re.DOTALL), said) for english, said in ranked]


def fact_pattern(fact: re.Match[str]) -> str:
    """Return the pattern of a fact of a template: any text; `given` is quoted or has no colon, so that it does not match part of a sentence."""
    return f"(?P<{fact[1]}>{GIVEN if fact[1] in ('given', 'what') else '.+?'})"


def in_language(sentence: str, language: str) -> str:
    """Return the sentence of an error in a language; facts that are sentences themselves are said in it too.

    >>> in_language("'x' is no number of seats: expected a whole number", "fr")
    '«\u202fx\u202f» n’est pas un nombre de places\u202f: un nombre entier est attendu'
    """
    if language == ENGLISH or len(sentence) > LONGEST:
        return sentence
    for pattern, said in templates(language):
        match = pattern.fullmatch(sentence)
        if match:
            return said.format(**{name: quoted(in_language(fact, language)) for name, fact in match.groupdict().items()})
    cited = PARAGRAPH.fullmatch(sentence)
    return in_language(cited["sentence"], language) + cited["paragraph"] if cited else sentence


def error_text(error: BaseException, language: str) -> str:
    """Return what an error says in a language, with the reasons of the rules where they refused an action."""
    sentence, cause = str(error), error
    while True:
        if isinstance(cause, IllegalAction):
            sentence = sentence.replace(cause.reasons(ENGLISH), cause.reasons(language))
        if cause.__cause__ is None:
            return in_language(sentence, language)
        cause = cause.__cause__


def quoted(fact: str) -> str:
    """Return a quoted fact with the quotation marks of French."""
    return f"«\u202f{fact[1:-1]}\u202f»" if len(fact) > 1 and fact[0] == fact[-1] and fact[0] in "'\"" and fact.count(fact[0]) == 2 else fact
