"""The standard library for the browser: Pyodide's own, as bytecode. Its package brings the sources, which would be compiled at every start."""

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tablee.site.compiling import SCRIPT, compiled
from tablee.site.pyodide import VERSION, pyodide
from tablee.site.tools import key_of, once

NAME = "python_stdlib.zip"
PLACE = "/lib/python314.zip/"
# What no page of a browser runs: tests and debugging, mail and servers, second versions of what is there in C, tables of old character sets.
LEFT_OUT = re.compile(
    r"(_pyrepl|unittest|wsgiref|xmlrpc)/|(bdb|doctest|ftplib|imaplib|mailbox|pdb|pickletools|poplib|pydoc|smtplib|_pyio|_pydatetime)\.py$"
    r"|encodings/(big5|cp(?!437|1252)|euc_|gb|hp_|hz|iso2022|iso8859_(?!1\.|15)|johab|koi8|kz|mac_|palmos|ptcp|shift|tis)"
)


def stdlib(work: Path) -> Path:
    """Return the zip of the standard library, made once."""
    source = pyodide(work) / NAME

    def make(folder: Path) -> None:
        """Compile every module and write a reproducible zip."""
        with ZipFile(source) as archive:
            contents = {name: archive.read(name) for name in sorted(archive.namelist()) if not name.endswith("/") and not LEFT_OUT.match(name)}
        code = compiled({name: data for name, data in contents.items() if name.endswith(".py")}, work, PLACE)
        with ZipFile(folder / NAME, "w") as archive:
            for name, data in contents.items():
                info = ZipInfo(f"{name}c" if name in code else name)
                info.compress_type = ZIP_DEFLATED
                archive.writestr(info, code.get(name, data), compresslevel=9)

    return once(work / "stdlib", key_of(VERSION, SCRIPT, Path(__file__)), make) / NAME
