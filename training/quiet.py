"""What is not speech: hiss, rumble, hum, breath, clicks, knocks, music. All of it is the model's "silence"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

Samples = NDArray[np.float64]
RATE = 16000


def steady(size: int, rng: Generator) -> Samples:
    """Noise that goes on: white, pink, rumbling, humming or through a band, as a room has."""
    kind, n = rng.random(), rng.standard_normal(size)
    if kind < 0.3:
        return n
    if kind < 0.65:
        spectrum = np.fft.rfft(n)
        f = np.maximum(np.arange(len(spectrum)), 1 + len(spectrum) // 200)
        return np.fft.irfft(spectrum / f ** rng.uniform(0.3, 1.1), size)
    if kind < 0.85:
        low = rng.uniform(60, 2500)
        return sosfilt(butter(2, [low, min(7900, low * rng.uniform(2, 8))], "bandpass", fs=RATE, output="sos"), n)
    at, hum = np.arange(size) / RATE, rng.choice([50.0, 60.0, 100.0, 120.0])
    return sum(rng.uniform(0, 1) * np.sin(2 * np.pi * hum * k * at + rng.uniform(0, 6)) for k in range(1, 8)) + 0.1 * n


def babble(size: int, rng: Generator, others: Sequence[Samples]) -> Samples:
    """One to five of `others` at once, each as loud as chance will have it."""
    sound = np.zeros(size)
    for _ in range(rng.integers(1, 6)):
        voice = np.roll(others[rng.integers(len(others))], rng.integers(8000))
        sound += np.resize(voice, size) / (voice.std() + 1e-6) * rng.uniform(0.3, 1)
    return sound


def breath(rng: Generator) -> Samples:
    """Air through a mouth, 0.15 to 0.8 s."""
    size = int(RATE * rng.uniform(0.15, 0.8))
    band = butter(2, [rng.uniform(200, 900), rng.uniform(2500, 7500)], "bandpass", fs=RATE, output="sos")
    return sosfilt(band, rng.standard_normal(size)) * np.sin(np.linspace(0, np.pi, size)) ** rng.uniform(0.5, 2)


def click(rng: Generator) -> Samples:
    """A tongue, a die, a card laid down, a knock on the table: a burst that rings 5 to 150 ms."""
    size = int(RATE * rng.uniform(0.01, 0.3))
    at = np.arange(size) / RATE
    fade = np.exp(-at / rng.uniform(0.002, 0.04))
    ring = sum(rng.uniform(0, 1) * np.sin(2 * np.pi * rng.uniform(80, 4000) * at) for _ in range(rng.integers(1, 4)))
    return (ring + rng.uniform(0.1, 2) * rng.standard_normal(size)) * fade


def music(rng: Generator) -> Samples:
    """A few notes of a few partials, 0.5 to 3 s."""
    size, notes = int(RATE * rng.uniform(0.5, 3)), np.zeros(0)
    while len(notes) < size:
        at = np.arange(int(RATE * rng.uniform(0.1, 0.8))) / RATE
        chord = np.zeros(len(at))
        for _ in range(rng.integers(1, 4)):
            pitch = 110 * 2 ** (rng.integers(0, 36) / 12)
            chord += sum(np.sin(2 * np.pi * pitch * k * at) / k ** rng.uniform(0.7, 2) for k in range(1, 6))
        notes = np.concatenate([notes, chord * np.exp(-at * rng.uniform(0, 5))])
    return notes[:size]


def events(size: int, rng: Generator, chance: float = 0.5) -> Samples:
    """Breaths, clicks and the like at random places of a silence, none of them loud beyond 1; often nothing at all."""
    sound = np.zeros(size)
    while rng.random() < chance:
        kind = rng.random()
        event = breath(rng) if kind < 0.5 else click(rng) if kind < 0.9 else music(rng)
        if len(event) < size:
            at = rng.integers(size - len(event))
            sound[at : at + len(event)] += event / (np.abs(event).max() + 1e-9) * 10 ** rng.uniform(-2.5, 0)
    return sound


def scene(rng: Generator) -> Samples:
    """One to five seconds in which nobody speaks, of any loudness (int16 range)."""
    size = int(RATE * rng.uniform(1, 5))
    floor = steady(size, rng)
    sound = floor / (floor.std() + 1e-9) * 10 ** rng.uniform(0, 3) + events(size, rng, 0.8) * 10 ** rng.uniform(
        1.5, 4.3
    )
    return np.clip(sound, -32000, 32000)
