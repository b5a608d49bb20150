"""What the player worker of a browser calls: the players of the house, and nothing of its pages."""

import msgspec

from tablee.web.engine_worker import KeptPlayers, Request

# Two players of the strongest level fit well; a tab has less room than a server.
MOST_PLAYERS = 8


class Player:
    """The computer players, as the player worker calls them."""

    def __init__(self) -> None:
        """Keep no player yet."""
        self.kept = KeptPlayers(MOST_PLAYERS)

    def answer(self, line: str) -> str:
        """Return the tokens that a player chooses, or a verdict."""
        return self.kept.answer(msgspec.json.decode(line, type=Request))
