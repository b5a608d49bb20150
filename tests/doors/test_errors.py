"""Errors in French: templates that say the same facts, and what the command line says."""

import doctest
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tablee.core.catalogue import read_po
from tablee.locale import errors
from tablee.locale.errors import in_language

TABLEE = str(Path(sys.executable).parent / "tablee")


def test_every_french_sentence_has_the_facts_of_the_english_one() -> None:
    for english, french in read_po(files("tablee.locale").joinpath("errors.fr.po").read_text(encoding="utf-8")).items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", french)), english
        assert not re.search(r" [:;?!]", french), french


def test_the_example_runs() -> None:
    assert doctest.testmod(errors).failed == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rules", "tablen"], "jeu inconnu"),
        (["perft", "tablan", "x"], "n’est pas une profondeur"),
        (["arena", "tablan", "level1", "--games", "2"], "joueurs sont trop peu"),
        (["arena", "tablan", "level1", "nowhere:Mine", "--games", "2"], "le joueur «\u202fnowhere:Mine\u202f» a échoué\u202f: il s’est arrêté"),
        (["join", "ftp://x", "--watch"], "n’est pas une table"),
        (["draw", "nothing.tablee"], "ne se lit pas"),
        (["games", "--seats", "99"], "aucun jeu ne se joue ainsi"),
        (["games", "--seats", "99", "--lang=fr"], "aucun jeu ne se joue ainsi"),
        (["print", "traboulet", "--out", "/nowhere/x.pdf"], "«\u202f/nowhere/x.pdf\u202f» ne peut pas être lu ou écrit"),
        (["strength", "traboulet", "--games", "2", "--out", "/proc/nowhere/x"], "ne peut pas être lu ou écrit"),
        (["check", "--against", sys.executable], "n’est pas un texte\u202f: UTF-8 est attendu"),
    ],
)
def test_the_command_line_speaks_french_where_it_is_asked_to(words: list[str], sentence: str) -> None:
    language = [] if words[0] in ("perft", "draw") or "--lang=fr" in words else ["--lang", "fr"]
    locale = "en_GB.UTF-8" if "--lang=fr" in words else "fr_FR.UTF-8"
    done = subprocess.run(
        [TABLEE, *words, *language], capture_output=True, text=True, check=False, env=os.environ | {"LC_ALL": locale, "PYTHONUTF8": "1"}
    )
    assert done.returncode == 2
    assert sentence in done.stderr, done.stderr


def test_english_and_what_has_no_template_stay_as_they_are() -> None:
    assert in_language("unknown game 'x': known are y", "en") == "unknown game 'x': known are y"
    assert in_language("something quite new", "fr") == "something quite new"
