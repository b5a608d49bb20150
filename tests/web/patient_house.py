"""`tablee serve` for browsers on a busy machine: a table waits for what each of them adds to its dice, however long that takes."""

from dataclasses import replace
from pathlib import Path

from tablee.cli import main
from tablee.web import serve
from tablee.web.settings import Settings

GRACE_SECONDS = 600.0
usual = serve.settings_from


def patient(
    data: Path | None, names: list[str], allowance: int, database: str = "", redis: str = "", workers: int = 1, engines: int | None = None
) -> Settings:
    """Return the settings of the command line, with much more grace."""
    return replace(usual(data, names, allowance, database, redis, workers, engines), grace_seconds=GRACE_SECONDS)


if __name__ == "__main__":
    serve.settings_from = patient
    main()
