"""The full screen of `tablee play` and `tablee join`: board, question, choices, record, hints, refusals, replay and review."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from threading import Lock, Thread

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.css.query import NoMatches
from textual.widgets import Footer, Input, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from tablee.core.state import Decision, State
from tablee.core.words import Words
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.analysis import analyse
from tablee.players.stop import Stop
from tablee.tables.telling import result_sentences
from tablee.terminal.board import Act, Board, Cloth, acts_of
from tablee.terminal.sitting import Sitting

MOST_CHOICES = 200
REVIEW_NODES = 400
MISTAKE = 0.1


class TableScreen(App[None]):
    """One table on the whole terminal."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #ask { height: auto; text-style: bold; }
    #rows { height: 1fr; }
    #cloth { width: auto; height: 1fr; margin: 0 1; scrollbar-size: 1 1; }
    #board { width: auto; height: auto; }
    #side { width: 1fr; height: 1fr; }
    #state { height: auto; scrollbar-size: 1 1; }
    #counters { height: auto; padding: 0 1; }
    #lists { height: 1fr; }
    #choices { height: 1fr; border: none; padding: 0; scrollbar-size: 1 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #record { height: 1fr; padding: 0 1; scrollbar-size: 1 1; }
    #said { height: auto; max-height: 8; padding: 0 1; }
    .narrow #rows { layout: vertical; }
    .narrow #cloth { width: 1fr; height: auto; max-height: 55%; }
    .narrow #state { max-height: 4; }
    .narrow #lists { layout: horizontal; }
    .narrow #choices { width: 1fr; }
    .narrow #record { width: 1fr; }
    """
    # A key, what it does, and how the footer calls it: a sign, or a word in the language of the screen.
    KEYS = (
        ("f1", "typed('help')", "?"),
        ("f2", "typed('hint')", "hint"),
        ("f3", "typed('undo')", "undo"),
        ("f5", "look(-1)", "<"),
        ("f6", "look(1)", ">"),
        ("f7", "review", "review"),
        ("f10", "quit", "quit"),
    )
    # The fewest columns of what stands beside a board; where fewer are left, it stands below.
    BESIDE = 34

    def __init__(self, sitting: Sitting) -> None:
        """Show a table."""
        super().__init__(ansi_color=True)
        self.sitting = sitting
        self.doors: Words = door_words(sitting.language)
        for key, action, name in self.KEYS:
            self.bind(key, action, description=self.doors(f"key {name}") if name.isalpha() else name)
        self.looking: int | None = None
        self.offered: list[Act] = []
        self.seen: tuple[State, int] | None = None
        self.recorded = 0
        self.ended = False
        self.lock = Lock()
        self.following = self.again = self.gone = False

    def compose(self) -> ComposeResult:
        """Build the screen: the question, board and side, the input line, the keys."""
        yield Static(id="ask", markup=False)
        with Horizontal(id="rows"):
            with Cloth(id="cloth"):
                yield Board()
            with Vertical(id="side"):
                with VerticalScroll(id="state", can_focus=False):
                    yield Static(id="counters", markup=False)
                with Vertical(id="lists"):
                    yield OptionList(id="choices", markup=False, compact=True)
                    yield RichLog(id="record", wrap=True, min_width=10)
        yield Static(id="said", markup=False)
        yield Input(placeholder=self.doors("screen type"), id="typed", compact=True, select_on_focus=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show the table, and let the programs begin."""
        self.query_one(Board).focus()
        self.renew()
        self.follow()

    def on_resize(self) -> None:
        """Build the screen again."""
        self.lay_out()

    def lay_out(self) -> None:
        """Put the side below the board where there is little room beside it; there, the counters share their lines."""
        board = self.query_one(Board)
        narrow = self.size.width < board.columns + self.BESIDE + 2
        self.screen.set_class(narrow, "narrow")
        counters = [counter.text.strip() for counter in board.scene.counters if counter.text] if board.scene else []
        self.query_one("#counters", Static).update((" · " if narrow else "\n").join(counters))

    def follow(self) -> None:
        """Let programs play, or listen to the house, in a thread that does not hold up the end."""
        with self.lock:
            self.again = True
            if not self.following:
                self.following = True
                Thread(target=self.followed, daemon=True).start()

    def followed(self) -> None:
        """Follow the table as long as something happens by itself."""
        while True:
            with self.lock:
                if not self.again or self.gone:
                    self.following = False
                    return
                self.again = False
            try:
                self.sitting.follow(lambda: self.later(self.renew), lambda: self.gone, self.say_later)
            except Exception as error:
                self.say_later(in_language(str(error), self.sitting.language))

    def say_later(self, text: str) -> None:
        """Say something from another thread."""
        self.later(lambda: self.say(text))

    def later(self, call: Callable[[], None]) -> None:
        """Call something in the thread of the screen, unless that has gone."""
        if not self.gone:
            with suppress(RuntimeError, NoMatches):  # it went just now, or its widgets did
                self.call_from_thread(call)

    def on_unmount(self) -> None:
        """Let the threads end."""
        self.gone = True

    def states(self) -> list[State]:
        """Return every state of the game so far."""
        state = self.sitting.table.state
        return list(state.path()) if state else []

    def renew(self) -> None:
        """Show the table as it is now or, while looking back, as it was then."""
        states = self.states()
        if not states:
            self.query_one("#ask", Static).update(self.doors("join nothing"))
            return
        if self.looking is not None and self.looking >= len(states) - 1:  # something was taken back
            self.looking = None
        at = len(states) - 1 if self.looking is None else self.looking
        state, seat = states[at], self.acting(states[at])
        language = self.sitting.language
        scene = state.scene(language)
        acts = [] if seat is None else acts_of(state, seat, scene)
        self.seen = None if seat is None else (state, seat)
        self.query_one(Board).show(scene, acts)
        self.lay_out()
        self.query_one("#ask", Static).update(self.question(state, at, len(states)))
        self.list_choices(acts)
        self.tell(states)

    def acting(self, state: State) -> int | None:
        """Return the seat for which people here act in a state: none while they look back, or if the game has gone on since."""
        if self.looking is not None or not isinstance(state.node, Decision):
            return None
        return next((seat for seat in self.sitting.due() if seat in state.node.seats), None)

    def list_choices(self, acts: list[Act]) -> None:
        """List what may be played, each with what would happen."""
        self.offered = acts[:MOST_CHOICES]
        choices = self.query_one("#choices", OptionList)
        choices.clear_options()
        choices.add_options([Option(self.described(act)) for act in self.offered])

    def described(self, act: Act) -> str:
        """Return a choice as its token and a sentence of what it does."""
        assert self.seen is not None  # nothing is offered unless somebody here acts
        state, seat = self.seen
        after = state.play(act.token, seat)
        return f"{act.token}  {' '.join(after.told(self.sitting.language))}"

    def question(self, state: State, at: int, of: int) -> str:
        """Return what stands above the board: whose turn it is and what is asked or, while looking back, which step is shown."""
        language = self.sitting.language
        words = state.game.kind.words(language)
        if self.looking is not None:
            return self.doors("looking back", at=at, last=of - 1)
        if isinstance(state.node, Decision) and not self.sitting.table.result:
            names = ", ".join(state.seat_name(seat, language) for seat in state.node.seats)
            asked = words.say(state.node.ask)
            return f"{words('title')} — {asked if asked.startswith(names) else f'{names}: {asked}'}"
        return str(words("title"))

    def tell(self, states: list[State]) -> None:
        """Add what happened to the record, and at last how it ended."""
        log = self.query_one("#record", RichLog)
        if len(states) <= self.recorded:  # taken back
            log.clear()
            self.recorded = 0
        for state in states[max(1, self.recorded) :]:
            log.write(f"{state.mover + 1} {state.game.notate(state.action)}  {' '.join(state.told(self.sitting.language))}")
        self.recorded = len(states)
        result = self.sitting.table.result
        if result and not self.ended:
            self.ended = True
            self.say("\n".join(result_sentences(states[-1], result, self.sitting.language)))

    def say(self, text: str) -> None:
        """Say something below the board."""
        self.query_one("#said", Static).update(text)

    def act(self, token: str) -> None:
        """Play a token for the seat that is asked, and say why it is refused if it is."""
        due = self.sitting.due()
        if not due or self.looking is not None:
            return
        self.say(self.sitting.play(due[0], token))
        self.renew()
        self.follow()

    def on_board_touched(self, event: Board.Touched) -> None:
        """Play what was touched, or offer what it could mean."""
        if len(event.acts) == 1:
            self.act(event.acts[0].token)
            return
        self.offer(event.acts)

    def offer(self, acts: list[Act]) -> None:
        """Let the player choose between actions with the same touches, as far as they may still be played."""
        self.list_choices([act for act in acts if act in self.query_one(Board).acts])
        self.query_one("#choices", OptionList).focus()

    def on_board_missed(self, event: Board.Missed) -> None:
        """Let the rules say why nothing is legal there."""
        if self.sitting.due() and self.looking is None:
            self.say(self.sitting.play(self.sitting.due()[0], event.token))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play a choice of the list."""
        self.act(self.offered[event.option_index].token)
        self.query_one(Board).focus()

    def on_key(self, event: events.Key) -> None:
        """Let what is typed anywhere begin a line."""
        if event.is_printable and event.character and event.character != " ":
            self.type(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Let what is pasted anywhere begin a line."""
        self.type(" ".join(event.text.split()))

    def type(self, text: str) -> None:
        """Go on with the line in its field, unless that has taken the text already."""
        typed = self.query_one(Input)
        if not typed.has_focus:
            typed.focus()
            typed.insert_text_at_cursor(text)

    def on_board_ended(self, event: Board.Ended) -> None:
        """Carry out a line whose Enter came before its input field had the focus."""
        typed = self.query_one(Input)
        line, typed.value = typed.value.strip(), ""
        self.action_typed(line)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what was typed: tokens or a command, as in the plain terminal."""
        event.input.value = ""
        self.action_typed(event.value.strip())

    def action_typed(self, line: str) -> None:
        """Do a command for the seat that is asked."""
        if not line:
            return
        seat = next(iter((*self.sitting.due(), *self.sitting.held())), 0)
        try:
            self.say(self.sitting.command(line, seat))
        except EOFError:
            self.exit()
            return
        self.renew()
        self.follow()

    def action_look(self, by: int) -> None:
        """Show the state before or after; the last one is the present."""
        last = len(self.states()) - 1
        at = max(0, (last if self.looking is None else self.looking) + by)
        self.looking = None if at >= last else at
        self.renew()

    def action_review(self) -> None:
        """Find the costliest actions, in a thread."""
        self.say(self.doors("reviewing"))
        Thread(target=self.reviewed, daemon=True).start()

    def reviewed(self) -> None:
        """Say which actions a strong player would not have played."""
        sentences = list(mistakes(self.states(), self.doors, self.sitting.language))
        self.later(lambda: self.say("\n".join(sentences) or self.doors("review nothing")))


def mistakes(states: list[State], doors: Words, language: str) -> Iterator[str]:
    """Give the actions that were worse than the best one by more than a tenth of a win."""
    for before, after in pairwise(states):
        if not isinstance(before.node, Decision) or len(before.legal(after.mover)) < 2:
            continue
        analysis = analyse(before, Stop(REVIEW_NODES), after.mover)
        values = dict(analysis.actions)
        lost = analysis.actions[0][1] - values.get(after.action, analysis.actions[-1][1])
        if lost > MISTAKE:
            seat, notate = before.seat_name(after.mover, language), before.game.notate
            yield doors(
                "review line", step=after.steps, seat=seat, played=notate(after.action), best=notate(analysis.best), percent=round(100 * lost)
            )
