"""A microphone as a queue of int16 mono 16 kHz blocks, through PortAudio (sounddevice).

- PortAudio's thread only copies samples into a bounded queue; when nobody reads, the oldest block goes and is counted.
- A device that refuses 16 kHz or one channel is opened as it is; channels are averaged, the rest is resampled here.
- An unplugged device is noticed within a second and opened again, or another one (stage.portaudio); nothing is raised
  in a foreign thread.
"""

from __future__ import annotations

import contextlib
import math
import queue
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import soxr
from numpy.typing import NDArray

from narrator.core.errors import DeviceError
from narrator.ear.vad import RATE
from narrator.stage.devices import Device
from narrator.stage.portaudio import Plug, soundcards, sounddevice

BLOCK_SECONDS = 0.05
_QUEUE_SECONDS = 30.0
_MARGIN_SECONDS = 0.005  # on each side of what is resampled


class Block(NamedTuple):
    """`samples`: int16 mono 16 kHz; `began`: time.monotonic() when the first one was in the air, by the device."""

    samples: NDArray[np.int16]
    began: float


class Resampler:
    """A stream from `rate` Hz to 16 kHz, int16 mono, by soxr.

    soxr's own stream hands its samples over in uneven portions: measured from 48 kHz, 2 to 20 ms late at its setting LQ
    (44.1 kHz: 2 to 22), 5 to 38 at MQ (5 to 41), 6 to 37 at HQ (6 to 40), 9 to 76 at VHQ (9 to 84). QQ is never late,
    but folds what 16 kHz cannot hold at its full strength. Each block is therefore resampled as a piece with 5 ms of
    its surroundings, at HQ: always 5 ms late, and within −60 dB of the whole resampled at once.
    """

    def __init__(self, rate: int) -> None:
        shared = math.gcd(rate, RATE)
        self._rate, self._up, self._down = rate, RATE // shared, rate // shared
        self._margin = math.ceil(rate * _MARGIN_SECONDS)  # around what is taken from a piece
        lead = math.ceil(self._margin / self._down)
        self._kept = np.zeros(lead * self._down, np.int16)
        self._next = lead * self._up  # position of the next output in self._kept

    @property
    def late(self) -> float:
        """Seconds from the next sample that comes out to the next one that goes in."""
        return len(self._kept) / self._rate - self._next / RATE

    def feed(self, block: NDArray[np.int16]) -> NDArray[np.int16]:
        """The 16 kHz samples that a block completes."""
        piece = np.concatenate([self._kept, block])
        start, self._next = self._next, max(self._next, (len(piece) - self._margin) * self._up // self._down)
        heard: NDArray[np.int16] = soxr.resample(piece, self._rate, RATE, "HQ")[start : self._next]
        # A piece begins where a sample of both rates is.
        used = max(0, self._next * self._down // self._up - self._margin) // self._down
        self._kept, self._next = piece[used * self._down :], self._next - used * self._up
        return heard


class Microphone:
    """`device`: a title, a part of a name, a number, or None for the system's choice.

    `blocks` gives about 50 ms at a time; `overruns` counts those lost. `told` hears "lost", "back" and "changed". With
    `wait`, a microphone that is missing at the start is waited for. Raises DeviceError when the PortAudio library is
    missing, or, from `start`, when no such microphone can be opened.
    """

    def __init__(
        self,
        device: str | int | None = None,
        *,
        told: Callable[[str], None] = lambda what: None,
        wait: bool = False,
    ) -> None:
        self.blocks: queue.Queue[Block] = queue.Queue(round(_QUEUE_SECONDS / BLOCK_SECONDS))
        self.overruns = 0
        self.missing = ""  # why there was no microphone at the start
        self._sounddevice = sounddevice()
        self._wait = wait
        self._started = False
        self._plug = Plug("input", device, self._begin, told)

    @property
    def device(self) -> Device | None:
        """What it listens to, or listened to last."""
        return self._plug.device

    @property
    def alive(self) -> bool:
        """There is a device that listens."""
        return self._plug.stream is not None

    @property
    def losses(self) -> int:
        """How often the device died."""
        return self._plug.losses

    @property
    def latency(self) -> float:
        """Seconds from the air to us, as the device reports it."""
        stream = self._plug.stream
        return float(stream.latency) if stream is not None else 0.0

    @property
    def seconds_since_block(self) -> float:
        """How long the device has been silent as a machine: more than a second means it is gone."""
        return time.monotonic() - self._plug.last_beat

    def start(self) -> None:
        """Opens the device and begins to listen."""
        if self._started:
            return
        try:
            soundcards().attach(self._plug)
        except DeviceError as error:
            if not self._wait:
                raise DeviceError(f"{error}, or play with the keyboard") from None
            self.missing = str(error)
            soundcards().await_device(self._plug)
        self._started = True

    def close(self) -> None:
        """Gives the device back; blocks already heard stay in the queue."""
        if self._started:
            self._started = False
            soundcards().detach(self._plug)

    def __enter__(self) -> Microphone:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, device: Device) -> Any:
        """A running stream: at 16 kHz if the device can, else at its rate; one channel, else as many as it has."""
        reason: Exception | None = None
        for rate in dict.fromkeys((RATE, device.rate)):
            for channels in dict.fromkeys((1, min(2, device.channels), device.channels)):
                try:
                    return self._stream(device, rate, channels)
                except (self._sounddevice.PortAudioError, ValueError, OSError) as error:
                    reason = reason or error
        raise reason or DeviceError("it hears nothing")

    def _stream(self, device: Device, rate: int, channels: int) -> Any:
        resampler = Resampler(rate) if rate != RATE else None

        def receive(data: NDArray[np.int16], frames: int, clock: Any, status: Any) -> None:
            if status:
                self.overruns += 1
            ago = clock.currentTime - clock.inputBufferAdcTime
            if not 0 < ago < 5:  # some drivers do not tell
                ago = frames / rate
            mono = data[:, 0].copy() if channels == 1 else data.mean(axis=1).astype(np.int16)
            began = time.monotonic() - ago
            if resampler is not None:
                began -= resampler.late
                mono = resampler.feed(mono)
            self._receive(mono, began)

        stream = self._sounddevice.InputStream(
            samplerate=rate,
            blocksize=round(rate * BLOCK_SECONDS),
            device=device.number,
            channels=channels,
            dtype="int16",
            callback=receive,
        )
        try:
            stream.start()
        except self._sounddevice.PortAudioError:
            stream.close(ignore_errors=True)
            raise
        return stream

    def _receive(self, samples: NDArray[np.int16], began: float) -> None:
        """In PortAudio's thread: must not wait."""
        self._plug.beat()
        while True:
            try:
                return self.blocks.put_nowait(Block(samples, began))
            except queue.Full:
                self.overruns += 1
                with contextlib.suppress(queue.Empty):
                    self.blocks.get_nowait()
