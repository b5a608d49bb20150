"""What has happened, in whole sentences."""

from collections.abc import Iterator

from tablee.core.state import Over, State
from tablee.core.words import Words
from tablee.locale import words as door_words


def told(after: State, words: Words) -> list[str]:
    """Return the sentences for the last action of a state."""
    before = after.previous
    if before is None:
        return []
    game = after.game
    return [words.say(message) for message in game.kind.tell(game, before.position, after.action, after.position)]


def ending(state: State, words: Words) -> Iterator[str]:
    """Give the sentences for the end of a game: why, the scores, who wins."""
    node = state.node
    if not isinstance(node, Over):
        return
    doors = door_words(words.language)
    yield f"{words(f'end {node.reason}')} ({state.game.kind.title} {node.reason})"
    for seat, score in enumerate(node.scores):
        yield doors("score", seat=words(f"seat {seat + 1}"), score=score)
    names = [words(f"seat {seat + 1}") for seat in node.winners]
    if not names:
        yield doors("nobody")
    elif len(names) == 1:
        yield doors("winner", seat=names[0])
    elif len(names) < state.game.seats or len(set(node.scores)) > 1:
        yield doors("winners", seats=doors("and", first=", ".join(names[:-1]), last=names[-1]))
    elif state.game.kind.together:
        yield doors("all win")
    else:
        yield doors("draw")
