"""What games between players have shown: a table for people, the same as JSON, and a plot."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TypedDict, cast

from tablee import catalog
from tablee.arena.plan import Plan
from tablee.arena.plot import Bar, plot
from tablee.arena.ratings import SURE, Meeting, Rate, Rating, rate, ratings
from tablee.core.words import Words
from tablee.locale import words as door_words

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
    """What one player has shown: its part of the win in all its games, its mean score, its time; its rating among the others."""

    player: str
    rate: Rate
    score: float
    score_margin: float
    seconds: float
    slowest: float
    rating: Rating | None


@dataclass(frozen=True)
class Report:
    """Everything that is told of a run."""

    plan: Plan
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]


def make_report(plan: Plan, games: Sequence[dict[str, object]]) -> Report:
    """Return what the finished games of a plan show."""
    lines = [cast(Line, game) for game in games]
    together = catalog.kind(plan.slug).together
    meetings = () if together else tuple(meeting for pair in plan.meetings() if (meeting := met(lines, pair)))
    rated = ratings(len(plan.everyone), meetings) if meetings else [None] * len(plan.everyone)
    standings = tuple(standing(plan, lines, meetings, index, rated[index]) for index in range(len(plan.everyone)))
    return Report(plan, standings, meetings)


def met(lines: Sequence[Line], pair: tuple[int, ...]) -> Meeting | None:
    """Return how two players fared against each other, or None if they have not met."""
    rounds: dict[int, list[float]] = {}
    for line in lines:
        if tuple(line["meeting"]) == pair:
            rounds.setdefault(line["round"], []).append(part(line, pair[0]))
    size = max(map(len, rounds.values()), default=0)
    whole = tuple(fmean(parts) for parts in rounds.values() if len(parts) == size)
    return Meeting(pair[0], pair[1], whole, size) if whole else None


def part(line: Line, player: int) -> float:
    """Return a player's part of what was won in a game; a game that nobody wins is a draw."""
    total = sum(line["shares"])
    return sum(share for seat, share in zip(line["seats"], line["shares"], strict=True) if seat == player) / total if total else 0.5


def standing(plan: Plan, lines: Sequence[Line], meetings: Sequence[Meeting], index: int, rated: Rating | None) -> Standing:
    """Return what one player has shown."""
    own = [(line, seat) for line in lines for seat, player in enumerate(line["seats"]) if player == index]
    rounds = [
        (1 - one if meeting.second == index else one) for meeting in meetings if index in (meeting.first, meeting.second) for one in meeting.rounds
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
    rated = [one for one in report.standings if one.rating]
    titles = [words(f"arena {name}") for name in ("player", *(["rating"] if rated else []), "won", "games", "score", "time", "slowest")]
    yield f"| {' | '.join(titles)} |"
    yield "|---" + "|--:" * (len(titles) - 1) + "|"
    for one in sorted(report.standings, key=lambda standing: -(standing.rating.elo if standing.rating else standing.rate.value)):
        elo = [f"{one.rating.elo:+.0f} ± {one.rating.margin:.0f}"] if one.rating else []
        score = f"{one.score:.1f} ± {one.score_margin:.1f}"
        cells = [f"`{one.player}`", *elo, percent(one.rate), str(one.rate.number), score, f"{one.seconds * 1000:.1f}", f"{one.slowest * 1000:.0f}"]
        yield f"| {' | '.join(cells)} |"
    if report.meetings:
        yield ""
        yield f"| {' | '.join(words(f'arena {name}') for name in ('player', 'against', 'won', 'games'))} |"
        yield "|---|---|--:|--:|"
        for meeting in report.meetings:
            first, second = plan.everyone[meeting.first], plan.everyone[meeting.second]
            yield f"| `{first}` | `{second}` | {percent(meeting.rate)} | {meeting.games} |"
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
    parts = ["tablee arena", plan.slug, *plan.players, f"--games {plan.games} --seats {plan.seats} --seed {plan.seed} --opening {plan.opening}"]
    parts += [f"--option {name}={value}" for name, value in plan.options if usual.get(name) != value]
    parts += ["--ladder"] if plan.ladder else []
    parts += [f"--against {name}" for name in plan.against]
    parts += [f"--seconds {plan.seconds:g}"] if plan.seconds else []
    parts += [f"--nodes {plan.nodes}"] if plan.nodes else []
    return " ".join(parts)


def percent(rate: Rate) -> str:
    """Return a rate with its interval, in percent."""
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f}–{100 * rate.high:.1f})"


def data(report: Report) -> dict[str, object]:
    """Return the report as plain values."""
    plan = report.plan
    meetings = [
        {"players": [plan.everyone[one.first], plan.everyone[one.second]], "games": one.games, "won": asdict(one.rate)} for one in report.meetings
    ]
    return {"command": command(plan), "plan": plan.head(), "standings": [asdict(one) for one in report.standings], "meetings": meetings}


def picture(report: Report, language: str) -> str:
    """Return the plot: ratings where players met each other, the part of games won where each played alone."""
    words = door_words(language)
    rated = all(one.rating for one in report.standings)
    bars = [
        Bar(one.player, one.rating.elo, one.rating.elo - one.rating.margin, one.rating.elo + one.rating.margin)
        if one.rating and rated
        else Bar(one.player, 100 * one.rate.value, 100 * one.rate.low, 100 * one.rate.high)
        for one in report.standings
    ]
    return plot(bars, heading(report.plan, words), words("arena axis rating" if rated else "arena axis won"))
