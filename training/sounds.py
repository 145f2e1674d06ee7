"""Clean speech made to sound like a living room, a cheap microphone, a telephone. Seeded by the caller's generator.

Samples are floats in int16 range at 16 kHz; every effect keeps the length and moves nothing in time.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

from training import quiet

Samples = NDArray[np.float64]
RATE = 16000
TOP = 32000.0


def room(x: Samples, rng: Generator) -> Samples:
    """Echo: a direct sound, a few reflections, a tail that dulls as it fades (0.1 to 0.9 s to -60 dB).

    Whoever speaks across the table is heard by way of the walls, too: 12 dB over the tail down to 6 dB under it.
    """
    seconds = rng.uniform(0.1, 0.9) if rng.random() < 0.5 else rng.uniform(0.1, 0.45)
    size = int(RATE * seconds)
    at = np.arange(size)
    tail = rng.standard_normal(size) * np.exp(-6.9 * at / size)
    dull = sosfilt(butter(1, rng.uniform(1500, 6000), fs=RATE, output="sos"), tail)
    share = at / size
    tail = tail * (1 - share) + dull * share
    tail[: int(RATE * rng.uniform(0.001, 0.008))] = 0
    for _ in range(rng.integers(2, 8)):
        tail[rng.integers(30, min(size, 900))] += rng.uniform(-1, 1) * 2
    tail /= np.sqrt((tail**2).sum()) + 1e-9
    tail[0] = 10 ** (rng.uniform(-6, 12) / 20)
    return fftconvolve(x, tail / np.sqrt((tail**2).sum()))[: len(x)]


def tilt(x: Samples, rng: Generator) -> Samples:
    """Brighter or duller."""
    return np.concatenate([x[:1], x[1:] + rng.uniform(-0.8, 0.8) * x[:-1]])


def peaks(x: Samples, rng: Generator) -> Samples:
    """A microphone's resonances and holes."""
    spectrum = np.fft.rfft(x)
    f, gain = np.linspace(0, 8000, len(spectrum)), np.zeros(len(spectrum))
    for _ in range(rng.integers(1, 5)):
        gain += rng.uniform(-12, 10) * np.exp(-(((f - rng.uniform(100, 7000)) / rng.uniform(150, 1500)) ** 2))
    return np.fft.irfft(spectrum * 10 ** (gain / 20), len(x))


def narrow(x: Samples, rng: Generator) -> Samples:
    """A small or covered microphone: without the lowest, without the highest."""
    low, high = rng.uniform(40, 350), rng.uniform(3200, 7800)
    return sosfilt(butter(2, [low, high], "bandpass", fs=RATE, output="sos"), x)


def _eight(x: Samples, rng: Generator) -> Samples:
    """At 8 kHz, as a line samples; a cheap one filters little before, and hissing folds down into the vowels."""
    low = rng.uniform(80, 350)
    if rng.random() < _FOLDED:
        dull = butter(1, [low, rng.uniform(3000, 7500)], "bandpass", fs=RATE, output="sos")
        return sosfilt(dull, x)[::2]
    band = butter(3, [low, rng.uniform(3100, 3900)], "bandpass", fs=RATE, output="sos")
    return resample_poly(sosfilt(band, x), 1, 2)


def telephone(x: Samples, rng: Generator) -> Samples:
    """The telephone's band and eight bits."""
    x = resample_poly(_eight(x, rng), 2, 1)[: len(x)]
    top = np.abs(x).max() + 1e-6
    y = np.round(np.sign(x) * np.log1p(255 * np.abs(x) / top) / np.log(256) * 127) / 127
    return np.sign(y) * (256 ** np.abs(y) - 1) / 255 * top


def gsm(x: Samples, rng: Generator) -> Samples:
    """Through the real codec of mobile telephones (sox)."""
    wide, line = (f"-r {rate} -t raw -e signed -b 16 -c 1 -" for rate in (RATE, RATE // 2))
    squeeze = f"sox -q {line} -t gsm - | sox -q -t gsm - {wide}"
    sent = _eight(x, rng)
    loud = sent / (np.abs(sent).max() + 1e-6) * rng.uniform(4000, 30000)
    run = subprocess.run(squeeze, shell=True, input=loud.astype("<i2").tobytes(), capture_output=True, check=True)
    y = np.frombuffer(run.stdout, "<i2").astype(np.float64)[: len(x)]
    return np.pad(y, (0, len(x) - len(y)))


def overdriven(x: Samples, rng: Generator) -> Samples:
    """Too near, too loud: the tops are cut."""
    top = np.abs(x).max() * rng.uniform(0.2, 0.8) + 1e-6
    return np.clip(x, -top, top)


def thump(x: Samples, rng: Generator) -> Samples:
    """Something that is switched on: an offset that fades in a few tenths of a second."""
    fade = np.exp(-np.arange(len(x)) / RATE / rng.uniform(0.02, 0.25))
    return x + rng.choice([-1, 1]) * np.abs(x).max() * 10 ** rng.uniform(-1, 0.3) * fade


Effect = Callable[[Samples, Generator], Samples]
_BEFORE: tuple[tuple[float, Effect], ...] = (
    (0.7, room),
    (0.5, tilt),
    (0.35, peaks),
    (0.15, narrow),
    (0.04, overdriven),
)
_AFTER: tuple[tuple[float, Effect], ...] = ((0.18, telephone), (0.2, gsm))
_RUMBLE = 0.12  # of all is over a rumble
_NOISY = 1.5  # the greater, the noisier rooms are
_THUMP = 0.06  # of all begins with one
_FOLDED = 0.35  # of lines
_HISS = 0.6  # of what came by a line has a hiss of its own


def dirty(x: Samples, rng: Generator, others: Sequence[Samples] = ()) -> Samples:
    """The same speech somewhere else: room, microphone, noise, level, line; `others` talk in the background."""
    for chance, effect in _BEFORE:
        if rng.random() < chance:
            x = effect(x, rng)
    x = x / (np.sqrt((x**2).mean()) + 1e-6) * 10 ** rng.uniform(2.0, 3.8)
    x = x + background(x, rng, others)
    if rng.random() < _RUMBLE:
        x = x + rumble(x, rng)
    for chance, effect in _AFTER:
        if rng.random() < chance:
            x = effect(x, rng)
            if rng.random() < _HISS:
                x = x + under(x, quiet.steady(len(x), rng), rng.uniform(25, 55))
            break
    if rng.random() < _THUMP:
        x = thump(x, rng)
    return np.clip(np.rint(x + rng.standard_normal(len(x))), -TOP, TOP)  # the noise that the narrator's ear adds


def background(x: Samples, rng: Generator, others: Sequence[Samples]) -> Samples:
    """A noise as long as x at 4 to 50 dB under it; talk at 10 dB at least, since its words are nobody's label."""
    if rng.random() < 0.12:
        return rng.standard_normal(len(x)) * rng.uniform(0, 3)  # as quiet as a good sound card
    talk = bool(others) and rng.random() < 0.22
    noise = quiet.babble(len(x), rng, others) if talk else quiet.steady(len(x), rng)
    return under(x, noise, rng.uniform(10, 35) if talk else 4 + 46 * rng.random() ** _NOISY)


def rumble(x: Samples, rng: Generator) -> Samples:
    """A fridge, a lorry, a table that is leaned on: what lies under any voice, and may be louder than it."""
    low = butter(2, rng.uniform(50, 150), fs=RATE, output="sos")
    return under(x, sosfilt(low, rng.standard_normal(len(x))), rng.uniform(-6, 15))


def under(x: Samples, noise: Samples, decibels: float) -> Samples:
    """The noise, so many dB under x."""
    return noise * np.sqrt((x**2).mean()) / 10 ** (decibels / 20) / (noise.std() + 1e-9)
