"""Catalogues: our reader agrees with gettext and Babel, and an edited .po file is never ignored."""

import gettext
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po as babel_read_po

import tablee
from tablee.catalog import OURS
from tablee.core.catalogue import read_catalogue, read_mo, read_mo_alone, read_po, write_mo
from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES, load_words

SOURCE = Path(tablee.__file__).parent
CATALOGUES = sorted(SOURCE.rglob("*.po"))
OLD, NEW = b'msgid "a"\nmsgstr "old"\n', b'msgid "a"\nmsgstr "new"\n'


def named(language: str) -> set[Path]:
    """Return the catalogues of a language, without it in their names."""
    return {path.parent / path.stem.removesuffix(language) for path in CATALOGUES if path.stem.endswith(language)}


def test_every_catalogue_is_there_in_both_languages() -> None:
    french, english = map(named, LANGUAGES)
    assert len(french) + len(english) == len(CATALOGUES) > 2 * len(OURS)
    assert french - english == {
        SOURCE / "locale" / name for name in ("errors.", "help.")
    }  # raised and written in English: only French has a catalogue
    assert english <= french


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_ours_is_read_as_babel_and_gettext_read_it(path: Path) -> None:
    source = path.read_bytes()
    sentences = read_po(source.decode())
    assert sentences == {str(message.id): str(message.string) for message in babel_read_po(BytesIO(source)) if message.id}
    compiled = write_mo(source)
    assert read_catalogue(source, compiled) == sentences
    translations = gettext.GNUTranslations(BytesIO(compiled))
    assert all(translations.gettext(key) == sentence for key, sentence in sentences.items())


def test_a_compiled_catalogue_is_read_only_if_it_is_of_this_source() -> None:
    assert read_catalogue(OLD, write_mo(OLD).replace(b"old", b"mo!")) == {"a": "mo!"}
    assert read_catalogue(NEW, write_mo(OLD)) == {"a": "new"}
    assert read_catalogue(NEW, None) == {"a": "new"}


def test_a_compiled_catalogue_is_enough() -> None:
    assert read_mo_alone(write_mo(OLD)) == {"a": "old"}


def test_what_is_no_catalogue_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="line 2 of a catalogue is 'nonsense'"):
        read_po('msgid "a"\nnonsense\n')
    with pytest.raises(ValueError, match="line 1 of a catalogue"):
        read_po('msgstr "a"\n')
    with pytest.raises(ValueError, match=r"this is no \.mo file"):
        read_mo(b"x" * 40)


def test_an_unknown_language_is_a_clear_error() -> None:
    with pytest.raises(TableeError, match="unknown language 'de'"):
        load_words("tablee.locale", "", "", "de")
