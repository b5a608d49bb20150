"""Draws every game as a family meets it, on a desktop and a telephone, in French by day and in English by dark.

`make gallery` writes the pictures into artefacts/gallery.
`python -m tests.browser.gallery tabu dark-fr light-en` draws the games and looks that are named.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tablee import catalog
from tests.browser.guest import ARGUMENTS, CHROMIUM, DESKTOP, TELEPHONE, Guest, Scheme, play
from tests.web.serving import PATIENT_HOUSE, Process

FOLDER = Path(__file__).parents[2] / "artefacts" / "gallery"
SIZES = {"desktop": (DESKTOP, False), "telephone": (TELEPHONE, True)}
LOOKS: dict[str, tuple[Scheme, str]] = {
    "light-fr": ("light", "fr-FR"),
    "dark-en": ("dark", "en-GB"),
    "dark-fr": ("dark", "fr-FR"),
    "light-en": ("light", "en-GB"),
}
USUAL = ["light-fr", "dark-en"]
MIDDLE = 12
THROWN = "document.querySelectorAll('#record a.thrown').length"


def dark_cell(guest: Guest) -> list[float]:
    """Return the middle of a cell where nothing can be done now."""
    place: list[float] = guest.page.evaluate(
        """() => { const dark = [...document.querySelectorAll(".spot:not(.lit)")].find((node) => !/^[0-9!]+$/.test(node.dataset.spot))
          ?? document.querySelector(".spot:not(.lit)");
        const box = dark.querySelector(".ring").getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"""
    )
    return place


def show(browser: Browser, address: str, game: str, size: str, look: str) -> None:
    """Draw one game at its start, at a refusal, at a hint, in the middle, after a throw and at its end."""
    (width, height), touch = SIZES[size]
    scheme, language = LOOKS[look]
    guest = Guest(browser, address, (width, height), scheme, touch, language=language)

    def picture(moment: str) -> None:
        guest.page.screenshot(path=FOLDER / f"{game}-{size}-{look}-{moment}.png")

    guest.open(game, ["me", "level-1"], **({"rounds": "3"} if game == "tabu" else {}))
    guest.page.wait_for_selector("body.yours")
    picture("1-start")
    guest.tap(dark_cell(guest))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    picture("2-refusal")
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    picture("3-hint")
    if catalog.kind(game).dice:
        before = guest.page.evaluate(THROWN)
        while guest.page.evaluate(THROWN) == before and not guest.look()["over"]:
            play([guest], guest.look()["played"] + 1)
        picture("4-throw")
    play([guest], max(MIDDLE, guest.look()["played"] + MIDDLE // 2))
    guest.until("document.body.classList.contains('yours') || document.querySelector('#result') !== null")
    picture("5-middle")
    if not guest.look()["over"]:
        guest.give_up()
        guest.page.wait_for_selector("#result")
    picture("6-end")
    guest.leave()


def main(names: list[str]) -> None:
    """Draw the games and the looks that are named, or all games as usual."""
    unknown = {*names} - {*catalog.OURS} - {*LOOKS}
    if unknown:
        raise SystemExit(f"neither a game nor a look: {', '.join(sorted(unknown))}; looks: {', '.join(LOOKS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    games, looks = ([name for name in names if name in known] for known in (catalog.OURS, LOOKS))
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = Process(Path(folder), house=PATIENT_HOUSE)
        house.ready()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in games or catalog.OURS:
            for look in looks or USUAL:
                for size in SIZES:
                    show(browser, house.base, game, size, look)
                    print(f"{game}, {size}, {look}")
        browser.close()
        house.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])
