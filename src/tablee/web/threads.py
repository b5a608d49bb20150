"""Work that takes a while: in a thread, so that the loop goes on; in a browser, which has no threads, at once."""

import asyncio
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def aside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Return what some work gives, without keeping others waiting where there are threads."""
    if sys.platform == "emscripten":
        return work(*given, **named)
    return await asyncio.to_thread(work, *given, **named)
