"""A mixer on a loudspeaker: whatever rate and channels the device has, kept awake, put back when its plug is pulled.

The audio callback only renders. It tells its owner which clips ended and when their last sample will be out; when the
device dies the owner is told, and until it is back the mixer runs on in silence when it is asked to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import soxr

from narrator.core.errors import DeviceError
from narrator.stage.devices import Device, Manners, manners
from narrator.stage.portaudio import Plug, soundcards, sounddevice
from narrator.voice.clip import Samples
from narrator.voice.mixer import Ended, Mixer

BLOCK = 0.02  # seconds pulled at a time
LATENCY = 0.08  # seconds of buffer asked of the device: a busy machine must not crackle
_NOISE_SECONDS = 7  # of the sound that keeps a speaker awake

Ends = list[tuple[int, float]]  # a clip's number, and when its last sample is out (time.monotonic)


class Fitted:
    """The mixer's sound at a device's rate."""

    def __init__(self, mixer: Mixer, rate: int, awake: int = 0) -> None:
        """`awake`: amplitude of a noise under everything, so that the speaker does not fall asleep."""
        self._mixer, self.rate = mixer, rate
        self._stream: Any = None if rate == mixer.rate else soxr.ResampleStream(mixer.rate, rate, 1, dtype="int16")
        self._ready: Samples = np.zeros(0, np.int16)
        chance = np.random.default_rng(0)
        self._noise = chance.integers(-awake, awake, _NOISE_SECONDS * rate, np.int16, endpoint=True) if awake else None
        self._at = 0

    @property
    def held(self) -> float:
        """Seconds of sound that the mixer has given and the device has not got yet."""
        return (len(self._ready) + (self._stream.delay() if self._stream else 0.0)) / self.rate

    def render(self, frames: int) -> Samples:
        """The next `frames` samples at the device's rate, int16 mono."""
        sound = self._converted(frames)
        if self._noise is None:
            return sound
        start = self._at % (len(self._noise) - frames)
        self._at = start + frames
        mixed = sound.astype(np.int32) + self._noise[start : start + frames]
        clipped: Samples = np.clip(mixed, -32767, 32767).astype(np.int16)
        return clipped

    def _converted(self, frames: int) -> Samples:
        if self._stream is None:
            return self._mixer.render(frames)
        while len(self._ready) < frames:
            wanted = -(-(frames - len(self._ready)) * self._mixer.rate // self.rate)
            more = self._stream.resample_chunk(self._mixer.render(wanted))
            self._ready = np.concatenate([self._ready, more])
        out: Samples = self._ready[:frames]
        self._ready = self._ready[frames:]
        return out


class Output:
    """The stream. `ended` gets clips that end; `told` gets "lost", "back" and "changed", in the watching thread.

    Raises DeviceError when there is no PortAudio, or no such device (unless `wait`: then it is waited for).
    """

    def __init__(
        self,
        wish: str | int | None,
        mixer: Mixer,
        ended: Callable[[Ends], None],
        told: Callable[[str], None],
        *,
        rate: int | None = None,
        wait: bool = False,
    ) -> None:
        self._sd = sounddevice()
        self._mixer, self._rate, self._ended, self._told = mixer, rate or mixer.rate, ended, told
        self._lock = threading.Lock()  # between a callback and who stands in for a dead device
        self._generation = 0
        self._silent_since = time.monotonic()
        self.manners = Manners()
        self.underruns = 0
        self.played: Callable[[float, Samples], None] = lambda out_at, samples: None
        self.missing = ""  # why there is no device at the start
        self.plug = Plug("output", wish, self._begin, self._happened, lambda: mixer.idle)
        try:
            soundcards().attach(self.plug)
        except DeviceError as error:
            if not wait:
                raise
            self.missing = str(error)
            soundcards().await_device(self.plug)

    @property
    def latency(self) -> float:
        """Seconds from a sample handed over to its leaving the speaker: as reported, and as measured beyond that."""
        stream = self.plug.stream
        return self.manners.hidden + (float(stream.latency) if stream is not None else 0.0)

    def close(self) -> None:
        """Gives the device back."""
        soundcards().detach(self.plug)
        with self._lock:
            self._generation += 1  # a late callback of the old stream renders nothing

    def run_silently(self) -> None:
        """Without a device the sound still runs, unheard and in real time, so that every end comes."""
        with self._lock:
            now = time.monotonic()
            frames = min(round((now - self._silent_since) * self._mixer.rate), self._mixer.rate)
            self._silent_since = now
            self._mixer.render(frames)
            ended = self._mixer.take_ended()
        self._ended([(one.id, now) for one in ended])

    def _happened(self, what: str) -> None:
        if what == "lost":
            with self._lock:
                self._generation += 1
                self._silent_since = time.monotonic()
        self._told(what)

    def _begin(self, device: Device) -> Any:
        """A running stream on this device: the mixer's rate if it can, else its own; one or two channels, else all."""
        self.manners = manners(device)
        reason: Exception | None = None
        for rate in dict.fromkeys((self._rate, device.rate)):
            for channels in dict.fromkeys((min(2, device.channels), 1, device.channels)):
                try:
                    return self._stream(device, rate, channels)
                except (self._sd.PortAudioError, ValueError, OSError) as error:
                    reason = reason or error
        raise reason or DeviceError("it plays nothing")

    def _stream(self, device: Device, rate: int, channels: int) -> Any:
        with self._lock:
            self._generation += 1
            generation = self._generation
        fitted = Fitted(self._mixer, rate, self.manners.awake)

        def pull(out: npt.NDArray[np.int16], frames: int, clock: Any, status: Any) -> None:
            if status.output_underflow:
                self.underruns += 1
            self._pull(generation, fitted, out, frames, clock)

        stream = self._sd.OutputStream(
            samplerate=rate,
            blocksize=round(BLOCK * rate),
            device=device.number,
            channels=channels,
            dtype="int16",
            latency=LATENCY,
            callback=pull,
        )
        try:
            stream.start()
        except self._sd.PortAudioError:
            stream.close(ignore_errors=True)
            raise
        return stream

    def _pull(self, generation: int, fitted: Fitted, out: npt.NDArray[np.int16], frames: int, clock: Any) -> None:
        """The audio callback."""
        with self._lock:
            if generation != self._generation:
                out.fill(0)
                return
            self.plug.beat()
            now = time.monotonic()
            ahead = clock.outputBufferDacTime - clock.currentTime
            if not 0 < ahead < 5:  # some drivers do not tell
                ahead = LATENCY
            first, held = self._mixer.frame, fitted.held
            sound = fitted.render(frames)
            out[:] = sound[:, None]
            ended = self._mixer.take_ended()
        self.played(now + ahead + self.manners.hidden, sound)
        if ended:
            out_at = now + ahead + held + self.manners.hidden
            self._ended([(one.id, _heard(one, first, out_at, self._mixer.rate)) for one in ended])


def _heard(one: Ended, first: int, out_at: float, rate: int) -> float:
    return out_at + (one.frame - first) / rate
