"""A picture made of characters, each with the name of a style; what a terminal, or a picture of one, is filled from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

#: What the names of styles look like for rich; "" is the terminal's own. Colours only where the theme is known.
THEMES: dict[str, dict[str, str]] = {
    "auto": {
        "strong": "bold",
        "soft": "dim",
        "mark": "bold",
        "warn": "bold",
        "bar": "reverse",
        "big": "bold",
        "paper": "#000000 on #ffffff",
    },
    "dark": {
        "": "#f4ecdd on #14120f",
        "strong": "bold #ffffff on #14120f",
        "soft": "#b5a995 on #14120f",
        "mark": "bold #f0b35a on #14120f",
        "warn": "bold #ff9a8f on #14120f",
        "bar": "bold #14120f on #f0b35a",
        "big": "#ffe9c4 on #14120f",
        "paper": "#000000 on #ffffff",
    },
    "light": {
        "": "#1d1a16 on #faf6ee",
        "strong": "bold #000000 on #faf6ee",
        "soft": "#5f574b on #faf6ee",
        "mark": "bold #8a4b08 on #faf6ee",
        "warn": "bold #9c1c1c on #faf6ee",
        "bar": "bold #ffffff on #8a4b08",
        "big": "#3a2204 on #faf6ee",
        "paper": "#000000 on #ffffff",
    },
}


class Grid:
    """`width` × `height` characters. What does not fit is cut off, never an error."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(width, 1), max(height, 1)
        self._cells = [[(" ", "")] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """`text` from column x of row y; a character of width two takes two columns, one of none is left out."""
        for char in text:
            size = cell_len(char)
            if size and 0 <= y < self.height and x >= 0 and x + size <= self.width:
                self._cells[y][x] = (char, style)
                if size == 2:
                    self._cells[y][x + 1] = ("", style)
            x += size

    def centred(self, x: int, width: int, y: int, text: str, style: str = "") -> None:
        self.put(x + max((width - cell_len(text)) // 2, 0), y, text[: max(width, 0)], style)

    def bar(self, y: int, style: str) -> None:
        self.put(0, y, " " * self.width, style)

    def dot(self, x: int, y: int, style: str = "") -> None:
        """A pixel of the half as high characters: row y // 2, its upper or its lower half."""
        row, lower = divmod(y, 2)
        if 0 <= row < self.height and 0 <= x < self.width:
            before = self._cells[row][x][0]
            both = before == "█" or before == ("▀" if lower else "▄")
            self._cells[row][x] = ("█" if both else "▄" if lower else "▀", style)

    def runs(self) -> Iterable[list[tuple[str, str]]]:
        """Row by row, stretches of one style: (style, text)."""
        for row in self._cells:
            yield [(style, "".join(c for c, _ in cells)) for style, cells in groupby(row, key=lambda cell: cell[1])]

    def lines(self) -> list[str]:
        return ["".join(char for char, _ in row).rstrip() for row in self._cells]

    def rich(self, theme: str) -> Text:
        """For a rich console, which can make a picture of it."""
        styles = THEMES[theme]
        text = Text()
        for n, row in enumerate(self.runs()):
            if n:
                text.append("\n")
            for style, part in row:
                text.append(part, styles.get(style, styles.get("", "")))
        return text
