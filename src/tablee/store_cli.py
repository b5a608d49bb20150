"""The commands of the store: migrate, backup, restore, check, export, import."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from tablee.core.errors import TableeError, shown
from tablee.core.files import read_text
from tablee.locale import words
from tablee.store.backup import back_up, bring_in
from tablee.store.checking import check_dice, read_heads, write_heads
from tablee.store.dump import write_dump
from tablee.store.log import Checked
from tablee.store.opening import migrate_store, open_store
from tablee.terminal.arguments import SPOKEN, Language
from tablee.web.settings import data_folder

Data = Annotated[Path | None, typer.Option(help="where the tables are kept (default: your user's data folder)")]
Database = Annotated[str, typer.Option(metavar="URL", help="postgresql://user@host/name instead of a file in the data folder")]
Target = Annotated[Path, typer.Argument(metavar="FILE", help="the file to write; it holds secrets of the dice, and only you can read it")]
Source = Annotated[Path, typer.Argument(metavar="FILE", help="a backup or an export")]


def migrate(data: Data = None, database: Database = "", lang: Language = SPOKEN) -> None:
    """Bring the store to the schema of this version, in one transaction."""
    done = asyncio.run(migrate_store(database, data or data_folder()))
    print(words(lang)("migrate done", numbers=", ".join(map(str, done))) if done else words(lang)("migrate none"))


def backup(file: Target, data: Data = None, database: Database = "", lang: Language = SPOKEN) -> None:
    """Copy the store to a file, while the house runs."""
    print(words(lang)("backup done", file=str(file), count=asyncio.run(back_up(database, data or data_folder(), file))))


def restore(file: Source, data: Data = None, database: Database = "", lang: Language = SPOKEN) -> None:
    """Take a backup back into an empty store; the dice of the games that go on are sealed anew."""
    taken = asyncio.run(bring_in(file, database, data or data_folder(), anew=True))
    print(words(lang)("restore done", count=taken.tables, sealed=taken.sealed))


def check(
    data: Data = None,
    database: Database = "",
    heads: Annotated[Path | None, typer.Option(metavar="FILE", help="write the heads of the ledger there, to publish them")] = None,
    against: Annotated[Path | None, typer.Option(metavar="FILE", help="heads that were published before: nothing up to there may be missing")] = None,
    lang: Language = SPOKEN,
) -> None:
    """Check every chain, the ledger and all dice; exit code 1 if anything was edited, deleted or cut off."""
    if against and not against.is_file():
        raise TableeError(f"{shown(str(against))} is no file: expected published heads")
    published = read_heads(read_text(against)) if against else None

    async def work() -> tuple[Checked, int, tuple[str, ...]]:
        log = await open_store(database, data or data_folder(), read_only=True)
        try:
            return (await log.check(published), *await check_dice(log))
        finally:
            await log.close()

    checked, draws, wrong_dice = asyncio.run(work())
    for line in (*checked.wrong, *wrong_dice):
        print(line)
    print(words(lang)("check done", tables=checked.tables, events=checked.events, draws=draws, wrong=len(checked.wrong) + len(wrong_dice)))
    if heads:
        heads.write_text(write_heads(checked.heads), encoding="utf-8")
    if checked.wrong or wrong_dice:
        raise typer.Exit(1)


def export(file: Target, data: Data = None, database: Database = "", lang: Language = SPOKEN) -> None:
    """Write the whole store as text, to move it between SQLite and PostgreSQL."""

    async def work() -> tuple[int, int]:
        log = await open_store(database, data or data_folder(), read_only=True)
        try:
            return await write_dump(log, file)
        finally:
            await log.close()

    tables, cartes = asyncio.run(work())
    print(words(lang)("export done", file=str(file), tables=tables, cartes=cartes))


def import_store(file: Source, data: Data = None, database: Database = "", lang: Language = SPOKEN) -> None:
    """Take an export or a backup over into an empty store; every table keeps its hash chain and, from an export, its sealed dice."""
    taken = asyncio.run(bring_in(file, database, data or data_folder()))
    print(words(lang)("import done", tables=taken.tables, cartes=taken.cartes))


COMMANDS: dict[str, Callable[..., None]] = {
    "migrate": migrate,
    "backup": backup,
    "restore": restore,
    "check": check,
    "export": export,
    "import": import_store,
}
