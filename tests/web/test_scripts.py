"""What a page gives its scripts: the modules they import, loaded at once, and the sentences they say, and no others."""

import re
from importlib.resources import files

import httpx
import pytest

from tablee.web import first_pages, table_pages, visitor_pages
from tests.web.serving import now

STATIC = files("tablee.web").joinpath("static")
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";$', re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a module."""
    return STATIC.joinpath(f"{name}.js").read_text(encoding="utf-8")


def modules(name: str) -> set[str]:
    """Return a module and all that it imports, directly or not."""
    found, to_read = {name}, [name]
    while to_read:
        new = set(IMPORT.findall(source(to_read.pop()))) - found
        found |= new
        to_read += new
    return found


def test_a_table_loads_all_modules_of_its_script_at_once(person: httpx.Client) -> None:
    html = person.get(f"/t/{now(person, 'traboulet')}").text
    assert set(re.findall(r'rel="modulepreload" href="/static/(\w+)\.js"', html)) == modules("table") - {"table"}


@pytest.mark.parametrize(
    ("script", "sentences"),
    [("table", table_pages.SCRIPT_SENTENCES), ("firstgame", first_pages.SENTENCES), ("verify", visitor_pages.VERIFY_SENTENCES)],
)
def test_a_script_says_every_sentence_that_it_is_given(script: str, sentences: tuple[str, ...]) -> None:
    text = "".join(source(name) for name in modules(script))
    assert [key for key in sentences if f'"{key}"' not in text and f"`{key.partition(' ')[0]} ${{" not in text] == []
