"""A bot that sits down and plays: python bot.py http://127.0.0.1:8080 traboulet, or …8080 TABLE INVITATION to join a friend."""

import json
import random
import sys
import urllib.error
import urllib.request
import uuid

BASE, WHERE, INVITATION = (*sys.argv[1:], None)[:3]
headers = {"Content-Type": "application/json"}


def call(path, **fields):
    """Send a request to the house and return its answer; a refusal is printed and gives None."""
    body = json.dumps(fields).encode() if fields else None
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{BASE}/api/v1/{path}", body, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return print(error.code, error.read().decode())


def choose(view):
    """Put your own cleverness here: every legal action is in view["legal"], the board in view["position"]."""
    return random.choice(view["legal"])


table = WHERE
if INVITATION is None:
    opened = call("tables", game=WHERE)
    table, INVITATION, headers["Authorization"] = opened["table"], opened["invitations"][0], f"Bearer {opened['token']}"
seated = call(f"tables/{table}/seats", name="Bot", player="bot", invitation=INVITATION, contribution=random.randbytes(16).hex())
headers["Authorization"] = f"Bearer {seated['token']}"
call(f"tables/{table}/commands", t="fill", move_id=uuid.uuid4().hex)
with urllib.request.urlopen(urllib.request.Request(f"{BASE}/api/v1/tables/{table}/events", headers=headers)) as events:
    for line in events:  # each event is a reason to look
        view = call(f"tables/{table}/state?since=99999")["view"] if line.startswith(b"data:") else {"legal": []}
        if view["legal"]:
            action = choose(view)
            call(f"tables/{table}/commands", t="play", seat=action["seat"], tokens=[action["token"]], seq=view["seq"], move_id=uuid.uuid4().hex)
print(*call(f"tables/{table}/state")["view"]["result"]["sentences"])
