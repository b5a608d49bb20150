"""The sentences of the pages: whole in both languages, none missing, none idle."""

import re
import string
from pathlib import Path

import pytest

from tablee.core.words import LANGUAGES
from tablee.web.words import page_words

WEB = Path(__file__).parents[2] / "src" / "tablee" / "web"
BUILT = ("do ", "setting ", "error ", "clock ", "state ", "verify ", "connection ", "way ", "level ", "take ", "docs ")


def facts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_sentences_with_the_same_facts() -> None:
    first, second = (page_words(language).sentences for language in LANGUAGES)
    assert first.keys() == second.keys()
    assert {key: facts(one) for key, one in first.items()} == {key: facts(one) for key, one in second.items()}


def test_every_sentence_that_a_page_says_is_there_and_none_is_idle() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in [*WEB.glob("templates/*.html"), *WEB.glob("*.py")])
    known = page_words("fr").sentences.keys()
    said = set(re.findall(r"""say\(["']([^"']+)["']""", text))
    assert said <= known
    quoted = set(re.findall(r"""["']([^"'\n]+)["']""", text))
    idle = {key for key in known - said - quoted if not key.startswith(BUILT)}
    assert not idle


def test_english_has_no_space_before_a_mark() -> None:
    assert {key: one for key, one in page_words("en").sentences.items() if re.search(r"\s[%:;!?]", one) and key != "other language"} == {}


@pytest.mark.parametrize("key", sorted(page_words("fr").sentences))
def test_french_is_set_with_its_spaces_and_apostrophes(key: str) -> None:
    sentence = page_words("fr").sentences[key]
    if key != "other language":
        assert "'" not in sentence
        assert not re.search(r"[^\u202f][;:!?»]", sentence.replace("://", "")) or not re.search(r" [;:!?»]", sentence)
