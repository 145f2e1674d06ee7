"""The sound of a rehearsed evening, for a WAV file: the narrator through the real mixer, the table through the room."""

from __future__ import annotations

import wave
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from narrator.core.errors import DeviceError
from narrator.rehearsal.room import Room
from narrator.rehearsal.voices import RATE as WORLD_RATE
from narrator.rehearsal.world import AudioWorld
from narrator.voice.ambience import Ambience
from narrator.voice.clip import Clip, Samples, resampled
from narrator.voice.earcons import earcon
from narrator.voice.mixer import Mixer

RATE = 22050  # Hz, the synthesiser's
_BLOCK = 10.0  # seconds mixed at a time
_STEP = 2205  # samples asked of the mixer at a time


@dataclass
class Tape:
    """What our loudspeaker played and what the table said, and when, in seconds of the evening."""

    seed: int
    room: Room
    #: a clip, "earcon:<name>", "scene:<name>", "mask:on" or "mask:"
    events: list[tuple[float, Clip | str]] = field(default_factory=list)
    voices: list[tuple[float, Samples]] = field(default_factory=list)  # at WORLD_RATE, as they arrive in the room

    def clip(self, at: float, clip: Clip) -> None:
        self.events.append((at, clip))

    def earcon(self, at: float, name: str) -> None:
        self.events.append((at, f"earcon:{name}"))

    def scene(self, at: float, name: str) -> None:
        self.events.append((at, f"scene:{name}"))

    def mask(self, at: float, on: bool) -> None:
        self.events.append((at, f"mask:{'on' if on else ''}"))

    def voice(self, at: float, samples: Samples) -> None:
        self.voices.append((at, samples))

    def write(self, path: Path, seconds: float) -> None:
        """Mix all of it, block by block, into a 16-bit mono WAV file. Raises DeviceError if the disk refuses."""
        mixer, at, world = Mixer(rate=RATE), 0.0, AudioWorld(self.room)
        for when, samples in self.voices:
            world.schedule(when, samples)
        todo = sorted(self.events, key=lambda event: event[0])
        try:
            with wave.open(str(path), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                while at < seconds:
                    while todo and todo[0][0] <= at:
                        self.perform(mixer, todo.pop(0)[1])
                    until = min(at + _BLOCK, seconds, *(when for when, _ in todo[:1]))
                    frames = round(until * RATE) - round(at * RATE)
                    ours = _mixed(mixer, frames)
                    file.writeframes(_added(ours, world.render(at, until), frames).astype("<i2").tobytes())
                    at = until
        except OSError as error:
            raise DeviceError(f"{path}: the recording cannot be written ({error.strerror})") from None

    def perform(self, mixer: Mixer, event: Clip | str) -> None:
        """Let a mixer, at whatever rate, do what the loudspeaker did."""
        if isinstance(event, Clip):
            mixer.play(event)
            return
        kind, _, name = event.partition(":")
        if kind == "mask":
            mixer.mask(bool(name))
        elif kind == "earcon":
            mixer.earcon(earcon(name, mixer.rate))
        else:
            mixer.ambience(Ambience(name, self.seed, mixer.rate) if name else None)


def _mixed(mixer: Mixer, frames: int) -> Samples:
    """In small steps, as a loudspeaker asks for them: the mixer ducks the night step by step."""
    steps = range(0, frames, _STEP)
    return np.concatenate([np.zeros(0, np.int16), *(mixer.render(min(_STEP, frames - at)) for at in steps)])


def _added(ours: Samples, theirs: Samples, frames: int) -> Samples:
    """The loudspeaker and the table together, int16 at RATE."""
    table = resampled(Clip(theirs, WORLD_RATE), RATE).samples[:frames].astype(np.int32)
    both = ours.astype(np.int32)
    both[: len(table)] += table
    return np.clip(both, -32768, 32767).astype(np.int16)
