"""A plot as SVG: for each name a dot on a common scale, with the interval it may lie in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, LEFT, RIGHT, TOP, ROW, FOOT = 720, 190, 30, 46, 26, 48


@dataclass(frozen=True)
class Bar:
    """A name with its value and interval."""

    name: str
    value: float
    low: float
    high: float


def plot(bars: Sequence[Bar], title: str, axis: str) -> str:
    """Return the plot; it needs no style and no script, and reads on light and dark pages alike."""
    return "\n".join(drawn(bars, title, axis)) + "\n"


def drawn(bars: Sequence[Bar], title: str, axis: str) -> Iterator[str]:
    """Give the lines of the SVG."""
    marks = ticks(min(bar.low for bar in bars), max(bar.high for bar in bars))
    low, high = marks[0], marks[-1]
    bottom = TOP + ROW * len(bars)

    def x(value: float) -> float:
        return round(LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + FOOT}" font-family="sans-serif" font-size="13" role="img">'
    yield f"<title>{escape(title)}</title>"
    yield f'<text x="{WIDTH / 2:g}" y="22" text-anchor="middle" font-size="15" fill="#888">{escape(title)}</text>'
    for mark in marks:
        yield f'<line x1="{x(mark)}" y1="{TOP - 8}" x2="{x(mark)}" y2="{bottom}" stroke="#888" stroke-opacity="0.35"/>'
        yield f'<text x="{x(mark)}" y="{bottom + 18}" text-anchor="middle" fill="#888">{mark:g}</text>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2:g}" y="{bottom + 38}" text-anchor="middle" fill="#888">{escape(axis)}</text>'
    for row, bar in enumerate(bars):
        y = TOP + ROW * row + ROW // 2
        yield f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end" fill="#888">{escape(bar.name)}</text>'
        whisker = f"M{x(bar.low)} {y - 5}v10M{x(bar.low)} {y}H{x(bar.high)}M{x(bar.high)} {y - 5}v10"
        yield f'<path d="{whisker}" stroke="#c8783c" stroke-width="2" fill="none"/>'
        yield f'<circle cx="{x(bar.value)}" cy="{y}" r="5" fill="#c8783c"/>'
    yield "</svg>"


def ticks(low: float, high: float) -> list[float]:
    """Return four to ten round numbers whose range covers an interval."""
    reach = max(high - low, 1e-6)
    step = 10.0 ** floor(log10(reach / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if reach / (step * factor) <= 7)
    first, last = floor(low / step), ceil(high / step)
    return [round(number * step, 9) for number in range(first, max(last, first + 1) + 1)]
