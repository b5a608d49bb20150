"""What one may ask of a table: one small dataclass each, all through `Table.handle`.

`seat` counts from 0. `move_id` is made by the client before sending: a resend with the same one gives the same answer.
"""

import hashlib
from dataclasses import asdict, dataclass, field

from tablee.tables.events import canonical
from tablee.tables.tokens import Actor

ASKS = ("take_back", "draw", "abandon", "text", "rematch")


@dataclass(frozen=True, kw_only=True)
class Command:
    """Something asked of a table."""

    move_id: str | None = None


@dataclass(frozen=True)
class Sit(Command):
    """Take a seat under a name; the actor's first token will hold it.

    `player` is `person`, or `bot` for a program from elsewhere. `contribution` is hex, 16 to 64 bytes, made after seeing the commitment.
    """

    seat: int
    name: str
    invitation: str = field(default="", repr=False)
    contribution: str = ""
    player: str = "person"


@dataclass(frozen=True)
class Leave(Command):
    """Give up a seat; the house may say so of a seat whose player has gone (`absent`)."""

    seat: int
    absent: bool = False


@dataclass(frozen=True)
class Replace(Command):
    """Let a program of the house play a seat: an empty one, one's own, or one that a program plays already."""

    seat: int
    level: str


@dataclass(frozen=True)
class Invite(Command):
    """Make an invitation that one person can use once, for a seat or (None) for any; `token` is given to the person, its hash is kept."""

    token: str = field(repr=False)
    seat: int | None = None


@dataclass(frozen=True)
class Contribute(Command):
    """Add random bytes (hex, 16 to 64 bytes) to the dice, once for each player, before the start."""

    seat: int
    contribution: str


@dataclass(frozen=True)
class Start(Command):
    """Begin, all seats being taken; a table begins by itself once everybody has contributed."""


@dataclass(frozen=True)
class Play(Command):
    """Play tokens one after the other, all or none; `seq` is the last event the player has seen."""

    seat: int
    tokens: tuple[str, ...]
    seq: int | None = None


@dataclass(frozen=True)
class AskTakeBack(Command):
    """Ask to take back the seat's last action and what followed it; never across a throw."""

    seat: int


@dataclass(frozen=True)
class AskDraw(Command):
    """Offer a draw."""

    seat: int


@dataclass(frozen=True)
class AskAbandon(Command):
    """Ask to stop the game without a result; before the start, whoever opened the table may do so without a seat."""

    seat: int | None = None


@dataclass(frozen=True)
class AskText(Command):
    """Ask that everybody may write freely instead of choosing phrases."""

    seat: int


@dataclass(frozen=True)
class Rematch(Command):
    """Ask for another game, or agree to it."""

    seat: int


@dataclass(frozen=True)
class Answer(Command):
    """Answer what is asked: `take_back`, `draw`, `abandon`, `text` or `rematch`."""

    seat: int
    what: str
    yes: bool


@dataclass(frozen=True)
class Resign(Command):
    """Give the game up; only where two play against each other."""

    seat: int


@dataclass(frozen=True)
class Hint(Command):
    """Write down that a seat was shown a hint, before it is shown."""

    seat: int
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class Say(Command):
    """Say a ready-made phrase or reaction by its key, or a free text where everybody agreed."""

    seat: int
    phrase: str = ""
    text: str = ""


@dataclass(frozen=True)
class Tick(Command):
    """By the house alone: look whether somebody's time is up (see `Table.deadline`)."""


@dataclass(frozen=True)
class Resume(Command):
    """By the house alone, after a restart: it could answer until `alive_until`; the time since then is nobody's."""

    alive_until: float


@dataclass(frozen=True)
class Expire(Command):
    """By the house alone: close a table that everybody has forgotten."""


def command_digest(command: Command, actor: Actor) -> str:
    """Return what tells a resend from another request under the same `move_id`: the command and who gave it."""
    fields = {name: value for name, value in asdict(command).items() if not isinstance(value, float)}
    who = [hashlib.sha256(token.encode()).hexdigest() for token in actor.tokens[:1]]
    return hashlib.sha256(canonical([type(command).__name__, fields, who, actor.host])).hexdigest()
