"""Slips as a PDF, one A4 page each: the name outside, a line to fold along, the secret inside.

Every page looks alike from outside, and the file's own properties tell nothing. The built-in fonts have the letters
of French and English; other letters are written in their nearest Latin ones, unless a TrueType font is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from narrator.core.errors import NarratorError
from narrator.slips.content import Frame, Slip

if TYPE_CHECKING:
    from fpdf import FPDF

_CORE = "cp1252"  # the letters of a PDF's built-in fonts
_SPACES = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0"})
FOLD = 99.0  # mm from the top: a third of the page, so that the secret folds over twice
MARGIN = 22.0
NAME, TEXT, SMALL = 34, 13, 9  # points
FAMILY = "slips"


def pdf_of(slips: Iterable[Slip], frame: Frame, font: Path | None = None) -> bytes:
    """The document. Raises NarratorError if the library is not installed or the font cannot be read."""
    page = _document(font)
    own = font is not None
    for slip in slips:
        page.add_page()
        _outside(page, slip.player, frame, own)
        page.set_xy(MARGIN, FOLD + 14)
        page.set_font(FAMILY if own else "Times", size=TEXT)
        for paragraph in slip.paragraphs:
            page.multi_cell(0, 6.5, _letters(paragraph, own), new_x="LMARGIN", new_y="NEXT")
            page.ln(2.5)
        page.ln(4)
        page.set_font(FAMILY if own else "Helvetica", size=SMALL)
        page.multi_cell(0, 5, _letters(frame.keep, own), new_x="LMARGIN", new_y="NEXT")
    return bytes(page.output())


def _document(font: Path | None) -> FPDF:
    try:
        from fontTools.ttLib import TTLibError
        from fpdf import FPDF
        from fpdf.errors import FPDFException
    except ImportError:
        raise NarratorError("slips on paper need fpdf2: pip install 'narrator[pdf]'") from None
    page = FPDF(format="A4")
    page.core_fonts_encoding = _CORE
    page.set_margins(MARGIN, MARGIN)
    page.set_auto_page_break(True, MARGIN)
    page.set_title("")
    if font is not None:
        try:
            page.add_font(FAMILY, fname=str(font))
        except (OSError, FPDFException, TTLibError, ValueError, KeyError) as error:
            raise NarratorError(f"{font}: this is no TrueType font that can be used ({error})") from None
    return page


def _outside(page: FPDF, player: str, frame: Frame, own: bool) -> None:
    page.set_y(MARGIN)
    page.set_font(FAMILY if own else "Helvetica", size=TEXT)
    page.cell(0, 8, _letters(frame.title, own), align="C", new_x="LMARGIN", new_y="NEXT")
    page.set_font(FAMILY if own else "Times", size=NAME)
    page.set_y(FOLD / 2)
    page.multi_cell(0, 14, _letters(player, own), align="C", new_x="LMARGIN", new_y="NEXT")
    page.set_draw_color(120)
    page.set_dash_pattern(dash=2, gap=2)
    page.line(MARGIN, FOLD, page.w - MARGIN, FOLD)
    page.set_dash_pattern()
    page.set_y(FOLD + 2)
    page.set_font(FAMILY if own else "Helvetica", size=SMALL)
    page.cell(0, 5, _letters(frame.fold, own), align="C", new_x="LMARGIN", new_y="NEXT")


def _letters(text: str, own: bool) -> str:
    """Text that the font can write: with the built-in ones, “Łukasz” is written “Lukasz”."""
    text = text.translate(_SPACES)
    if own:
        return text
    from anyascii import anyascii

    return "".join(c if _has(c) else anyascii(c) for c in text)


def _has(letter: str) -> bool:
    try:
        letter.encode(_CORE)
    except UnicodeEncodeError:
        return False
    return True


def write_private(data: bytes, folder: Path, name: str) -> Path:
    """`data` as folder/name, readable by its owner only, whole or not at all; a new folder is private as well.

    Raises NarratorError if the disk refuses.
    """
    path = folder / name
    new = path.with_name(f".{name}.new")
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, mode=0o700)
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(new, path)
    except OSError as error:
        raise NarratorError(f"{path}: the slips cannot be written ({error.strerror})") from None
    return path
