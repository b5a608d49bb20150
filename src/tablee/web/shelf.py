"""The games as the pages show them: a card each, with the game's own board in mid-game."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from tablee import catalog
from tablee.core.firstgame import brings_first_game
from tablee.core.game import choose
from tablee.core.kind import Kind, Option
from tablee.core.scene import Scene
from tablee.core.setup_choice import SetupChoice
from tablee.core.state import Chance, Decision, State
from tablee.core.svg import paint
from tablee.core.words import Words
from tablee.web.words import page_words

LONGEST = 600
SEED = 7
MOMENTS = 8


@dataclass(frozen=True)
class Choice:
    """A value that one may choose, with its sentence."""

    value: str
    label: str


@dataclass(frozen=True)
class OptionCard:
    """An option of a game: what it changes, its values, and its range if it is `ranged`."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    default: str
    ranged: bool
    least: int
    most: int


@dataclass(frozen=True)
class SetupCard:
    """A set-up item that the table may choose: what it is, its letters, and whether there is one for each seat."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    by_seat: bool


@dataclass(frozen=True)
class SideOffer:
    """The side of the board that the player of a seat may choose before play: the board as it is, or its mirror image."""

    seat: int
    label: str
    usual: str
    mirrored: str


@dataclass(frozen=True)
class Card:
    """A game as the shelf shows it; `usual` says its usual options in one line."""

    slug: str
    title: str
    line: str
    usual: str
    players: str
    age: str
    minutes: str
    seats: tuple[int, ...]
    seat_names: tuple[str, ...]
    options: tuple[OptionCard, ...]
    setup: tuple[SetupCard, ...]
    side_offer: SideOffer | None
    first_game: bool
    dice: bool
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
        usual=words.sentences.get("usual", page("usual rules")),
        players=page("players" if few != many else "players exactly", least=few, most=many),
        age=page("ages", age=kind.age) if kind.age else "",
        minutes=page("minutes", minutes=kind.minutes) if kind.minutes else "",
        seats=kind.seats,
        seat_names=tuple(words(f"seat {seat + 1}") for seat in range(many)),
        options=tuple(option_card(option, words) for option in kind.options),
        setup=tuple(setup_card(choice, words) for choice in kind.choices),
        side_offer=side_offer(words, many),
        first_game=brings_first_game(kind),
        dice=kind.dice,
        width=round(scene.width * 4),
        height=round(scene.height * 4),
    )


def cards(language: str) -> list[Card]:
    """Return the whole shelf."""
    return [card(slug, language) for slug in catalog.kinds()]


def option_card(option: Option, words: Words) -> OptionCard:
    """Return an option with a sentence for each value."""
    choices = tuple(Choice(value, words(f"option {option.name} {value}")) for value in option.values)
    return OptionCard(option.name, words(f"option {option.name}"), choices, option.default, option.ranged, option.least, option.most)


def setup_card(choice: SetupChoice, words: Words) -> SetupCard:
    """Return a set-up item with the name of each letter."""
    letters = tuple(Choice(letter, words(f"={letter}")) for letter in choice.letters)
    return SetupCard(choice.name, words(f"setup {choice.name}"), letters, choice.by_seat)


def side_offer(words: Words, seats: int) -> SideOffer | None:
    """Return the offer of a side of the board, if the words of a game have one: `side offer N` for the player of seat N."""
    for seat in range(seats):
        if f"side offer {seat + 1}" in words.sentences:
            return SideOffer(seat, words(f"side offer {seat + 1}"), words("side usual"), words("side mirrored"))
    return None


@cache
def middle(slug: str) -> State:
    """Return a real position about two fifths into a game of greedy players, always the same one: of a few, the one where most lies on the board."""
    random = Random(SEED)
    kind = catalog.kind(slug)
    state = choose(kind, kind.seats[len(kind.seats) // 2]).start(random.randrange)
    states = [state]
    while len(states) < LONGEST and (after := greedy_step(states[-1], random)) is not None:
        states.append(after)
    decisions = [state for state in states if isinstance(state.node, Decision)]
    at = len(decisions) * 2 // 5
    return max(decisions[at : at + MOMENTS], key=lambda state: len(state.scene().pieces))


def greedy_step(state: State, random: Random) -> State | None:
    """Return the state after a throw or after what looks best at once, or None at the end."""
    match state.node:
        case Decision(seats, _):
            return state.play(random.choice(state.best_at_once(random.choice(seats))))
        case Chance():
            return state.throw(random.randrange)
        case _:
            return None


@cache
def picture(slug: str, language: str) -> bytes:
    """Return the board of the card as an SVG document; no mark of a last throw lies on its signs."""
    state = middle(slug)
    return draw_board(state.game.kind, replace(state.scene(language), marks=())).encode()


def draw_board(kind: Kind, scene: Scene, *, art: bool = True) -> str:
    """Return a scene painted; the second board of a game on a page leaves out the art."""
    return paint(scene, kind.text("art.svg") if art else None)
