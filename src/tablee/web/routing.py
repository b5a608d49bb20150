"""Routes of pages on Starlette alone: a handler names the parts of the path and of the query that it wants as its parameters."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Scope

Handler = Callable[..., Awaitable[Response]]


class Pages:
    """The pages of one module: `routes` is what an application takes in."""

    def __init__(self, prefix: str = "") -> None:
        """Begin without a page; `prefix` stands before each path."""
        self.prefix = prefix
        self.routes: list[Route] = []

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Register a handler that shows something."""
        return self.register(path, "GET")

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Register a handler that a form is sent to."""
        return self.register(path, "POST")

    def register(self, path: str, method: str) -> Callable[[Handler], Handler]:
        """Register a handler and return it unchanged."""

        def keep(handler: Handler) -> Handler:
            self.routes.append(Route(self.prefix + path, filled(handler), methods=[method], name=handler.__name__))
            return handler

        return keep


def filled(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler of a request alone: each further parameter is a part of the path or, with a default, a field of the query."""
    names = [name for name in inspect.signature(handler).parameters if name != "request"]

    async def answer(request: Request) -> Response:
        given: dict[str, Any] = {**request.query_params, **request.path_params}
        return await handler(request, **{name: given[name] for name in names if name in given})

    return answer


def path_in_house(scope: Scope) -> str:
    """Return the path of a request as the house knows it: without the path that the house stands under."""
    root = str(scope.get("root_path", "")).rstrip("/")
    path = str(scope["path"])
    return path.removeprefix(root) or "/" if path == root or path.startswith(f"{root}/") else path
