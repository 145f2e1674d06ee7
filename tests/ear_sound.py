"""Speech for the ear's tests: espeak-ng voices the model was never trained on, a room, hiss, and human recordings."""

from __future__ import annotations

import subprocess
import wave
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrator.ear.mic import Resampler
from narrator.ear.recognizer import Listener, Utterance

DATA = Path(__file__).parent / "data"
HELD_OUT = ("f5", "m8", "max", "caleb", "linda", "klatt5", "Hugo")
RATE = 16000
_ESPEAK_RATE, _HEAD = 22050, 44  # Hz; bytes before the samples


@lru_cache(maxsize=256)
def say(text: str, voice: str, words_a_minute: int = 155, pitch: int = 50, language: str = "fr") -> NDArray[np.float64]:
    """Clean speech at 16 kHz, read-only: the same for the same words, whatever was said before.

    By a program of its own each time: the library, which the ear uses too, says a sentence otherwise after another one
    (its length moves by 40 ms), so that what is heard would hang on the tests that ran before.
    """
    manner = ("-v", f"{language}+{voice}", "-s", str(words_a_minute), "-p", str(pitch), "-b", "1", "-z")
    done = subprocess.run(["espeak-ng", *manner, "--stdout", "--", text], capture_output=True, check=True, timeout=60)
    samples = np.frombuffer(done.stdout[_HEAD:], "<i2")
    speech = Resampler(_ESPEAK_RATE).feed(np.concatenate([samples, np.zeros(1000, np.int16)])).astype(np.float64)
    speech.flags.writeable = False
    return speech


def recording(name: str) -> NDArray[np.float64]:
    """One of Armelle's prompts, telephone band, brought to 16 kHz."""
    with wave.open(str(DATA / "armelle" / name), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return Resampler(file.getframerate()).feed(np.pad(samples, (0, 400))).astype(np.float64)


def scene(
    speech: NDArray[np.float64], seed: int, rms: float = 1200, hiss: float = 20, echo: float = 0.3
) -> NDArray[np.int16]:
    """Half a second of room, the speech with its echo (seconds), a second of room; `hiss` is its rms."""
    rng = np.random.default_rng(seed)
    if echo:
        size = int(RATE * echo)
        tail = rng.standard_normal(size) * np.exp(-7 * np.arange(size) / size)
        tail[0] = 6 * np.abs(tail).max()
        whole = 1 << (len(speech) + size).bit_length()
        wet = np.fft.irfft(np.fft.rfft(speech, whole) * np.fft.rfft(tail, whole))
        speech = wet[: len(speech) + size]
    speech = speech / np.sqrt(np.mean(speech**2)) * rms
    quiet = np.concatenate([np.zeros(RATE // 2), speech, np.zeros(RATE)])
    return np.clip(quiet + rng.standard_normal(len(quiet)) * hiss, -32000, 32000).astype(np.int16)


def hear(listener: Listener, audio: NDArray[np.int16], block: int = 1600) -> list[Utterance]:
    """All the utterances of an audio, given in blocks."""
    heard: Iterable[Utterance | None] = [
        *(listener.accept(audio[at : at + block]) for at in range(0, len(audio), block)),
        listener.finish(),
    ]
    return [utterance for utterance in heard if utterance is not None]
