"""Who is at the other end: a carte in a cookie, a bearer token, a language, a few settings; nothing else is asked."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tablee.core.words import LANGUAGES
from tablee.tables.events import packed
from tablee.tables.table import Table
from tablee.tables.tokens import TOKEN, Actor, hash_token, seat_token
from tablee.web.words import wanted_language

YEAR = 365 * 24 * 3600
CHOICES: dict[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "sound": ("off", "on"),
    "animation": ("on", "off"),
    "pattern": ("off", "on"),
}
MOST_INVITATIONS = 32


@dataclass(frozen=True)
class Visitor:
    """A person or a program: the carte and the tokens shown, and how the pages should look."""

    language: str
    settings: dict[str, str]
    carte: str = field(default="", repr=False)
    bearer: str = field(default="", repr=False)
    secure: bool = False

    def token(self, match: str) -> str:
        """Return the token with which this visitor sits at the tables of a match, or ""."""
        return self.bearer or (seat_token(self.carte, match) if self.carte else "")

    def actor(self, match: str) -> Actor:
        """Return the visitor as a table of a match knows him."""
        carried = seat_token(self.carte, match) if self.carte else ""
        return Actor(tuple(token for token in (self.bearer, carried) if token))


def read_visitor(connection: HTTPConnection) -> Visitor:
    """Return who sends a request."""
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
    )


def read_bearer(headers: Headers) -> str:
    """Return the token of an Authorization header, if it is well formed."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" and TOKEN.fullmatch(token) else ""


def cookie_name(secure: bool) -> str:
    """Return the name of the carte's cookie; over https the browser itself guards the name."""
    return "__Host-carte" if secure else "carte"


def new_carte() -> str:
    """Return a new carte: 256 random bits."""
    return secrets.token_urlsafe(32)


def keep_carte(response: Response, carte: str, secure: bool) -> None:
    """Let the browser keep a carte."""
    response.set_cookie(cookie_name(secure), carte, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


def drop_carte(response: Response, secure: bool) -> None:
    """Let the browser forget its carte."""
    response.delete_cookie(cookie_name(secure), path="/", httponly=True, samesite="lax", secure=secure)


def keep_setting(response: Response, name: str, value: str, secure: bool) -> None:
    """Let the browser keep a setting, or forget it where nothing is said."""
    if value:
        response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)
    else:
        response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=secure)


def invitation(token: str, match: str, number: int) -> str:
    """Return the n-th invitation that the holder of a token can give: it need not be kept, since it can be made again."""
    mixed = hmac.new(token.encode(), packed(b"tablee invitation v1", match.encode(), number.to_bytes(4, "big")), hashlib.sha256)
    return urlsafe_b64encode(mixed.digest()).rstrip(b"=").decode()


def invitations_left(table: Table, token: str) -> list[tuple[str, int | None]]:
    """Return the invitations of a visitor that nobody has used yet, each with its seat."""
    made = [invitation(token, table.match.id, number) for number in range(MOST_INVITATIONS)] if token else []
    return [(one, table.invitations[kept]) for one in made if (kept := hash_token(table.match.id, one)) in table.invitations]


def next_invitation(table: Table, token: str) -> str:
    """Return an invitation of a visitor that was never given before."""
    given = {event.payload.get("hash") for event in table.events if event.kind == "invited"} | opened_invitations(table)
    for number in range(MOST_INVITATIONS):
        one = invitation(token, table.match.id, number)
        if hash_token(table.match.id, one) not in given:
            return one
    return secrets.token_urlsafe(32)


def opened_invitations(table: Table) -> set[object]:
    """Return the hashes of the invitations that the table was opened with."""
    listed = table.events[0].payload.get("invitations")
    return {one.get("hash") for one in listed if isinstance(one, dict)} if isinstance(listed, list | tuple) else set()
