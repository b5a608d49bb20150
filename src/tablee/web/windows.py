"""How often each sender did something lately: a window that slides, also over what other houses have counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable

# What a sender has done less than this part of the limit is not told to other houses: it cannot decide anything there.
TOLD_FROM = 0.1


class Window:
    """Counts of one kind: those of this window of time, and of the one before as far as it is still in sight."""

    def __init__(self, name: str, most: int, seconds: float) -> None:
        """Begin with nothing counted; `most` in `seconds` are allowed."""
        self.name, self.most, self.seconds = name, most, seconds
        self.number = 0
        self.counts: Counter[str] = Counter()
        self.before: Counter[str] = Counter()
        self.fresh: set[str] = set()
        self.others: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(dict)

    def hit(self, who: str, now: float) -> bool:
        """Count once more, if there is room for it."""
        number, into = divmod(now, self.seconds)
        if number != self.number:
            self.roll(int(number))
        count, before = self.counts[who], self.before[who]
        if self.others:
            count += self.elsewhere(self.number, who)
            before += self.elsewhere(self.number - 1, who)
        if count + before * (1 - into / self.seconds) + 1 > self.most:
            return False
        self.counts[who] += 1
        self.fresh.add(who)
        return True

    def roll(self, number: int) -> None:
        """Begin another window; a clock that goes back begins none."""
        if number < self.number:
            return
        self.before = self.counts if number == self.number + 1 else Counter()
        self.counts, self.fresh, self.number = Counter(), set(), number
        for key in [key for key in self.others if key[0] < number - 1]:
            del self.others[key]

    def elsewhere(self, number: int, who: str) -> int:
        """Return how often other houses have counted a sender."""
        return sum(self.others[number, who].values()) if (number, who) in self.others else 0

    def news(self) -> list[tuple[str, int, str, int]]:
        """Return the counts that are worth telling and have not been told, as (name, number, sender, count)."""
        least = max(1, self.most * TOLD_FROM)
        news = [(self.name, self.number, who, self.counts[who]) for who in self.fresh if self.counts[who] >= least]
        self.fresh = set()
        return news

    def hear(self, number: int, who: str, house: str, count: int) -> None:
        """Take over what another house has counted."""
        if number >= self.number - 1:
            self.others[number, who][house] = count


class Places:
    """How many places each sender holds now, here and at other houses."""

    def __init__(self, most: int, told_from: int = 1) -> None:
        """Begin with none; a sender may hold `most`. Other houses are told of a sender only from `told_from` places on."""
        self.most, self.told_from = most, told_from
        self.held: Counter[str] = Counter()
        self.fresh: set[str] = set()
        self.known: set[str] = set()
        self.others: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.awake: frozenset[str] = frozenset()

    def take(self, who: str) -> bool:
        """Take a place, if there is one."""
        elsewhere = sum(count for house, count in self.others[who].items() if house in self.awake) if who in self.others else 0
        if self.held[who] + elsewhere >= self.most:
            return False
        self.held[who] += 1
        self.fresh.add(who)
        return True

    def leave(self, who: str) -> None:
        """Give a place back."""
        self.held[who] -= 1
        self.fresh.add(who)
        if not self.held[who]:
            del self.held[who]

    def news(self, everything: bool) -> Iterable[tuple[str, int]]:
        """Return the senders whose places have changed, or `everything`, with how many they hold; 0 for one who holds too few to be told again."""
        fresh, self.fresh = self.fresh, set()
        counts = {who: self.held.get(who, 0) for who in (fresh | set(self.held) if everything else fresh)}
        news = [(who, count if count >= self.told_from else 0) for who, count in counts.items() if count >= self.told_from or who in self.known]
        self.known = (self.known - counts.keys()) | {who for who, count in news if count}
        return news

    def hear(self, who: str, house: str, count: int) -> None:
        """Take over how many places a sender holds at another house."""
        if count:
            self.others[who][house] = count
        elif who in self.others and self.others[who].pop(house, 0) and not self.others[who]:
            del self.others[who]
