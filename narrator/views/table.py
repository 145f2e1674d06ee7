"""The table in characters: seats around an ellipse, in their middle the clock as a ring, and the vote."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from rich.cells import cell_len

from narrator.views.bigtext import big_line, font
from narrator.views.grid import Grid
from narrator.views.plain import clock, vote_in_words
from narrator.views.snapshot import Seat, Snapshot, Timer, Vote

Words = Mapping[str, str]
Box = tuple[int, int, int, int]  # x, y, width, height, in characters
Lines = Sequence[tuple[str, str]]  # (style, text)
_STEPS = 360
_THICK = 3.2  # pixels of the ring
_LEAST_RING = 12  # pixels across
_ROOMY = (34, 12)  # characters that large names must leave to the middle


def draw_table(grid: Grid, s: Snapshot, words: Words, box: Box) -> None:
    """Seats with large names, else with names and words, else with signs alone, around the middle; or as a list."""
    for label, middle in ((_large, _ROOMY), (_label, (0, 0)), (_short, (0, 0))):
        labels = [label(seat) for seat in s.seats]
        boxes = _around(labels, box)
        if boxes and not any(_touch(one, other) for one, other in combinations(boxes, 2)):
            inner = _inside(box, boxes)
            if inner[2] < middle[0] or inner[3] < middle[1]:
                continue
            for at, lines in zip(boxes, labels, strict=True):
                _draw_label(grid, at, lines)
            _middle(grid, s, words, inner)
            return
    _list(grid, s, words, box)


def _large(seat: Seat) -> Lines:
    """The name in large letters."""
    rows = big_line(seat.name, font("5x8"))
    across = max(map(len, rows))
    style = "mark" if seat.has("speaks") else _name_style(seat)
    return [*((style, row.ljust(across)) for row in rows if row), *_label(seat)[1:], *_value(seat)]


def _value(seat: Seat) -> Lines:
    return [("", seat.value)] if seat.value else []


def _label(seat: Seat) -> Lines:
    name = f"{seat.name} {seat.value}".rstrip()
    marks = [("warn" if m.kind in ("out", "barred") else "", f"{m.sign} {m.word}") for m in seat.marks]
    return [(_name_style(seat), f" {name} "), *((style, text) for style, text in marks)]


def _short(seat: Seat) -> Lines:
    signs = "".join(mark.sign for mark in seat.marks)
    return [(_name_style(seat), f" {signs} {seat.name} {seat.value}".rstrip() + " ")]


def _name_style(seat: Seat) -> str:
    return "bar" if seat.has("speaks") else "soft" if seat.has("out") else "strong"


def _draw_label(grid: Grid, at: Box, lines: Lines) -> None:
    for n, (style, text) in enumerate(lines):
        grid.centred(at[0], at[2], at[1] + n, text, style)


def _around(labels: Sequence[Lines], box: Box) -> list[Box]:
    """Boxes at equal steps along an ellipse, the first at the top, clockwise; none where `box` is too small."""
    x, y, width, height = box
    sizes = [(max(cell_len(text) for _, text in lines), len(lines)) for lines in labels]
    if not sizes:
        return []
    rx = (width - max(w for w, _ in sizes)) / 2
    ry = (height - max(h for _, h in sizes)) / 2
    if rx < 8 or ry < 2:
        return []
    boxes = []
    for (w, h), angle in zip(sizes, _angles(len(sizes), rx, 2 * ry), strict=True):
        middle_x, middle_y = x + width / 2 + rx * math.sin(angle), y + height / 2 - ry * math.cos(angle)
        boxes.append((round(middle_x - w / 2), round(middle_y - h / 2), w, h))
    return boxes


def _angles(count: int, rx: float, ry: float) -> list[float]:
    """Where a walk around the ellipse has gone 0, 1/count, 2/count … of its way."""
    turn = 2 * math.pi / _STEPS
    way = [0.0]
    for k in range(1, _STEPS + 1):
        a, b = turn * (k - 1), turn * k
        way.append(way[-1] + math.hypot(rx * (math.sin(b) - math.sin(a)), ry * (math.cos(b) - math.cos(a))))
    wanted = (way[-1] * n / count for n in range(count))
    return [turn * next(k for k, gone in enumerate(way) if gone >= target) for target in wanted]


def _touch(one: Box, other: Box) -> bool:
    """Whether two boxes have no empty column and no line between them."""
    beside = one[0] + one[2] < other[0] or other[0] + other[2] < one[0]
    above = one[1] + one[3] <= other[1] or other[1] + other[3] <= one[1]
    return not (beside or above)


def _inside(box: Box, boxes: Sequence[Box]) -> Box:
    """The middle that no label reaches: the largest centred box with the proportions of the table."""
    x, y, width, height = box
    for share in (n / 40 for n in range(36, 3, -1)):
        w, h = int(width * share), int(height * share)
        inner = (x + (width - w) // 2, y + (height - h) // 2, w, h)
        if not any(_touch(inner, label) for label in boxes):
            return inner
    return (x + width // 2 - 4, y + height // 2, 8, 1)


def _list(grid: Grid, s: Snapshot, words: Words, box: Box) -> None:
    """Where there is no room for a circle: clock and vote in a line, then the seats clockwise, in columns."""
    x, y, width, height = box
    facts = [f"◔ {clock(s.timer.left)}" if s.timer else "", "  ".join(vote_lines(s.vote, words)) if s.vote else ""]
    if any(facts):
        grid.put(x, y, "   ".join(filter(None, facts))[:width], "mark")
        y, height = y + 1, height - 1
    columns = max(min(width // 24, 4), 1)
    rows = -(-len(s.seats) // columns) or 1
    for n, seat in enumerate(s.seats):
        column, row = divmod(n, rows)
        if row < height:
            marks = ", ".join(f"{mark.sign} {mark.word}" for mark in seat.marks)
            grid.put(x + column * (width // columns), y + row, f"{n + 1:>2} {seat.name}"[:24], _name_style(seat))
            at = x + column * (width // columns) + 4 + cell_len(seat.name)
            grid.put(at, y + row, f"{seat.value} {marks}".strip()[: max(width // columns - cell_len(seat.name) - 5, 0)])


# ---- the middle


def _middle(grid: Grid, s: Snapshot, words: Words, box: Box) -> None:
    """The ring if there is a clock, and under it, or alone, the vote."""
    x, y, width, height = box
    vote = _vote_block(s.vote, words, width, large=not s.timer) if s.vote else []
    if s.timer:
        room = height - (len(vote) + 1 if vote else 0) - (0 if s.timer.running else 1)
        if not _ring(grid, s.timer, (x, y, width, room)):
            vote, room = [("strong", f"◔ {clock(s.timer.left)}"), *vote], 0
        elif not s.timer.running:
            grid.centred(x, width, y + room, words["stopped"], "soft")
            room += 1
        y, height = y + room, height - room
    top = y + max((height - len(vote)) // 2, 0)
    for n, (style, line) in enumerate(vote[: max(height, 0)]):
        grid.centred(x, width, top + n, line, style)


def _vote_block(vote: Vote, words: Words, width: int, *, large: bool) -> list[tuple[str, str]]:
    """Whom it is about, the count (in large letters where they fit), and what is needed."""
    about, counts, needed = vote_lines(vote, words)
    letters = font("5x8")
    spelt = counts.replace("✓ ", "").replace("✗ ", "")
    if large and letters.columns(spelt) <= width:
        rows = big_line(spelt, letters)
        across = max(map(len, rows))
        middle = [("strong", row.ljust(across)) for row in rows]
    else:
        middle = [("strong", counts)]
    return [("", about), *middle, *([("", needed)] if needed else [])]


def _ring(grid: Grid, timer: Timer, box: Box) -> bool:
    """What is left as a thick arc, what is gone as dots; the digits inside. False where it does not fit."""
    x, y, width, height = box
    across = min(width, 2 * height)
    if across < _LEAST_RING:
        return False
    radius, left = across / 2, timer.left / timer.total if timer.total else 0.0
    middle_x, middle_y = x + width / 2, 2 * y + height
    for py in range(2 * y, 2 * (y + height)):
        for px in range(x, x + width):
            dx, dy = px + 0.5 - middle_x, py + 0.5 - middle_y
            far = math.hypot(dx, dy)
            share = math.atan2(dx, -dy) / (2 * math.pi) % 1
            if radius - _THICK <= far < radius and share <= left:
                grid.dot(px, py, "mark")
            elif abs(far - radius + _THICK / 2) < 0.6 and int(share * math.pi * radius) % 2:
                grid.dot(px, py, "soft")
    _digits(grid, clock(timer.left), (x, y, width, height), int(across - 2 * _THICK - 2))
    return True


def _digits(grid: Grid, text: str, box: Box, room: int) -> None:
    x, y, width, height = box
    for letters in (font("6x10", 2), font("6x10"), font("5x8")):
        across = letters.columns(text)
        if across <= room and 2 * letters.rows <= room:
            top = y + (height - letters.rows + 1) // 2
            for n, row in enumerate(big_line(text, letters)):
                grid.put(x + (width - across + 1) // 2, top + n, row, "strong")
            return
    grid.centred(x, width, y + height // 2, text, "strong")


def vote_lines(vote: Vote, words: Words) -> tuple[str, str, str]:
    """Whom it is about, the count, what is needed."""
    head, counts = vote_in_words(vote, words)
    needed = counts.pop() if vote.needed else ""
    return head, "   ".join(sign + part for sign, part in zip(("✓ ", "✗ "), counts, strict=False)), needed
