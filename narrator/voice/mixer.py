"""The mixing desk: voice, earcons and ambience to one int16 stream, block by block, without device or clock.

Rules. Commands come from any thread and take effect at the next block, in order; only `render` touches the sound, so
no lock can stall an audio callback. Each clip ends exactly once, at a known frame. Speech ducks the ambience; nothing
ever clips. Speaker drives it in real time, the rehearsal as fast as it can: same samples.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from narrator.voice.clip import Clip, Floats, Samples, eased, resampled, to_float, to_int16

RATE = 48000
DUCK = -18.0  # dB on the ambience while somebody speaks
DUCK_IN, DUCK_OUT = 0.12, 0.9  # seconds for the whole way down and up
HOLD = 0.35  # seconds without voice before the ambience comes back: a pause between sentences does not pump
LOUDEST, SOFTEST = 9.0, -30.0  # dB of the master
_EDGE = 0.005  # seconds: cuts, pauses and resumptions are eased by this
_SILENT = -90.0


class Bed(Protocol):
    """Endless sound, such as Ambience."""

    def block(self, frames: int) -> Floats: ...


@dataclass(frozen=True)
class Ended:
    """A clip's last sample is before `frame` (counted from the first sample rendered). `cut`: it was stopped."""

    id: int
    frame: int
    cut: bool = False


class Ramp:
    """A level in dB that moves at constant speed, sample by sample, whatever the size of the blocks."""

    def __init__(self, level: float) -> None:
        self.level = self.target = level

    def gains(self, frames: int, step: float) -> Floats | np.float32:
        """Linear gains for the next `frames` samples; `step`: dB per sample."""
        if self.level == self.target:
            return np.float32(_linear(self.level))
        way = np.clip(step * np.arange(1, frames + 1), 0, abs(self.target - self.level))
        line = self.level + np.copysign(way, self.target - self.level)
        self.level = float(line[-1])
        if abs(self.target - self.level) < 1e-9:
            self.level = self.target
        return np.where(line <= _SILENT, 0, 10 ** (line / 20)).astype(np.float32)


class Track:
    """Clips one after another, without a gap; can be held and cut without a click."""

    def __init__(self, rate: int) -> None:
        self._queue: deque[tuple[int, Floats]] = deque()
        self._at = 0
        self._edge = max(1, round(_EDGE * rate))
        self._ease: int | None = None  # samples of the fade-in left after a resumption
        self.ended: list[Ended] = []

    @property
    def busy(self) -> bool:
        return bool(self._queue)

    def add(self, number: int, sound: Floats) -> None:
        self._queue.append((number, sound))

    def block(self, frames: int, now: int) -> Floats:
        out = np.zeros(frames, np.float32)
        done = 0
        while self._queue and done < frames:
            number, sound = self._queue[0]
            part = sound[self._at : self._at + frames - done]
            out[done : done + len(part)] = part
            done += len(part)
            self._at += len(part)
            if self._at >= len(sound):
                self._queue.popleft()
                self._at = 0
                self.ended.append(Ended(number, now + done))
        return self._eased_in(out)

    def hold(self) -> Floats:
        """A short fade-out; what it covered is said again by `go`, so no sound is lost."""
        part = self._queue[0][1][self._at : self._at + self._edge] if self._queue else np.zeros(0, np.float32)
        return np.asarray(part * np.linspace(1, 0, len(part)), np.float32)

    def go(self) -> None:
        self._ease = self._edge

    def cut(self, now: int) -> Floats:
        """Ends everything queued; returns the fade-out of the sound under way."""
        tail = self.hold()
        for place, (number, _) in enumerate(self._queue):
            self.ended.append(Ended(number, now + (len(tail) if place == 0 else 0), cut=True))
        self._queue.clear()
        self._at = 0
        return tail

    def _eased_in(self, out: Floats) -> Floats:
        if self._ease is not None:
            count = min(self._ease, len(out))
            done = self._edge - self._ease
            out[:count] *= ((np.arange(count) + done) / self._edge).astype(np.float32)
            self._ease = self._ease - count or None
        return out


class Mixer:
    """See the module. `rate`: Hz; `volume`: master, dB."""

    def __init__(self, rate: int = RATE, volume: float = 0.0) -> None:
        self.rate = rate
        self.frame = 0  # samples rendered so far
        self._volume = volume
        self._numbers = itertools.count(1)
        self._commands: deque[Callable[[], None]] = deque()
        self._pending: deque[int] = deque()
        self._voice, self._earcon = Track(rate), Track(rate)
        self._master, self._duck = Ramp(volume), Ramp(0.0)
        self._paused = False
        self._fading = np.zeros(0, np.float32)  # ends of cut or held sounds, still to be heard
        self._beds: list[tuple[Bed, Ramp]] = []
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
        mix *= self._master.gains(frames, 60 / self.rate)
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
        self._duck.target = DUCK if self._quiet < HOLD * self.rate else 0.0
        down = self._duck.target < self._duck.level
        duck = self._duck.gains(frames, -DUCK / (DUCK_IN if down else DUCK_OUT) / self.rate)
        out = np.zeros(frames, np.float32)
        for bed, ramp in self._beds:
            out += bed.block(frames) * ramp.gains(frames, 60 / self.rate if self._paused else ramp_step(ramp, self.rate))
        self._beds = [(bed, ramp) for bed, ramp in self._beds if ramp.target > _SILENT or ramp.level > _SILENT]
        return out * duck
