"""`P`, the position class of one game, for types that belong to one game; left out, it stands for any position."""

from typing import TYPE_CHECKING, Any

from tablee.core.position import Position

if TYPE_CHECKING:
    # A type checker knows the default of a type variable; Python 3.11 does not.
    from typing_extensions import TypeVar

    P = TypeVar("P", bound=Position, default=Any)
else:
    from typing import TypeVar

    P = TypeVar("P", bound=Position)
