"""Zipped models of any make: unpacked into their folder or refused in one sentence, and nothing outside of it."""

from __future__ import annotations

import shutil
import stat
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.core.errors import ModelError
from narrator.ear.unpack import unpack

NAMES = st.text(st.sampled_from("a./\\:\0é\n .."), min_size=1, max_size=12) | st.text(min_size=1, max_size=8)
MODES = st.sampled_from([0, 0o100644, 0o40755, 0o120777, 0o10644, 0o20644, 0o60644, 0o140755, 0o177777])


def unpacked_or_refused(archive: Path, folder: Path, outside: Path) -> None:
    """In one sentence, leaving nothing behind; and nothing is ever outside of the folder, or no plain file in it."""
    before = sorted(outside.iterdir())
    refused: ModelError | None = None
    try:
        unpack(archive, folder)
    except ModelError as error:
        refused = error
    if refused:
        assert "\n" not in str(refused)
        assert not folder.exists()
    else:
        for path in folder.rglob("*"):
            assert stat.S_IFMT(path.lstat().st_mode) in (stat.S_IFREG, stat.S_IFDIR)
            assert path.resolve().is_relative_to(folder.resolve())
        shutil.rmtree(folder)
    assert sorted(outside.iterdir()) == before


@settings(max_examples=300, deadline=None)
@given(entries=st.lists(st.tuples(NAMES, MODES, st.binary(max_size=40)), max_size=4))
def test_a_zip_of_any_names_and_kinds(tmp_path_factory: pytest.TempPathFactory, entries: Any) -> None:
    outside = tmp_path_factory.mktemp("z")
    with zipfile.ZipFile(outside / "z.zip", "w") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same name twice
        for name, mode, content in entries:
            info = zipfile.ZipInfo("x")
            info.filename, info.external_attr = name.encode("utf-8", "replace").decode(), mode << 16
            file.writestr(info, content)
    unpacked_or_refused(outside / "z.zip", outside / "in", outside)


@settings(max_examples=500, deadline=None)
@given(
    places=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6), cut=st.booleans()
)
def test_a_damaged_zip(tmp_path_factory: pytest.TempPathFactory, places: Any, cut: bool) -> None:
    outside = tmp_path_factory.mktemp("d")
    with zipfile.ZipFile(outside / "z.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("m/am/final.mdl", bytes(range(256)) * 2)
        file.writestr("m/conf/model.conf", b"--x=1\n" * 20)
    data = bytearray((outside / "z.zip").read_bytes())
    for place, value in places:
        data[place % len(data)] = value
    (outside / "z.zip").write_bytes(data[: places[0][0] % len(data)] if cut else data)
    unpacked_or_refused(outside / "z.zip", outside / "in", outside)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as file:
        file.writestr("m/am/final.mdl", b"x")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter").write_text("dear")
    with pytest.raises(ModelError, match="is there already"):
        unpack(tmp_path / "z.zip", mine)
    assert (mine / "letter").read_text() == "dear"
