"""A microphone as a queue of int16 mono 16 kHz blocks, through PortAudio (sounddevice).

- PortAudio's thread only copies bytes into a bounded queue; when nobody reads, the oldest block goes and is counted.
- A device that refuses 16 kHz is opened at its own rate and resampled here (windowed sinc, numpy).
- An unplugged device stops giving blocks: `seconds_since_block` tells; nothing is raised in a foreign thread.
"""

from __future__ import annotations

import contextlib
import math
import queue
import time
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError
from narrator.ear.vad import RATE

BLOCK_SECONDS = 0.05
_QUEUE_SECONDS = 30.0
_ZEROS = 16  # crossings of the sinc on each side, at the lower rate


class Resampler:
    """A stream from `rate` Hz to 16 kHz, int16 mono; keeps what the filter needs between blocks."""

    def __init__(self, rate: int) -> None:
        shared = math.gcd(rate, RATE)
        self._up, self._down = RATE // shared, rate // shared
        self._step = self._down / self._up  # input samples per output sample
        widest = max(1.0, self._step)
        self._half = math.ceil(_ZEROS * widest)
        taps = np.arange(-self._half + 1, self._half + 1)
        at = taps[None, :] - (np.arange(self._up) / self._up)[:, None]
        window = np.cos(np.clip(at / self._half, -1, 1) * np.pi / 2) ** 2
        filters = np.sinc(at / widest * 0.94) * window
        self._filters = (filters / filters.sum(axis=1, keepdims=True)).astype(np.float32)
        self._taps = taps
        self._kept = np.zeros(self._half, np.float32)
        self._next = self._half * self._up  # position of the next output in self._kept, in 1/up samples

    def feed(self, block: NDArray[np.int16]) -> NDArray[np.int16]:
        """The 16 kHz samples that a block completes."""
        audio = np.concatenate([self._kept, block.astype(np.float32)])
        last = (len(audio) - self._half) * self._up  # first position whose filter is not yet covered
        places = np.arange(self._next, max(self._next, last), self._down)
        whole, phase = places // self._up, places % self._up
        out = (audio[whole[:, None] + self._taps] * self._filters[phase]).sum(axis=1)
        self._next += self._down * len(places)
        used = max(0, self._next // self._up - self._half)
        self._kept, self._next = audio[used:], self._next - used * self._up
        heard: NDArray[np.int16] = np.clip(np.rint(out), -32768, 32767).astype(np.int16)
        return heard


class Microphone:
    """`device` is sounddevice's: a number, a part of a name, or None for the system's choice.

    `blocks` gives int16 mono 16 kHz arrays of about 50 ms; `overruns` counts those lost. Raises DeviceError when the
    PortAudio library is missing, or, from `start`, when no such microphone can be opened.
    """

    def __init__(self, device: str | int | None = None) -> None:
        self.blocks: queue.Queue[NDArray[np.int16]] = queue.Queue(round(_QUEUE_SECONDS / BLOCK_SECONDS))
        self.overruns = 0
        self._device = device
        self._sounddevice = _portaudio()
        self._stream: Any = None
        self._resampler: Resampler | None = None
        self._last_block = time.monotonic()

    @property
    def seconds_since_block(self) -> float:
        """How long the device has been silent as a machine: more than a second means it is gone."""
        return time.monotonic() - self._last_block

    def start(self) -> None:
        """Opens the device if need be and begins to listen."""
        if self._stream is None:
            self._stream = self._open()
        try:
            self._stream.start()
        except self._sounddevice.PortAudioError as error:
            raise DeviceError(f"the microphone does not start ({error}): check that no program holds it") from error
        self._last_block = time.monotonic()

    def stop(self) -> None:
        """Stops listening; the device stays open and blocks already heard stay in the queue."""
        if self._stream is not None:
            with contextlib.suppress(self._sounddevice.PortAudioError):  # an unplugged device cannot even stop
                self._stream.stop()

    def close(self) -> None:
        """Gives the device back."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with contextlib.suppress(self._sounddevice.PortAudioError):
                stream.close()

    def __enter__(self) -> Microphone:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Any:
        try:
            info = self._sounddevice.query_devices(self._device, "input")
        except (self._sounddevice.PortAudioError, ValueError) as error:
            which = "no microphone was found" if self._device is None else f"no microphone {self._device!r}"
            raise DeviceError(f"{which} ({error}): plug one in, or play with the keyboard") from error
        try:
            return self._stream_at(RATE)
        except self._sounddevice.PortAudioError:
            rate = round(info["default_samplerate"])
        try:
            stream = self._stream_at(rate)
        except self._sounddevice.PortAudioError as error:
            raise DeviceError(f"the microphone {info['name']!r} cannot be opened ({error})") from error
        self._resampler = Resampler(rate)
        return stream

    def _stream_at(self, rate: int) -> Any:
        return self._sounddevice.RawInputStream(
            samplerate=rate,
            blocksize=round(rate * BLOCK_SECONDS),
            device=self._device,
            channels=1,
            dtype="int16",
            callback=self._receive,
        )

    def _receive(self, data: Any, _frames: int, _time: Any, status: Any) -> None:
        """In PortAudio's thread: must not wait."""
        self._last_block = time.monotonic()
        if status:
            self.overruns += 1
        block = np.frombuffer(bytes(data), np.int16)
        if self._resampler is not None:
            block = self._resampler.feed(block)
        while True:
            try:
                return self.blocks.put_nowait(block)
            except queue.Full:
                self.overruns += 1
                with contextlib.suppress(queue.Empty):
                    self.blocks.get_nowait()


def _portaudio() -> ModuleType:
    """sounddevice, imported late: it fails at import where PortAudio is missing."""
    try:
        import sounddevice
    except OSError as error:
        raise DeviceError("the microphone needs PortAudio: apt install libportaudio2") from error
    return sounddevice  # type: ignore[no-any-return]
