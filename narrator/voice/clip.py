"""A Clip is a finished piece of sound; here it is read, trimmed, levelled and resampled. Pure numpy, no
device.

Rules. Samples are int16, mono. Work between is float32 in -1..1. No clip starts or ends on a step: short
fades.
"""

from __future__ import annotations

import struct
import wave
from dataclasses import dataclass
from math import gcd
from pathlib import Path

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]

# Seconds kept before the first and after the last sound; length of a fade.
LEAD, TAIL, FADE = 0.030, 0.080, 0.004
SPEECH_RMS = 0.1  # -20 dBFS while somebody speaks
PEAK = 0.84  # -1.5 dBFS


@dataclass(frozen=True, eq=False)
class Clip:
    """`samples`: int16 mono, not to be written to; `rate`: Hz."""

    samples: Samples
    rate: int

    @property
    def seconds(self) -> float:
        """Duration, seconds."""
        return len(self.samples) / self.rate


def silence(seconds: float, rate: int) -> Clip:
    """Nothing, for `seconds` at `rate` Hz."""
    return Clip(np.zeros(round(seconds * rate), np.int16), rate)


def to_float(samples: Samples) -> Floats:
    """int16 to float32 in -1..1."""
    return samples.astype(np.float32) / np.float32(32768)


def to_int16(samples: npt.NDArray[np.floating]) -> Samples:
    """float in -1..1 to int16, clipped, rounded."""
    whole: Samples = np.clip(np.rint(samples * 32767), -32768, 32767).astype(np.int16)
    return whole


def sounding(samples: Floats) -> tuple[int, int]:
    """First sample that can be heard and the one after the last, (0, 0) for silence."""
    if not len(samples):
        return 0, 0
    level = np.abs(samples)
    loud = np.flatnonzero(level > max(8 / 32768, float(level.max()) / 1000))
    return (int(loud[0]), int(loud[-1]) + 1) if len(loud) else (0, 0)


def trimmed(samples: Floats) -> Floats:
    """Without the silence around it; cuts only where nothing can be heard (60 dB under the peak)."""
    start, end = sounding(samples)
    return samples[start:end]


def framed(samples: Floats, rate: int) -> Floats:
    """With LEAD of silence before and TAIL after, and fades so short that no sound is lost."""
    out = np.concatenate([np.zeros(round(LEAD * rate)), samples, np.zeros(round(TAIL * rate))]).astype(np.float32)
    return faded(out, rate, start=round(LEAD * rate), end=round(LEAD * rate) + len(samples))


def faded(samples: Floats, rate: int, start: int = 0, end: int | None = None) -> Floats:
    """The sound in start..end eased in over 1 ms and out over FADE, in place."""
    end = len(samples) if end is None else end
    into = min(round(rate * 0.001), (end - start) // 2)
    out = min(round(rate * FADE), (end - start) // 2)
    if into:
        samples[start : start + into] *= np.linspace(0, 1, into, endpoint=False, dtype=np.float32)
    if out:
        samples[end - out : end] *= np.linspace(1, 0, out, dtype=np.float32)
    return samples


def levelled(samples: Floats, rate: int, volume: float = 1.0) -> Floats:
    """The same loudness for every line: RMS of the spoken parts to SPEECH_RMS x volume, peaks eased
    under PEAK.
    """
    size = max(1, round(rate * 0.02))
    blocks = samples[: len(samples) // size * size].reshape(-1, size)
    energy = (blocks.astype(np.float64) ** 2).mean(axis=1)
    if not len(energy) or energy.max() <= 0:
        return samples
    gain = SPEECH_RMS * volume / np.sqrt(energy[energy > energy.max() / 1000].mean())
    return eased(samples * np.float32(gain), PEAK)


def eased(samples: Floats, ceiling: float = 1.0, knee: float = 0.7) -> Floats:
    """A soft limiter without memory: below knee x ceiling untouched, above it bent, never over the
    ceiling.
    """
    low = np.float32(ceiling * knee)
    room = np.float32(ceiling - low)
    level = np.abs(samples)
    if not len(samples) or float(level.max()) <= low:
        return samples
    bent = low + room * np.tanh((level - low) / room)
    return np.where(level > low, np.copysign(bent, samples), samples).astype(np.float32)


def resampled(clip: Clip, rate: int) -> Clip:
    """The clip at another rate (Hz), by its spectrum, exact in time. A 4 s line takes a few milliseconds."""
    if clip.rate == rate or not len(clip.samples):
        return clip if clip.rate == rate else Clip(clip.samples, rate)
    step = clip.rate // gcd(clip.rate, rate)
    # Room, so that the end does not wrap to the start.
    count = _smooth(-(-(len(clip.samples) + 64) // step)) * step
    total = count * rate // clip.rate
    spectrum = np.fft.rfft(to_float(clip.samples), count)
    out = np.fft.irfft(spectrum[: total // 2 + 1], total)[: -(-len(clip.samples) * rate // clip.rate)]
    return Clip(to_int16(out * (total / count)), rate)


def _smooth(number: int) -> int:
    """The next number with no prime factor above 5: transforms of that length are fast."""
    while True:
        rest = number
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return number
        number += 1


def read_clip(path: Path) -> Clip:
    """A sound file of the engine (WAV, or AIFF as macOS writes), whatever its rate, width and channels.

    Raises ValueError if it is neither.
    """
    head = path.read_bytes()[:12]
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return _read_aiff(path.read_bytes())
    try:
        with wave.open(str(path), "rb") as file:
            rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{path.name} is not a sound file: {error}") from error
    return Clip(_mono(data, width, channels, "<"), rate)


def _read_aiff(data: bytes) -> Clip:
    chunks: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "big")
        chunks[data[at : at + 4]] = data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
    if b"COMM" not in chunks or b"SSND" not in chunks:
        raise ValueError("the AIFF file has no sound")
    common = chunks[b"COMM"]
    channels, _, bits = struct.unpack(">hIh", common[:8])
    exponent, mantissa = struct.unpack(">HQ", common[8:18])
    order = "<" if common[18:22] == b"sowt" else ">"
    return Clip(
        _mono(chunks[b"SSND"][8:], -(-bits // 8), channels, order),
        round(mantissa * 2.0 ** (exponent - 16446)),
    )


def _mono(data: bytes, width: int, channels: int, order: str) -> Samples:
    """Bytes of any PCM width to int16, channels averaged."""
    data = data[: len(data) // (width * channels) * width * channels]
    if width == 1:  # unsigned in WAV, signed in AIFF
        raw = np.frombuffer(data, np.uint8).astype(np.int32) - 128 if order == "<" else np.frombuffer(data, np.int8)
        values = raw.astype(np.int32) << 8
    elif width == 2:
        values = np.frombuffer(data, f"{order}i2").astype(np.int32)
    elif width == 3:
        triple = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
        low, middle, high = triple.T if order == "<" else triple.T[::-1]
        values = ((high.astype(np.int8).astype(np.int32) << 16) | (middle << 8) | low) >> 8
    else:
        values = np.frombuffer(data, f"{order}i4") >> 16
    mono: Samples = values.reshape(-1, channels).mean(axis=1).astype(np.int16)
    return mono
