"""A tab of the site: the shell, the frame of its pages, and somebody who plays from what is lit."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Error, Frame, Page, TimeoutError

from tests.browser.guest import A_MOMENT, LONGEST_SECONDS, LOOK, WAIT, WATCH


class Tab:
    """One tab; everything that leaves the address of the site, and every breach of a policy, is a complaint."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        """Open a tab that shows nothing yet."""
        self.address = address
        self.context = context
        self.complaints: list[str] = []
        self.random = Random(1)
        self.patience = 15  # milliseconds between two looks
        context.set_default_timeout(WAIT)
        context.add_init_script(f"({WATCH})()")
        context.on("request", lambda request: self.asked(request.url))
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Return a new page that is watched."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", lambda message: self.complaints.append(message.text) if "Content Security Policy" in message.text else None)
        return page

    def asked(self, url: str) -> None:
        """Note a request that leaves the site."""
        house = "/".join([*self.address.split("/")[:3], "house"])  # the house that the site was told of, at its own address
        if not url.startswith((self.address, house, "data:", "blob:", "chrome:")):
            self.complaints.append(f"left the site: {url}")

    @property
    def frame(self) -> Frame:
        """The frame of the pages."""
        return next(frame for frame in self.page.frames if frame.parent_frame is not None)

    def enter(self, path: str = "") -> None:
        """Open the site, agree to keep it if it asks, and wait for its page."""
        self.page.goto(f"{self.address}#/{path}" if path else self.address)
        self.opened()

    def opened(self) -> None:
        """Wait until a page of the house shows."""
        self.until("document.body.dataset.state === 'open' || !document.querySelector('#ask').hidden")
        if self.page.evaluate("!document.querySelector('#ask').hidden"):
            self.page.click("#ask button")
        self.page.wait_for_selector("body[data-state=open]")

    def until(self, expression: str) -> None:
        """Wait for something to be true in the shell, also across a reload."""
        end = time.monotonic() + WAIT / 1000
        while True:
            with suppress(Error):  # between two pages there is nobody to ask
                if self.page.evaluate(expression):
                    return
            assert time.monotonic() < end, expression
            self.page.wait_for_timeout(30)

    def in_frame(self, expression: str) -> None:
        """Wait for something to be true on the page of the house, also across a change of pages."""
        end = time.monotonic() + WAIT / 1000
        while True:
            with suppress(Error):
                if self.frame.evaluate(expression):
                    return
            assert time.monotonic() < end, expression
            self.page.wait_for_timeout(30)

    def go(self, path: str) -> None:
        """Go to a page of the house, as by its address."""
        self.frame.goto(f"{self.address}app/{path}")

    def open_table(self, game: str, level: int = 3, **options: str) -> None:
        """Open a table against the computer by the form, and wait until it is alive."""
        self.go(f"g/{game}?way=computer")
        self.frame.locator("input[name=level]").evaluate(f"(field) => {{ field.value = {level}; field.dispatchEvent(new Event('input')); }}")
        if options:
            self.frame.click(".rules-of-game summary")
        for name, value in options.items():
            field = self.frame.locator(f"[name=option-{name}]").first
            if field.get_attribute("type") == "number":
                field.fill(value)
            else:
                self.frame.check(f"input[name=option-{name}][value='{value}']")
        self.frame.click("form.new-table .go button:visible")
        self.alive()

    def alive(self) -> None:
        """Wait until the page listens."""
        self.frame.wait_for_selector("body.lively")

    @property
    def table(self) -> str:
        """The table that is shown."""
        return self.page.url.partition("#/t/")[2].partition("?")[0]

    def look(self) -> dict[str, Any]:
        """Return what there is to see."""
        seen: dict[str, Any] = self.frame.evaluate(LOOK)
        return seen

    def act(self, seen: dict[str, Any]) -> bool:
        """Do one thing that can be done now, by a click; return whether there was one."""
        if not seen["yours"]:
            return False
        with suppress(TimeoutError):  # gone again: look again
            if seen["choices"]:
                self.frame.click(f"#choices button[data-token='{self.random.choice(seen['choices'])}']", timeout=A_MOMENT)
            elif seen["buttons"] and (not seen["lit"] or self.random.random() < 0.6):
                self.frame.click(f"#buttons button[data-token='{seen['buttons'][-1]}']", timeout=A_MOMENT)
            elif seen["lit"]:
                self.page.mouse.click(*self.random.choice(seen["lit"])["at"])
        return bool(seen["choices"] or seen["buttons"] or seen["lit"])

    def play(self, tokens: int = 10**6) -> bool:
        """Play until the game is over or its record has so many tokens; return whether it came to that."""
        until = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < until:
            seen = self.look()
            if seen["over"] or seen["played"] >= tokens:
                return True
            if not self.act(seen):
                self.page.wait_for_timeout(self.patience)
        return False

    def log(self, table: str) -> str:
        """Return the log of a table as the page gives it to download."""
        text: str = self.frame.evaluate("(path) => fetch(path).then((answer) => answer.text())", f"{self.address}app/t/{table}/log")
        return text

    def download(self, selector: str, folder: Path) -> Path:
        """Click on a download and return the file."""
        with self.page.expect_download() as found:
            self.frame.locator(selector).evaluate("(link) => link.click()")  # also where it is folded away
        path = folder / found.value.suggested_filename
        found.value.save_as(path)
        return path

    def crash(self) -> None:
        """Kill the tab, its process with it, in the middle of whatever it does; another one is there."""
        for process in renderers(os.getpid()):
            os.kill(process, signal.SIGKILL)
        with suppress(Error):
            self.page.close()
        self.page = self.new_page()

    def watched(self) -> list[str]:
        """Return what was wrong."""
        with suppress(Error, StopIteration):
            self.complaints += self.page.evaluate("window.forbidden ?? []") + self.frame.evaluate("window.forbidden ?? []")
        return self.complaints


def faults(page: Page | Frame) -> list[str]:
    """Return what axe finds wrong with a page."""
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in Axe().run(page).response["violations"]]


def renderers(parent: int) -> list[int]:
    """Return the processes of the tabs of all browsers below a process."""
    below: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            below.setdefault(int(entry.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1]), []).append(
                int(entry.parent.name)
            )
    found, waiting = [], [parent]
    while waiting:
        children = below.get(waiting.pop(), [])
        waiting += children
        for child in children:
            with suppress(OSError):
                if "--type=renderer" in Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8", errors="replace"):
                    found.append(child)
    return found
