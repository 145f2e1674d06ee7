"""A snapshot as a screen full of characters: the sentence as large as it fits, the table, the vote, the boards.

Pure: (snapshot, words, size) -> Grid. Every mark is a sign and a word, or where there is no room for words a sign; what
is filled and what is empty differ in shape. Seats and clock are in table.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from narrator.views.bigtext import Font, big_line, font, wrapped
from narrator.views.grid import Grid
from narrator.views.plain import quoted
from narrator.views.snapshot import Board, Counter, Snapshot
from narrator.views.table import draw_table

Words = Mapping[str, str]
WIDE = 96  # columns from which boards stand beside the table
SENTENCE = 0.42  # of the screen at most


def picture(snapshot: Snapshot, words: Words, width: int, height: int) -> Grid:
    """What the screen shows; the last line is left free for what is typed."""
    grid = Grid(width, height)
    _headline(grid, snapshot, words)
    top = _sentence(grid, snapshot, words) + 1
    bottom = grid.height - 1
    if snapshot.dark:
        _night(grid, words, top, bottom)
    elif grid.width >= WIDE:
        split = grid.width * 13 // 20
        draw_table(grid, snapshot, words, (0, top, split - 2, bottom - top))
        _aside(grid, snapshot, split, top, bottom)
    else:
        lines = _lines_below(snapshot, grid.width)[: max((bottom - top) // 2, 1)]
        draw_table(grid, snapshot, words, (0, top, grid.width, bottom - top - len(lines)))
        for n, (style, line) in enumerate(lines):
            grid.put(0, bottom - len(lines) + n, line, style)
    return grid


def _headline(grid: Grid, s: Snapshot, words: Words) -> None:
    grid.bar(0, "bar")
    grid.put(1, 0, " · ".join(filter(None, (s.title, s.phase))), "bar")
    state = f"❚❚ {words['paused']}" if s.paused else words["muted"] if s.muted else ""
    state = state or (f"☾ {words['dark']}" if s.dark else "")
    grid.put(grid.width - len(state) - 1, 0, state, "bar")


def _sentence(grid: Grid, s: Snapshot, words: Words) -> int:
    """Returns the first row below it."""
    text = s.said.text or words["waiting"]
    room = max(int(grid.height * SENTENCE), 3)
    letters = _largest(text, grid.width - 2, room)
    y = 1 if letters is None else 2
    style = "warn" if s.said.manner == "refuse" else "big"
    for line in wrapped(text, grid.width - 2, letters.columns) if letters else wrapped(text, grid.width - 2):
        for row in big_line(line, letters) if letters else [line]:
            grid.put(1, y, row, style)
            y += 1
    if s.heard:
        grid.put(1, y, f"◂ {words['heard']}{words['colon']}{quoted(s.heard, s.language)}", "soft")
        y += 1
    return y


def _largest(text: str, width: int, height: int) -> Font | None:
    """The font in which the sentence fits; None where only plain letters do."""
    for letters in (font("6x10", 2), font("6x10"), font("5x8")):
        roomy = width >= 12 * letters.width * letters.scale
        if roomy and len(wrapped(text, width, letters.columns)) * letters.rows <= height:
            return letters
    return None


def _night(grid: Grid, words: Words, top: int, bottom: int) -> None:
    middle = (top + bottom) // 2
    grid.centred(0, grid.width, middle, f"☾  {words['dark']}", "soft")


def _aside(grid: Grid, s: Snapshot, left: int, top: int, bottom: int) -> None:
    y, width = top, grid.width - left - 1
    for board in s.boards:
        grid.put(left, y, f"{board.word}  {board.filled} / {len(board.cells)}", "strong")
        _cells(grid, left, y + 1, board)
        y += 3
    for counter in s.counters:
        grid.put(left, y, f"{_amount(counter):>7} ", "mark")
        grid.put(left + 9, y, counter.word)
        y += 1
    y += bool(s.counters)
    for text in s.texts:
        for n, line in enumerate(wrapped(text, width - 2)):
            if y < bottom:
                grid.put(left, y, "▪ " if n == 0 else "  ", "mark")
                grid.put(left + 2, y, line)
                y += 1


def _cells(grid: Grid, x: int, y: int, board: Board) -> None:
    for n, cell in enumerate(board.cells):
        full = n < board.filled
        grid.put(x + 5 * n, y, f"▐{cell or ' ':^1}●▌" if full else f"[{cell or ' ':^1} ]", "mark" if full else "soft")


def _lines_below(s: Snapshot, width: int) -> list[tuple[str, str]]:
    """The same, one line each, for a narrow screen; the most important first."""
    lines = [("strong", f"{b.word} {_dots(b)} {b.filled} / {len(b.cells)}") for b in s.boards]
    counters = " · ".join(f"{c.word} {_amount(c)}" for c in s.counters)
    lines += [("", line) for line in (wrapped(counters, width) if counters else [])]
    return lines + [("", line) for text in s.texts for line in wrapped(text, width)]


def _dots(board: Board) -> str:
    return "".join("●" if n < board.filled else "○" for n in range(len(board.cells)))


def _amount(counter: Counter) -> str:
    return f"{counter.value} / {counter.of}" if counter.of else str(counter.value)
