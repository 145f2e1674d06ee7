"""The pictures of the documentation can be made again, are small, and load nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from showing import Showing
from town import town

from bench.pictures import FOLDER, LARGEST, PICTURES
from bench.terminal_svg import svg_of
from narrator.core.layout import surroundings
from narrator.views.picture import picture

LINK = re.compile(r"https?://(?!www\.w3\.org/)|@import|@font-face|url\(")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_made(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    PICTURES[name](file)
    data = file.read_bytes()
    assert 1000 < len(data) <= LARGEST
    if name.endswith(".svg"):
        assert not LINK.findall(data.decode())
    else:
        assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_in_the_folder(name: str) -> None:
    assert (FOLDER / name).stat().st_size <= LARGEST


def test_blocks_of_the_terminal_are_rectangles_and_letters_are_text() -> None:
    show = Showing(town(7))
    show.night("Bob")
    svg = svg_of(picture(show.now, surroundings(show.desk.production.layout), 160, 45), "light")
    assert not re.findall("[█▀▄]", svg)
    assert svg.count("<rect") > 100
    assert ">Parmi</text>" in svg
