"""A house with a planted fault: it does not follow what other houses write."""

from tablee.cli import main
from tablee.web.house import House
from tablee.web.live import Live


async def catch_up(house: House, live: Live) -> bool:
    """Take nothing in."""
    return False


if __name__ == "__main__":
    House.catch_up = catch_up  # type: ignore[method-assign, assignment]
    main()
