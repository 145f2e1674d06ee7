"""The voices of a simulated table: each player an espeak-ng voice of her own (variant, pitch, pace).

espeak-ng runs as a program of its own for each sentence, never as a library in this process (the narrator's synthesiser
owns that). What was said once is kept, so that a repeated sentence costs nothing.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip, Samples, framed, levelled, resampled, to_float, to_int16, trimmed

RATE = 16_000  # Hz, the ear's
PROGRAM = "espeak-ng"
#: Variants that sound like people; the first ones differ most.
VARIANTS = ("f2", "m3", "f4", "m1", "f5", "m4", "f3", "m2", "f1", "m5", "m7", "m6")
PITCHES, PACES = (34, 66), (140, 185)  # of 0..99; words per minute
_PATIENCE = 20.0  # seconds


@dataclass(frozen=True, slots=True)
class PlayerVoice:
    """How espeak-ng speaks for one player. `pitch`: 0..99; `pace`: words per minute."""

    variant: str
    pitch: int
    pace: int


class Voices:
    """Everybody's voice at one table."""

    def __init__(self, language: str, players: Sequence[str], seed: int, says: Mapping[str, str] | None = None) -> None:
        """`says`: how a name is written for the voice, where its spelling misleads."""
        self.language, self._says = language, dict(says or {})
        rng = random.Random(seed)
        first = rng.sample(VARIANTS[:10], 10) + list(VARIANTS[10:])
        self._voices = {
            player: PlayerVoice(first[seat % len(first)], rng.randint(*PITCHES), rng.randint(*PACES))
            for seat, player in enumerate(players)
        }
        self._said: dict[tuple[str, str], Samples] = {}

    def voice_of(self, player: str) -> PlayerVoice:
        """The voice of a player; KeyError for who is not at the table."""
        return self._voices[player]

    def say(self, text: str, player: str) -> Samples:
        """The sentence in that player's voice: int16 mono, 16 kHz, at about -20 dBFS, read-only.

        Raises DeviceError if espeak-ng is missing or fails.
        """
        key = (text, player)
        if key not in self._said:
            samples = _levelled(self._speak(self._written(text), self._voices[player]))
            samples.flags.writeable = False
            self._said[key] = samples
        return self._said[key]

    def _written(self, text: str) -> str:
        for name, said in self._says.items():
            text = text.replace(name, said).replace(name.lower(), said)
        return text

    def _speak(self, text: str, voice: PlayerVoice) -> Clip:
        program = shutil.which(PROGRAM)
        if program is None:
            raise DeviceError(f"{PROGRAM} is missing, which speaks for the players: apt install espeak-ng")
        manner = ("-v", f"{self.language}+{voice.variant}", "-p", str(voice.pitch), "-s", str(voice.pace))
        try:
            run = subprocess.run(
                (program, *manner, "-b", "1", "--stdout", "--", text),
                capture_output=True,
                timeout=_PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise DeviceError(f"{PROGRAM} could not say “{text}” ({error}): try it in a terminal") from None
        return _clip(run.stdout, text)


def _clip(data: bytes, text: str) -> Clip:
    """The sound of a WAV stream; espeak-ng cannot know its length when it writes the header."""
    begins = data.find(b"data")
    if data[:4] != b"RIFF" or begins < 0 or len(data) < begins + 8:
        raise DeviceError(f"{PROGRAM} made no sound of “{text}”: is its language data installed?")
    (rate,) = struct.unpack_from("<I", data, 24)
    samples = np.frombuffer(data[begins + 8 : len(data) - len(data) % 2], dtype="<i2")
    return Clip(samples.astype(np.int16), rate)


def _levelled(clip: Clip) -> Samples:
    """At the ear's rate, without silence around it, as loud as all the others."""
    sound = trimmed(to_float(resampled(clip, RATE).samples))
    return to_int16(framed(levelled(sound, RATE), RATE))
