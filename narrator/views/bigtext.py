"""Letters several lines high, from block characters: one character shows two pixels, one above the other.

The glyphs are X11's misc-fixed, in the public domain; files of fonts/ hold one glyph a line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from importlib.resources import files
from operator import or_

from rich.cells import cell_len

_HALVES = " ▀▄█"  # by upper + 2 * lower
_SPACES = {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2011": "-"}
_UNKNOWN = "?"


@dataclass(frozen=True)
class Font:
    """`glyphs`: rows of a character from the top, the leftmost pixel in the highest bit of `width`.

    Letters are as wide as their ink and a pixel more; digits all have the full width, so that a clock does not jump.
    """

    width: int
    height: int
    glyphs: Mapping[str, tuple[int, ...]]
    scale: int = 1

    @property
    def rows(self) -> int:
        """Lines of the terminal that one line of text takes."""
        return (self.height * self.scale + 1) // 2

    def columns(self, text: str) -> int:
        """Characters of the terminal that a line of this text takes across."""
        return sum(right - left for left, right in map(self._extent, _plain(text))) * self.scale

    def pixels(self, text: str) -> list[list[bool]]:
        """Rows of pixels, an even number of them."""
        rows = [[pixel for letter in _plain(text) for pixel in self._row(letter, y)] for y in range(self.height)]
        rows = [[pixel for pixel in row for _ in range(self.scale)] for row in rows for _ in range(self.scale)]
        return rows + [[False] * len(rows[0])] * (len(rows) % 2)

    def _row(self, letter: str, y: int) -> list[bool]:
        left, right = self._extent(letter)
        row = self._glyph(letter)[y] << 1  # a column more: some letters fill theirs
        return [bool(row >> (self.width - x) & 1) for x in range(left, right)]

    def _glyph(self, letter: str) -> tuple[int, ...]:
        return self.glyphs.get(letter) or self.glyphs[_UNKNOWN]

    def _extent(self, letter: str) -> tuple[int, int]:
        ink = reduce(or_, self._glyph(letter))
        if letter.isdigit():
            return 0, self.width
        if not ink:
            return 0, self.width // 2 + 1
        first = self.width - ink.bit_length()
        last = self.width - (ink & -ink).bit_length() + 1
        return first, last + 1


@lru_cache(maxsize=4)
def font(name: str, scale: int = 1) -> Font:
    """ "6x10" or "5x8": how many pixels wide and high a letter is."""
    width, height = (int(number) for number in name.split("x"))
    text = files("narrator.views").joinpath("fonts", f"{name}.txt").read_text(encoding="ascii")
    glyphs = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            code, rows = line.split()
            glyphs[chr(int(code, 16))] = tuple(bytes.fromhex(rows))
    return Font(width, height, glyphs, scale)


def wrapped(text: str, width: int, measure: Callable[[str], int] = cell_len) -> list[str]:
    """Lines that are at most `width` wide; a longer word is cut. A space that must not break does not."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and measure(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
            continue
        while len(word) > 1 and measure(word) > width:
            fits = next((n for n in range(len(word) - 1, 1, -1) if measure(word[:n]) <= width), 1)
            lines.append(word[:fits])
            word = word[fits:]
        lines.append(word)
    return lines


def big_line(text: str, letters: Font) -> list[str]:
    """One line of text as `letters.rows` lines of block characters."""
    rows = letters.pixels(text)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[up + 2 * low] for up, low in zip(*pair, strict=True)).rstrip() for pair in pairs]


def _plain(text: str) -> str:
    return "".join(_SPACES.get(letter, letter) for letter in text)
