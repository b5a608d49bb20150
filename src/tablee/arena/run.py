"""Run a plan: play its games, keep them line by line, and continue after an interruption."""

import json
from collections.abc import Callable
from pathlib import Path

from tablee.arena.match import play_sitting
from tablee.arena.plan import Plan
from tablee.arena.spread import spread
from tablee.core.errors import TableeError, shown
from tablee.core.files import read_text

Line = dict[str, object]


def carry_out(
    plan: Plan, file: Path | None = None, *, cores: int = 0, ray: str = "", progress: Callable[[int, int], None] = lambda done, of: None
) -> list[Line]:
    """Play the games that are not in the file yet, and return every game of the plan in order."""
    sittings = plan.sittings()
    games = read_games(plan, file) if file else {}
    due = [sitting for sitting in sittings if sitting.number not in games]
    progress(len(games), len(sittings))
    for _, line in spread(play_sitting, [(plan, sitting) for sitting in due], cores, ray):
        games[int(str(line["number"]))] = line
        if file:
            append_line(file, line)
        progress(len(games), len(sittings))
    return [games[sitting.number] for sitting in sittings]


def read_games(plan: Plan, file: Path) -> dict[int, Line]:
    """Return the games of a file by number; create the file if there is none."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(plan.head()) + "\n", encoding="utf-8")
        return {}
    complete = complete_lines(file)
    if not complete:
        file.unlink()
        return read_games(plan, file)
    try:
        head, *lines = (json.loads(line) for line in complete)
        games = {int(line["number"]): line for line in lines}
    except (ValueError, TypeError, KeyError) as error:
        raise TableeError(f"{shown(str(file))} is no file of games: {error}") from error
    wanted = json.loads(json.dumps(plan.head()))
    if not isinstance(head, dict) or head | {"games": 0} != wanted | {"games": 0}:
        differing = [key for key, value in wanted.items() if key != "games" and (not isinstance(head, dict) or head.get(key) != value)]
        raise TableeError(f"{shown(str(file))} holds games of another plan ({', '.join(differing)} differ): name another folder, or remove it")
    return {sitting.number: games[sitting.number] for sitting in plan.sittings() if sitting.number in games}


def complete_lines(file: Path) -> list[str]:
    """Return the complete lines of a file, and remove a last line that was cut short by a kill."""
    text = read_text(file)
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        file.write_text(complete, encoding="utf-8")
    return complete.splitlines()


def append_line(file: Path, line: Line) -> None:
    """Write a finished game to the end of the file."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")
