"""What the workers of a browser call: the only module that knows Pyodide."""

import json
from typing import Any

from pyodide.ffi import create_proxy, to_js

from tablee.local.disk import Batch, Taken
from tablee.local.door import Door
from tablee.local.players import LocalPlayers

TAKEN = "ConstraintError"


class BrowserDisk:
    """The rows in IndexedDB, by the functions of disk.js."""

    def __init__(self, functions: Any) -> None:
        """Take the functions `read` and `write`."""
        self.functions = functions

    async def read(self) -> dict[str, str]:
        """Return every row."""
        rows: dict[str, str] = json.loads(await self.functions.read())
        return rows

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write a batch in one transaction, and return when the browser says that it is on disk."""
        sent = json.dumps({"new": dict(batch.new), "put": dict(batch.put), "gone": list(batch.gone)})
        wrong = str(await self.functions.write(sent, strict))
        if wrong == TAKEN:
            raise Taken(", ".join(batch.new))
        if wrong:
            raise OSError(wrong)


class House:
    """A house, as the house worker calls it."""

    def __init__(self, door: Door) -> None:
        """Take its door."""
        self.door = door

    async def request(self, method: str, path: str, query: str, headers: str, body: Any) -> Any:
        """Return status, headers and body of the answer to a request."""
        status, shown, content = await self.door.request(method, path, query, json.loads(headers), bytes(body.to_py()) if body else b"")
        return to_js([status, json.dumps(shown), content])

    def socket(self, path: str, say: Any, ended: Any) -> Any:
        """Open a socket; return what takes the frames of the page, and what ends it."""
        opened = self.door.socket(path, say, ended)
        return to_js([create_proxy(opened.receive), create_proxy(opened.leave)])


async def open_house(address: str, languages: str, disk: Any, ask: Any, compiled: bool, elsewhere: str) -> House:
    """Open the house at an address, over a database, with a player worker; `elsewhere` is a house with a server to point to."""
    players = LocalPlayers(ask, compiled=compiled)
    return House(await Door.open(address, languages, BrowserDisk(disk), players, plain=not compiled, elsewhere=elsewhere))
