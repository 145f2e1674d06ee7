"""The small sounds between sentences, made of a few sine partials: no file, no click, nothing harsh.

Rules. Every earcon starts and ends at zero, is under 0.35 s (the gong rings longer) and softer than speech.
Rising means open, falling means no: they can be told apart without having been explained.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip, Floats, to_int16

RATE = 48000


@dataclass(frozen=True)
class _Note:
    """A struck tone: start and length (s), pitch (Hz), level, partials as (ratio, level, decay per
    second).
    """

    start: float
    length: float
    pitch: float
    level: float = 0.2
    partials: tuple[tuple[float, float, float], ...] = (
        (1.0, 1.0, 14.0),
        (2.0, 0.25, 22.0),
        (3.0, 0.08, 30.0),
    )
    attack: float = 0.008


_GONG = (
    (1.0, 1.0, 1.5),
    (1.483, 0.6, 1.9),
    (2.009, 0.5, 2.4),
    (2.71, 0.35, 3.2),
    (3.76, 0.2, 4.5),
    (5.2, 0.1, 7.0),
)
_TICK = ((1.0, 1.0, 90.0), (2.76, 0.4, 140.0))

# One row per earcon.
_EARCONS: dict[str, tuple[_Note, ...]] = {
    "listen": (_Note(0.0, 0.11, 659.3, 0.16), _Note(0.07, 0.14, 880.0, 0.18)),
    "understood": (_Note(0.0, 0.26, 1046.5, 0.14), _Note(0.0, 0.26, 1568.0, 0.06)),
    "not_understood": (_Note(0.0, 0.16, 440.0, 0.18), _Note(0.12, 0.20, 349.2, 0.20)),
    "tick": (_Note(0.0, 0.06, 1200.0, 0.16, _TICK, 0.001),),
    "gong": (_Note(0.0, 2.6, 146.8, 0.22, _GONG, 0.012),),
}
EARCONS = tuple(_EARCONS)


@lru_cache(maxsize=32)
def earcon(name: str, rate: int = RATE) -> Clip:
    """The earcon as a Clip at `rate` Hz. Raises DeviceError for a name that is not in EARCONS."""
    if name not in _EARCONS:
        raise DeviceError(f"there is no earcon {name!r}: choose {', '.join(EARCONS)}")
    notes = _EARCONS[name]
    out = np.zeros(round(max(note.start + note.length for note in notes) * rate), np.float32)
    for note in notes:
        sound = _struck(note, rate)
        start = min(round(note.start * rate), len(out) - len(sound))
        out[start : start + len(sound)] += sound
    return Clip(to_int16(out), rate)


def _struck(note: _Note, rate: int) -> Floats:
    time = np.arange(round(note.length * rate)) / rate
    total = sum(level for _, level, _ in note.partials)
    sound = sum(
        level / total * np.exp(-decay * time) * np.sin(2 * np.pi * note.pitch * ratio * time)
        for ratio, level, decay in note.partials
    )
    attack = np.sin(np.pi / 2 * np.minimum(1, time / note.attack)) ** 2
    rest = note.length - time
    release = np.sin(np.pi / 2 * np.minimum(1, rest / min(0.03, note.length / 3))) ** 2
    return np.asarray(note.level * sound * attack * release, np.float32)
