"""Small drawings of a story: the course of its numbers as SVG, and tables of who with whom. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from narrator.core.deeds import Deed
from narrator.story.telling import Turn

_WIDE, _HIGH, _LEFT, _RIGHT, _EDGE = 640, 220, 30, 130, 14
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "12 4")  # a line is told from another by more than its colour


@dataclass(frozen=True, slots=True)
class Pairs:
    """Who with whom: `cells[row][column]` is a share (0 to 1) or a count, None where there is nothing to tell."""

    names: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    shares: bool


def course(turns: Sequence[Turn], name: dict[str, str]) -> str:
    """An SVG of every gauge over the turns, "" where there is no course. `name`: what gauges are called."""
    gauges = list(dict.fromkeys(key for turn in turns for key in turn.gauges))
    if len(turns) < 2 or not gauges:
        return ""
    top = max(max(turn.gauges.values(), default=0) for turn in turns) or 1
    step = (_WIDE - _LEFT - _RIGHT) / (len(turns) - 1)

    def place(i: int, value: int) -> str:
        return f"{_LEFT + i * step:.1f},{_HIGH - _EDGE - value / top * (_HIGH - 2 * _EDGE):.1f}"

    label = escape(", ".join(name.get(g, g) for g in gauges))
    parts = [f'<svg viewBox="0 0 {_WIDE} {_HIGH + 20}" role="img" aria-label="{label}">']
    for value in sorted({0, top // 2, top}):
        y = place(0, value).split(",")[1]
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" text-anchor="end" dy="4">{value}</text>')
    for i, turn in enumerate(turns):
        if i % (len(turns) // 12 + 1) == 0:
            x = place(i, 0).split(",")[0]
            parts.append(f'<text x="{x}" y="{_HIGH + 12}" text-anchor="middle">{turn.number}</text>')
    heights = _spread([turns[-1].gauges.get(g, 0) / top * (_HIGH - 2 * _EDGE) for g in gauges])
    for k, gauge in enumerate(gauges):
        line = " ".join(place(i, turn.gauges.get(gauge, 0)) for i, turn in enumerate(turns))
        dash = _DASHES[k % len(_DASHES)]
        parts.append(f'<polyline class="line c{k % 6}" stroke-dasharray="{dash}" points="{line}"/>')
        at = _HIGH - _EDGE - heights[k]
        text = f"{escape(name.get(gauge, gauge))} {turns[-1].gauges.get(gauge, 0)}"
        parts.append(f'<text class="c{k % 6}" x="{_WIDE - _RIGHT + 8}" y="{at:.1f}" dy="4">{text}</text>')
    return "".join(parts) + "</svg>"


def _spread(heights: Sequence[float], gap: float = 14.0) -> list[float]:
    """Labels moved up so that none stands on another."""
    placed = [0.0] * len(heights)
    lowest = -gap
    for i in sorted(range(len(heights)), key=lambda i: heights[i]):
        lowest = placed[i] = max(heights[i], lowest + gap)
    return placed


def together(players: Sequence[str], deeds: Sequence[Deed]) -> Pairs | None:
    """Shares of votes in which two players gave the same answer; None where no vote has names."""
    named = [dict(deed.answers) for deed in deeds if deed.answers]
    if not named:
        return None

    def share(a: str, b: str) -> float | None:
        both = [vote for vote in named if a in vote and b in vote]
        return sum(vote[a] == vote[b] for vote in both) / len(both) if both and a != b else None

    return Pairs(tuple(players), tuple(tuple(share(a, b) for b in players) for a in players), shares=True)


def governed(players: Sequence[str], deeds: Sequence[Deed]) -> Pairs | None:
    """How often one proposed the other; None where nobody did."""
    pairs = Counter(d.people for d in deeds if d.kind == "vote" and len(d.people) == 2)
    if not pairs:
        return None
    return Pairs(tuple(players), tuple(tuple(pairs[a, b] or None for b in players) for a in players), shares=False)
