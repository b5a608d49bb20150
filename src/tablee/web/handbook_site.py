"""The handbook as static files, and the check that no link is dead and nothing is missing.

`python -m tablee.web.handbook_site FOLDER` (`make docs`) writes the files, or fails and names what is wrong.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import tablee
from tablee.catalog import OURS, kind
from tablee.core.errors import TableeError
from tablee.core.rulebook import read_rulebook
from tablee.core.words import LANGUAGES
from tablee.web import handbook_pages
from tablee.web.handbook import relinked, shown
from tablee.web.handbook_pages import FILES, LINK, names, place, rendered
from tablee.web.pages import templates
from tablee.web.words import page_words

FORMS = {"page": "{}.html", "file": "../file/{}"}
STATIC = ("style.css", "dark.css", "learn.css", "handbook.css", "icon.svg")
ANCHOR = re.compile(r'\bid="([^"]+)"')
CHAPTER = re.compile(r"^## tablee (\w+)\n(.*?)(?=^## )", re.MULTILINE | re.DOTALL)
INSIDE = re.compile(r'href="#([^"]+)"')
COMMAND = re.compile(r"(?:<code[^>]*>|\n)tablee ([a-z]+)")
# The command line stands above the pages, so it is asked as another program would ask it: each command with its options, as JSON.
ASKED = """
import json
from typer.main import get_command
from tablee.cli import app
commands = get_command(app).commands.items()
print(json.dumps({name: [word for part in command.params for word in part.opts if word.startswith("--")] for name, command in commands}))
"""


def wrong(language: str) -> Iterator[str]:
    """Give what is wrong with the handbook in a language: dead links, and what it should name and does not."""
    anchors = {name: set(ANCHOR.findall(str(rendered(name, language)[1]))) for name in names()}
    for name in names():
        html = str(rendered(name, language)[1])
        for _, link, at in LINK.findall(html):
            if link.removeprefix("file/") in FILES:
                continue
            if link not in anchors:
                yield f"{name}.{language}: the link {link!r} leads nowhere"
            elif at and at.removeprefix("#") not in anchors[link]:
                yield f"{name}.{language}: the link {link + at!r} leads to no chapter"
        for command in COMMAND.findall(html):
            if command not in commands():
                yield f"{name}.{language}: there is no command 'tablee {command}'"
        for at in INSIDE.findall(html):
            if at not in anchors[name]:
                yield f"{name}.{language}: the link '#{at}' leads to no chapter"
    yield from missing(language, anchors)


@cache
def commands() -> dict[str, list[str]]:
    """Return every command of the command line with its options."""
    asked = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)
    options: dict[str, list[str]] = json.loads(asked.stdout)
    return options


def missing_commands(language: str) -> Iterator[str]:
    """Give the commands, and their options, that the page of the commands does not tell."""
    chapters = dict(CHAPTER.findall(handbook_pages.source("commands", language) + "\n## "))
    for command, options in commands().items():
        if command not in chapters:
            yield f"commands.{language}: tablee {command} is missing"
            continue
        for option in options:
            if not re.search(rf"`{option}\b", chapters[command]):
                yield f"commands.{language}: {option} of tablee {command} is missing"


def missing(language: str, anchors: dict[str, set[str]]) -> Iterator[str]:
    """Give what the handbook should name and does not: commands, paragraphs, options with their values, public names."""
    yield from missing_commands(language)
    games, api = (str(rendered(name, language)[1]) for name in ("games", "api"))
    for slug in OURS:
        for number in read_rulebook(kind(slug).text(f"rules.{language}.md")).paragraphs:
            if number not in anchors[slug]:
                yield f"{slug}.{language}: paragraph {number} is missing"
        for option in kind(slug).options:
            for value in option.values or ("",):
                if f"{option.name}={value}" not in games:
                    yield f"games.{language}: option {option.name}={value} of {slug} is missing"
    for name in tablee.__all__:
        if f'<h3 id="{name.casefold()}">{name}</h3>' not in api:
            yield f"api: {name} is missing"


def write_site(out: Path) -> None:
    """Write the handbook as files, after checking it."""
    faults = [fault for language in LANGUAGES for fault in wrong(language)]
    if faults:
        raise TableeError("the handbook is not whole:\n" + "\n".join(faults))
    template = templates().get_template("handbook_file.html")
    for language in LANGUAGES:
        (out / language).mkdir(parents=True, exist_ok=True)
        other = next(each for each in LANGUAGES if each != language)
        for name in names():
            docs = shown(name, language)
            facts = {"docs": docs, "html": relinked(docs.html, FORMS), "say": page_words(language), "language": language, "other": other}
            (out / language / f"{name}.html").write_text(template.render(facts), encoding="utf-8")
    for folder, names_of, place_of in (
        ("file", FILES, lambda name: place(f"files/{name}")),
        ("static", STATIC, files("tablee.web").joinpath("static").joinpath),
    ):
        (out / folder).mkdir(exist_ok=True)
        for name in names_of:
            (out / folder / name).write_bytes(place_of(name).read_bytes())
    (out / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=en/index.html">\n', encoding="utf-8"
    )


if __name__ == "__main__":
    try:
        write_site(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs"))
    except TableeError as error:
        raise SystemExit(f"{error}") from None
