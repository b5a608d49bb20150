"""The one door of a table: who may, what is refused, and every event that follows from a command."""

import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tablee.core.errors import NotationError, TableeError
from tablee.core.game import Game
from tablee.core.kind import Draw
from tablee.core.ruling import Fact
from tablee.core.state import Chance, Decision, Over, State
from tablee.tables import commands as c
from tablee.tables.dice import LEAST_CONTRIBUTION, MOST_CONTRIBUTION
from tablee.tables.events import Event, Json, Payload, chain, seal
from tablee.tables.refused import Refused
from tablee.tables.texts import LONGEST_NAME, LONGEST_TEXT, clean
from tablee.tables.tokens import TOKEN, Actor, hash_token, new_table_id, shows
from tablee.tables.values import PEOPLE, Ask, Seat

if TYPE_CHECKING:
    from tablee.tables.table import Table

MOVE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
LEVEL = re.compile(r"[a-z0-9_-]{1,40}")
HEX = re.compile(r"(?:[0-9a-f]{2})+")
MOST_TOKENS = 64
MOST_EVENTS = 20_000
MOST_SAID, SAID_WITHIN, MOST_TALK = 8, 20.0, 30
PHRASES = ("hello", "luck", "well_played", "thanks", "oops", "hurry", "moment", "again", "bye")
REACTIONS = ("clap", "smile", "surprise", "thinking", "sad", "heart")


def handle(table: "Table", command: c.Command, actor: Actor, now: float) -> list[Event]:
    """Return the events that follow from a command; `Refused` if it is not to be done."""
    move_id = command.move_id
    if move_id is not None and not MOVE_ID.fullmatch(move_id):
        raise Refused("unreadable", "no move id")
    digest = digest_of(command, actor)
    known = table.answers.get(move_id) if move_id is not None else None
    if known:
        if known.digest != digest:
            raise Refused("again", "no again")
        return []
    visit = Door(table, actor, max(now, table.events[-1].at), move_id, digest)
    if not isinstance(command, c.Resume):
        visit.wake()
    visit.do(command)
    return visit.events


def digest_of(command: c.Command, actor: Actor) -> str:
    """Return what tells a resend from another request; what cannot even be written down is refused."""
    try:
        return c.command_digest(command, actor)
    except TableeError as error:
        raise Refused("unreadable", "no such command") from error


class Door:
    """One visit: events are made one after the other on a fork of the table, which stays as it is."""

    def __init__(self, table: "Table", actor: Actor, now: float, move_id: str | None, digest: str) -> None:
        """Begin with the table as it stands."""
        self.table = table.fork()
        self.actor = actor
        self.now = now
        self.move_id = move_id
        self.digest = digest
        self.events: list[Event] = []

    def emit(self, kind: str, payload: Payload, seat: int | None = None, text: str | None = None, owner: str = "") -> None:
        """Add the next event; the first carries the `move_id`, and a text is sealed and laid beside."""
        table = self.table
        aside: dict[str, str] = {}
        fields: dict[str, Json] = dict(payload)
        if text is not None:
            aside = {"text": text, "salt": secrets.token_hex(16), "owner": owner}
            fields["seal"] = seal(aside["salt"], text)
        move_id, self.move_id = (self.move_id, None) if kind != "resumed" else (None, self.move_id)
        if move_id is not None:
            fields["digest"] = self.digest
        event = chain(table.id, table.seq + 1, kind, fields, self.now, table.hash, seat=seat, move_id=move_id, aside=aside)
        table.fold(event)
        self.events.append(event)

    def wake(self) -> None:
        """Count nothing of the time in which the house was not there, if it has not said how long that was."""
        table = self.table
        if not table.awake and table.clock and table.clock.since and table.phase == "playing":
            self.emit("resumed", {"spent": {}, "outage": round((self.now - table.events[-1].at) * 1000)})

    def do(self, command: c.Command) -> None:
        """Do what is asked, or raise `Refused`."""
        match command:
            case c.Sit():
                self.sit(command)
            case c.Leave():
                self.leave(command)
            case c.Replace():
                self.replace(command)
            case c.Invite():
                self.invite(command)
            case c.Contribute():
                self.contribute(command)
            case c.Play():
                self.play(command)
            case c.AskTakeBack():
                self.ask_take_back(command)
            case c.AskDraw():
                self.ask_draw(command)
            case c.AskAbandon():
                self.ask_abandon(command)
            case c.AskText():
                self.ask_text(command)
            case c.Rematch():
                self.rematch(command)
            case c.Answer():
                self.answer(command)
            case c.Resign():
                self.resign(command)
            case c.Hint():
                self.hint(command)
            case c.Say():
                self.say(command)
            case c.Resume():
                self.resume(command)
            case c.Start():
                self.start()
            case c.Tick():
                self.tick()
            case c.Expire():
                self.expire()
            case _:
                raise Refused("unreadable", "no such command")

    # Who may.

    def seat(self, seat: int) -> Seat:
        """Return a seat of the table."""
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.table.game.seats:
            raise Refused("unreadable", "no such seat", {"most": self.table.game.seats})
        return self.table.seats[seat]

    def holder(self, seat: int) -> Seat:
        """Return the seat that the actor holds."""
        found = self.seat(seat)
        if not self.table.holds(self.actor, seat):
            raise Refused("token", "no token", self.seat_fact(seat))
        return found

    def player(self, seat: int) -> Seat:
        """Return the seat that the actor plays: one that is held, or for the house one of its programs."""
        found = self.seat(seat)
        if found.player == "program":
            if not self.actor.host:
                raise Refused("token", "no token program", self.seat_fact(seat))
            return found
        return self.holder(seat)

    def member(self) -> None:
        """Raise unless the actor holds a seat, opened the table, or is the house."""
        if not (self.actor.host or self.table.held_by(self.actor) or self.table.opened_by(self.actor)):
            raise Refused("token", "no token table")

    def house(self) -> None:
        """Raise unless the house itself asks."""
        if not self.actor.host:
            raise Refused("token", "no token house")

    def during(self, *phases: str) -> None:
        """Raise unless the table is in one of these phases."""
        if self.table.phase not in phases:
            raise Refused("phase", f"no {self.table.phase}")

    def room(self) -> None:
        """Raise when the log has grown so long that only the game itself may go on."""
        if self.table.seq >= MOST_EVENTS:
            raise Refused("limit", "no room")

    def seat_fact(self, seat: int) -> Mapping[str, Fact]:
        """Return the number of a seat as people count."""
        return {"seat": seat + 1}

    # Sitting down and getting up.

    def sit(self, command: c.Sit) -> None:
        """Sit down: on an empty seat, or on one that a program plays."""
        table, found = self.table, self.seat(command.seat)
        self.during("waiting", "playing")
        self.room()
        if not self.actor.tokens or not TOKEN.fullmatch(self.actor.tokens[0]):
            raise Refused("token", "no token to sit")
        if command.player not in PEOPLE:
            raise Refused("unreadable", "no such player")
        if found.player in PEOPLE:
            raise Refused("phase", "no taken", self.seat_fact(command.seat))
        invitation = self.invitation(command)
        alone = bool(table.held_by(self.actor)) and not self.strangers()
        stands_open = table.terms.sitting == "open" and found.player == "nobody"
        returns = shows(self.actor, table.match.id, found.before)
        if not (invitation or stands_open or alone or returns or table.opened_by(self.actor)):
            raise Refused("token", "no invitation")
        kept = hash_token(table.match.id, self.actor.tokens[0])
        payload: dict[str, Json] = {"player": command.player, "token_hash": kept, "invitation": invitation}
        contribution = self.bytes(command.contribution) if command.contribution else ""
        self.emit("seated", payload, command.seat, clean(command.name, LONGEST_NAME), kept)
        if contribution and table.phase == "waiting":
            self.emit("contributed", {"bytes": contribution}, command.seat)
        self.begin_if_ready()

    def invitation(self, command: c.Sit) -> str:
        """Return the hash of the invitation shown, if it is good for the seat."""
        shown = Actor((command.invitation,))
        for kept, seat in self.table.invitations.items():
            if shows(shown, self.table.match.id, kept) and seat in (None, command.seat):
                return kept
        if command.invitation:
            raise Refused("token", "no invitation left")
        return ""

    def strangers(self) -> bool:
        """Return whether somebody else than the actor sits at the table."""
        return any(one.player in PEOPLE and not self.table.holds(self.actor, at) for at, one in enumerate(self.table.seats))

    def leave(self, command: c.Leave) -> None:
        """Get up; when the last person does so in a game, it is abandoned."""
        found = self.seat(command.seat)
        if command.absent:
            self.house()
            if found.player not in PEOPLE:
                raise Refused("phase", "no player there")
        else:
            self.holder(command.seat)
        self.during("waiting", "playing")
        self.emit("left", {"absent": command.absent}, command.seat)
        if self.table.phase == "playing" and not any(one.player in PEOPLE for one in self.table.seats):
            self.end((), "abandoned")

    def replace(self, command: c.Replace) -> None:
        """Let a program play an empty seat, one's own, or one that a program plays already."""
        found = self.seat(command.seat)
        self.member()
        self.during("waiting", "playing")
        self.room()
        if found.player in PEOPLE and not self.table.holds(self.actor, command.seat):
            raise Refused("token", "no token", self.seat_fact(command.seat))
        if not LEVEL.fullmatch(command.level):
            raise Refused("unreadable", "no such level")
        self.emit("seated", {"player": "program", "level": command.level}, command.seat)
        self.begin_if_ready()

    def invite(self, command: c.Invite) -> None:
        """Keep the hash of an invitation."""
        if command.seat is not None:
            self.seat(command.seat)
        self.member()
        self.during("waiting", "playing")
        self.room()
        if not TOKEN.fullmatch(command.token):
            raise Refused("unreadable", "no token to give")
        self.emit("invited", {"hash": hash_token(self.table.match.id, command.token), "seat": command.seat})

    def contribute(self, command: c.Contribute) -> None:
        """Add to the dice, once a player, before the start."""
        found = self.holder(command.seat)
        self.during("waiting")
        if found.contributed:
            raise Refused("phase", "no second contribution")
        self.emit("contributed", {"bytes": self.bytes(command.contribution)}, command.seat)
        self.begin_if_ready()

    def bytes(self, text: str) -> str:
        """Return a contribution in hex, of the right length."""
        if not HEX.fullmatch(text) or not 2 * LEAST_CONTRIBUTION <= len(text) <= 2 * MOST_CONTRIBUTION:
            raise Refused("unreadable", "no contribution", {"least": LEAST_CONTRIBUTION, "most": MOST_CONTRIBUTION})
        return text

    # The game.

    def start(self) -> None:
        """Begin although somebody has not contributed."""
        self.member()
        self.during("waiting")
        if any(one.player == "nobody" for one in self.table.seats):
            raise Refused("phase", "no empty seats")
        self.begin()

    def begin_if_ready(self) -> None:
        """Begin once every seat is taken and everybody has contributed."""
        if self.table.phase == "waiting" and all(one.player != "nobody" and one.contributed for one in self.table.seats):
            self.begin()

    def begin(self) -> None:
        """Draw the seats and the set-up with the dice of this event, then throw what is to be thrown."""
        table = self.table
        dice = table.dice(table.seq + 1)
        order, setup = draw_setup(table.game, dice.draw, table.terms.starts == "lot", not table.terms.position)
        self.emit("started", {"order": order, "setup": dict(setup), "draws": [list(one) for one in dice.drawn]})
        self.settle()

    def play(self, command: c.Play) -> None:
        """Play tokens one after the other, all or none."""
        table = self.table
        self.player(command.seat)
        self.during("playing")
        if not 0 < len(command.tokens) <= MOST_TOKENS:
            raise Refused("unreadable", "no tokens", {"most": MOST_TOKENS})
        if command.seq is not None and stale(table, command.seat, command.seq):
            raise Refused("stale", "no stale")
        if table.clock and table.clock.out(self.now):
            raise Refused("time", "no time")
        for number, token in enumerate(command.tokens):
            state = table.state
            if number and (state is None or not isinstance(state.node, Decision) or command.seat not in state.node.seats):
                raise Refused("turn", "no left over", {"tokens": " ".join(command.tokens[number:])[:60]})
            action = self.judge(command.seat, token)
            spent = table.clock.spent(command.seat, self.now) if table.clock else 0
            self.emit("acted", {"token": table.game.notate(action), "spent": spent}, command.seat)
        self.settle()

    def judge(self, seat: int, token: str) -> int:
        """Return the action of a token, or raise unless the rules let a seat play it now."""
        game, state = self.table.game, self.table.state
        if state is None:
            raise Refused("phase", "no waiting")
        try:
            action = game.parse(token, seat)
        except NotationError as error:
            raise Refused("unreadable", "no unreadable", {"token": token[:40]}, paragraph=error.paragraph) from error
        refusal = state.refusal(seat, action)
        if refusal:
            raise Refused("rules", "refused", kind=game.kind, refusal=refusal)
        return action

    def settle(self) -> None:
        """Throw while a throw is due, each bound to the number of its event; end when it is over."""
        table = self.table
        while (state := table.state) is not None and isinstance(state.node, Chance):
            dice = table.dice(table.seq + 1)
            token = throw(state, dice.draw)
            self.emit("threw", {"token": token, "draws": [list(one) for one in dice.drawn]}, state.turn)
        if state is not None and isinstance(state.node, Over):
            self.end(state.node.winners, state.node.reason)

    def end(self, winners: tuple[int, ...], reason: str) -> None:
        """Write the end down, and open the secret of the dice whatever the reason."""
        table = self.table
        state = table.state
        scores = [int(state.position.score(seat)) for seat in range(table.game.seats)] if state else []
        self.emit("ended", {"scores": scores, "winners": list(winners), "reason": reason})
        if table.secret is not None:
            self.emit("revealed", {"secret": table.secret.hex()})

    def resign(self, command: c.Resign) -> None:
        """Give up, where two play against each other."""
        self.holder(command.seat)
        self.during("playing")
        if not self.duel():
            raise Refused("phase", "no resigning")
        self.emit("resigned", {}, command.seat)
        self.end((1 - command.seat,), "resigned")

    def duel(self) -> bool:
        """Return whether two play against each other."""
        return self.table.game.seats == 2 and not self.table.game.kind.together

    def hint(self, command: c.Hint) -> None:
        """Write a hint down before it is shown."""
        self.holder(command.seat)
        self.during("playing")
        self.room()
        if not self.table.terms.hints:
            raise Refused("phase", "no hints")
        if command.seat not in self.table.asked:
            raise Refused("turn", "no turn")
        if not 0 < len(command.tokens) <= MOST_TOKENS:
            raise Refused("unreadable", "no tokens", {"most": MOST_TOKENS})
        self.judge(command.seat, command.tokens[0])
        self.emit("hinted", {"tokens": [token[:40] for token in command.tokens]}, command.seat)

    # Asking and answering.

    def ask_take_back(self, command: c.AskTakeBack) -> None:
        """Ask to take back; free where no other person plays."""
        self.holder(command.seat)
        self.during("playing")
        self.ask("take_back", command.seat, {"to_seq": last_action(self.table, command.seat)})

    def ask_draw(self, command: c.AskDraw) -> None:
        """Offer a draw; the programs of the house are asked too."""
        self.holder(command.seat)
        self.during("playing")
        if self.table.game.kind.together:
            raise Refused("phase", "no draw together")
        self.ask("draw", command.seat)

    def ask_abandon(self, command: c.AskAbandon) -> None:
        """Ask to stop without a result."""
        self.during("waiting", "playing")
        if command.seat is not None:
            self.holder(command.seat)
        elif not (self.table.phase == "waiting" and self.table.opened_by(self.actor)):
            raise Refused("token", "no token table")
        self.ask("abandon", command.seat)

    def ask_text(self, command: c.AskText) -> None:
        """Ask for free text."""
        asker = self.holder(command.seat)
        if self.table.terms.chat == "none":
            raise Refused("phase", "no chat")
        if asker.writes and free_text(self.table):
            raise Refused("phase", "no need")
        self.ask("text", command.seat)

    def rematch(self, command: c.Rematch) -> None:
        """Ask for another game, or agree if somebody has asked."""
        self.holder(command.seat)
        self.during("over")
        if self.table.next:
            raise Refused("phase", "no second rematch")
        pending = self.table.asks.get("rematch")
        if pending and command.seat in self.wanted(pending):
            self.reply("rematch", command.seat, True)
        else:
            self.ask("rematch", command.seat)

    def ask(self, what: str, seat: int | None, payload: Payload | None = None) -> None:
        """Ask the others, or do it at once where there is nobody to ask."""
        self.room()
        if what in self.table.asks:
            raise Refused("phase", "no second ask")
        if self.table.declined.get((what, seat)) == len(self.table.steps):
            raise Refused("phase", "no asking again")
        self.emit("asked", {"what": what, **(payload or {})}, seat)
        self.agree_if_all(what)

    def answer(self, command: c.Answer) -> None:
        """Answer what is asked of the seat."""
        self.player(command.seat)
        ask = self.table.asks.get(command.what)
        if ask is None:
            raise Refused("phase", "no such ask")
        if command.seat not in self.wanted(ask):
            raise Refused("token", "no answer wanted")
        self.reply(command.what, command.seat, command.yes)

    def reply(self, what: str, seat: int, yes: bool) -> None:
        """Write an answer down, and do what was asked once all have agreed."""
        self.emit("answered", {"what": what, "yes": bool(yes)}, seat)
        if yes:
            self.agree_if_all(what)

    def wanted(self, ask: Ask) -> set[int]:
        """Return the seats that have still to answer; programs of the house agree to everything but a draw."""
        programs = [at for at, one in enumerate(self.table.seats) if one.player == "program" and ask.what == "draw"]
        return {*self.table.others(ask.seat), *programs} - ask.yes

    def agree_if_all(self, what: str) -> None:
        """Do what was asked once nobody has still to answer."""
        ask = self.table.asks.get(what)
        if ask is None or self.wanted(ask):
            return
        match what:
            case "take_back":
                self.emit("took_back", {"to_seq": ask.to_seq}, ask.seat)
            case "draw":
                self.end(tuple(range(self.table.game.seats)), "draw")
            case "abandon":
                self.end((), "abandoned")
            case "rematch":
                self.emit("rematch", {"table": new_table_id()})
            case "text":
                self.emit("answered", {"what": "text", "yes": True}, ask.seat)

    # Talking.

    def say(self, command: c.Say) -> None:
        """Say a phrase, or a text where everybody agreed."""
        found = self.holder(command.seat)
        self.room()
        if self.table.terms.chat == "none":
            raise Refused("phase", "no chat")
        said = self.table.spoken.get(command.seat, ())
        if len(said) >= MOST_SAID and self.now - said[-MOST_SAID] < SAID_WITHIN:
            raise Refused("limit", "no flood")
        if command.phrase and not command.text:
            if command.phrase not in (*PHRASES, *REACTIONS):
                raise Refused("unreadable", "no such phrase")
            self.emit("said", {"phrase": command.phrase}, command.seat)
            return
        text = clean(command.text, LONGEST_TEXT)
        if not text:
            raise Refused("unreadable", "no text")
        if not free_text(self.table):
            raise Refused("phase", "no free text")
        self.emit("said", {}, command.seat, text, found.token_hash)

    # The house.

    def tick(self) -> None:
        """End the game of somebody whose time is up; where more than two play, a program takes the seat."""
        self.house()
        if self.table.clock is None or self.table.phase != "playing":
            return
        for seat in self.table.clock.out(self.now):
            if self.duel():
                self.end((1 - seat,), "time")
                return
            self.emit("seated", {"player": "program", "level": self.table.terms.substitute, "because": "time"}, seat)

    def resume(self, command: c.Resume) -> None:
        """Count what was spent while the house could still answer, and nothing of the time after."""
        self.house()
        clock = self.table.clock
        if clock is None or not clock.since or self.table.phase != "playing":
            return
        until = min(command.alive_until, self.now)
        spent: dict[str, Json] = {str(seat): min(clock.spent(seat, until), max(clock.left[seat], 0)) for seat in sorted(clock.since)}
        self.emit("resumed", {"spent": spent, "outage": max(0, round((self.now - max(until, self.table.events[-1].at)) * 1000))})

    def expire(self) -> None:
        """Close a table that everybody has forgotten; its dice are opened all the same."""
        self.house()
        self.during("waiting", "playing")
        self.end((), "expired")


def draw_setup(game: Game, draw: Draw, lot: bool, setup: bool = True) -> tuple[list[int], Mapping[str, str]]:
    """Return where everybody goes (`order[k]` is the seat of who sat at k), drawn first if by lot, and the set-up, drawn next."""
    order = list(range(game.seats))
    if lot:
        for last in range(len(order) - 1, 0, -1):
            other = draw(last + 1)
            order[last], order[other] = order[other], order[last]
    return order, game.kind.setup(game, draw) if setup else {}


def throw(state: State, draw: Draw) -> str:
    """Return the token of a throw: one of the equally likely cases."""
    return state.game.notate(int(state.position.throw(draw(int(state.position.chances())))))


def stale(table: "Table", seat: int, seen: int) -> bool:
    """Return whether the game has changed since an event, other than by those who act at the same time as the seat."""
    if seen > table.seq or table.rewritten > seen:
        return True
    for before, step in zip(table.steps, table.steps[1:], strict=False):
        if step.seq > seen:
            node = before.state.node
            beside = step.kind == "acted" and step.seat != seat and isinstance(node, Decision) and seat in node.seats
            if not beside:
                return True
    return bool(table.steps) and table.steps[0].seq > seen


def last_action(table: "Table", seat: int) -> int:
    """Return the event of a seat's last action, if no throw came after it."""
    for step in reversed(table.steps):
        if step.kind == "threw":
            raise Refused("phase", "undo throw")
        if step.kind == "acted" and step.seat == seat:
            return step.seq
    raise Refused("phase", "undo nothing")


def free_text(table: "Table") -> bool:
    """Return whether everybody at the table agreed to free text."""
    return table.terms.chat != "none" and all(one.writes for one in table.seats if one.player in PEOPLE)
