"""A guest: one browser context that opens tables, sits down and plays from what is lit, as a person would."""

import os
import shutil
import time
from contextlib import suppress
from random import Random
from typing import Any, Literal

from playwright.sync_api import Browser, Page, TimeoutError

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = (1280, 800)
TELEPHONE = (360, 740)
WAIT = 120_000
A_MOMENT = 3_000
LONGEST_SECONDS = 1800.0
MANY = 10**6
Scheme = Literal["light", "dark"]

# What a person sees: whether it is their turn, what is lit and where, which buttons there are.
LOOK = """() => {
  const middle = (node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const all = (query) => [...document.querySelectorAll(query)];
  return {
    over: document.querySelector("#result") !== null,
    yours: document.body.classList.contains("yours"),
    seq: Number(document.querySelector("#board").dataset.seq),
    chosen: all(".spot.chosen").map((node) => node.dataset.spot),
    lit: all(".spot.lit").map((node) => ({name: node.dataset.spot, at: middle(node.querySelector(".ring"))})),
    buttons: all("#buttons button").map((node) => node.dataset.token),
    choices: all("#choices button[data-token]").map((node) => node.dataset.token),
    played: all("#record a.token").length,
    tokens: all("#legal option").map((node) => node.value),
  };
}"""
WATCH = """() => {
  window.forbidden = [];
  document.addEventListener("securitypolicyviolation", (event) => window.forbidden.push(`${event.violatedDirective} ${event.blockedURI}`));
}"""


class Guest:
    """One browser of its own."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int] = DESKTOP,
        scheme: Scheme = "light",
        touch: bool = False,
        lively: bool = False,
        language: str = "fr-FR",
    ) -> None:
        """Come in; things jump to their places unless the guest is `lively`."""
        self.address = address
        self.complaints: list[str] = []
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
            locale=language,
            reduced_motion="no-preference" if lively else "reduce",
            base_url=address,
        )
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(f"({WATCH})()")
        self.touch = touch
        self.finger = 0.0
        self.random = Random(1)
        self.page: Page = self.context.new_page()
        self.page.on("request", lambda request: self.asked(request.url))
        self.page.on("websocket", lambda socket: self.asked(socket.url.replace("ws://", "http://")))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("console", lambda message: self.complaints.append(message.text) if "Content Security Policy" in message.text else None)

    def asked(self, url: str) -> None:
        """Note a request that leaves the house."""
        if not url.startswith((self.address, "data:", "blob:")):
            self.complaints.append(f"left the house: {url}")

    def leave(self) -> list[str]:
        """Go, and return what was wrong."""
        if self.page.url.startswith(self.address):
            self.complaints += self.page.evaluate("window.forbidden ?? []")
        self.context.close()
        return self.complaints

    # Tables.

    def open(self, game: str, players: list[str], **options: str) -> None:
        """Open a table by its form, and wait until it is alive."""
        self.page.goto(f"/g/{game}?way=mixed")
        if self.page.locator("input[name=seats][type=radio]").count():
            self.page.check(f"input[name=seats][value='{len(players)}']")
        for seat, player in enumerate(players):
            self.page.select_option(f"select[name=seat-{seat}]", player)
        if options:
            self.page.click(".rules-of-game summary")
        for name, value in options.items():
            field = self.page.locator(f"[name=option-{name}]").first
            if field.get_attribute("type") == "number":
                field.fill(value)
            else:
                self.page.check(f"input[name=option-{name}][value='{value}']")
        self.page.click("form.new-table .go button:visible")
        self.alive()

    def alive(self) -> None:
        """Wait until the page listens."""
        self.page.wait_for_selector("body.lively")

    def invitation(self) -> str:
        """Return the link that the table offers."""
        return self.page.input_value("#invite-link-1")

    def accept(self, link: str) -> None:
        """Sit down by a link."""
        self.page.goto(link)
        self.page.click("form button.primary")
        self.alive()

    # Playing.

    def look(self) -> dict[str, Any]:
        """Return what there is to see."""
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    def until(self, expression: str) -> None:
        """Wait for something to be true on the page (the page's policy forbids Playwright's own way)."""
        end = time.monotonic() + WAIT / 1000
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, expression
            self.page.wait_for_timeout(10)

    def tap(self, at: list[float]) -> None:
        """Touch a place on the page; a mouse is held down as long as the guest's finger takes."""
        if self.touch:
            self.page.touchscreen.tap(*at)
        else:
            self.page.mouse.click(*at, delay=self.finger)

    def act(self, seen: dict[str, Any]) -> bool:
        """Do one thing that can be done now; return whether there was one."""
        if not seen["yours"]:
            return False
        with suppress(TimeoutError):  # gone again: look again
            self.act_now(seen)
        return bool(seen["choices"] or seen["buttons"] or seen["lit"])

    def act_now(self, seen: dict[str, Any]) -> None:
        """Press a button or touch what is lit."""
        if seen["choices"]:
            self.press(f"#choices button[data-token='{self.random.choice(seen['choices'])}']", A_MOMENT)
        elif seen["buttons"] and (not seen["lit"] or self.random.random() < 0.6):
            self.press(f"#buttons button[data-token='{seen['buttons'][-1]}']", A_MOMENT)
        elif seen["lit"]:
            self.tap(self.random.choice(seen["lit"])["at"])

    def press(self, selector: str, within: float = WAIT) -> None:
        """Press a button that is there within some milliseconds."""
        button = self.page.locator(selector).first
        (button.tap if self.touch else button.click)(timeout=within)

    def give_up(self) -> None:
        """End the game: resign, or agree to stop; a grave word is asked twice."""
        self.page.evaluate("document.querySelector('#drawer').open = true")
        order = "resign" if self.page.locator("form[data-do=resign]").count() else "abandon"
        for _ in range(2):
            self.press(f"form[data-do={order}] button")


def play(guests: list[Guest], tokens: int = MANY) -> bool:
    """Let guests play until the game is over or its record has so many tokens; return whether it came to that."""
    until = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < until:
        acted = False
        for guest in guests:
            seen = guest.look()
            if seen["over"] or seen["played"] >= tokens:
                return True
            acted = guest.act(seen) or acted
        if not acted:
            guests[0].page.wait_for_timeout(15)
    return False
