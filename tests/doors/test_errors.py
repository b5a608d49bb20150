"""Errors in French: templates that say the same facts, and what the command line says."""

import doctest
import os
import pickle
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import tablee
from tablee.core.catalogue import read_po
from tablee.core.errors import RecordError
from tablee.locale import errors
from tablee.locale.errors import in_language, told
from tests.doors.error_sentences import FACT, sentences

# Words that no French sentence has.
ENGLISH = re.compile(r"\b(the|expected|is|with|and|not|of|after|that|must|known|cannot)\b")
TABLEE = str(Path(sys.executable).parent / "tablee")


def test_every_french_sentence_has_the_facts_of_the_english_one() -> None:
    for english, french in read_po(files("tablee.locale").joinpath("errors.fr.po").read_text(encoding="utf-8")).items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", french)), english
        assert not re.search(r" [:;?!]", french), french


def test_every_error_of_the_library_has_a_french_sentence() -> None:
    every = list(sentences())
    assert len(every) > 350
    missing, half = [], []
    for place, sentence in every:
        told = FACT.sub("§", sentence)
        french = in_language(told, "fr")
        if french == told:
            missing.append(f"{place} {sentence}")
        elif ENGLISH.search(re.sub(r"`[^`]*`|\([^)]*\)|'[^']*'", "", french)):
            half.append(f"{place} {sentence} => {french}")
    assert missing == []
    assert half == []


def test_where_it_is_and_which_paragraph_says_so_stand_around_the_sentence() -> None:
    said = in_language("line 3: 'x' is no position: rank 1 has 6 cells instead of 7 (1.1)", "fr")
    assert said == "ligne 3\u202f: «\u202fx\u202f» n’est pas une position\u202f: la rangée 1 a 6 cases au lieu de 7 (1.1)"


def test_the_reasons_of_the_rules_are_said_in_french_too_wherever_the_error_comes_up() -> None:
    with pytest.raises(RecordError) as refused:
        tablee.read("game: traboulet\n\n1: a6b6\n2: f6e6\n")
    said = told(refused.value, "fr")
    assert said.startswith("ligne 4\u202f: «\u202ff6e6\u202f» est refusé par Traboulet 2.2\u202f: Le doigt")
    assert told(refused.value, "en") == str(refused.value)
    assert told(pickle.loads(pickle.dumps(refused.value.__cause__)), "fr") == said.removeprefix("ligne 4\u202f: ")


def test_the_example_runs() -> None:
    assert doctest.testmod(errors).failed == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rules", "tablen"], "jeu inconnu"),
        (["perft", "tablan", "x"], "n’est pas une profondeur"),
        (["arena", "tablan", "level1", "--games", "2"], "trop peu de joueurs (1)\u202f: il en faut au moins 2"),
        (
            ["arena", "tablan", "level1", "nowhere:Mine", "--games", "2"],
            "tablee: le module de «\u202fnowhere:Mine\u202f» est introuvable\u202f: il n’y a pas de module «\u202fnowhere\u202f»",
        ),
        (["join", "ftp://x", "--watch"], "n’est pas une table"),
        (["draw", "nothing.tablee"], "ne se lit pas\u202f: ce fichier ou ce dossier n’existe pas"),
        (["join", "http://127.0.0.1:9/t/x", "--watch"], "ne répond pas\u202f: la connexion est refusée"),
        (["games", "--seats", "99"], "aucun jeu ne se joue ainsi"),
        (["games", "--seats", "99", "--lang=fr"], "aucun jeu ne se joue ainsi"),
        (["print", "traboulet", "--out", "/nowhere/x.pdf"], "«\u202f/nowhere/x.pdf\u202f» ne peut pas être lu ou écrit"),
        (["strength", "traboulet", "--games", "2", "--out", "/proc/nowhere/x"], "ne peut pas être lu ou écrit"),
        (["check", "--against", sys.executable], "n’est pas un texte\u202f: UTF-8 est attendu"),
        (["check", "--data", "/nowhere/at/all"], "il n’y a pas de données"),
        (["play", "--loud"], "Erreur\u202f: Option inconnue\u202f: --loud"),
        (["rules"], "Erreur\u202f: Il manque l’argument «\u202fGAME\u202f»."),
        (["sing"], "Erreur\u202f: Commande inconnue\u202f: «\u202fsing\u202f»."),
        (["arena", "tablan", "a", "b", "--games", "0"], "1 au moins est attendu"),
    ],
)
def test_the_command_line_speaks_french_where_it_is_asked_to(words: list[str], sentence: str) -> None:
    language = [] if words[0] in ("perft", "draw", "sing") or "--lang=fr" in words else ["--lang", "fr"]
    locale = "en_GB.UTF-8" if "--lang=fr" in words else "fr_FR.UTF-8"
    environment = {"LC_ALL": locale, "PYTHONUTF8": "1", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run([TABLEE, *words, *language], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert sentence in done.stderr, done.stderr


def test_a_sentence_that_stands_in_another_is_not_taken_for_what_was_given() -> None:
    inner = "'x' is no action: expected a number or a token"
    outer = in_language(f"the player 'a:B' failed: it has ended: expected play (status 1: {inner})", "fr")
    assert (
        outer == f"le joueur «\u202fa:B\u202f» a échoué\u202f: il s’est arrêté\u202f: play était attendu (statut 1\u202f: {in_language(inner, 'fr')})"
    )
    refused = in_language("'a1b1' is refused by Traboulet 2.1: There is no marble on a1: push one of your own.", "fr")
    assert refused == "«\u202fa1b1\u202f» est refusé par Traboulet 2.1\u202f: There is no marble on a1: push one of your own."
    assert in_language("'a: b' is no position: too short", "fr").startswith("«\u202fa: b\u202f» n’est pas une position")


def test_english_and_what_has_no_template_stay_as_they_are() -> None:
    assert in_language("unknown game 'x': known are y", "en") == "unknown game 'x': known are y"
    assert in_language("something quite new", "fr") == "something quite new"
    nested = "line 1: " * 100_000
    assert in_language(nested, "fr") == nested
