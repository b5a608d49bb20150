"""Files that somebody names: what is wrong with one is said in one sentence."""

from pathlib import Path

from tablee.core.errors import TableeError, shown


def read_text(path: Path) -> str:
    """Return the text of a file, or raise the error that names it."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TableeError(f"{shown(str(path))} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TableeError(f"{shown(str(path))} is no text: expected UTF-8 ({error.reason} at byte {error.start})") from error
