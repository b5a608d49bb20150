"""Long work runs in a thread, so that the event loop goes on; a browser has no threads, and runs it at once."""

import asyncio
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def aside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return the result of a function, run in a thread where there are threads."""
    if sys.platform == "emscripten":
        return work(*given, **named)
    return await asyncio.to_thread(work, *given, **named)
