"""Tables of a running house for benchmarks: opened, seated, looked at."""

import sys
import time
from typing import Any

import httpx


def seated(client: httpx.Client, slug: str) -> tuple[str, list[str]]:
    """Open a table for two people, sit both down, and return it with their tokens."""
    opened = client.post("/tables", json={"game": slug}).raise_for_status().json()
    tokens = []
    for seat, invitation in enumerate(opened["invitations"]):
        body = {"name": f"Person {seat + 1}", "invitation": invitation, "contribution": "00" * 16}
        tokens.append(client.post(f"/tables/{opened['table']}/seats", json=body).raise_for_status().json()["token"])
    until = time.monotonic() + 20
    while state(client, opened["table"], tokens[0])["phase"] != "playing":
        if time.monotonic() > until:
            sys.exit("the table does not begin")
        time.sleep(0.05)
    return opened["table"], tokens


def state(client: httpx.Client, table: str, token: str) -> dict[str, Any]:
    """Return the table as the holder of a token sees it."""
    return client.get(f"/tables/{table}/state", headers=bearer(token)).raise_for_status().json()["view"]  # type: ignore[no-any-return]


def bearer(token: str) -> dict[str, str]:
    """Return the header that shows a token."""
    return {"Authorization": f"Bearer {token}"}
