"""Print and play: a game as a PDF at true scale, with its board, its pieces and one page of rules."""

from tablee.printing.booklet import print_game

__all__ = ["print_game"]
