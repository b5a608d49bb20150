"""The options of a table in sentences: all of them, or only those that differ from the usual ones."""

from tablee.core.game import Game
from tablee.core.words import Words
from tablee.tables.table import Table
from tablee.web.presets import OWN, PRESET, preset_of, presets
from tablee.web.words import page_words


def chosen_options(table: Table, language: str) -> list[str]:
    """Return each option of the table with its question, and what the table has chosen of the set-up."""
    return [option_line(table.game, name, language) for name in table.game.options] + setup_lines(table, language)


def unusual_options(table: Table, language: str) -> list[str]:
    """Return the options that differ from the usual ones, without those that a ready game sets by itself, and the chosen set-up."""
    kind, options = table.game.kind, table.game.options
    usual = {option.name: option.default for option in kind.options} | presets(kind).get(preset_of(kind, options), {})
    different = [name for name, value in options.items() if name != PRESET and value != usual[name]]
    if PRESET in usual and preset_of(kind, options) != usual[PRESET]:
        different.insert(0, PRESET)
    return [option_line(table.game, name, language) for name in different] + setup_lines(table, language)


def option_line(game: Game, name: str, language: str) -> str:
    """Return an option of a game: its question and the answer."""
    words, value = game.kind.words(language), game.options[name]
    if name == PRESET:
        value = preset_of(game.kind, game.options)
    return f"{words(f'option {name}')} {answer(words, name, value, language)}"


def answer(words: Words, name: str, value: str, language: str) -> str:
    """Return the sentence of a value, or the number that it is."""
    if (name, value) == (PRESET, OWN):
        return page_words(language)("own way")
    key = f"option {name} {value}"
    return words(key) if key in words.sentences else value


def setup_lines(table: Table, language: str) -> list[str]:
    """Return what the table has chosen of the set-up."""
    words = table.game.kind.words(language)
    return [f"{words(f'setup {name}')} {', '.join(words(f'={letter}') for letter in letters)}" for name, letters in table.terms.setup.items()]
