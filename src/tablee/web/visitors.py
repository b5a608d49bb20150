"""The visitor of a request: a carte in a cookie, a bearer token, a language, a few settings; nothing else is stored."""

from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tablee.core.words import LANGUAGES
from tablee.tables.tokens import TOKEN, Actor, seat_token
from tablee.web.words import wanted_language

YEAR = 365 * 24 * 3600
# The cookie of a link to watch that was followed, by the match: its sockets and pictures show the same right.
WATCH = "watch-"
CHOICES: dict[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "sound": ("off", "on"),
    "animation": ("on", "off"),
    "pattern": ("off", "on"),
    "throw": ("house", "touch"),
}


@dataclass(frozen=True)
class Visitor:
    """A person or a program: the carte and the tokens shown, and how the pages should look."""

    language: str
    settings: dict[str, str]
    carte: str = field(default="", repr=False)
    bearer: str = field(default="", repr=False)
    secure: bool = False
    watching: dict[str, str] = field(default_factory=dict, repr=False)

    def token(self, match: str) -> str:
        """Return the token with which this visitor sits at the tables of a match, or ""."""
        return self.bearer or (seat_token(self.carte, match) if self.carte else "")

    def actor(self, match: str) -> Actor:
        """Return the visitor as an actor at the tables of a match."""
        carried = seat_token(self.carte, match) if self.carte else ""
        return Actor(tuple(token for token in (self.bearer, carried) if token), watch=self.watching.get(match, ""))


def read_visitor(connection: HTTPConnection) -> Visitor:
    """Return the visitor who sends a request."""
    cookies = connection.cookies
    secure = connection.url.scheme in ("https", "wss")
    carte = cookies.get(cookie_name(secure), "")
    chosen = cookies.get("language", "")
    settings = {name: value if (value := cookies.get(name, "")) in known else known[0] for name, known in CHOICES.items()}
    return Visitor(
        language=chosen if chosen in LANGUAGES else wanted_language(connection.headers.get("accept-language", "")),
        settings=settings,
        carte=carte if TOKEN.fullmatch(carte) else "",
        bearer=read_bearer(connection.headers),
        secure=secure,
        watching={name.removeprefix(WATCH): token for name, token in cookies.items() if name.startswith(WATCH) and TOKEN.fullmatch(token)},
    )


def read_bearer(headers: Headers) -> str:
    """Return the token of an Authorization header, if it is well formed."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" and TOKEN.fullmatch(token) else ""


def cookie_name(secure: bool) -> str:
    """Return the name of the carte's cookie; over https the browser itself guards the name."""
    return "__Host-carte" if secure else "carte"


def keep_carte(response: Response, carte: str, secure: bool) -> None:
    """Let the browser keep a carte."""
    response.set_cookie(cookie_name(secure), carte, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


def keep_watching(response: Response, match: str, token: str, secure: bool) -> None:
    """Let the browser keep the token of a link to watch."""
    response.set_cookie(WATCH + match, token, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


def drop_carte(response: Response, secure: bool) -> None:
    """Let the browser forget its carte."""
    response.delete_cookie(cookie_name(secure), path="/", httponly=True, samesite="lax", secure=secure)


def keep_setting(response: Response, name: str, value: str, secure: bool) -> None:
    """Let the browser keep a setting, or forget it if the value is empty."""
    if value:
        response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)
    else:
        response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=secure)
