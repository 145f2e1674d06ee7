"""How loud a line is heard to be, and the same loudness for every line (ITU-R BS.1770, by pyloudnorm).

Rules. Only what sounds is measured: silence around a line does not count, pauses inside it are gated out. What is
shorter than the standard's gate ("Oui.") is measured as if it were said again and again. Peaks are bent at four times
the rate, so that they stay under the ceiling between the samples too.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np

from narrator.voice.clip import PEAK, Floats, eased, sounding

SPEECH_LUFS = -20.0  # of every line at volume 1
SHORTEST = 1.2  # seconds: three gates
OVERSAMPLING = 4
_GATE = 0.4  # seconds
_CLOSE = 0.05  # dB: closer than this nobody hears it
_TRIES = 6


def loudness(samples: Floats, rate: int) -> float:
    """Integrated loudness of what sounds, LUFS; -inf for silence. `samples`: mono, -1..1; `rate`: Hz."""
    start, end = sounding(samples)
    if end - start < rate * 0.01:
        return float("-inf")
    part = samples[start:end].astype(np.float64)
    if len(part) < SHORTEST * rate:
        part = np.tile(part, int(np.ceil(SHORTEST * rate / len(part))))
    return float(_meter(rate).integrated_loudness(part))


def true_peak(samples: Floats, rate: int) -> float:
    """The highest level between the samples too, dBFS; -inf for silence."""
    highest = float(np.abs(_stretched(samples)).max(initial=0.0))
    return float(20 * np.log10(highest)) if highest > 0 else float("-inf")


def evened(samples: Floats, rate: int, volume: float = 1.0) -> Floats:
    """The line at SPEECH_LUFS, less what `volume` (0..1) takes away, its peaks eased under PEAK."""
    before = loudness(samples, rate)
    if not np.isfinite(before) or volume <= 0:
        return samples * np.float32(volume)
    target = SPEECH_LUFS + 20 * np.log10(volume)
    gain, out = target - before, samples
    for _ in range(_TRIES):  # bending takes a little loudness away: give it back
        out = limited(samples * np.float32(10 ** (gain / 20)))
        missing = target - loudness(out, rate)
        if abs(missing) < _CLOSE:
            break
        gain += missing
    return out


def limited(samples: Floats) -> Floats:
    """Peaks bent under PEAK, also those between the samples (a hundredth over it at most)."""
    if not len(samples) or float(np.abs(samples).max()) < 0.5 * PEAK:
        return samples
    padded = _padded(samples)
    wide, ceiling, out = _stretched(padded), PEAK, padded
    for _ in range(_TRIES):  # what is bent rings a little at the lower rate: bend it more
        spectrum = np.fft.rfft(eased(wide, ceiling))[: len(padded) // 2 + 1] / OVERSAMPLING
        out = np.asarray(np.fft.irfft(spectrum, len(padded)), np.float32)
        highest = float(np.abs(_stretched(out)).max())
        if highest <= PEAK * 1.01:
            break
        ceiling *= PEAK / highest
    return out[: len(samples)]


def warm_up() -> None:
    """Loads what measuring needs, in the background: the first line does not wait for it."""
    threading.Thread(target=_meter, args=(22050,), name="voice-meter", daemon=True).start()


@lru_cache(maxsize=8)
def _meter(rate: int) -> Any:
    import pyloudnorm  # late: it brings scipy, which takes a second to load

    return pyloudnorm.Meter(rate, block_size=_GATE)


def _padded(samples: Floats) -> Floats:
    """With room at the end for what wraps around, at a length whose transform is fast."""
    size = -(-(len(samples) + 64) // 4096) * 4096
    return np.pad(samples, (0, size - len(samples)))


def _stretched(samples: Floats) -> Floats:
    """The same sound at OVERSAMPLING times the rate, by its spectrum."""
    count = len(samples)
    if not count:
        return samples
    out = np.fft.irfft(np.fft.rfft(samples), count * OVERSAMPLING) * OVERSAMPLING
    return np.asarray(out, np.float32)
