"""Draws the pictures beside links, and the icon of a telephone's home screen, from the boards of the shelf: `make previews`."""

import base64
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import tablee.web
from tablee import catalog
from tablee.web.previews import HOME
from tablee.web.shelf import picture
from tests.browser.guest import ARGUMENTS, CHROMIUM

STATIC = Path(tablee.web.__file__).parent / "static"
PREVIEW = (1200, 630)
ICON = (180, 180)
COLOURS = 128
STYLE = """
  * { box-sizing: border-box; margin: 0 }
  body { background: #f6f0e4; color: #2a2018; font-family: "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif; overflow: hidden }
  main { height: 630px; display: flex; align-items: center; gap: 56px; padding: 40px 64px }
  .board { flex: none; display: grid }
  .board img { width: 660px; height: 550px; object-fit: contain }
  h1 { font-size: 68px; line-height: 1.1; color: #7a4a1d }
  p { font-size: 40px; margin-top: 24px; color: #5c4f42 }
  .home { display: grid; grid-template-columns: repeat(3, 350px); grid-auto-rows: 262px; gap: 26px; padding: 0 }
  .home { place-content: center; place-items: center }
  .home h1 { font-size: 92px }
  .home img { width: 350px; height: 262px; object-fit: contain }
  .icon { height: 180px; display: grid; place-items: center }
  .icon img { width: 132px }
"""


def image(svg: str) -> str:
    """Return a drawing as an element of a page."""
    return f'<img src="data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}">'


def board(slug: str) -> str:
    """Return the board of a game in mid-game, as its card shows it."""
    return image(picture(slug, "fr").decode())


def game_page(slug: str) -> str:
    """Return the page of a game: its board and its name."""
    return f'<main><div class="board">{board(slug)}</div><div><h1>{catalog.kind(slug).title}</h1><p>Tablée</p></div></main>'


def bodies() -> dict[str, tuple[str, tuple[int, int]]]:
    """Return every picture by its file name: its page and its size."""
    shown = {
        f"preview-{slug}.png": f'<main><div class="board">{board(slug)}</div><div><h1>{catalog.kind(slug).title}</h1><p>Tablée</p></div></main>'
        for slug in catalog.OURS
    }
    shown[f"preview-{HOME}.png"] = f'<main class="home"><h1>Tablée</h1>{"".join(map(board, catalog.OURS))}</main>'
    pictures = {name: (body, PREVIEW) for name, body in shown.items()}
    return pictures | {"touch-icon.png": (f'<div class="icon">{image((STATIC / "icon.svg").read_text(encoding="utf-8"))}</div>', ICON)}


def draw(browser: Browser, body: str, size: tuple[int, int]) -> bytes:
    """Return a page as a small PNG file."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_content(f"<!doctype html><style>{STYLE}</style><body>{body}</body>")
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    drawn = page.screenshot()
    page.close()
    small = BytesIO()
    Image.open(BytesIO(drawn)).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    """Write every picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, (body, size) in bodies().items():
            drawn = draw(browser, body, size)
            (STATIC / name).write_bytes(drawn)
            print(f"{name}: {len(drawn)} bytes")
        browser.close()


if __name__ == "__main__":
    main()
