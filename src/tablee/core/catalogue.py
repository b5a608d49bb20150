"""A gettext catalogue as sentences by key: read from its .po text, or from the .mo file made when the package is built.

`setup.py` runs this file by its path, before anything is installed: it imports nothing but the standard library.
"""

from ast import literal_eval
from hashlib import sha256
from struct import pack, unpack_from

MAGIC = 0x950412DE
HEADER = "Content-Type: text/plain; charset=UTF-8\nX-Source: {digest}\n"


def read_po(text: str) -> dict[str, str]:
    r"""Return the sentences of a catalogue: msgid is the key, msgstr the sentence.

    >>> read_po('msgid "2.2"\nmsgstr "the cell "\n"must be empty"\n')
    {'2.2': 'the cell must be empty'}
    """
    sentences: dict[str, str] = {}
    key, field = "", ""
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word.startswith('"'):
            word, rest = field, line.strip()
        elif word == "msgid":
            key = ""
        if word not in ("msgid", "msgstr") or (word == "msgstr" and not field):
            raise ValueError(f"line {number} of a catalogue is {line[:60]!r}: expected msgid, msgstr, a quoted text or a comment")
        field = word
        if word == "msgid":
            key += literal_eval(rest.strip())
        else:
            sentences[key] = sentences.get(key, "") + literal_eval(rest.strip())
    sentences.pop("", None)
    return sentences


def write_mo(source: bytes) -> bytes:
    """Return the .mo file of a .po file; its header names the .po by its digest."""
    sentences = {"": HEADER.format(digest=digest(source))} | read_po(source.decode())
    pairs = sorted((key.encode(), sentence.encode()) for key, sentence in sentences.items())
    count, index, texts = len(pairs), b"", b""
    start = 28 + 16 * count
    for column in (0, 1):
        for pair in pairs:
            index += pack("<2I", len(pair[column]), start + len(texts))
            texts += pair[column] + b"\0"
    return pack("<7I", MAGIC, 0, count, 28, 28 + 8 * count, 0, start) + index + texts


def read_mo(data: bytes) -> dict[str, str]:
    """Return the texts of a .mo file by key; the key of the header is the empty string."""
    magic, _, count, keys, sentences = unpack_from("<5I", data)
    if magic != MAGIC:
        raise ValueError(f"this is no .mo file: it begins with {data[:4]!r}")
    return {text_at(data, keys + 8 * n): text_at(data, sentences + 8 * n) for n in range(count)}


def text_at(data: bytes, place: int) -> str:
    """Return the text whose length and offset are stored at a place."""
    length, start = unpack_from("<2I", data, place)
    return data[start : start + length].decode()


def read_catalogue(source: bytes, compiled: bytes | None) -> dict[str, str]:
    """Return the sentences of a catalogue: from its .mo file if that was made from this .po file, else from the .po file itself."""
    if compiled is not None:
        sentences = read_mo(compiled)
        if sentences.pop("", "") == HEADER.format(digest=digest(source)):
            return sentences
    return read_po(source.decode())


def read_mo_alone(compiled: bytes) -> dict[str, str]:
    """Return the sentences of a .mo file whose .po file is not there, as in the archive for browsers."""
    sentences = read_mo(compiled)
    sentences.pop("", "")
    return sentences


def digest(source: bytes) -> str:
    """Return the digest that ties a .mo file to its .po file."""
    return sha256(source).hexdigest()
