"""Names and free texts as they may stand at a table: no control characters, nothing invisible, not too long."""

import unicodedata

LONGEST_NAME = 40
LONGEST_TEXT = 300
MOST_MARKS = 3


def clean(text: str, longest: int) -> str:
    r"""Return a text in its normal form, on one line, without what cannot be seen or turns the writing around.

    >>> clean("  A\u202ena \n", 40)
    'Ana'
    """
    spaced = "".join(" " if unicodedata.category(letter) in ("Zs", "Zl", "Zp") or letter in "\t\n\r" else letter for letter in text[: 8 * longest])
    kept, marks = "", 0
    for letter in unicodedata.normalize("NFC", spaced):
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if not unicodedata.category(letter).startswith("C") and marks <= MOST_MARKS:
            kept += letter
    return " ".join(kept.split())[:longest].strip()
