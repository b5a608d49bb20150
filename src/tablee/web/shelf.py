"""The games as the pages show them: a card each, with the game's own board in mid-game."""

import gzip
from dataclasses import dataclass
from functools import cache
from random import Random

from tablee import catalog
from tablee.core.game import choose
from tablee.core.kind import Kind, Option
from tablee.core.scene import Scene
from tablee.core.state import Chance, Decision, State
from tablee.core.svg import paint
from tablee.core.words import Words
from tablee.web.words import page_words

LONGEST = 600
SEED = 7


@dataclass(frozen=True)
class Choice:
    """A value that one may choose, with its sentence."""

    value: str
    label: str


@dataclass(frozen=True)
class OptionCard:
    """An option of a game: what it changes, and its values or its range."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    default: str
    least: int
    most: int


@dataclass(frozen=True)
class Card:
    """A game as the shelf shows it."""

    slug: str
    title: str
    line: str
    players: str
    minutes: str
    seats: tuple[int, ...]
    seat_names: tuple[str, ...]
    options: tuple[OptionCard, ...]
    width: int
    height: int


@cache
def card(slug: str, language: str) -> Card:
    """Return the card of a game."""
    kind = catalog.kind(slug)
    words, page = kind.words(language), page_words(language)
    few, many = kind.seats[0], kind.seats[-1]
    scene = middle(slug).scene(language)
    return Card(
        slug=slug,
        title=words("title"),
        line=words("line"),
        players=page("players" if few != many else "players exactly", least=few, most=many),
        minutes=page("minutes", minutes=kind.minutes) if kind.minutes else "",
        seats=kind.seats,
        seat_names=tuple(words(f"seat {seat + 1}") for seat in range(many)),
        options=tuple(option_card(option, words) for option in kind.options),
        width=round(scene.width * 4),
        height=round(scene.height * 4),
    )


def cards(language: str) -> list[Card]:
    """Return the whole shelf."""
    return [card(slug, language) for slug in catalog.kinds()]


def option_card(option: Option, words: Words) -> OptionCard:
    """Return an option with a sentence for each value."""
    choices = tuple(Choice(value, words(f"option {option.name} {value}")) for value in option.values)
    return OptionCard(option.name, words(f"option {option.name}"), choices, option.default, option.least, option.most)


@cache
def middle(slug: str) -> State:
    """Return a real position about two fifths into a game of greedy players, always the same one."""
    random = Random(SEED)
    kind = catalog.kind(slug)
    state = choose(kind, kind.seats[len(kind.seats) // 2]).start(random.randrange)
    states = [state]
    while len(states) < LONGEST and (after := greedy_step(states[-1], random)) is not None:
        states.append(after)
    return states[len(states) * 2 // 5]


def greedy_step(state: State, random: Random) -> State | None:
    """Return the state after a throw or after what looks best at once, or None at the end."""
    match state.node:
        case Decision(seats, _):
            return state.play(random.choice(state.best_at_once(random.choice(seats))))
        case Chance():
            return state.play(random.choice(state.legal()))
        case _:
            return None


@cache
def picture(slug: str, language: str) -> bytes:
    """Return the board of the card as an SVG document."""
    return middle(slug).svg(language).encode()


@cache
def packed_picture(drawn: bytes) -> bytes:
    """Return a picture compressed, so that the whole shelf weighs little."""
    return gzip.compress(drawn, mtime=0)


def draw_board(kind: Kind, scene: Scene, *, art: bool = True) -> str:
    """Return a scene painted; the second board of a game on a page does without the art, which the page holds already."""
    return paint(scene, kind.text("art.svg") if art else None)
