"""Names and free texts as they may stand at a table: no control characters, nothing invisible, not too long."""

import unicodedata

LONGEST_NAME = 40
LONGEST_TEXT = 300
MOST_MARKS = 3
# Letters by their category, and nothing to see: fillers, the blank of Braille, a note without a head, the joiner of marks, selectors of variants.
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
INVISIBLE = frozenset(FILLERS) | {chr(code) for selectors in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for code in selectors}


def clean(text: str, longest: int) -> str:
    r"""Return a text in its normal form, on one line, without invisible characters and without marks that reverse the direction of writing.

    >>> clean("  A\u202ena \n", 40)
    'Ana'
    """
    spaced = "".join(" " if unicodedata.category(letter) in ("Zs", "Zl", "Zp") or letter in "\t\n\r" else letter for letter in text[: 8 * longest])
    kept, marks = "", 0
    for letter in unicodedata.normalize("NFC", spaced):
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if not unicodedata.category(letter).startswith("C") and letter not in INVISIBLE and marks <= MOST_MARKS:
            kept += letter
    return " ".join(kept.split())[:longest].strip()
