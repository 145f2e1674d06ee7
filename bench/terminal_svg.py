"""A Grid as an SVG picture: letters as text, blocks as rectangles, so that no font tears them apart."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from rich.cells import cell_len

from narrator.views.grid import THEMES, Grid

WIDE, HIGH = 9, 18  # pixels of a character
#: Part of a character's cell that a block fills: x, y, width, height.
BLOCKS = {"█": (0.0, 0.0, 1.0, 1.0), "▀": (0.0, 0.0, 1.0, 0.5), "▄": (0.0, 0.5, 1.0, 0.5)}
BLOCKS |= {"▌": (0.0, 0.0, 0.5, 1.0), "▐": (0.5, 0.0, 0.5, 1.0)}
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def svg_of(grid: Grid, theme: str) -> str:
    """`theme`: one of THEMES that knows its colours (not "auto")."""
    styles = {name: _parts(style) for name, style in THEMES[theme].items()}
    width, height = grid.width * WIDE, grid.height * HIGH
    shapes = [
        shape
        for y, row in enumerate(grid.runs())
        for x, (style, text) in _placed(row)
        for shape in _run(x, y, text, *styles.get(style, styles[""]), ground=styles[""][1])
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<rect width="{width}" height="{height}" rx="8" fill="{styles[""][1]}"/>'
        f'<g font-family="{FONT}" font-size="15" shape-rendering="crispEdges">'
    )
    return head + "\n".join(shapes) + "</g></svg>\n"


def _placed(row: list[tuple[str, str]]) -> Iterator[tuple[int, tuple[str, str]]]:
    x = 0
    for style, text in row:
        yield x, (style, text)
        x += cell_len(text)


def _parts(style: str) -> tuple[str, str, bool]:
    """ "bold #fff on #000" -> colour, ground, whether it is bold."""
    front, _, ground = style.partition(" on ")
    return front.removeprefix("bold "), ground, front.startswith("bold ")


def _run(x: int, y: int, text: str, colour: str, back: str, bold: bool, *, ground: str) -> Iterator[str]:
    if back != ground:
        yield f'<rect x="{x * WIDE}" y="{y * HIGH}" width="{cell_len(text) * WIDE}" height="{HIGH}" fill="{back}"/>'
    for at, piece in _pieces(text):
        left = (x + at) * WIDE
        if piece[0] in BLOCKS:
            dx, dy, w, h = BLOCKS[piece[0]]
            size = f'width="{(w + len(piece) - 1) * WIDE:g}" height="{h * HIGH:g}"'
            yield f'<rect x="{left + dx * WIDE:g}" y="{y * HIGH + dy * HIGH:g}" {size} fill="{colour}"/>'
        else:
            weight = ' font-weight="bold"' if bold else ""
            length = cell_len(piece) * WIDE
            yield (
                f'<text x="{left}" y="{y * HIGH + 14}" textLength="{length}" fill="{colour}"{weight}>'
                f"{escape(piece)}</text>"
            )


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Words, and stretches of the same block, with the column where each begins."""
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] == " ":
            at = end
            continue
        block = text[at] in BLOCKS
        while end < len(text) and (text[end] == text[at] if block else text[end] not in BLOCKS and text[end] != " "):
            end += 1
        yield at, text[at:end]
        at = end
