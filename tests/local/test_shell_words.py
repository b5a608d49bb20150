"""The sentences of the shell: in both languages, each one said, French set as French is set."""

import re
from pathlib import Path

import pytest

import tablee
from tablee.core.words import load_words

LOCAL = Path(tablee.__file__).parent / "local"
FRENCH = load_words("tablee.local", "locale", "", "fr").sentences
ENGLISH = load_words("tablee.local", "locale", "", "en").sentences


def test_both_languages_say_the_same_things() -> None:
    assert FRENCH.keys() == ENGLISH.keys()
    for key, sentence in FRENCH.items():
        assert set(re.findall(r"\{\w+\}", sentence)) == set(re.findall(r"\{\w+\}", ENGLISH[key])), key


def test_every_sentence_is_said_somewhere() -> None:
    sources = [
        *LOCAL.joinpath("static").glob("*.js"),
        *LOCAL.joinpath("templates").glob("*.html"),
        Path(tablee.__file__).parent / "site" / "folder.py",
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.exists())
    assert [key for key in ENGLISH if f'"{key}"' not in text and f"'{key}'" not in text] == []


@pytest.mark.parametrize("key", FRENCH)
def test_french_is_set_as_french_is_set(key: str) -> None:
    assert "'" not in FRENCH[key]
    assert not re.search(r"[^\u202f/s][;:!?»]", FRENCH[key].replace("://", ""))
