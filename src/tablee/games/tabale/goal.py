"""What counts at Tabale: points."""

from tablee.core.game import Game
from tablee.core.goal import Goal
from tablee.core.ruling import Message
from tablee.games.tabale.position import TabalePosition
from tablee.games.tabale.view import View


def goal(game: Game, position: TabalePosition, seat: int) -> Goal:
    """Return the points of a seat as they would count now (5.3), and what it has left in hand."""
    pawns, woods, _, _, _ = View(position).stock(seat)
    aim = Message("aim teams" if game.option("teams") == "on" else "aim")
    return Goal(int(position.own_score(seat)), aim, state=Message("state hand", {"pawns": pawns, "woods": woods}))
