"""The screen before a game: which game, how many seats, which options, who sits where."""

from collections.abc import Iterator
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Label, Select, Static

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose
from tablee.core.kind import Option as Choice
from tablee.core.words import Words
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.levels import levels
from tablee.tables.levels import middle, player_name
from tablee.tables.telling import program
from tablee.terminal.plain import HUMAN


@dataclass(frozen=True)
class Chosen:
    """What was chosen: the game with seats and options, and the players by seat."""

    game: Game
    players: list[str]


class ChooseScreen(App[Chosen | None]):
    """Choose a game, and how it is played."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Select, #how Input { width: 100%; }
    SelectCurrent, SelectOverlay, #about, #how Input, .hint { padding: 0 2; }
    #how { scrollbar-size: 1 1; }
    #wrong { color: ansi_red; height: auto; }
    Label { width: 100%; text-style: bold; }
    """

    def __init__(self, language: str, slug: str = "") -> None:
        """Begin with a game, if one is named."""
        super().__init__(ansi_color=True)
        self.language, self.slug = language, slug or next(iter(catalog.kinds()))
        self.doors = door_words(language)
        self.bind("f2", "begin", description=self.doors("choose start"))
        self.bind("f10", "quit", description=self.doors("key quit"))

    def compose(self) -> ComposeResult:
        """Ask for the game; the rest follows from it."""
        shelf = [(kind.words(self.language)("title"), slug) for slug, kind in catalog.kinds().items()]
        yield Label(self.doors("choose game"))
        yield Select(shelf, value=self.slug, allow_blank=False, compact=True, id="game")
        yield Static(id="about", markup=False)
        yield VerticalScroll(id="how")
        yield Static(id="wrong", markup=False)
        yield Button(self.doors("choose start"), id="start", variant="primary", compact=True)
        yield Footer(show_command_palette=False, compact=True)

    async def on_mount(self) -> None:
        """Show what the first game asks."""
        await self.ask_how()

    async def ask_how(self, seats: int | None = None) -> None:
        """Ask for seats, players and options of the chosen game; what was chosen for another number of seats stays."""
        chosen = self.chosen() if seats else {}
        kind, how = catalog.kind(self.slug), self.query_one("#how", VerticalScroll)
        words, count = kind.words(self.language), seats or kind.seats[0]
        await how.remove_children()
        await how.mount(
            Label(self.doors("choose seats")), Select([(str(n), n) for n in kind.seats], value=count, allow_blank=False, compact=True, id="seats")
        )
        self.query_one("#about", Static).update(words("line"))
        names = [HUMAN, *(level.name for level in levels(kind))]
        usual = player_name(kind, middle(kind))
        for seat in range(count):
            await how.mount(
                Label(self.doors("choose player", seat=seat + 1)),
                Select(
                    [(self.doors("you") if name == HUMAN else program(name.removeprefix("level"), self.language), name) for name in names],
                    value=chosen.get(f"player-{seat}", usual if seat else HUMAN),
                    allow_blank=False,
                    compact=True,
                    id=f"player-{seat}",
                ),
            )
        for option in kind.options:
            await how.mount(Label(words(f"option {option.name}")), *self.asked(option, words, chosen.get(f"option-{option.name}", option.default)))

    def asked(self, option: Choice, words: Words, value: str) -> Iterator[Widget]:
        """Give what asks for the value of an option: a list, or a line to type a number or a word."""
        name = f"option-{option.name}"
        sentences = [(words(f"option {option.name} {value}"), value) for value in option.values]
        if not option.ranged:
            yield Select(sentences, value=value, allow_blank=False, compact=True, id=name)
            return
        yield Input(value, compact=True, id=name)
        hints = [self.doors("option range", least=option.least, most=option.most, default=option.default)]
        hints += [self.doors("option value", value=value, sentence=sentence) for sentence, value in sentences]
        yield Static("\n".join(hints), markup=False, classes="hint")

    async def on_select_changed(self, event: Select.Changed) -> None:
        """Ask anew where the game or the number of seats has changed."""
        if event.select.id == "game" and event.value != self.slug:
            self.slug = str(event.value)
            await self.ask_how()
        elif event.select.id == "seats" and self.seats() != self.shown():
            await self.ask_how(self.seats())

    def seats(self) -> int:
        """Return how many seats are chosen."""
        return int(str(self.query_one("#seats", Select).value))

    def shown(self) -> int:
        """Return for how many seats players are asked."""
        return sum(1 for select in self.query(Select) if (select.id or "").startswith("player-"))

    def chosen(self) -> dict[str, str]:
        """Return what is chosen or typed now, by the name of what asks for it."""
        return {asked.id or "": str(asked.value) for asked in (*self.query(Select), *self.query(Input))}

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin."""
        self.action_begin()

    def action_begin(self) -> None:
        """Begin, or say what does not go together."""
        chosen = self.chosen()
        options = {name.removeprefix("option-"): value for name, value in chosen.items() if name.startswith("option-")}
        try:
            game = choose(catalog.kind(self.slug), self.seats(), options)
        except TableeError as error:
            self.query_one("#wrong", Static).update(in_language(str(error), self.language))
            return
        self.exit(Chosen(game, [chosen[f"player-{seat}"] for seat in range(game.seats)]))
