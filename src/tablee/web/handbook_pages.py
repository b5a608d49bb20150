"""The pages of the handbook and where they come from: Markdown of the repository, the games themselves, docstrings."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from markupsafe import Markup, escape

from tablee import catalog, locale
from tablee.catalog import OURS
from tablee.core.errors import unknown
from tablee.core.kind import Kind
from tablee.core.words import LANGUAGES, Words
from tablee.web.handbook_api import reference
from tablee.web.rulepage import Part, essentials, markdown, rule_page, tips
from tablee.web.shelf import card
from tablee.web.words import page_words

# The contents: who a part is for, and its pages in their order.
CONTENTS: Mapping[str, tuple[str, ...]] = {
    "players": ("players", "terminal", "games", *OURS),
    "hosts": ("hosts", "operating", "offline", "protocol", "security"),
    "programmers": ("programmers", "commands", "python", "api", "engine-protocol", "notation", "pages", "architecture"),
    "researchers": ("researchers", "gym", "computer-players", "strength", "benchmarks", *(f"strength-{slug}" for slug in OURS)),
    "authors": ("authors", "adding-a-game"),
}
INDEX, API, GAMES, STRENGTH = "index", "api", "games", "strength-"
BOTH = (INDEX, "players", "terminal", "hosts", "programmers", "commands", "researchers", "authors")
# Pages in English only, by the file each comes from.
ENGLISH: Mapping[str, str] = {
    **{
        name: f"{name}.md"
        for name in ("operating", "offline", "protocol", "security", "python", "engine-protocol", "notation", "pages", "architecture")
    },
    **{name: f"{name}.md" for name in ("gym", "strength", "adding-a-game")},
    "computer-players": "players.md",
    "benchmarks": "files/results.md",
}
# Files of the repository that the pages name, by where they are there.
FILES: Mapping[str, str] = {
    "traboulet.svg": "docs/traboulet.svg",
    "learning.svg": "docs/learning.svg",
    "bot.py": "docs/bot.py",
    "mine.py": "examples/mine.py",
    "learn_traboulet.py": "examples/learn_traboulet.py",
    "random_player.c": "examples/random_player.c",
    "tablee.service": "deploy/tablee.service",
    "tablee-cluster.service": "deploy/tablee-cluster.service",
    "tablee-players.service": "deploy/tablee-players.service",
    "Containerfile": "deploy/Containerfile",
    "results.md": "bench/results.md",
}
LINK = re.compile(r'(href|src)="(?!https?:|#|mailto:|data:)([^"#]+)(#[^"]*)?"')
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
TITLES = re.compile(r"<(h[23])>(.*?)</\1>")
TAGS = re.compile(r"<[^>]+>")


@cache
def checkout() -> Path | None:
    """Return the checkout that the package is installed from, if it is."""
    root = Path(__file__).parents[3]
    return root if (root / "docs" / "handbook").is_dir() else None


def text_of(name: str) -> str:
    """Return a file of the handbook, named as in the package: pages in `handbook`, other files in `files`."""
    return place(name).read_text(encoding="utf-8")


def place(name: str) -> Traversable:
    """Return where a file of the handbook is: in the checkout, or in the package that was made of it."""
    root, file = checkout(), name.removeprefix("files/")
    if root:
        return root / FILES[file] if name.startswith("files/") else root / "docs" / name
    return files("tablee.web").joinpath("docs").joinpath(*(f"{name}.txt" if name.startswith("files/") else name).split("/"))


def names() -> list[str]:
    """Return every page."""
    return [INDEX, *(name for part in CONTENTS.values() for name in part)]


def english_only(name: str) -> bool:
    """Return whether a page is in English alone."""
    return name in ENGLISH or name == API


@cache
def rendered(name: str, language: str) -> tuple[str, Markup]:
    """Return the title of a page and its HTML, in which links are names of pages, `file/NAME` or addresses of the house."""
    if name not in names() or language not in LANGUAGES:
        raise unknown("page", name, names())
    if name in OURS:
        return catalog.kind(name).words(language)("title"), game_page(name, language)
    text = source(name, language)
    title = HEADING.search(text)
    html = TITLES.sub(with_anchor, str(markdown(text)))
    return TAGS.sub("", title[1].replace("`", "")) if title else name, Markup(LINK.sub(lambda link: linked(name, link), html))


def source(name: str, language: str) -> str:
    """Return the Markdown of a page."""
    if name == API:
        return "\n".join(reference())
    if name == GAMES:
        return games_text(language)
    if name.startswith(STRENGTH):
        return catalog.kind(name.removeprefix(STRENGTH)).text(f"strength.{language}.md")
    return text_of(ENGLISH.get(name, f"handbook/{name}.{language}.md"))


def with_anchor(heading: re.Match[str]) -> str:
    """Return a heading with its anchor."""
    return f'<{heading[1]} id="{anchor(heading[2])}">{heading[2]}</{heading[1]}>'


def anchor(heading: str) -> str:
    """Return the anchor of a heading: its words."""
    return re.sub(r"[^\w]+", "-", TAGS.sub("", heading).casefold()).strip("-")


def headings(html: str) -> list[tuple[str, Markup]]:
    """Return the anchors and words of the chapters of a page."""
    return [(at, Markup(TAGS.sub("", words))) for at, words in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', html)]


def linked(name: str, link: re.Match[str]) -> str:
    """Return a link of a page as a link of the handbook."""
    return f'{link[1]}="{target(name, link[2])}{link[3] or ""}"'


def target(name: str, link: str) -> str:
    """Return where a link of a Markdown page leads: a page of the handbook, or `file/NAME`."""
    file = link.rpartition("/")[2]
    strength = re.fullmatch(r".*/games/(\w+)/strength\.\w+\.md", link)
    if strength:
        return STRENGTH + strength[1]
    if file == "results.md":
        return "benchmarks"
    stem = file.removesuffix(".md").partition(".")[0]
    if stem == "players" and (name in ENGLISH or name == API):
        stem = "computer-players"
    if file.endswith(".md") and stem in names():
        return stem
    return f"file/{file}" if file in FILES else link


def games_text(language: str) -> str:
    """Return the page of all games with every option and what each value means."""
    say = page_words(language)
    lines = [f"# {say('docs games')}", ""]
    for slug in OURS:
        kind = catalog.kind(slug)
        words = kind.words(language)
        shown = card(slug, language)
        facts = " · ".join(fact for fact in (shown.players, shown.age, shown.minutes) if fact)
        lines += [f"## {words('title')}", "", words("line"), "", facts, "", f"[{say('docs rules of', game=words('title'))}]({slug}.md)", ""]
        lines += [f"- {line}" for option in kind.options for line in option_lines(kind, option.name, words, locale.words(language))]
        lines.append("")
    return "\n".join(lines)


def option_lines(kind: Kind, name: str, words: Words, doors: Words) -> list[str]:
    """Return the lines of an option: what it asks, then each value."""
    option = next(option for option in kind.options if option.name == name)
    lines = [f"**{words(f'option {name}')}** `{name}`"]
    for value in option.values:
        key = "option default" if value == option.default else "option value"
        lines.append("  - " + doors(key, value=f"`{name}={value}`", sentence=words(f"option {name} {value}")))
    if option.ranged:
        said = doors("option range", least=option.least, most=option.most, default=option.default)
        lines.append("  - " + doors("option value", value=f"`{name}=`", sentence=said))
    return ["\n".join(lines)]


def game_page(slug: str, language: str) -> Markup:
    """Return the rules of a game with every paragraph under its anchor, its figures drawn and its sources."""
    say = page_words(language)
    title = escape(catalog.kind(slug).words(language)("title"))
    brief = "".join(part_html(part, say) for part in essentials(slug, language))
    parts = "".join(part_html(part, say) for part in rule_page(slug, language))
    advice = tips(slug, language)
    advised = f'<section class="tips"><h2 id="tips">{escape(say("tips"))}</h2>{advice}</section>' if advice else ""
    return Markup(f'<h1>{title}</h1><div class="rules-page" data-game="{slug}"><section class="essentials">{brief}</section>{parts}{advised}</div>')


def part_html(part: Part, say: Words) -> str:
    """Return a part of the rules as HTML."""
    match part.kind:
        case "heading":
            return f'<h2 id="{part.id}">{escape(part.caption)}</h2>'
        case "paragraph":
            link = f'<a class="number" href="#{part.number}">{part.number}</a>'
            return f'<div class="paragraph" id="{part.number}">{link}<div class="text">{part.html}</div></div>'
        case "figure":
            drawn = f'<div class="drawing">{part.svg}</div><figcaption>{escape(part.caption)}</figcaption>'
            return f'<figure class="figure" id="figure-{part.id}">{drawn}</figure>'
        case "sources":
            rows = "".join(f'<dt><a href="#{number}">{number}</a></dt><dd>{escape(text)}</dd>' for number, text in part.sources)
            return f'<details class="apparatus"><summary>{escape(say("apparatus"))}</summary><dl>{rows}</dl></details>'
    return str(part.html)
