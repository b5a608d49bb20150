"""What may be typed at every table besides actions, and the answers that need no player: a rule, the record, a saved file."""

from collections.abc import Mapping
from pathlib import Path

from tablee.core.kind import Kind
from tablee.core.record import write_record
from tablee.core.rulebook import read_rulebook
from tablee.locale import words as door_words
from tablee.tables.record import is_agreed, write_table_record
from tablee.tables.table import Table

# Every command in both languages; the first English word is shown by the help.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "legal": ("?", "moves", "coups"),
    "help": ("help", "aide"),
    "hint": ("hint", "conseil"),
    "undo": ("undo", "reprendre"),
    "stop": ("stop", "arrêter", "arreter"),
    "board": ("board", "plateau"),
    "rule": ("rule", "règle", "regle"),
    "record": ("record", "partie"),
    "save": ("save", "enregistrer"),
    "quit": ("quit", "quitter"),
}


def read_command(line: str, commands: Mapping[str, tuple[str, ...]] = COMMANDS) -> tuple[str, str]:
    """Return the command that a line begins with and the rest of it; what is no command is returned as it is typed."""
    typed, _, rest = line.partition(" ")
    return next((command for command, words in commands.items() if typed.lower() in words), typed), rest.strip()


def rule(kind: Kind, number: str, language: str) -> str:
    """Return a paragraph of the rules with its source, or which paragraphs there are."""
    paragraphs = read_rulebook(kind.text(f"rules.{language}.md")).paragraphs
    if number not in paragraphs:
        return door_words(language)("no paragraph", number=number, known=", ".join(paragraphs))
    return f"{number} {paragraphs[number].text}\n{paragraphs[number].apparatus}".replace(
        "*", ""
    )  # no signs of emphasis, which a screen reader reads out


def record(table: Table) -> str:
    """Return the game as text, without the proof of its dice, which a kept record has."""
    state, result = table.state, table.result
    assert state is not None  # nobody is asked before the start
    return write_record(state.stop() if result and is_agreed(result.reason) else state)


def save(table: Table, file: str, language: str) -> str:
    """Write the record, with the proof of its dice once there is one, to a file; return what is to be said."""
    doors = door_words(language)
    if not file:
        return doors("save where")
    try:
        Path(file).write_text(write_table_record(table), encoding="utf-8")
    except OSError as error:
        return doors("no save", file=file, error=error.strerror or str(error))
    return doors("saved", file=file)
