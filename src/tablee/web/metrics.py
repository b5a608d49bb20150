"""The metrics of the house as Prometheus text, without names, addresses or tokens."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

BUCKETS = (0.005, 0.015, 0.05, 0.1, 0.25, 1.0)


class Sample(NamedTuple):
    """One number: the metric it belongs to and its kind, its own name and labels."""

    metric: str
    kind: str
    name: str
    labels: str
    value: float


class Metrics:
    """Counters that only grow, and gauges that are read on request."""

    def __init__(self) -> None:
        """Set every count to zero."""
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

    def samples(self) -> list[Sample]:
        """Return every number."""
        answered, waits = ("requests_total", "counter", "requests_total"), ("request_seconds", "histogram")
        samples = [Sample(*answered, f'method="{method}",status="{status}"', n) for (method, status), n in sorted(self.requests.items())]
        samples += [Sample(*waits, "request_seconds_bucket", f'le="{bound}"', self.spent[bound]) for bound in BUCKETS]
        total = sum(self.requests.values())
        samples.append(Sample(*waits, "request_seconds_bucket", 'le="+Inf"', total))
        samples.append(Sample(*waits, "request_seconds_sum", "", round(self.seconds, 6)))
        samples.append(Sample(*waits, "request_seconds_count", "", total))
        samples += [Sample(f"{name}_total", "counter", f"{name}_total", "", n) for name, n in sorted(self.counts.items())]
        return samples + [Sample(name, "gauge", name, "", gauge()) for name, gauge in sorted(self.gauges.items())]

    def as_json(self) -> str:
        """Return every number as JSON, for another process to show."""
        return json.dumps(self.samples())

    def text(self, others: Mapping[str, str] | None = None) -> str:
        """Return everything in the text format that Prometheus reads; given the JSON of houses by name, theirs instead of this one alone."""
        if others is None:
            return written({"": self.samples()})
        return written({house: [Sample(*sample) for sample in json.loads(text)] for house, text in others.items()})


def written(houses: Mapping[str, list[Sample]]) -> str:
    """Return samples as Prometheus reads them: all of a metric together, each with the name of its house if it has one."""
    metrics: dict[tuple[str, str], list[str]] = {("requests_total", "counter"): []}
    for house, samples in houses.items():
        for sample in samples:
            labels = ",".join(label for label in (f'house="{house}"' if house else "", sample.labels) if label)
            line = f"tablee_{sample.name}{{{labels}}} {number(sample.value)}" if labels else f"tablee_{sample.name} {number(sample.value)}"
            metrics.setdefault((sample.metric, sample.kind), []).append(line)
    return "".join("\n".join([f"# TYPE tablee_{metric} {kind}", *lines, ""]) for (metric, kind), lines in metrics.items())


def number(value: float) -> str:
    """Return a number without digits that say nothing."""
    return str(int(value)) if value == int(value) else f"{value:.6f}"
