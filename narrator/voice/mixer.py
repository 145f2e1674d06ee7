"""The mixing desk: voice, earcons and ambience to one int16 stream, block by block, without device or clock.

Rules. Commands come from any thread and take effect at the next block, in order; only `render` touches the
sound, so no lock can stall an audio callback. Each clip ends exactly once, at a known frame. Speech ducks
the ambience; nothing ever clips. Speaker drives it in real time, the rehearsal as fast as it can: same
samples.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import Protocol

import numpy as np

from narrator.voice.clip import Clip, Floats, Samples, eased, resampled, to_float, to_int16
from narrator.voice.tracks import Ended, Ramp, Track, curve, decibels

__all__ = ["Bed", "Ended", "Mixer"]

RATE = 48000
DUCK = -18.0  # dB on the ambience while somebody speaks
MASK = 7.0  # dB on the ambience while hands are at work that must not be heard
DUCK_IN, DUCK_OUT = 0.12, 0.9  # seconds for the whole way down and up
HOLD = 0.35  # seconds without voice before the ambience comes back: a pause between sentences does not pump
LOUDEST, SOFTEST = 9.0, -30.0  # dB of the master
PAUSE_FADE = 0.4  # seconds for the ambience to go and come at a pause
MASTER_SPEED = 60.0  # dB per second
MUTE_FADE = 0.15  # seconds to silence and back


class Bed(Protocol):
    """Endless sound, such as Ambience."""

    def block(self, frames: int) -> Floats: ...


class Mixer:
    """See the module. `rate`: Hz; `volume`: master, dB."""

    def __init__(self, rate: int = RATE, volume: float = 0.0) -> None:
        self.rate = rate
        self.frame = 0  # samples rendered so far
        self._volume = volume
        self._numbers = itertools.count(1)
        self._commands: deque[Callable[[], None]] = deque()
        self._voice, self._earcon = Track(rate), Track(rate)
        self._master, self._duck = Ramp(volume), Ramp(0.0)
        self._paused = False
        self._fading = np.zeros(0, np.float32)  # ends of cut or held sounds, still to be heard
        self._beds: list[tuple[Bed, Ramp, float]] = []  # sound, fader 0..1, its speed per second
        self._presence = Ramp(1.0)  # of all beds, 0 in a pause
        self._masking = False
        self._open = Ramp(1.0)  # of everything, 0 when muted
        self._quiet = round(HOLD * rate)  # samples since the voice was last heard

    # Commands, from any thread.

    def play(self, clip: Clip) -> int:
        """Queues speech behind what is being said; returns the id that `take_ended` will report."""
        return self._queue(self._voice, clip)

    def earcon(self, clip: Clip) -> int:
        """Queues an earcon; it sounds together with the voice."""
        return self._queue(self._earcon, clip)

    def ambience(self, bed: Bed | None, fade: float = 2.0) -> None:
        """Fades to another bed, or to none, over `fade` seconds."""
        self._commands.append(lambda: self._change_bed(bed, fade))

    def pause(self) -> None:
        """Holds everything in mid-sentence."""
        self._commands.append(lambda: self._hold(True))

    def resume(self) -> None:
        """Goes on exactly there."""
        self._commands.append(lambda: self._hold(False))

    def stop(self) -> None:
        """Cuts the voice and the earcons, also those queued; each is reported as ended, `cut`."""
        self._commands.append(self._cut)

    def mask(self, on: bool) -> None:
        """Raises the ambience by MASK dB between sentences, or lets it down again."""
        self._commands.append(lambda: setattr(self, "_masking", on))

    def mute(self, on: bool) -> None:
        """Silences everything, or lets it be heard again; sentences take their time and end all the same."""
        self._commands.append(lambda: setattr(self._open, "target", 0.0 if on else 1.0))

    @property
    def volume(self) -> float:
        """Master volume, dB; set it freely, it moves smoothly and stays between SOFTEST and LOUDEST."""
        return self._volume

    @volume.setter
    def volume(self, level: float) -> None:
        self._volume = min(LOUDEST, max(SOFTEST, level))
        target = self._volume
        self._commands.append(lambda: setattr(self._master, "target", target))

    @property
    def idle(self) -> bool:
        """No voice and no earcon is sounding or waiting."""
        return not (self._commands or self._voice.busy or self._earcon.busy or len(self._fading))

    # Sound, from one thread.

    def render(self, frames: int) -> Samples:
        """The next `frames` samples, int16 mono."""
        while self._commands:
            self._commands.popleft()()
        if not frames:
            return np.zeros(0, np.int16)
        speaking = self._voice.busy and not self._paused
        mix = np.zeros(frames, np.float32)
        if not self._paused:
            mix += self._voice.block(frames, self.frame)
            mix += self._earcon.block(frames, self.frame)
        tail = min(frames, len(self._fading))
        mix[:tail] += self._fading[:tail]
        self._fading = self._fading[tail:]
        mix += self._bed_block(frames, speaking)
        mix *= decibels(self._master.line(frames, MASTER_SPEED / self.rate))
        mix *= curve(self._open.line(frames, 1 / MUTE_FADE / self.rate))
        self.frame += frames
        return to_int16(eased(mix, 0.98))

    def take_ended(self) -> list[Ended]:
        """What ended since the last call, in order of time; call it after `render`, from the same thread."""
        ended = sorted(self._voice.ended + self._earcon.ended, key=lambda one: one.frame)
        self._voice.ended, self._earcon.ended = [], []
        return ended

    def _queue(self, track: Track, clip: Clip) -> int:
        number = next(self._numbers)
        sound = to_float(resampled(clip, self.rate).samples)
        self._commands.append(lambda: track.add(number, sound))
        return number

    def _bed_block(self, frames: int, speaking: bool) -> Floats:
        self._quiet = 0 if speaking else self._quiet + frames
        raised = MASK if self._masking else 0.0
        self._duck.target = DUCK if self._quiet < HOLD * self.rate else raised
        whole_way = DUCK_IN if self._duck.target < self._duck.level else DUCK_OUT
        duck = self._duck.line(frames, -DUCK / whole_way / self.rate)
        presence = self._presence.line(frames, 1 / PAUSE_FADE / self.rate)
        out = np.zeros(frames, np.float32)
        if not presence.any():
            return out
        for bed, fader, speed in self._beds:
            out += bed.block(frames) * curve(fader.line(frames, speed / self.rate))
        self._beds = [row for row in self._beds if row[1].level > 0 or row[1].target > 0]
        return out * decibels(duck) * curve(presence)

    def _change_bed(self, bed: Bed | None, fade: float) -> None:
        speed = 1 / max(fade, 0.01)
        self._beds = [(old, fader, speed) for old, fader, _ in self._beds]
        for _, fader, _ in self._beds:
            fader.target = 0.0
        if bed is not None:
            fader = Ramp(0.0)
            fader.target = 1.0
            self._beds.append((bed, fader, speed))

    def _hold(self, paused: bool) -> None:
        if paused == self._paused:
            return
        self._paused = paused
        self._presence.target = 0.0 if paused else 1.0
        if paused:
            self._fade(self._voice.hold(), self._earcon.hold())
        else:
            self._voice.go()
            self._earcon.go()

    def _cut(self) -> None:
        tails = self._voice.cut(self.frame), self._earcon.cut(self.frame)
        if not self._paused:
            self._fade(*tails)

    def _fade(self, *tails: Floats) -> None:
        together = np.zeros(max(map(len, (self._fading, *tails))), np.float32)
        for tail in (self._fading, *tails):
            together[: len(tail)] += tail
        self._fading = together
