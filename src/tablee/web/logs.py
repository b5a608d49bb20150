"""The log of the server: one line of JSON an entry; facts are given by name, and no token, cookie or body is ever among them."""

import json
import logging
import sys
import time


class JsonLines(logging.Formatter):
    """Write an entry as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        facts = getattr(record, "facts", None)
        if isinstance(facts, dict):
            fields = {**facts, **fields}  # an entry's own level, time and source stay what they are
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def set_up_logs(level: str) -> None:
    """Send everything to standard error; uvicorn's own access log stays silent, since it would write invitations down."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tablee").setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
