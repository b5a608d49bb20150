"""What every game promises, as one check: for our games and for plug-ins.

    check_game(KIND, actions=2000)

plays random and greedy games under every seat count and every option value and compares the fast and the slow statement of
the rules at every position. It raises `Broken` at the first promise that does not hold.
"""

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from string import Formatter

from tablee.core.bits import members
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.record import read_record, result, write_record
from tablee.core.rulebook import figure_state, read_rulebook
from tablee.core.ruling import IllegalAction, Refusal
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.core.svg import paint
from tablee.core.text import write
from tablee.core.words import LANGUAGES
from tablee.players.analysis import analyse
from tablee.players.levels import levels
from tablee.players.player import Player
from tablee.players.stop import Stop

LONGEST = 5000
SAMPLE = 16
NODES = 20


class Broken(AssertionError):
    """A promise that a game does not keep, with the position at which it failed."""


@dataclass
class Report:
    """What a check has seen: actions played, games finished, how often each paragraph refused something to a seat, and how often it ended a game."""

    actions: int = 0
    games: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)


def check_game(kind: Kind, actions: int = 2000, seed: int = 1, often: int = 1) -> Report:
    """Check a game under every seat count and option value with that many actions in all; raise `Broken` or return a report.

    It is played under every seat count, every option value and every older version of its rules; the players choose under each.
    Fast and slow rules meet at every position; text, copies and sentences are looked at every `often` actions.
    """
    report = Report()
    check_pages(kind)
    check_tokens(kind)
    for state in figures(kind):
        check_play(state, Random(seed), report, report.actions + SAMPLE, 1)
    tables = [*variants(kind), *(choose(kind, rules=version) for version in kind.older)]
    options = {game.chosen: game for game in reversed(tables)}  # each with the fewest seats that take it
    for game in (*options.values(), *(choose(kind, seats) for seats in kind.seats[1:])):
        check_players(game, Random(seed))
    for number, game in enumerate(tables):
        goal = actions * (number + 1) // len(tables)
        random = Random(f"{seed} {game!r}")
        while report.actions < goal:
            check_play(started(game, random), random, report, goal, often)
    unseen = [paragraph for paragraph in kind.refusing if not report.refused[paragraph]]
    if unseen:
        raise Broken(f"{kind.slug}: never seen refusing: {', '.join(unseen)}")
    unknown = set(report.refused) - set(kind.refusing)
    if unknown:
        raise Broken(f"{kind.slug}: refused by {sorted(unknown)}, which `refusing` does not name")
    return report


def started(game: Game, random: Random) -> State:
    """Return a first state, half of what the table may choose of the set-up chosen, and check that it is not drawn."""
    choosing = Random(random.getrandbits(32)) if game.kind.choices else random
    chosen: dict[str, str] = {}
    for choice in game.kind.choices:
        if choice.holds(game) and choosing.random() < 0.5:
            letters = game.seats if choice.by_seat else len(choice.letters)
            chosen[choice.name] = "".join(choosing.sample(choice.letters, letters))
    state = game.start(random.randrange, setup=chosen)
    if chosen and not chosen.items() <= dict(state.setup or {}).items():
        raise Broken(f"{game!r}: {chosen} was chosen and {state.setup} was set up")
    return state


def check_tokens(kind: Kind) -> None:
    """Check that every action, legal or not, is written as a token that some seat reads back as that action."""
    game = choose(kind, kind.seats[-1])
    for action in range(game.action_count):
        token = game.notate(action)
        if all(game.parse(token, seat) != action for seat in range(game.seats)):
            raise Broken(f"{kind.slug}: action {action} is written {token!r} and does not read back")


def variants(kind: Kind) -> Iterator[Game]:
    """Give the game with every seat count, and with every option value at every seat count that takes it."""
    seen = set()
    for seats in kind.seats:
        for option in (None, *kind.options):
            values = ("",) if option is None else option.listed
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
        yield figure_state(kind, figure)


def check_play(state: State, random: Random, report: Report, goal: int, often: int) -> None:
    """Play one game on from a state, each seat either random or greedy, and check every state of it."""
    game = state.game
    before = game.kind.conserved(game, state.position)
    greedy = [random.random() < 0.5 for _ in range(game.seats)]
    for step in range(LONGEST):
        try:
            check_state(state, random, report)
            closely = step % often == 0
            if closely:
                check_text(state)
            if game.kind.conserved(game, state.position) != before:
                raise Broken(f"not conserved: {before} became {game.kind.conserved(game, state.position)}")
            if step % SAMPLE == 0:
                check_sight(state)
                check_symmetry(state)
                check_stop(state)
            if isinstance(state.node, Over) or report.actions >= goal:
                break
            after = next_state(state, greedy, random)
            if closely:
                check_copies(state, after.action)
                check_telling(state, after)
                check_value(state, after)
        except (Broken, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Broken(f"{state!r}: {error}") from error
        state = after
        report.actions += 1
    report.games += 1
    check_record(state)


def next_state(state: State, greedy: list[bool], random: Random) -> State:
    """Return the state after a throw by its odds, or after what a random or greedy seat plays."""
    if isinstance(state.node, Chance):
        return state.throw(random.randrange)
    if not isinstance(state.node, Decision):
        raise Broken("a finished game has nothing to play")
    seat = random.choice(state.node.seats)
    if not greedy[seat] or random.random() < 0.1:
        return state.play(random.choice(state.legal(seat)))
    return state.play(random.choice(state.best_at_once(seat)))


def check_state(state: State, random: Random, report: Report) -> None:
    """Check one state: fast against slow, odds, refusals."""
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
            check_winners(state, set(winners))
            for language in LANGUAGES:
                game.kind.words(language)(f"end {reason}")
            for seat in range(DICE, game.seats):
                check_legal(state, seat, False, random, report)


def check_winners(state: State, winners: set[int]) -> None:
    """Check that somebody has won, unless all lose together, and that friends win together: the players share out one win."""
    if not winners and not state.game.kind.together:
        raise Broken("nobody has won: in a draw `winners` returns every seat, and only in a game that is `together` can all lose")
    for seat in winners:
        friends = set(members(state.position.friends(seat)))
        if not friends <= winners:
            raise Broken(f"seat {seat + 1} has won and not all of its friends have: {sorted(friends)} instead of {sorted(winners)}")


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
    slow = {action for action, broken in rulings.items() if not broken}
    if slow != set(fast):
        extra = [game.notate(action) for action in slow - set(fast)]
        missing = [f"{game.notate(action)} {rulings[action]}" for action in set(fast) - slow]
        raise Broken(f"seat {seat + 1}: only the slow rules allow {extra}, only the fast rules allow {missing}")
    refused = [action for action, broken in rulings.items() if broken]
    report.refused.update({ruling.paragraph for broken in rulings.values() for ruling in broken})
    if refused:
        action = random.choice(refused)
        check_refusal(state, Refusal(tuple(rulings[action])))
        if action not in state.legal():
            check_illegal(state, action)
    for action in fast:
        if game.parse(game.notate(action), max(seat, 0)) != action:
            raise Broken(f"{game.notate(action)!r} does not read back")


def check_refusal(state: State, refusal: Refusal) -> None:
    """Check that a refusal can be said in every language."""
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
    """Check that a copy has the same line, and that playing on it does not change the original."""
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


def check_telling(before: State, after: State) -> None:
    """Check that every language has sentences for the last action."""
    for language in LANGUAGES:
        if not after.told(language):
            raise Broken(f"nothing is told of {before.game.notate(after.action)!r}")


def check_value(before: State, after: State) -> None:
    """Check that positions are equal by what a rule looks at, and that a pickled one is equal."""
    game = before.game
    if before.position != before.position.copy():
        raise Broken("a copy is not equal to its position: does `facts` name a field that `copy_from` leaves out?")
    if (game.dump(before) != game.dump(after)) and before.position == after.position:
        raise Broken(f"the position is the same before and after {game.notate(after.action)!r}: does `facts` leave out a field?")
    again = pickle.loads(pickle.dumps(after.position))
    if again != after.position or game.kind.dump(game, again) != game.dump(after):
        raise Broken("a pickled position reads back as another")
    if not game.kind.forgets and game.load(game.dump(before)) != before:
        raise Broken("the position reads back from its line as another: does `facts` name a field that a rule does not look at?")


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
    check_cells(state, {cell.name for cell in scene.cells})


def check_cells(state: State, names: set[str]) -> None:
    """Check that refusals name only cells that are in the scene, on a sample of all actions."""
    game = state.game
    for action in range(0, game.action_count, max(1, game.action_count // SAMPLE)):
        for ruling in game.kind.rulings(game, state.position, state.turn, action):
            if not set(ruling.cells) <= names:
                raise Broken(f"the refusal of {game.notate(action)!r} names cells that are not in the scene: {ruling.cells}")


def symbols(state: State) -> set[str]:
    """Return the names of all the art that a scene uses."""
    scene = state.scene()
    return {scene.backdrop, *(cell.symbol for cell in scene.cells), *(piece.symbol for piece in scene.pieces)} - {""}


def check_players(game: Game, random: Random) -> None:
    """Check at the first choice of a game that every level chooses a legal action, and that the analysis lists legal actions, the best first."""
    state = game.start(random.randrange)
    while isinstance(state.node, Chance):
        state = state.throw(random.randrange)
    if not isinstance(state.node, Decision):
        return
    seat = state.node.seats[0]
    legal = set(state.legal(seat))
    for level in levels(game.kind):
        action = Player(game, level.name).choose(state, seat, nodes=NODES)
        if action not in legal:
            raise Broken(f"{state!r}: {level.name} chooses {action}, which is not legal for seat {seat + 1}")
    analysis = analyse(state, Stop(NODES), seat)
    listed = [action for action, _ in analysis.actions]
    values = [value for _, value in analysis.actions]
    if not listed or len(set(listed)) != len(listed) or not set(listed) <= legal:
        raise Broken(f"{state!r}: the search ranks {listed}: expected legal actions, each once")
    if values != sorted(values, reverse=True) or not all(0.0 <= value <= 1.0 for value in (*values, *analysis.expectation)):
        raise Broken(
            f"{state!r}: the search expects {values} of its actions and {analysis.expectation} of the seats: expected 0 to 1, the best first"
        )


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


def check_stop(state: State) -> None:
    """Check that the players can agree to stop where a paragraph lets them: the scores are counted, nothing may be played, the record reads back."""
    if not state.may_stop:
        return
    stopped = state.stop()
    node = stopped.node
    if not isinstance(node, Over) or stopped.legal() or pickle.loads(pickle.dumps(stopped)) != stopped:
        raise Broken("a game that was stopped goes on")
    check_winners(stopped, set(node.winners))
    for language in LANGUAGES:
        state.game.kind.words(language)(f"end {node.reason}")
    check_refusal(stopped, stopped.illegal(0).refusal)
    check_record(stopped)


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
            figure_state(kind, figure)
    if [(figure.id, figure.position) for figure in books[0].figures.values()] != [
        (figure.id, figure.position) for figure in books[1].figures.values()
    ]:
        raise Broken(f"{kind.slug}: the rule pages show different figures")
    missing = {*kind.refusing, *filter(None, [kind.counted_by])} - set(books[0].paragraphs)
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
    for choice in kind.choices:
        wanted |= {f"setup {choice.name}", *(f"={letter}" for letter in choice.letters)}
    if wanted - first.keys():
        raise Broken(f"{kind.slug}: sentences are missing: {sorted(wanted - first.keys())}")


def facts(sentence: str) -> list[str]:
    """Return the names of the facts that a sentence mentions, each once."""
    return sorted({name for _, name, _, _ in Formatter().parse(sentence) if name})
