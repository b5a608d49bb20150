"""Print and play: pages of A4, at true scale."""

import io
import re
import time
from pathlib import Path

import pytest
from fpdf import FPDF
from pypdf import PdfReader
from pypdf.generic import ContentStream, FloatObject, NumberObject

from tablee import cli
from tablee.catalog import OURS, kind
from tablee.core.rulebook import read_rulebook
from tablee.core.words import LANGUAGES
from tablee.printing import print_game
from tablee.printing.booklet import MEASURE, scale
from tablee.printing.drawing import draw_svg
from tablee.printing.rulesheet import letters, rules_of
from tablee.printing.sheets import bare_board, piece_sheets, read_plan

POINT = 25.4 / 72


def read(slug: str, language: str = "fr") -> PdfReader:
    """Return the PDF of a game."""
    return PdfReader(io.BytesIO(print_game(kind(slug), language)))


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_a4_and_the_last_two_hold_the_game_on_a_page_and_its_numbered_rules(slug: str, language: str) -> None:
    reader = read(slug, language)
    sizes = [sorted((round(float(page.mediabox.width) * POINT), round(float(page.mediabox.height) * POINT))) for page in reader.pages]
    assert sizes == [[210, 297]] * len(sizes)
    assert len(sizes) == 4
    learn, rules = (page.extract_text() for page in list(reader.pages)[-2:])
    assert kind(slug).words(language)("title") in learn
    assert {"fr": "À votre tour", "en": "Your turn"}[language] in learn
    book = read_rulebook(kind(slug).text(f"rules.{language}.md"))
    assert [number for number in book.paragraphs if f"{number} " not in rules] == []


def test_the_same_game_is_the_same_file_whenever_it_is_made() -> None:
    made = print_game(kind("traboulet"), "en")
    time.sleep(1.1)  # a PDF counts in seconds
    assert print_game(kind("traboulet"), "en") == made


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_of_a_rule_page_is_one_that_the_fonts_lack(slug: str, language: str) -> None:
    for name in ("rules", "essentials", "tips"):
        for part in read_rulebook(kind(slug).text(f"{name}.{language}.md")).parts:
            text = part if isinstance(part, str) else part.caption
            assert letters(text).count("?") == text.count("?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_each_choice_the_default_alone_is_printed(language: str) -> None:
    lines = list(rules_of(read_rulebook(kind("traboulet").text(f"rules.{language}.md"))))
    assert [line for line in lines if line.startswith(("- ", ">"))] == []
    assert sum(line.startswith("*") and not line.startswith("**") for line in lines) == 3
    lines = list(rules_of(read_rulebook(kind("tabaijana").text(f"rules.{language}.md"))))
    assert sum(line.startswith("- ") for line in lines) == 2  # rules A and B of 2.4 are no choice


def test_a_gradient_is_as_large_as_its_shape() -> None:
    """A marble of 8 units is drawn at 1.7 mm a unit: its gradient's radius is .85 of that, not of a point."""
    pdf = FPDF(unit="mm", format="A4")
    pdf.add_page()
    art = '<radialGradient id="g" r=".5"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#000"/></radialGradient>'
    svg = f'<svg viewBox="0 0 20 20"><defs>{art}<g id="m"><circle r="4" fill="url(#g)"/></g></defs><use href="#m" transform="translate(10 5)"/></svg>'
    draw_svg(pdf, svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'), 30, 40, 40, 40)
    [matrix] = re.findall(rb"/Matrix \[([-\d. ]+)\]", bytes(pdf.output()))
    a, b, c, d, e, f = (float(one) for one in matrix.split())
    box = [(a * x + c * y + e) * POINT for x, y in ((0, 0), (1, 0))], [297 - (b * x + d * y + f) * POINT for x, y in ((0, 0), (0, 1))]
    assert [round(one, 1) for one in (*box[0], *box[1])] == [42, 58, 42, 58]


@pytest.mark.parametrize("slug", OURS)
def test_the_line_to_measure_is_as_long_as_it_says(slug: str) -> None:
    """In the page's own space: points, of which 72 make an inch."""
    for page in list(read(slug).pages)[:-2]:
        lines = re.findall(rb"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", page.get_contents().get_data())  # type: ignore[union-attr]
        lengths = [(float(x2) - float(x1)) * POINT for x1, y1, x2, y2 in lines if y1 == y2]
        assert any(abs(length - MEASURE) < 0.05 for length in lengths)


@pytest.mark.parametrize("slug", OURS)
def test_the_board_is_drawn_at_the_scale_of_its_units(slug: str) -> None:
    """The matrix of the drawing maps a unit to as many points as `scale` says in millimetres."""
    _, width, height = bare_board(kind(slug), "fr")
    unit = scale(width, height, width > height)
    reader = read(slug)
    matrices = [operands for operands, operator in ContentStream(reader.pages[0].get_contents(), reader).operations if operator == b"cm"]
    factors = {round(abs(float(one[0])), 3) for one in matrices if isinstance(one[0], FloatObject | NumberObject)}
    assert {round(unit, 3), round(1 / POINT, 3)} <= factors  # units to millimetres, millimetres to points


def test_every_piece_is_printed_as_often_as_its_game_has_it() -> None:
    sheets = "".join(piece_sheets(kind("traboulet"), read_plan(kind("traboulet")), 110, 160))
    assert [sheets.count(f'<use href="#traboulet-{one}" transform') for one in ("white", "black", "red")] == [8, 8, 13]


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.pdf"
    cli.print_and_play("tabu", file, "en")
    assert file.read_bytes().startswith(b"%PDF-")
    assert capsys.readouterr().out.strip() == str(file)
