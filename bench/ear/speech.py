"""Sound for the bench: espeak-ng's kept voices, recordings, rooms, noise. int16-range floats at 16 kHz."""

from __future__ import annotations

import ctypes as c
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from narrator.ear import espeak
from narrator.ear.mic import Resampler

Samples = NDArray[np.float64]
RATE = 16000
_SPEED, _PITCH = 1, 3
_pieces: list[NDArray[np.int16]] = []


@c.CFUNCTYPE(c.c_int, c.POINTER(c.c_short), c.c_int, c.c_void_p)
def _collect(samples, count, _events):  # type: ignore[no-untyped-def]
    if samples and count > 0:
        _pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
    return 0


def say(text: str, voice: str, speed: int = 150, pitch: int = 50) -> Samples:
    """Clean speech in a voice such as "fr+Hugo". Raises ValueError for a voice that espeak-ng does not have."""
    library = espeak.library()
    library.espeak_SetSynthCallback(_collect)
    if library.espeak_SetVoiceByName(voice.encode()) != 0:
        raise ValueError(f"espeak-ng has no voice {voice!r}")
    library.espeak_SetParameter(_SPEED, speed, 0)
    library.espeak_SetParameter(_PITCH, pitch, 0)
    raw = text.encode() + b"\0"
    _pieces.clear()
    library.espeak_Synth(raw, c.c_size_t(len(raw)), 0, 1, 0, 1, None, None)
    library.espeak_Synchronize()
    return Resampler(22050).feed(np.concatenate([*_pieces, np.zeros(1000, np.int16)])).astype(np.float64)


def decode(file: Path) -> Samples:
    """A recording, whatever its format. Raises CalledProcessError if ffmpeg cannot read it."""
    command = ["ffmpeg", "-loglevel", "error", "-i", str(file), "-ar", str(RATE), "-ac", "1", "-f", "s16le", "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<i2").astype(np.float64)


def flite(text: str, voice: str, file: Path) -> Samples:
    """A natural English voice of flite's, said into `file`."""
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(file)], check=True, capture_output=True)
    return decode(file)


def pink(size: int, rng: Generator) -> Samples:
    """Noise of a room: 3 dB less an octave, standard deviation 1."""
    spectrum = np.fft.rfft(rng.standard_normal(size))
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 1 + size // 800)), size)
    return np.asarray(noise / noise.std())


def echoing(x: Samples, rng: Generator, seconds: float) -> Samples:
    """In a room whose sound takes `seconds` to fade by 60 dB."""
    size = int(RATE * seconds)
    tail = rng.standard_normal(size) * np.exp(-6.9 * np.arange(size) / size)
    tail[0] = 6 * np.abs(tail).max()
    whole = 1 << (len(x) + size).bit_length()
    return np.asarray(np.fft.irfft(np.fft.rfft(x, whole) * np.fft.rfft(tail, whole))[: len(x) + size])


def scene(x: Samples, seed: int, snr: float, echo: float = 0.0, level: float = 1200) -> NDArray[np.int16]:
    """Half a second of the room, the speech `snr` dB above its noise, a second of the room."""
    rng = np.random.default_rng(seed)
    loud = x[np.abs(x) > np.abs(x).max() / 50]
    x = x * level / (np.sqrt((loud**2).mean()) + 1e-9)
    if echo:
        power = np.sqrt((x**2).mean())
        x = echoing(x, rng, echo)
        x *= power / (np.sqrt((x**2).mean()) + 1e-9)
    quiet = np.concatenate([np.zeros(RATE // 2), x, np.zeros(RATE)])
    return np.clip(quiet + pink(len(quiet), rng) * level / 10 ** (snr / 20), -32000, 32000).astype(np.int16)


def music(seconds: float, rng: Generator) -> Samples:
    """Chords, drums and pauses."""
    parts: list[Samples] = []
    while sum(map(len, parts)) < seconds * RATE:
        at = np.arange(int(RATE * rng.uniform(0.1, 0.7))) / RATE
        notes: Sequence[float] = 110 * 2 ** (rng.integers(0, 36, rng.integers(0, 4)) / 12)
        chord = sum((np.sin(2 * np.pi * n * k * at) / k for n in notes for k in range(1, 6)), np.zeros(len(at)))
        drum = rng.standard_normal(len(at)) * np.exp(-at * 60) * rng.integers(0, 2)
        parts.append((chord * np.exp(-at * 3) + drum) * rng.uniform(300, 3000))
    return np.concatenate(parts)


def bursts(seconds: float, rng: Generator) -> Samples:
    """A table: knocks, dice, coughs, breaths, over a quiet room."""
    sound = pink(int(seconds * RATE), rng) * 15
    for at in rng.integers(0, len(sound) - RATE, int(seconds * 1.2)):
        size = int(RATE * rng.choice([0.02, 0.05, 0.3, 0.5]))
        shape = np.exp(-np.arange(size) / size * 4) if rng.random() < 0.6 else np.hanning(size)
        sound[at : at + size] += pink(size, rng) * shape * 10 ** rng.uniform(2, 3.7)
    return np.clip(sound, -32000, 32000)
