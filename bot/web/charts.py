"""Charts as inline SVG: no style of their own, words for whoever does not see them, the figures in a table beside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup, escape

from bot.render.safe_text import clean

WIDTH, LABEL, ROW, HEAD = 960, 210, 34, 34
MOST_LETTERS = 25
MOST_ROWS = 60
NARROW, LETTER = 420, 7.5
"""The width of a drawing that a phone shows whole, and of a letter in it."""


@dataclass(frozen=True)
class Bar:
    """A contract: its term, the part of each month's promise that is used, its notice.

    None: nothing is promised in that month, or its use is not counted by months.
    """

    name: str
    first: date
    last: date
    used: Sequence[float | None]
    notice: date | None = None


def timeline(title: str, months: Sequence[date], bars: Sequence[Bar], today: date) -> Markup:
    """Contracts over months; the fuller a month, the more of it is used. `months` are first days."""
    end = _month_after(months[-1])
    scale = _Scale(months[0], end)
    shown = bars[:MOST_ROWS]
    height = HEAD + ROW * len(shown) + 8
    parts = [_month(scale, month, height) for month in months]
    parts += [_row(scale, bar, months, HEAD + ROW * number) for number, bar in enumerate(shown)]
    if scale.first <= today < end:
        x = scale.at(today)
        parts.append(Markup('<line class="now" x1="{0}" y1="{1}" x2="{0}" y2="{2}"/>').format(x, HEAD - 6, height))
    return _framed(title, (WIDTH, height), parts)


def interval(title: str, point: float, lo: float, hi: float, even: float, labels: tuple[str, str]) -> Markup:
    """A ratio with its interval beside the break-even; `labels` are those of the ratio and of the break-even."""
    low, high = min(lo, even), max(hi, even)
    room = (high - low or abs(even) or 1.0) * 0.15
    left, right, line = 10.0, NARROW - 10.0, 44.0

    def at(value: float) -> float:
        return round(left + (right - left) * (value - low + room) / (high - low + 2 * room), 1)

    def middle(value: float, label: str) -> float:
        """Where a label of that length stays within the drawing."""
        half = min(len(label) * LETTER / 2, NARROW / 2)
        return round(min(max(at(value), half), NARROW - half), 1)

    draw = Markup(
        '<line class="line" x1="{left}" y1="{line}" x2="{right}" y2="{line}"/>'
        '<line class="now" x1="{even}" y1="30" x2="{even}" y2="66"/>'
        '<text class="soft" x="{even_text}" y="82" text-anchor="middle">{even_label}</text>'
        '<line class="span" x1="{lo}" y1="{line}" x2="{hi}" y2="{line}"/>'
        '<circle class="point" cx="{point}" cy="{line}" r="6"/>'
        '<text x="{text}" y="20" text-anchor="middle">{label}</text>'
    )
    drawn = draw.format(left=left, right=right, line=line, even=at(even), lo=at(lo), hi=at(hi), point=at(point),
                        label=labels[0], text=middle(point, labels[0]), even_label=labels[1],
                        even_text=middle(even, labels[1]))  # fmt: skip
    return _framed(title, (NARROW, 92), [drawn], "chart narrow")


@dataclass(frozen=True)
class _Scale:
    first: date
    end: date

    def at(self, day: date) -> float:
        """The place of a day, within the drawing."""
        share = (day - self.first).days / max((self.end - self.first).days, 1)
        return round(LABEL + (WIDTH - LABEL) * min(max(share, 0.0), 1.0), 1)


def _month(scale: _Scale, month: date, height: int) -> Markup:
    x, label = scale.at(month), f"{month:%Y-%m}"
    return Markup(
        '<line class="line" x1="{x}" y1="22" x2="{x}" y2="{height}"/>'
        '<text class="soft" x="{text}" y="16">{label}</text>'
    ).format(x=x, height=height, text=x + 4, label=label)


def _row(scale: _Scale, bar: Bar, months: Sequence[date], y: int) -> Markup:
    parts = [Markup('<text x="0" y="{}">{}</text>').format(y + 20, clean(bar.name, MOST_LETTERS))]
    for month, used in zip(months, bar.used, strict=True):
        start, stop = max(month, bar.first), min(_month_after(month), date.fromordinal(bar.last.toordinal() + 1))
        if start < stop:
            parts.append(_cell(scale.at(start), scale.at(stop), y + 6, used))
    if bar.notice is not None and scale.first <= bar.notice < scale.end:
        x = scale.at(bar.notice)
        mark = Markup('<path class="notice" d="M{0} {2}l7 -11h-14z"/>')
        parts.append(mark.format(x, y + 4, y + 15))
    return Markup("").join(parts)


def _cell(left: float, right: float, y: int, used: float | None) -> Markup:
    """A month's frame, filled from below by the part that is used."""
    high, wide = ROW - 14, max(right - left - 1, 0.5)
    kind = "ended" if used is not None else "untold"
    frame = Markup('<rect class="{}" x="{}" y="{}" width="{:.1f}" height="{}"/>').format(kind, left, y, wide, high)
    if used is None:
        return frame
    part = round(high * min(max(used, 0.0), 1.0), 1)
    fill = Markup('<rect class="bar" x="{}" y="{:.1f}" width="{:.1f}" height="{}"/>')
    return frame + fill.format(left, y + high - part, wide, part)


def _framed(title: str, size: tuple[int, int], parts: Sequence[Markup], kind: str = "chart") -> Markup:
    drawn = Markup("").join(parts)
    return Markup('<svg class="{}" role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>').format(
        kind, escape(title), *size, drawn
    )


def _month_after(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)
