"""One port for all that can speak a line; and what the engines share: clause by clause, one loudness, pauses.

Rules. An engine gives one sound file per clause; trimming, pauses, loudness and margins are the same for all of them,
so that no engine is louder or hastier than another. An engine that fails says so with DeviceError, never by silence.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Protocol, Self

import numpy as np

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip, Floats, faded, framed, read_clip, resampled, silence, to_float, to_int16, trimmed
from narrator.voice.loudness import evened, warm_up
from narrator.voice.profile import Profile
from narrator.voice.spoken import Clause, clauses, spoken_form


class Voice(Protocol):
    """Whatever renders lines. `engine` names the engine, and the voice where the profile does not."""

    @property
    def engine(self) -> str: ...

    def render(self, text: str, *, rate: int | None = None) -> Clip: ...

    def close(self) -> None: ...


class Engine(ABC):
    """A voice that speaks clause by clause into files. Thread-safe: one line at a time."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._lock = threading.Lock()
        warm_up()

    def render(self, text: str, *, rate: int | None = None) -> Clip:
        """Speaks a line, blocking: trimmed, levelled, with the profile's pauses. `rate`: words per minute.

        Raises DeviceError: no engine, no such voice, or an engine that hangs twice.
        """
        parts = self._parts(spoken_form(text, self.profile))
        if not parts:
            return silence(0.1, 22050)
        with self._lock:
            files = self._files(parts, rate or self.profile.rate)
            try:
                sounds = [self._read(name) for name in files]
            except (OSError, ValueError) as error:
                raise DeviceError(f"the speech engine left no sound ({error}): is the disk full?") from error
            finally:
                for name in files:
                    name.unlink(missing_ok=True)
        return joined(sounds, parts, self.profile.volume)

    @property
    @abstractmethod
    def engine(self) -> str:
        """See Voice."""

    @abstractmethod
    def close(self) -> None:
        """Frees what the engine holds; it renders no more."""

    @abstractmethod
    def _files(self, parts: tuple[Clause, ...], rate: int) -> list[Path]:
        """One sound file per clause, to be deleted by the caller. Raises DeviceError."""

    def _parts(self, spoken: str) -> tuple[Clause, ...]:
        """What goes to the engine piece by piece, with our own pauses between."""
        return clauses(spoken, self.profile.pauses)

    def _read(self, path: Path) -> Clip:
        """Raises OSError or ValueError for what is no sound."""
        return read_clip(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def joined(sounds: list[Clip], parts: tuple[Clause, ...], volume: float) -> Clip:
    """The clauses in a row with their pauses, one loudness for the whole line."""
    rate = sounds[0].rate
    pieces: list[Floats] = []
    for sound, part in zip(sounds, parts, strict=True):
        spoken = trimmed(to_float(resampled(sound, rate).samples)).copy()
        pieces += [faded(spoken, rate), np.zeros(round(part.pause * rate), np.float32)]
    line = evened(np.concatenate(pieces), rate, volume)
    return Clip(to_int16(framed(line, rate)), rate)
