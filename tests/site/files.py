"""A host of files on loopback that knows nothing of Python, and can be stopped."""

import functools
import http.server
import threading
from pathlib import Path
from typing import Any

BELOW = "/games/tablee/"
STALLED = "stalled"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, without a word."""

    def do_GET(self) -> None:
        """Serve a file; `STALLED` is never answered."""
        if self.path.endswith(STALLED):
            threading.Event().wait()
        super().do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Host:
    """The site below a path of a host: `python -m http.server` and no more."""

    def __init__(self, folder: Path, around: Path) -> None:
        """Serve a folder under `BELOW`; `around` is what the host serves besides: nothing, or what a test puts there."""
        self.around = around
        below = around / BELOW.strip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        below.symlink_to(folder, target_is_directory=True)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(around)))
        self.server.daemon_threads = True
        self.port: int = self.server.server_port
        self.address = f"http://127.0.0.1:{self.port}{BELOW}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.stopped = False

    def stop(self) -> None:
        """Serve no more."""
        if not self.stopped:
            self.stopped = True
            self.server.shutdown()
            self.server.server_close()
