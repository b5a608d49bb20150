"""What houses exchange every second: the used allowances of visitors, and the metrics."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from tablee.core.errors import TableeError
from tablee.store.postgres_shared import SharedFacts
from tablee.web.allowances import Allowances
from tablee.web.metrics import Metrics

SHARE_SECONDS = 1.0
# After this number of rounds all counts that still hold are sent again, and old ones are deleted.
EVERYTHING = 60

log = logging.getLogger("tablee.sharing")


class Sharing:
    """Shares the allowances and the metrics of one house."""

    def __init__(self, facts: SharedFacts, allowances: Allowances, metrics: Metrics, houses: Callable[[], Sequence[str]]) -> None:
        """Share; `houses` says which are awake."""
        self.facts, self.allowances, self.metrics, self.houses = facts, allowances, metrics, houses

    async def run(self) -> None:
        """Share every second; while the database does not answer, each house counts alone."""
        times = 0
        while True:
            try:
                await self.share(everything=times % EVERYTHING == 0)
            except TableeError as error:
                log.warning("nothing can be shared with other houses", extra={"facts": {"error": str(error)[:200]}})
            times += 1
            await asyncio.sleep(SHARE_SECONDS)

    async def share(self, everything: bool = False) -> None:
        """Send the news of this process, and read that of the others, once."""
        await self.facts.tell_used(self.allowances.news(everything))
        heard = await self.facts.hear_used()
        self.allowances.hear([(use.what, use.number, use.who, use.house, use.count) for use in heard], self.houses())
        await self.facts.tell_measured(self.metrics.as_json())
        if everything:
            await self.facts.forget_used()

    async def measured(self) -> str:
        """Return the metrics of all houses that are awake; of this one alone if the database does not answer."""
        try:
            await self.facts.tell_measured(self.metrics.as_json())
            return self.metrics.text(await self.facts.measured(self.houses()))
        except TableeError:
            return self.metrics.text()
