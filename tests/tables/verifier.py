"""A verifier of dice of its own, written from docs/protocol.md with the standard library alone: it shares no line with the library.

`python -m tests.tables.verifier LOG.jsonl` says what a log proves.
"""

import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path
from typing import Any


class Wrong(Exception):
    """What does not fit."""


def parts(*given: bytes) -> bytes:
    """Return P(a, b, …)."""
    return b"".join(struct.pack(">I", len(one)) + one for one in given)


def sha(*given: bytes) -> bytes:
    """Return the hash of P(a, b, …)."""
    return hashlib.sha256(parts(*given)).digest()


def mixed(given: list[tuple[int, str]]) -> bytes:
    """Return the mixture of (seat, hex) in the order of the log."""
    return sha(b"tablee contributions v1", *(part for seat, data in given for part in (struct.pack(">I", seat), bytes.fromhex(data))))


def numbers(secret: bytes, label: str, table: str, number: int, mixture: bytes, cases: list[int]) -> list[int]:
    """Return the numbers that the stream of a start or a throw gives for these numbers of cases."""
    stream, block, found = b"", 0, []
    for n in cases:
        width = 1
        while 256**width < n:
            width += 1
        while True:
            while len(stream) < width:
                message = parts(label.encode(), table.encode(), struct.pack(">Q", number), mixture, struct.pack(">I", block))
                stream += hmac.digest(secret, message, "sha256")
                block += 1
            word, stream = int.from_bytes(stream[:width], "big"), stream[width:]
            if word < 256**width // n * n:
                found.append(word % n)
                break
    return found


def verified(lines: str) -> int:
    """Return how many numbers of the log of a finished table come out again, or raise `Wrong`."""
    events: list[dict[str, Any]] = [json.loads(line) for line in lines.splitlines() if line.strip()]
    check_chain(events)
    table, opened = events[0]["table"], events[0]["payload"]
    version = opened.get("dice", 1)
    if version not in (1, 2):
        raise Wrong(f"dice of version {version}")
    (revealed,) = [event["payload"] for event in events if event["kind"] == "revealed"] or [None]
    if revealed is None:
        raise Wrong("nothing is revealed")
    secrets = [bytes.fromhex(secret) for secret in (revealed["secret"], *revealed.get("resealed", []))]
    seals = [opened["commitment"], *(event["payload"]["commitment"] for event in events if event["kind"] == "resealed")]
    if [sha(f"tablee dice v{version}".encode(), table.encode(), secret).hex() for secret in secrets] != seals:
        raise Wrong("another secret was sealed")
    people: list[tuple[int, str]] = []
    programs: list[tuple[int, str]] = []
    sits: dict[int, str] = {}
    seal, throws, started, count = 0, 0, False, 0
    for event in events:
        kind, payload, seat = event["kind"], event["payload"], event["seat"]
        if kind == "seated":
            sits[seat] = payload["player"]
        elif kind == "resealed":
            seal += 1
            people = people if started else []
        elif kind == "contributed":
            if started:
                raise Wrong("contributed after the start")
            by_program = sits.get(seat) == "program"
            if by_program and payload["bytes"] != mixed(people).hex():
                raise Wrong("a program chose its bytes")
            (programs if by_program else people).append((seat, payload["bytes"]))
        elif kind in ("started", "threw"):
            started = True
            label = "start" if version == 2 and kind == "started" else "throw"
            number = event["seq"] if version == 1 else throws if kind == "threw" else 0
            throws += kind == "threw"
            cases = [n for n, _ in payload["draws"]]
            if numbers(secrets[seal], label, table, number, mixed(people + programs), cases) != [value for _, value in payload["draws"]]:
                raise Wrong(f"event {event['seq']}: other numbers were sealed")
            count += len(cases)
    return count


def check_chain(events: list[dict[str, Any]]) -> None:
    """Raise unless each event hangs on the one before."""
    previous = ""
    for seq, event in enumerate(events):
        fields = {name: event[name] for name in ("at", "kind", "move_id", "payload", "previous", "seat", "seq", "table")}
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if event["seq"] != seq or event["previous"] != previous or hashlib.sha256(text.encode()).hexdigest() != event["hash"]:
            raise Wrong(f"event {seq}: the chain is broken")
        previous = event["hash"]


if __name__ == "__main__":
    print(verified(Path(sys.argv[1]).read_text(encoding="utf-8")), "numbers come out again")
