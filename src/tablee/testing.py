"""What every game promises, as one check: for our games and for plug-ins.

    check_game(KIND, actions=2000)

plays random and greedy games under every seat count and every option value and holds the fast and the slow statement of
the rules against each other at every position. It raises `Broken` at the first promise that does not hold.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from string import Formatter

from tablee.core.errors import TableeError
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.record import read_record, result, write_record
from tablee.core.rulebook import read_rulebook
from tablee.core.ruling import IllegalAction, Refusal
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.core.svg import paint
from tablee.core.text import write
from tablee.core.words import LANGUAGES

LONGEST = 5000
SAMPLE = 16


class Broken(AssertionError):
    """A promise that a game does not keep, with the position at which it failed."""


@dataclass
class Report:
    """What a check has seen: actions played, games finished, and how often each paragraph refused or ended a game."""

    actions: int = 0
    games: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)


def check_game(kind: Kind, actions: int = 2000, seed: int = 1) -> Report:
    """Check a game under every seat count and option value with so many actions in all; raise `Broken` or return what was seen."""
    report = Report()
    check_pages(kind)
    for state in figures(kind):
        check_play(state, Random(seed), report, report.actions + SAMPLE)
    tables = list(variants(kind))
    for number, game in enumerate(tables):
        goal = actions * (number + 1) // len(tables)
        random = Random(f"{seed} {game!r}")
        while report.actions < goal:
            check_play(game.start(random.randrange), random, report, goal)
    unseen = [paragraph for paragraph in kind.refusing if not report.refused[paragraph]]
    if unseen:
        raise Broken(f"{kind.slug}: never seen refusing: {', '.join(unseen)}")
    unknown = set(report.refused) - set(kind.refusing)
    if unknown:
        raise Broken(f"{kind.slug}: refused by {sorted(unknown)}, which `refusing` does not name")
    return report


def variants(kind: Kind) -> Iterator[Game]:
    """Give the game with every seat count, and with every option value at every seat count that takes it."""
    seen = set()
    for seats in kind.seats:
        for option in (None, *kind.options):
            values = ("",) if option is None else option.values or (str(option.least), str(option.most))
            for value in values:
                try:
                    game = choose(kind, seats, {option.name: value} if option else {})
                except TableeError:
                    continue
                if game not in seen:
                    seen.add(game)
                    yield game


def figures(kind: Kind) -> Iterator[State]:
    """Give the positions that the rule page shows: rare ones are among them."""
    for figure in read_rulebook(kind.text(f"rules.{LANGUAGES[0]}.md")).figures.values():
        yield choose(kind, figure.seats, dict(figure.options)).load(figure.position)


def check_play(state: State, random: Random, report: Report, goal: int) -> None:
    """Play one game on from a state, each seat either random or greedy, and check every state of it."""
    game = state.game
    before = game.kind.conserved(game, state.position)
    greedy = [random.random() < 0.5 for _ in range(game.seats)]
    for step in range(LONGEST):
        try:
            check_state(state, random, report)
            if game.kind.conserved(game, state.position) != before:
                raise Broken(f"not conserved: {before} became {game.kind.conserved(game, state.position)}")
            if step % SAMPLE == 0:
                check_sight(state)
                check_symmetry(state)
            if isinstance(state.node, Over) or report.actions >= goal:
                break
            action = choice(state, greedy, random)
            check_copies(state, action)
            after = state.play(action)
            check_telling(state, action, after)
        except (Broken, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Broken(f"{state!r}: {error}") from error
        state = after
        report.actions += 1
    report.games += 1
    check_record(state)


def choice(state: State, greedy: list[bool], random: Random) -> int:
    """Return a throw by its odds, or what a random or greedy seat plays."""
    if isinstance(state.node, Chance):
        position = state.position
        return int(position.throw(random.randrange(int(position.chances()))))
    if not isinstance(state.node, Decision):
        raise Broken("a finished game has nothing to play")
    seat = random.choice(state.node.seats)
    if not greedy[seat] or random.random() < 0.1:
        return random.choice(state.legal(seat))
    return random.choice(state.best_at_once(seat))


def check_state(state: State, random: Random, report: Report) -> None:
    """Check one state: fast against slow, text both ways, odds, refusals."""
    game, node = state.game, state.node
    match node:
        case Decision(seats, ask):
            for language in LANGUAGES:
                game.kind.words(language).say(ask)
            for seat in range(game.seats):
                check_legal(state, seat, seat in seats, random, report)
            check_legal(state, DICE, False, random, report)
        case Chance(outcomes):
            if sum(chance for _, chance in outcomes) != Fraction(1):
                raise Broken("the odds do not sum to 1")
            check_legal(state, DICE, True, random, report)
            check_legal(state, state.turn, False, random, report)
        case Over(scores, reason, winners):
            report.ended[reason] += 1
            if len(scores) != game.seats or not set(winners) <= set(range(game.seats)):
                raise Broken(f"scores {scores} and winners {winners} do not fit {game.seats} seats")
            for language in LANGUAGES:
                game.kind.words(language)(f"end {reason}")
            for seat in range(DICE, game.seats):
                check_legal(state, seat, False, random, report)
    check_text(state)


def check_legal(state: State, seat: int, acts: bool, random: Random, report: Report) -> None:
    """Check that the slow statement allows just what the fast one lists; of a seat that may not act, a sample."""
    game = state.game
    fast = (state.legal() if seat == DICE else state.legal(seat)) if acts else []
    if acts and not fast:
        raise Broken(f"seat {seat + 1} is asked and has no legal action")
    if len(set(fast)) != len(fast):
        raise Broken(f"seat {seat + 1}: an action is listed twice: {[game.notate(action) for action in fast]}")
    numbers = range(game.action_count) if acts else random.sample(range(game.action_count), min(SAMPLE, game.action_count))
    rulings = {action: game.kind.rulings(game, state.position, seat, action) for action in numbers}
    slow = {action for action, found in rulings.items() if not found}
    if slow != set(fast):
        extra = [game.notate(action) for action in slow - set(fast)]
        missing = [f"{game.notate(action)} {rulings[action]}" for action in set(fast) - slow]
        raise Broken(f"seat {seat + 1}: only the slow rules allow {extra}, only the fast rules allow {missing}")
    refused = [action for action, found in rulings.items() if found]
    for action in refused:
        report.refused.update({ruling.paragraph for ruling in rulings[action]})
    if refused:
        action = random.choice(refused)
        check_refusal(state, Refusal(tuple(rulings[action])))
        if action not in state.legal():
            check_illegal(state, action)
    for action in fast:
        if game.parse(game.notate(action), max(seat, 0)) != action:
            raise Broken(f"{game.notate(action)!r} does not read back")


def check_refusal(state: State, refusal: Refusal) -> None:
    """Check that a refusal can be said in every language, and names only cells that are there."""
    for language in LANGUAGES:
        for ruling in refusal.rulings:
            state.game.kind.words(language).say(ruling.message)


def check_illegal(state: State, action: int) -> None:
    """Check that an illegal action raises with its refusal and changes nothing."""
    line = state.game.dump(state)
    try:
        state.play(action)
    except IllegalAction:
        if state.game.dump(state) != line:
            raise Broken("an illegal action changed the position") from None
        return
    raise Broken(f"{state.game.notate(action)!r} is refused by the rulings and was played all the same")


def check_text(state: State) -> None:
    """Check that the position reads back from its line, with the same actor and the same legal actions."""
    game = state.game
    line = game.dump(state)
    if game.kind.forgets and isinstance(state.node, Over):
        return
    again = game.load(line)
    if game.dump(again) != line:
        raise Broken(f"{line!r} reads back as {game.dump(again)!r}")
    if game.kind.forgets:
        if not set(state.legal()) <= set(again.legal()):
            raise Broken("an action is lost when the position reads back")
    elif again.node != state.node or again.legal() != state.legal():
        raise Broken(f"the position reads back as another: {again.node} instead of {state.node}")
    elif again.position.hash() != state.position.hash():
        raise Broken("the position reads back with another hash")


def check_copies(state: State, action: int) -> None:
    """Check that a copy is equal in all that a line tells, and that playing on it leaves the position as it was."""
    game, position = state.game, state.position
    line, number = game.dump(state), position.hash()
    made, taken_over = position.copy(), (state.previous or state).position.copy()
    taken_over.copy_from(position)
    for twin in (made, taken_over):
        if game.kind.dump(game, twin) != line or twin.hash() != number:
            raise Broken(f"a copy is not equal: {game.kind.dump(game, twin)!r}")
        twin.play(action)
        if game.dump(state) != line or position.hash() != number:
            raise Broken(f"playing {game.notate(action)!r} on a copy changed the position it was copied from")


def check_telling(before: State, action: int, after: State) -> None:
    """Check that what happened can be told in every language."""
    game = before.game
    messages = game.kind.tell(game, before.position, action, after.position)
    if not messages:
        raise Broken(f"nothing is told of {game.notate(action)!r}")
    for language in LANGUAGES:
        for message in messages:
            game.kind.words(language).say(message)


def check_sight(state: State) -> None:
    """Check that the scene is drawn: every piece has its own id, and stands on a cell that is there."""
    for language in LANGUAGES:
        scene = state.scene(language)
        names = {cell.name for cell in scene.cells}
        ids = [piece.id for piece in scene.pieces]
        if len(set(ids)) != len(ids) or len(names) != len(scene.cells):
            raise Broken("two pieces or two cells of the scene share a name")
        if not {piece.cell for piece in scene.pieces} <= names | {""}:
            raise Broken("a piece stands on a cell that is not in the scene")
        art = state.game.kind.text("art.svg")
        lacking = {name for name in symbols(state) if f'id="{scene.game}-{name}"' not in art}
        if lacking:
            raise Broken(f"art.svg lacks {', '.join(sorted(lacking))}")
        if not paint(scene, art) or not write(scene).strip():
            raise Broken("the scene is empty")


def symbols(state: State) -> set[str]:
    """Return the names of all the art that a scene uses."""
    scene = state.scene()
    return {scene.backdrop, *(cell.symbol for cell in scene.cells), *(piece.symbol for piece in scene.pieces)} - {""}


def check_symmetry(state: State) -> None:
    """Check that the turned or recoloured position has the turned or recoloured actions."""
    game, line = state.game, state.game.dump(state)
    if not isinstance(state.node, Decision):
        return
    here = game.load(line)
    for symmetry in game.kind.symmetries:
        if not symmetry.holds(game):
            continue
        there = game.load(symmetry.line(game, line))
        for seat in state.node.seats:
            mapped = {symmetry.token(game, game.notate(action)) for action in here.legal(seat)}
            legal = {game.notate(action) for action in there.legal(symmetry.seat(game, seat))}
            if mapped != legal:
                raise Broken(f"{symmetry.name}: {sorted(mapped ^ legal)} are legal on one side only")


def check_record(state: State) -> None:
    """Check that the game reads back from its record to the same position and result."""
    text = write_record(state)
    again = read_record(text, lambda slug: state.game.kind)
    if state.game.dump(again) != state.game.dump(state) or result(again) != result(state):
        raise Broken(f"the record reads back to another end:\n{text}")


def check_pages(kind: Kind) -> None:
    """Check the rule pages and the words: same numbers, same figures, same keys in every language; figures load."""
    books = [read_rulebook(kind.text(f"rules.{language}.md")) for language in LANGUAGES]
    if list(books[0].paragraphs) != list(books[1].paragraphs):
        raise Broken(
            f"{kind.slug}: the rule pages differ in {set(books[0].paragraphs) ^ set(books[1].paragraphs) or 'the order of their paragraphs'}"
        )
    for book in books:
        for paragraph in book.paragraphs.values():
            if not paragraph.apparatus:
                raise Broken(f"{kind.slug} {paragraph.number}: no source is given on {book.title!r}")
        for figure in book.figures.values():
            choose(kind, figure.seats, dict(figure.options)).load(figure.position)
    if [(one.id, one.position) for one in books[0].figures.values()] != [(one.id, one.position) for one in books[1].figures.values()]:
        raise Broken(f"{kind.slug}: the rule pages show different figures")
    missing = set(kind.refusing) - set(books[0].paragraphs)
    if missing:
        raise Broken(f"{kind.slug}: the rule pages lack {sorted(missing)}")
    first, second = (kind.words(language).sentences for language in LANGUAGES)
    if first.keys() != second.keys():
        raise Broken(f"{kind.slug}: a sentence lacks its translation: {sorted(first.keys() ^ second.keys())}")
    for key in first:
        if facts(first[key]) != facts(second[key]):
            raise Broken(f"{kind.slug}: the sentence {key!r} mentions {facts(first[key])} in one language and {facts(second[key])} in the other")
    wanted = {"title", "line", *(f"seat {seat + 1}" for seat in range(kind.seats[-1]))}
    for option in kind.options:
        wanted |= {f"option {option.name}", *(f"option {option.name} {value}" for value in option.values)}
    if wanted - first.keys():
        raise Broken(f"{kind.slug}: sentences are missing: {sorted(wanted - first.keys())}")


def facts(sentence: str) -> list[str]:
    """Return the names of the facts that a sentence mentions, each once."""
    return sorted({name for _, name, _, _ in Formatter().parse(sentence) if name})
