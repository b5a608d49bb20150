"""A player of this process answers within a deadline, from a thread that nobody waits for afterwards."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from tablee.players.bot import Fault

T = TypeVar("T")


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Return what a call returns, and raise what it raises; raise `Fault` if it does neither within `seconds` (None waits for ever)."""
    if seconds is None:
        return call()
    answers: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def answer() -> None:
        """Call, and keep what comes of it."""
        try:
            answers.put((call(), None))
        except BaseException as error:
            answers.put((None, error))

    Thread(target=answer, daemon=True).start()
    try:
        given, wrong = answers.get(timeout=seconds)
    except Empty:
        raise Fault(f"it does not answer: expected an action within {seconds:g} s") from None
    if isinstance(wrong, Exception):
        raise wrong
    if wrong is not None:
        raise Fault(f"it ended by {type(wrong).__name__}: expected an action") from wrong
    return given  # type: ignore[return-value]
