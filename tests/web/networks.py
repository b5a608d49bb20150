"""Several hosts as network namespaces, cut off and joined again: `python -m tests.web.networks --cuts 6 [--fault alone]`.

One namespace has PostgreSQL, two have a house each, one the players; a fifth holds the switch between them. All are made here, have
addresses of their own (10.231.0.0/24), and are deleted at the end; nothing else of the machine is touched. A house is cut off from all,
or from the database alone; meanwhile the other one serves. What was confirmed must be in the log once, and both houses must show one
history after they are joined. With `--fault alone` a house does not follow what the other one writes: that must be found.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.store.pg import BIN, USER, PgServer
from tests.web.serving import WAIT, command, environment

# Each run has names of its own, which hold the number of its first process.
RUN = os.environ.setdefault("TABLEE_NETWORK", str(os.getpid()))
SWITCH, DATABASE, PEOPLE, *HOUSES = (f"tablee-{name}-{RUN}" for name in ("switch", "db", "people", "a", "b"))
HOSTS = {DATABASE: "10.231.0.1", HOUSES[0]: "10.231.0.2", HOUSES[1]: "10.231.0.3", PEOPLE: "10.231.0.4"}
ALONE = ("-m", "tests.web.alone_house")
USUAL = ("-c", "from tablee.cli import main; main()")
PORT = 8080
CUT_SECONDS = 8.0


def ip(*words: str) -> None:
    """Run `ip`."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


def inside(host: str) -> list[str]:
    """Return how a command is run at a host."""
    return ["ip", "netns", "exec", host]


class Network:
    """Four hosts and a switch."""

    def __enter__(self) -> "Network":
        """Make them."""
        self.remove()
        ip("netns", "add", SWITCH)
        ip("-n", SWITCH, "link", "add", "switch", "type", "bridge")
        ip("-n", SWITCH, "link", "set", "switch", "up")
        for number, (host, address) in enumerate(HOSTS.items()):
            ip("netns", "add", host)
            ip("-n", SWITCH, "link", "add", f"port{number}", "type", "veth", "peer", "name", "eth0", "netns", host)
            ip("-n", SWITCH, "link", "set", f"port{number}", "master", "switch", "up")
            ip("-n", host, "addr", "add", f"{address}/24", "dev", "eth0")
            ip("-n", host, "link", "set", "eth0", "up")
            ip("-n", host, "link", "set", "lo", "up")
        return self

    def __exit__(self, *_: object) -> None:
        """Delete them."""
        self.remove()

    def remove(self) -> None:
        """Delete the namespaces, if they are there."""
        for host in (SWITCH, *HOSTS):
            subprocess.run(["ip", "netns", "del", host], check=False, capture_output=True)

    def cut(self, host: str) -> None:
        """Pull the cable of a host out of the switch."""
        ip("-n", SWITCH, "link", "set", f"port{list(HOSTS).index(host)}", "down")

    def join(self, host: str) -> None:
        """Put it in again."""
        ip("-n", SWITCH, "link", "set", f"port{list(HOSTS).index(host)}", "up")

    def hide_database(self, host: str) -> None:
        """Let a host lose the database alone: people still reach it."""
        ip("-n", host, "route", "add", "blackhole", f"{HOSTS[DATABASE]}/32")

    def show_database(self, host: str) -> None:
        """Let it reach the database again."""
        ip("-n", host, "route", "del", "blackhole", f"{HOSTS[DATABASE]}/32")


class FarServer(PgServer):
    """PostgreSQL at a host of its own, reached over the network."""

    def command(self, name: str, *words: str) -> None:
        """Run a program of PostgreSQL at its host."""
        user = ["runuser", "-u", USER, "--"] if self.root else []
        subprocess.run([*inside(DATABASE), *user, str(BIN / name), *words], check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def set_up(self) -> None:
        """Make an empty server that lets the other hosts in."""
        super().set_up()
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.231.0.0/24 trust\n")

    def start(self) -> None:
        """Start at the host's address."""
        options = f"-k {self.folder} -c listen_addresses={HOSTS[DATABASE]} -c max_connections=200 -c tcp_keepalives_idle=2"
        self.command("pg_ctl", "-D", str(self.data), "-w", "-t", "600", "-l", str(self.data / "log"), "-o", options, "start")


class People:
    """Those who play at both houses, at a host of their own."""

    def __init__(self, tables: int, seed: int) -> None:
        """Begin with nothing confirmed."""
        self.random, self.tables = Random(seed), tables
        self.confirmed: dict[str, dict[str, tuple[int, str]]] = {}
        self.wrong: list[str] = []
        self.over = False

    def base(self, number: int) -> str:
        """Return the address of a house."""
        return f"http://{HOSTS[HOUSES[number]]}:{PORT}/api/v1"

    async def send(self, client: httpx.AsyncClient, method: str, path: str, token: str, body: object = None) -> httpx.Response:
        """Send a request to either house until one answers; the same body each time."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        while True:
            with suppress(httpx.HTTPError, OSError):
                answer = await client.request(method, self.base(self.random.randrange(2)) + path, json=body, headers=headers)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.05)

    async def play(self, client: httpx.AsyncClient) -> None:
        """Play until it is over."""
        while not self.over:
            made = (await self.send(client, "POST", "/tables", "", {"game": "traboulet", "sitting": "open"})).json()
            table, token = made["table"], made["token"]
            confirmed = self.confirmed.setdefault(table, {})
            for seat in range(2):
                body: dict[str, Any] = {"t": "sit", "seat": seat, "contribution": "ab" * 16, "move_id": uuid4().hex}
                await self.send(client, "POST", f"/tables/{table}/commands", token, body)
            while not self.over:
                view = (await self.send(client, "GET", f"/tables/{table}/state?since=1000000", token)).json()["view"]
                if view["phase"] == "over":
                    break
                if not view["legal"]:
                    await asyncio.sleep(0.05)
                    continue
                action = self.random.choice(view["legal"])
                body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": view["seq"], "move_id": uuid4().hex}
                answer = await self.send(client, "POST", f"/tables/{table}/commands", token, body)
                if answer.status_code == 200:
                    confirmed[str(body["move_id"])] = (answer.json()["seq"], answer.json()["hash"])
                elif answer.json()["error"]["code"] != "stale":
                    self.wrong.append(f"{table}: {answer.text}")

    async def log_at(self, client: httpx.AsyncClient, number: int, table: str, hashes: int = 0) -> list[dict[str, Any]]:
        """Return the log of a table as a house shows it once it has so many events, or in the end."""
        until = time.monotonic() + WAIT
        while True:
            with suppress(httpx.HTTPError, OSError):
                answer = await client.get(f"{self.base(number)}/tables/{table}/state")
                if answer.status_code == 200 and (len(answer.json()["events"]) >= hashes or time.monotonic() > until):
                    return list(answer.json()["events"])
            await asyncio.sleep(0.1)

    async def judge(self, client: httpx.AsyncClient) -> None:
        """Compare what was confirmed with what both houses show."""
        for table, confirmed in self.confirmed.items():
            logs = [await self.log_at(client, number, table) for number in range(2)]
            if logs[0] != logs[1]:
                self.wrong.append(f"{table}: the houses show two histories, of {len(logs[0])} and {len(logs[1])} events")
            ids = Counter(event["move_id"] for event in logs[0] if event["move_id"])
            self.wrong += [f"{table}: {move_id} is there {n} times" for move_id, n in ids.items() if n > 1]
            for move_id, (seq, digest) in confirmed.items():
                if len(logs[0]) <= seq or (logs[0][seq]["hash"], logs[0][seq]["move_id"]) != (digest, move_id):
                    self.wrong.append(f"{table}: the confirmed action {move_id} is not there")


async def storm(network: Network, people: People, cuts: int) -> None:
    """Cut houses off and join them again while people play."""
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=0)
    async with httpx.AsyncClient(timeout=2.0, limits=limits, trust_env=False) as client:
        players = [asyncio.ensure_future(people.play(client)) for _ in range(people.tables)]
        for number in range(cuts):
            if not await more(people, 10):
                break
            host = HOUSES[number % 2]
            away, back = ((network.cut, network.join), (network.hide_database, network.show_database))[number // 2 % 2]
            away(host)
            before = played(people)
            await asyncio.sleep(CUT_SECONDS)
            if played(people) == before:
                people.wrong.append(f"nobody could play while {host} was cut off")
            back(host)
        await more(people, 10)
        people.over = True
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*players), WAIT)
        await people.judge(client)


def played(people: People) -> int:
    """Return how many actions were confirmed."""
    return sum(map(len, people.confirmed.values()))


async def more(people: People, actions: int) -> bool:
    """Wait until so many more actions are confirmed; False if play does not go on."""
    wanted = played(people) + actions
    with suppress(TimeoutError):
        async with asyncio.timeout(2 * WAIT):
            while played(people) < wanted:
                await asyncio.sleep(0.05)
            return True
    people.wrong.append("play does not go on")
    return False


def houses_at(url: str, folder: Path, kind: tuple[str, ...]) -> list[subprocess.Popen[bytes]]:
    """Start a house at each of its hosts."""
    started = []
    for host in HOUSES:
        words = command(folder / host, PORT, house=kind, more=("--database", url, "--host", HOSTS[host], "--engines", "1"))
        (folder / host).mkdir()
        with (folder / host / "log").open("ab") as log:
            started.append(subprocess.Popen([*inside(host), *words], stdout=subprocess.DEVNULL, stderr=log, env=environment()))
    return started


def main() -> None:
    """Make the hosts, then run there; exit status 1 if anything is wrong, 3 if namespaces cannot be made."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--cuts", type=int, default=6)
    words.add_argument("--tables", type=int, default=4)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "alone"], default="")
    words.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = words.parse_args()
    if chosen.here:
        run_here(chosen)
    try:
        network = Network().__enter__()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"network namespaces cannot be made here: {error}")
        raise SystemExit(3) from None
    try:
        again = [*inside(PEOPLE), sys.executable, "-m", "tests.web.networks", "--here", *sys.argv[1:]]
        raise SystemExit(subprocess.run(again, check=False).returncode)
    finally:
        network.remove()


def run_here(chosen: argparse.Namespace) -> None:
    """Run at the host of the people."""
    os.environ.pop("http_proxy", None)
    server = FarServer()
    people = People(chosen.tables, chosen.seed)
    started: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            url = server.new_database().replace("@/", f"@{HOSTS[DATABASE]}/").partition("?")[0] + "?connect_timeout=2&tcp_user_timeout=3000"
            started = houses_at(url, Path(folder), ALONE if chosen.fault else USUAL)
            asyncio.run(storm(Network(), people, chosen.cuts))
        finally:
            for process in started:
                process.kill()
                process.wait()
            server.remove()
    print(f"{chosen.cuts} cuts of {CUT_SECONDS:.0f} s: {played(people)} confirmed at {len(people.confirmed)} tables, {len(people.wrong)} wrong")
    for line in people.wrong[:20]:
        print(line)
    raise SystemExit(1 if people.wrong else 0)


if __name__ == "__main__":
    main()
