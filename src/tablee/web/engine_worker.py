"""The process in which computer players think: it is sent records of games and answers with tokens.

It is niced and has no database, no secret and no connection. It reads one request a line from standard input and writes the
tokens of one turn a line; it ends when its standard input does. It keeps the players that it has made, because one player kept for a
whole game is the player that the arena measures: it follows its plans and remembers positions.
"""

import os
import signal
import sys
from collections import OrderedDict
from pathlib import Path

import msgspec

from tablee import catalog
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.record import read_record
from tablee.players.analysis import analyse
from tablee.players.player import Player
from tablee.tables.levels import player_name

NICENESS = 15
MEMORY_LIMIT = 2 * 1024**3
# Traboulet's strongest player takes 35 MB, the others one or two: 512 MB hold at least a dozen.
MOST_PLAYERS = 128
MOST_MEMORY = 512 * 1024**2
PROCESS_SIZE = Path("/proc/self/statm")

PlayerId = tuple[int, int, str]


class Request(msgspec.Struct, frozen=True):
    """Which token does a seat play at the end of a record? `seed` belongs to one table, seat and level.

    With `judged`, a token that the seat might play, the answer is a `Verdict` as JSON instead.
    """

    seed: int
    seat: int
    level: str
    seconds: float
    record: str
    judged: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """What a strong player thinks of an action: the expected share of the win with the best action and with this one, and the reply to it."""

    best: str
    most: float
    value: float
    reply: str


def judge(request: Request) -> Verdict:
    """Return what a search makes of the judged action: it is worth what a search of its own finds after it, not the bound that sufficed before."""
    state = read_record(request.record, catalog.kind)
    seen = analyse(state, request.seconds / 2, request.seat)
    action = state.number(request.judged, request.seat)
    after = state.play(action, request.seat)
    next_seen = analyse(after, request.seconds / 2)
    answers = next_seen.seat is not None and next_seen.seat != request.seat and next_seen.actions
    reply = state.game.notate(next_seen.best) if answers else ""
    best, most = seen.actions[0]
    return Verdict(state.game.notate(best), most, next_seen.expectation[request.seat], reply)


class KeptPlayers:
    """The players of this process, the least recently used first; a player that was dropped is made again when it is asked."""

    def __init__(self, most: int = MOST_PLAYERS, memory: int = MOST_MEMORY) -> None:
        """Keep at most `most` players, and fewer while the process takes more than `memory` bytes."""
        self.most = most
        self.memory = memory
        self.players: OrderedDict[PlayerId, Player] = OrderedDict()

    def answer(self, request: Request) -> str:
        """Return the tokens that a player chooses: an action, and the rest of the turn where it is known; or a verdict."""
        if request.judged:
            return msgspec.json.encode(judge(request)).decode()
        state = read_record(request.record, catalog.kind)
        player = self.player(state.game, request)
        action = player.choose(state, request.seat, seconds=request.seconds)
        tokens = [state.game.notate(action)]
        state = state.play(action)
        while player.settled(state, request.seat):
            action = player.choose(state, request.seat, seconds=request.seconds)
            tokens.append(state.game.notate(action))
            state = state.play(action)
        self.drop_oldest()
        return " ".join(tokens)

    def player(self, game: Game, request: Request) -> Player:
        """Return the player of a table, seat and level, made if need be."""
        key = (request.seed, request.seat, request.level)
        if key not in self.players:
            name = player_name(game.kind, request.level)
            self.players[key] = Player(game, name, request.seed, self.judgement(game, name))
        self.players.move_to_end(key)
        return self.players[key]

    def judgement(self, game: Game, name: str) -> Judgement | None:
        """Return the judgement of a kept player, so that weights are read once; only players of one level share it, as Tabu's search sets it up."""
        return next((player.judgement for player in self.players.values() if player.name.text == name and player.game == game), None)

    def drop_oldest(self) -> None:
        """Drop the least recently used players while there are too many or the process is too large."""
        while self.players and (len(self.players) > self.most or process_size() > self.memory):
            self.players.popitem(last=False)


def process_size() -> int:
    """Return how many bytes this process takes, or 0 where the system does not say."""
    try:
        return int(PROCESS_SIZE.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main() -> None:
    """Answer requests until there are none."""
    confine()
    players = KeptPlayers()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(players.answer(msgspec.json.decode(line, type=Request)).encode() + b"\n")
        sys.stdout.buffer.flush()


def confine() -> None:
    """Give way to all other processes, and take no more memory than players need."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the house, which then ends this process
    if sys.platform != "win32":
        import resource

        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
