"""How long a person waits for a confirmed action, alone and beside eight tables whose computer players think: `python -m bench.house`.

The house runs as `tablee serve` on loopback, durable as always; the load comes from the same two cores.
"""

import statistics
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx

from tests.web.serving import Process

ACTIONS = 400
THINKING = 8
MEDIAN_WANTED = 0.015
SLOWEST_WANTED = 0.100


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory() as directory:
        house = Process(Path(directory))
        try:
            house.ready()
            alone = list(waits(house.base, ACTIONS))
            print(told("alone", alone))
            over = threading.Event()
            threads = [threading.Thread(target=keep_thinking, args=(house.base, over), daemon=True) for _ in range(THINKING)]
            for thread in threads:
                thread.start()
            time.sleep(3)
            beside = list(waits(house.base, ACTIONS))
            print(told(f"beside {THINKING} thinking tables", beside))
            over.set()
            for thread in threads:
                thread.join(20)
        finally:
            house.terminate()
    median, slowest = statistics.median(alone), percentile(beside, 99)
    print(f"median alone: {median * 1000:.1f} ms, wanted {MEDIAN_WANTED * 1000:.0f} ms: {'reached' if median <= MEDIAN_WANTED else 'missed'}")
    print(f"99 of 100 beside: {slowest * 1000:.1f} ms, wanted {SLOWEST_WANTED * 1000:.0f} ms: {'reached' if slowest <= SLOWEST_WANTED else 'missed'}")


def told(where: str, times: list[float]) -> str:
    """Return a line of the table."""
    return f"{where}: {len(times)} actions, median {statistics.median(times) * 1000:.1f} ms, 99 of 100 within {percentile(times, 99) * 1000:.1f} ms"


def percentile(times: list[float], hundredths: int) -> float:
    """Return the time within which so many of a hundred lie."""
    return sorted(times)[min(len(times) - 1, len(times) * hundredths // 100)]


def waits(base: str, actions: int) -> Iterator[float]:
    """Let two people play each other, and give how long each action took to be confirmed."""
    done = 0
    while done < actions:
        with httpx.Client(base_url=f"{base}/api/v1", timeout=30) as client:
            table, tokens = seated(client, "traboulet")
            view = state(client, table, tokens[0])
            while view["node"]["kind"] == "decision" and done < actions:
                seat = view["node"]["seats"][0]
                view = state(client, table, tokens[seat])
                action = view["legal"][done % len(view["legal"])]
                body = {"seat": seat, "tokens": [action["token"]], "seq": view["seq"], "move_id": uuid4().hex}
                begun = time.perf_counter()
                answer = client.post(f"/tables/{table}/actions", json=body, headers=bearer(tokens[seat]))
                yield time.perf_counter() - begun
                answer.raise_for_status()
                done += 1
                view = state(client, table, tokens[0])
                time.sleep(0.005)


def keep_thinking(base: str, over: threading.Event) -> None:
    """Play Traboulet against the strongest level, at once after each of its moves, until told to stop."""
    with httpx.Client(base_url=f"{base}/api/v1", timeout=60) as client:
        while not over.is_set():
            table, token = against_program(client)
            while not over.is_set():
                view = state(client, table, token)
                if view["node"]["kind"] == "over":
                    break
                if view["legal"]:
                    body = {"seat": view["legal"][0]["seat"], "tokens": [view["legal"][0]["token"]], "seq": view["seq"], "move_id": uuid4().hex}
                    client.post(f"/tables/{table}/actions", json=body, headers=bearer(token))
                time.sleep(0.1)


def seated(client: httpx.Client, slug: str) -> tuple[str, list[str]]:
    """Open a table for two people, sit both down, and return it with their tokens."""
    opened = client.post("/tables", json={"game": slug}).raise_for_status().json()
    tokens = []
    for seat, invitation in enumerate(opened["invitations"]):
        body = {"name": f"Person {seat + 1}", "invitation": invitation, "contribution": "00" * 16}
        tokens.append(client.post(f"/tables/{opened['table']}/seats", json=body).raise_for_status().json()["token"])
    until = time.monotonic() + 20
    while not state(client, opened["table"], tokens[0])["legal"]:
        if time.monotonic() > until:
            sys.exit("the table does not begin")
        time.sleep(0.05)
    return opened["table"], tokens


def against_program(client: httpx.Client) -> tuple[str, str]:
    """Open a table with one person and the strongest computer player; return it with the person's token."""
    opened = client.post("/tables", json={"game": "traboulet"}).raise_for_status().json()
    body = {"name": "Person", "invitation": opened["invitations"][0], "contribution": "00" * 16}
    token = client.post(f"/tables/{opened['table']}/seats", json=body).raise_for_status().json()["token"]
    fill = {"what": "fill", "level": "max", "move_id": uuid4().hex}
    client.post(f"/tables/{opened['table']}/orders", json=fill, headers=bearer(opened["token"])).raise_for_status()
    return opened["table"], token


def state(client: httpx.Client, table: str, token: str) -> dict[str, Any]:
    """Return the table as the holder of a token sees it."""
    return client.get(f"/tables/{table}/state", headers=bearer(token)).raise_for_status().json()["view"]  # type: ignore[no-any-return]


def bearer(token: str) -> dict[str, str]:
    """Return the header that shows a token."""
    return {"Authorization": f"Bearer {token}"}


if __name__ == "__main__":
    main()
