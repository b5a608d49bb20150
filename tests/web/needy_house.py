"""A house with a planted fault: it hears of what other houses write from Redis alone, and never looks by itself."""

from tablee.cli import main
from tablee.web import follower

if __name__ == "__main__":
    follower.POLL_SECONDS = 3600.0
    main()
