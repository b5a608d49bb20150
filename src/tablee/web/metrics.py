"""What the house counts of itself, as plain Prometheus text; no name, no address, no token."""

from collections import Counter
from collections.abc import Callable

BUCKETS = (0.005, 0.015, 0.05, 0.1, 0.25, 1.0)


class Metrics:
    """Counters that only grow, and gauges that are asked for when somebody looks."""

    def __init__(self) -> None:
        """Begin at nought."""
        self.requests: Counter[tuple[str, int]] = Counter()
        self.spent: Counter[float] = Counter()
        self.seconds = 0.0
        self.counts: Counter[str] = Counter()
        self.gauges: dict[str, Callable[[], float]] = {}

    def request(self, method: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self.requests[method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH") else "other", status] += 1
        self.seconds += seconds
        for bound in BUCKETS:
            if seconds <= bound:
                self.spent[bound] += 1

    def count(self, name: str) -> None:
        """Count something that happened."""
        self.counts[name] += 1

    def text(self) -> str:
        """Return everything in the text format that Prometheus reads."""
        lines = ["# TYPE tablee_requests_total counter"]
        lines += [f'tablee_requests_total{{method="{method}",status="{status}"}} {n}' for (method, status), n in sorted(self.requests.items())]
        total = sum(self.requests.values())
        lines.append("# TYPE tablee_request_seconds histogram")
        lines += [f'tablee_request_seconds_bucket{{le="{bound}"}} {self.spent[bound]}' for bound in BUCKETS]
        lines.append(f'tablee_request_seconds_bucket{{le="+Inf"}} {total}')
        lines += [f"tablee_request_seconds_sum {self.seconds:.6f}", f"tablee_request_seconds_count {total}"]
        for name, n in sorted(self.counts.items()):
            lines += [f"# TYPE tablee_{name}_total counter", f"tablee_{name}_total {n}"]
        for name, gauge in sorted(self.gauges.items()):
            lines += [f"# TYPE tablee_{name} gauge", f"tablee_{name} {gauge():g}"]
        return "\n".join(lines) + "\n"
