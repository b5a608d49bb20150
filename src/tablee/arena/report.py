"""The results of games between players: a Markdown table, JSON, and a plot."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from statistics import fmean, stdev
from typing import TypedDict, cast

from tablee import catalog
from tablee.arena.plan import Plan
from tablee.arena.plot import Bar, plot
from tablee.arena.ratings import SURE, Meeting, Rate, Rating, rate, ratings
from tablee.core.words import LANGUAGES, Words
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.program import PATIENCE

GAMES, TABLE, DATA, PLOT = "games.jsonl", "report.md", "report.json", "plot.svg"


class Line(TypedDict):
    """A finished game as it stands in the file of games."""

    meeting: list[int]
    round: int
    seats: list[int]
    shares: list[float]
    scores: list[int]
    won: bool
    moves: list[int]
    seconds: list[float]
    slowest: list[float]


@dataclass(frozen=True)
class Standing:
    """The results of one player: its share of the win, mean score, time and rating."""

    player: str
    rate: Rate
    score: float
    score_margin: float
    seconds: float
    slowest: float
    rating: Rating | None


@dataclass(frozen=True)
class Report:
    """The results of a run; `faults` are the players that failed, how often, and how the first time, in each language."""

    plan: Plan
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]
    faults: tuple[tuple[str, int, Mapping[str, str]], ...] = ()


def make_report(plan: Plan, games: Sequence[dict[str, object]]) -> Report:
    """Return the report of the finished games of a plan."""
    lines = [cast(Line, game) for game in games]
    together = catalog.kind(plan.slug).together
    meetings = () if together else tuple(meeting for pair in plan.meetings() if (meeting := met(lines, pair)))
    rated = ratings(len(plan.everyone), meetings) if meetings else [None] * len(plan.everyone)
    standings = tuple(standing(plan, lines, meetings, index, rated[index]) for index in range(len(plan.everyone)))
    return Report(plan, standings, meetings, tuple(faults_of(plan, games)))


def faults_of(plan: Plan, games: Sequence[dict[str, object]]) -> Iterator[tuple[str, int, Mapping[str, str]]]:
    """Give each player that failed, with how many games it lost by that and how the first time."""
    for index, player in enumerate(plan.everyone):
        own = [game for game in games if game.get("faulty") == index]
        if own:
            yield player, len(own), fault_of(own[0])


def fault_of(game: Mapping[str, object]) -> Mapping[str, str]:
    """Return how a player failed, in each language; older files of games have one sentence, which says it in English."""
    said = game.get("said") or {language: in_language(str(game["fault"]), language) for language in LANGUAGES}
    return cast(Mapping[str, str], said)


def met(lines: Sequence[Line], pair: tuple[int, ...]) -> Meeting | None:
    """Return the results of two players against each other, or None if they have not met."""
    rounds: dict[int, list[float]] = {}
    for line in lines:
        if tuple(line["meeting"]) == pair:
            rounds.setdefault(line["round"], []).append(part(line, pair[0]))
    size = max(map(len, rounds.values()), default=0)
    complete = tuple(fmean(parts) for parts in rounds.values() if len(parts) == size)
    return Meeting(pair[0], pair[1], complete, size) if complete else None


def part(line: Line, player: int) -> float:
    """Return a player's share of the win in a game; a game without a winner is a draw."""
    total = sum(line["shares"])
    return sum(share for seat, share in zip(line["seats"], line["shares"], strict=True) if seat == player) / total if total else 0.5


def standing(plan: Plan, lines: Sequence[Line], meetings: Sequence[Meeting], index: int, rated: Rating | None) -> Standing:
    """Return the results of one player."""
    own = [(line, seat) for line in lines for seat, player in enumerate(line["seats"]) if player == index]
    rounds = [
        (1 - share if meeting.second == index else share)
        for meeting in meetings
        if index in (meeting.first, meeting.second)
        for share in meeting.rounds
    ]
    won = [float(line["won"]) for line in lines if index in line["meeting"]]
    scores = [line["scores"][seat] for line, seat in own]
    moves = sum(line["moves"][seat] for line, seat in own)
    return Standing(
        plan.everyone[index],
        rate(rounds, max(meeting.size for meeting in meetings)) if rounds else rate(won or [0.0], 1),
        fmean(scores) if scores else 0.0,
        SURE * stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0,
        sum(line["seconds"][seat] for line, seat in own) / moves if moves else 0.0,
        max((line["slowest"][seat] for line, seat in own), default=0.0),
        rated,
    )


def write_report(report: Report, folder: Path, language: str) -> None:
    """Write the table, the data and the plot into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TABLE).write_text("\n".join(table(report, language)) + "\n", encoding="utf-8")
    (folder / DATA).write_text(json.dumps(data(report), indent=1) + "\n", encoding="utf-8")
    (folder / PLOT).write_text(picture(report, language), encoding="utf-8")


def table(report: Report, language: str) -> Iterator[str]:
    """Give the lines of the Markdown page."""
    words = door_words(language)
    plan = report.plan
    yield f"# {heading(plan, words)}"
    yield ""
    yield f"`{command(plan)}`"
    yield ""
    rated = [player for player in report.standings if player.rating]
    titles = [words(f"arena {name}") for name in ("player", *(["rating"] if rated else []), "won", "games", "score", "time", "slowest")]
    yield f"| {' | '.join(titles)} |"
    yield "|---" + "|--:" * (len(titles) - 1) + "|"
    for standing in sorted(report.standings, key=lambda entry: -(entry.rating.elo if entry.rating else entry.rate.value)):
        elo = [f"{standing.rating.elo:+.0f} ± {standing.rating.margin:.0f}"] if standing.rating else []
        score = f"{standing.score:.1f} ± {standing.score_margin:.1f}"
        figures = [*elo, percent(standing.rate), str(standing.rate.number), score, f"{standing.seconds * 1000:.1f}", f"{standing.slowest * 1000:.0f}"]
        yield f"| `{standing.player}` | {written(' | '.join(figures), language)} |"
    if report.meetings:
        yield ""
        yield f"| {' | '.join(words(f'arena {name}') for name in ('player', 'against', 'won', 'games'))} |"
        yield "|---|---|--:|--:|"
        for meeting in report.meetings:
            first, second = plan.everyone[meeting.first], plan.everyone[meeting.second]
            yield f"| `{first}` | `{second}` | {written(percent(meeting.rate), language)} | {meeting.games} |"
    for player, count, fault in report.faults:
        yield ""
        yield words("arena fault", player=player, count=count, fault=fault[language])
    yield ""
    yield words("arena note")


def heading(plan: Plan, words: Words) -> str:
    """Return the title of a report."""
    kind = catalog.kind(plan.slug)
    usual = {option.name: option.default for option in kind.options}
    changed = " ".join(f"{name}={value}" for name, value in plan.options if usual.get(name) != value)
    return words("arena title", game=kind.words(words.language)("title"), seats=plan.seats) + (f" ({changed})" if changed else "")


def command(plan: Plan) -> str:
    """Return the command that plays the same games again."""
    usual = {option.name: option.default for option in catalog.kind(plan.slug).options}
    parts = [
        "tablee arena",
        plan.slug,
        *map(quote, plan.players),
        f"--games {plan.games} --seats {plan.seats} --seed {plan.seed} --opening {plan.opening}",
    ]
    parts += [f"--option {name}={value}" for name, value in plan.options if usual.get(name) != value]
    parts += ["--ladder"] if plan.ladder else []
    parts += [f"--against {quote(name)}" for name in plan.against]
    parts += [f"--seconds {plan.seconds:g}"] if plan.seconds else []
    parts += [f"--nodes {plan.nodes}"] if plan.nodes else []
    parts += [f"--patience {plan.patience:g}"] if plan.patience != PATIENCE else []
    return " ".join(parts)


def percent(rate: Rate) -> str:
    """Return a rate with its interval, in percent."""
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f}–{100 * rate.high:.1f})"


def written(figures: str, language: str) -> str:
    """Return figures as a language writes them: French has a decimal comma, a minus sign and a narrow space before the percent sign."""
    return figures.replace(".", ",").replace("-", "−").replace(" %", "\u202f%") if language == "fr" else figures


def data(report: Report) -> dict[str, object]:
    """Return the report as plain values."""
    plan = report.plan
    meetings = [
        {"players": [plan.everyone[meeting.first], plan.everyone[meeting.second]], "games": meeting.games, "won": asdict(meeting.rate)}
        for meeting in report.meetings
    ]
    return {
        "command": command(plan),
        "plan": plan.head(),
        "standings": [asdict(standing) for standing in report.standings],
        "meetings": meetings,
        "faults": [(player, count, fault["en"]) for player, count, fault in report.faults],
    }


def picture(report: Report, language: str) -> str:
    """Return the plot: ratings where players met each other, the part of games won where each played alone."""
    words = door_words(language)
    rated = all(player.rating for player in report.standings)
    bars = [
        Bar(player.player, player.rating.elo, player.rating.elo - player.rating.margin, player.rating.elo + player.rating.margin)
        if player.rating and rated
        else Bar(player.player, 100 * player.rate.value, 100 * player.rate.low, 100 * player.rate.high)
        for player in report.standings
    ]
    return plot(bars, heading(report.plan, words), words("arena axis rating" if rated else "arena axis won"))
