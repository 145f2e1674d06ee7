"""Unpacks a zipped model from anywhere without trusting it: nothing outside its folder, no links, nothing endless."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath

from narrator.core.errors import DeviceError, ModelError
from narrator.ear.fetch import FULL

LARGEST = 4 << 30  # bytes, unpacked
MOST_FILES = 2000
_FACTOR = 200  # how much smaller than its content an honest zip may be


def unpack(archive: Path, folder: Path) -> Path:
    """Unpacks into a new folder; the folder of the model in it. Raises ModelError, or DeviceError if the disk is full,
    leaving nothing behind."""
    if folder.exists():
        raise ModelError(f"{folder} is there already: choose a folder that is not")
    try:
        with zipfile.ZipFile(archive) as file:
            members = [info for info in file.infolist() if not info.is_dir()]
            _check(archive, members)
            folder.mkdir(parents=True)
            for info in members:
                _extract(file, info, folder)
    except ModelError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        if error.errno in FULL:
            raise DeviceError(f"there is no room to unpack {archive}: free some disk space") from error
        raise ModelError(f"{archive} cannot be unpacked ({error.strerror or error}): get it again") from error
    except Exception as error:  # zipfile's, zlib's, struct's …: whatever a damaged archive makes them raise
        shutil.rmtree(folder, ignore_errors=True)
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelError(f"{archive} cannot be unpacked ({reason}): get it again") from error
    return _model(folder)


def _model(folder: Path) -> Path:
    """Where the acoustic model is, however deep: people zip models again, and a Mac adds a folder of its own."""
    found = [file.parent.parent for file in folder.rglob("am/final.mdl")]
    inner = list(folder.iterdir())
    alone = inner[0] if len(inner) == 1 and inner[0].is_dir() else folder
    return min(found, key=lambda model: len(model.parts), default=alone)


def _check(archive: Path, members: list[zipfile.ZipInfo]) -> None:
    """Before anything is written."""
    size = sum(info.file_size for info in members)
    packed = max(sum(info.compress_size for info in members), 1)
    if len(members) > MOST_FILES or size > LARGEST or size > _FACTOR * packed:
        raise ModelError(f"{archive} is refused: {len(members)} files, {size >> 20} MB unpacked, no model is like that")
    for info in members:
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if not path.parts or path.is_absolute() or ".." in path.parts or ":" in info.filename or "\0" in info.filename:
            raise ModelError(f"{archive} is refused: {info.filename!r} would be written outside the model's folder")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise ModelError(f"{archive} is refused: {info.filename!r} is a link or a device, not a file")


def _extract(file: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> None:
    """One file, never longer than it said it would be."""
    target = folder.joinpath(*PurePosixPath(info.filename.replace("\\", "/")).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    left = info.file_size
    with file.open(info) as source, target.open("xb") as sink:
        while block := source.read(1 << 20):
            left -= len(block)
            if left < 0:
                raise ModelError(f"{file.filename} is refused: {info.filename!r} is larger than it says")
            sink.write(block)
