"""What a person has in sight while the table says something: the message whole, the question, the board."""

from typing import Any

from tests.browser.guest import Guest

# How much of a message has to be pushed up to be read, whether it is on the screen, and how much of the question and of the board lies under it.
SEEN = """(name) => {
  const message = document.querySelector(name);
  const box = message.getBoundingClientRect();
  const over = (node) => {
    const other = node.getBoundingClientRect();
    const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    return wide > 1 && high > 1 ? Math.round(wide * high) : 0;
  };
  const ask = document.querySelector("#ask"), asked = ask.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].flatMap((down) => [0.02, 0.4, 0.8]
    .map((across) => [asked.left + asked.width * across, asked.top + asked.height * down]));
  return {
    hidden: message.scrollHeight - message.clientHeight,
    outside: box.left < -4 || box.right > innerWidth + 4 || box.top < 0 || box.bottom > innerHeight,
    question: over(ask) + points.filter(([x, y]) => document.elementFromPoint(x, y) !== ask).length,
    board: over(document.querySelector("#board svg")),
    words: message.textContent.trim().length,
  };
}"""
WHOLE = {"hidden": 0, "outside": False, "question": 0, "board": 0}


def out_of_sight(guest: Guest, message: str) -> dict[str, Any]:
    """Return what is out of sight while a message is shown: nothing of the message, of the question, of the board should be."""
    seen: dict[str, Any] = guest.page.evaluate(SEEN, message)
    assert seen.pop("words") > 10
    return {name: value for name, value in seen.items() if value > WHOLE[name] + (name == "hidden")}
