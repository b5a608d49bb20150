"""The form of a new table: what somebody has filled in, and the terms and players that follow from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tablee.core.errors import unknown
from tablee.core.kind import Kind
from tablee.core.setup_choice import SetupChoice
from tablee.tables.clock import ClockTerms
from tablee.tables.levels import levels, middle
from tablee.tables.terms import Terms
from tablee.tables.values import AS_CHOSEN, LOT, Sitting, Starts
from tablee.web.pages import whole_number
from tablee.web.presets import OWN, PRESET, preset_of, presets

CLOCKS: dict[str, ClockTerms | None] = {
    "none": None,
    "5+5": ClockTerms("real", 5 * 60_000, 5_000),
    "15+10": ClockTerms("real", 15 * 60_000, 10_000),
    "3d": ClockTerms("days", 3 * 86_400_000),
}
WAYS = ("computer", "here", "link", "mixed")


@dataclass(frozen=True)
class TableForm:
    """The fields of the form, each with its default.

    `way`: against the `computer`, several people `here`, with friends by a `link`, or `mixed`, seat by seat.
    `side`: the seat that the visitor takes (its number, or its letter where players choose their colours), or `lot`.
    `players`, `names` and `setup` have an entry for every seat of the largest table. `filled`: the ready game whose settings the page showed.
    """

    kind: Kind
    way: str
    seats: int
    side: str
    level: int
    name: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    options: dict[str, str]
    setup: dict[str, list[str]]
    clock: str
    who: str
    starts: str
    filled: str

    @property
    def colours(self) -> SetupChoice | None:
        """The set-up item that each player chooses, if the game has one."""
        return next((choice for choice in self.kind.choices if choice.by_seat), None)

    @property
    def preset_changed(self) -> bool:
        """Whether another preset was chosen than the one whose settings the page showed, because no script has filled them in."""
        preset = self.options.get(PRESET, "")
        return bool(self.filled) and preset not in (OWN, self.filled)

    def terms(self) -> Terms:
        """Return the terms of the table, checked; raise the error that says what is not possible."""
        if self.clock not in CLOCKS:
            raise unknown("clock", self.clock, CLOCKS)
        options = {name: value for name, value in self.options.items() if (name, value) != (PRESET, OWN)}
        sitting, starts = cast(Sitting, self.who), cast(Starts, self.start)  # `agreed` refuses any other text
        terms = Terms(self.kind.slug, self.seats, options, CLOCKS[self.clock], sitting=sitting, starts=starts, setup=self.chosen_setup())
        terms.agreed()
        return terms

    @property
    def start(self) -> str:
        """How the seats are given: as they are chosen, or by lot."""
        if self.way in ("computer", "link"):
            return LOT if self.side == LOT else AS_CHOSEN
        return self.starts

    def sitters(self) -> list[str]:
        """Return who sits on each seat: `me`, `open`, or `level-N`."""
        if self.way == "here":
            return ["me"] * self.seats
        if self.way == "mixed":
            return list(self.players[: self.seats])
        known = levels(self.kind)
        if not 1 <= self.level <= len(known):
            raise unknown("level", str(self.level), known)
        others = ["open" if self.way == "link" else f"level-{known[self.level - 1]}"] * self.seats
        others[min(whole_number(self.side, 0), self.seats - 1)] = "me"
        return others

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the people at this screen, by seat; "" where none is given."""
        return self.names if self.way in ("here", "mixed") else ()

    def chosen_setup(self) -> dict[str, str]:
        """Return what is chosen of the set-up: nothing where all is as usual or left open; a seat left open has the first letter that is free."""
        chosen: dict[str, str] = {}
        for choice in self.kind.choices:
            letters = self.letters(choice)
            if any(letters) and "".join(letters) != choice.letters[: len(letters)] * choice.by_seat and not self.left_out(choice):
                free = iter([letter for letter in choice.letters if letter not in letters])
                chosen[choice.name] = "".join(letter or (next(free, "") if choice.by_seat else "") for letter in letters)
        return chosen

    def left_out(self, choice: SetupChoice) -> bool:
        """Return whether the option to which a set-up item belongs, of the same name, is left as usual."""
        return any(option.name == choice.name and self.options.get(option.name) == option.default for option in self.kind.options)

    def letters(self, choice: SetupChoice) -> list[str]:
        """Return the letters of a set-up item, each "" where it is left open; in the ways with a side, that of the visitor's colour."""
        letters = self.setup[choice.name]
        if not choice.by_seat:
            return letters
        if self.way in ("computer", "link"):
            own = self.side if choice == self.colours and len(self.side) == 1 and self.side in choice.letters[1:] else ""
            return [own, *[""] * (self.seats - 1)]
        return letters[: self.seats]


def read_table_form(kind: Kind, form: Mapping[str, str]) -> TableForm:
    """Return the form as it was filled; what is missing has its default."""
    most = kind.seats[-1]
    seat_by_seat = any(name.startswith("seat-") for name in form)
    usual = ["me", *(f"level-{middle(kind)}" for _ in range(most - 1))]
    way = form.get("way", "mixed" if seat_by_seat else "computer")
    if way not in WAYS:
        raise unknown("way to play", way, WAYS)
    # A form that goes seat by seat leaves to the visitor the seats that it does not name.
    players = tuple(form.get(f"seat-{number}", "me" if seat_by_seat else usual[number]) for number in range(most))
    return TableForm(
        kind=kind,
        way=way,
        seats=whole_number(form.get("seats", ""), kind.seats[0]),
        side=form.get("side", "0"),
        level=whole_number(form.get("level", ""), levels(kind).index(middle(kind)) + 1),
        name=form.get("name", ""),
        players=players,
        names=tuple(form.get(f"name-{number}", "") for number in range(most)),
        options=filled_options(kind, form),
        setup={choice.name: filled_letters(form, choice, most) for choice in kind.choices},
        clock=form.get("clock", "none"),
        who=form.get("who", "invited"),
        starts=form.get("starts", AS_CHOSEN),
        filled=form.get("filled", ""),
    )


def filled_options(kind: Kind, form: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a form; a value that is ticked stands instead of a number."""
    filled = {option.name: form.get(f"option-{option.name}-instead") or form.get(f"option-{option.name}") for option in kind.options}
    return {name: value for name, value in filled.items() if value is not None}


def filled_letters(form: Mapping[str, str], choice: SetupChoice, seats: int) -> list[str]:
    """Return the letters that a form gives for a set-up item, each "" where it is left open."""
    return [form.get(f"setup-{choice.name}-{number}", "") for number in range(seats if choice.by_seat else len(choice.letters))]


def shown_options(form: TableForm) -> dict[str, str]:
    """Return the value of every option that the page shows: a ready game just chosen fills in its settings."""
    kind, given = form.kind, form.options
    defaults = {option.name: option.default for option in kind.options}
    if form.preset_changed:
        return defaults | given | presets(kind).get(given.get(PRESET, ""), {})
    known = presets(kind).get(given.get(PRESET, defaults.get(PRESET, "")), {})
    shown = defaults | known | given
    return shown | {PRESET: preset_of(kind, shown)} if PRESET in defaults else shown
