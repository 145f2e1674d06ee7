"""espeak-ng through its C library: text -> samples, and the time at which every phoneme begins."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from narrator.ear.espeak import library

SOURCE_RATE = 22050
_PHONEME_EVENT, _SPEED, _PITCH, _RANGE = 7, 1, 3, 4
_UTF8 = 1


class _Id(c.Union):
    _fields_ = [("number", c.c_int), ("name", c.c_char_p), ("string", c.c_char * 8)]


class _Event(c.Structure):
    _fields_ = [
        ("type", c.c_int),
        ("uid", c.c_uint),
        ("text_position", c.c_int),
        ("length", c.c_int),
        ("audio_position", c.c_int),
        ("sample", c.c_int),
        ("user_data", c.c_void_p),
        ("id", _Id),
    ]


@dataclass(frozen=True, slots=True)
class Speech:
    """Samples at 16 kHz (int16 range) and [(second, IPA phoneme)], each lasting until the next."""

    samples: NDArray[np.float32]
    phonemes: list[tuple[float, str]]


_pieces: list[NDArray[np.int16]] = []
_phonemes: list[tuple[float, str]] = []


@c.CFUNCTYPE(c.c_int, c.POINTER(c.c_short), c.c_int, c.POINTER(_Event))
def _collect(samples, count, events):  # type: ignore[no-untyped-def]
    if samples and count > 0:
        _pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
    i = 0
    while events[i].type:
        if events[i].type == _PHONEME_EVENT:
            _phonemes.append((events[i].audio_position / 1000, events[i].id.string.decode("utf8", "replace")))
        i += 1
    return 0


def say(text: str, voice: str, speed: int = 150, pitch: int = 50, liveliness: int = 50) -> Speech:
    """Speech in a voice such as "fr+Hugo"; words a minute, pitch and its range in 0..100.

    Raises ValueError for a voice that espeak-ng does not have, narrator's ModelError if the library is missing.
    """
    found = library()
    found.espeak_SetSynthCallback(_collect)
    if found.espeak_SetVoiceByName(voice.encode()) != 0:
        raise ValueError(f"espeak-ng has no voice {voice!r}")
    for parameter, value in ((_SPEED, speed), (_PITCH, pitch), (_RANGE, liveliness)):
        found.espeak_SetParameter(parameter, value, 0)
    _pieces.clear()
    _phonemes.clear()
    raw = text.encode() + b"\0"
    found.espeak_Synth(raw, c.c_size_t(len(raw)), 0, 1, 0, _UTF8, None, None)
    found.espeak_Synchronize()
    samples = np.concatenate([*_pieces, np.zeros(1, np.int16)]).astype(np.float32)
    return Speech(resample_poly(samples, 320, 441).astype(np.float32), list(_phonemes))
