"""MBROLA voices of espeak-ng (Debian contrib and non-free: mbrola, mbrola-fr4, mbrola-us1), through pyttsx3.

Rules. espeak-ng lists none of them; a voice is there when its data is. pyttsx3 writes 22050 Hz into every file, but
many MBROLA voices speak at 16000: the true rate is read from the voice itself.
"""

from __future__ import annotations

import shutil
import struct
from dataclasses import replace
from pathlib import Path

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip
from narrator.voice.profile import Profile
from narrator.voice.synth import Synth

FOLDERS = (Path("/usr/share/mbrola"), Path("/usr/local/share/mbrola"))
PREFERRED = {"fr": ("fr4", "fr1", "fr3", "fr2"), "en": ("us1", "en1", "us2", "us3")}
INSTALL = "apt install mbrola mbrola-{name} (Debian contrib and non-free)"
_RATE_AT = 23  # bytes before the sampling rate in a voice file


def mbrola_voices(language: str) -> tuple[str, ...]:
    """The names ("fr4") of the voices that this machine has, best first."""
    if shutil.which("mbrola") is None:
        return ()
    return tuple(name for name in PREFERRED.get(language, ()) if _file(name) is not None)


def _file(name: str) -> Path | None:
    return next((file for folder in FOLDERS if (file := folder / name / name).is_file()), None)


class Mbrola(Synth):
    """Speaks with one MBROLA voice; the rest is like Synth."""

    def __init__(self, profile: Profile, name: str) -> None:
        """Raises DeviceError when the machine lacks the voice."""
        file = _file(name)
        if file is None or shutil.which("mbrola") is None:
            raise DeviceError(f"the MBROLA voice {name!r} is missing: {INSTALL.format(name=name)}")
        self._rate = _true_rate(file)
        self._name = name
        super().__init__(replace(profile, voices=(f"mb/mb-{name}",)))

    @property
    def engine(self) -> str:
        return f"mbrola {self._name}"

    def _read(self, path: Path) -> Clip:
        return Clip(super()._read(path).samples, self._rate)


def _true_rate(file: Path) -> int:
    """Hz, from the head of a voice file. Raises DeviceError for what is no MBROLA voice."""
    with file.open("rb") as voice:
        head = voice.read(_RATE_AT + 2)
    rate = struct.unpack_from("<H", head, _RATE_AT)[0] if head[:6] == b"MBROLA" and len(head) > _RATE_AT + 1 else 0
    if not 8000 <= rate <= 48000:
        raise DeviceError(f"{file} is not an MBROLA voice: install it again")
    return int(rate)
