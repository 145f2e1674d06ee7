"""The loudspeaker: one long-lived output stream that pulls from a Mixer, and knows when the last sample has
left.

Rules. The audio callback only renders; whoever waits for an end is called from a helper thread, when the
device's own clock says that the sound is out. Every `on_end` is called exactly once, also when its clip was
cut or the device died: an evening never hangs on a loudspeaker. A device that stops is opened again;
meanwhile time runs on in silence.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import logging
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from narrator.core.errors import DeviceError
from narrator.voice.ambience import Ambience
from narrator.voice.clip import Clip, resampled
from narrator.voice.earcons import earcon
from narrator.voice.mixer import Mixer

BLOCK = 0.02  # seconds pulled at a time
LATENCY = 0.08  # seconds of buffer asked of the device: a busy machine must not crackle
STEP = 4.0  # dB of louder() and softer()
STALLED = 1.5  # seconds without a callback: the device is gone
RETRY = 3.0  # seconds between attempts to open it again
_INSTALL = "install the library PortAudio (Debian: apt install libportaudio2)"

_log = logging.getLogger(__name__)


def _sounddevice() -> Any:
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise DeviceError(f"sound cannot be played ({error}): {_INSTALL}") from error
    return sounddevice


class Speaker:
    """Plays clips through `device` (a name, an index or None for the default).

    Raises DeviceError when there is no PortAudio or no device that plays. `rate`: Hz of the stream, by
    default 48000 or else what the device prefers.
    """

    def __init__(self, device: str | int | None = None, rate: int | None = None, mixer: Mixer | None = None) -> None:
        self._sd = _sounddevice()
        self._device = device
        self._rates = (rate,) if rate else (48000, None)
        self._lock = threading.Lock()  # between a callback and the helper that stands in for a dead device
        self._stream: Any = None
        self._generation = 0
        self._last_pull = time.monotonic()
        self._underruns = 0
        self._fitting: weakref.WeakKeyDictionary[Clip, Clip] = weakref.WeakKeyDictionary()
        self._waiting: dict[int, Callable[[], None]] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._wake = threading.Condition()
        self._closed = False
        self._open(mixer)
        self._helper = threading.Thread(target=self._help, name="speaker-ends", daemon=True)
        self._helper.start()

    @property
    def rate(self) -> int:
        """Hz of the stream."""
        return self.mixer.rate

    @property
    def latency(self) -> float:
        """Seconds between a sample being handed over and leaving the speaker, as the device reports it."""
        return float(self._stream.latency) if self._stream is not None else 0.0

    @property
    def underruns(self) -> int:
        """How often the device had nothing to play because we came too late."""
        return self._underruns

    def play(self, clip: Clip, on_end: Callable[[], None] | None = None) -> int:
        """Speaks a clip after those under way; `on_end` runs in a helper thread once its last sample
        has left.
        """
        return self._start(self.mixer.play, clip, on_end)

    def earcon(self, name: str, on_end: Callable[[], None] | None = None) -> int:
        """Plays an earcon beside the voice. Raises DeviceError for an unknown name."""
        return self._start(self.mixer.earcon, earcon(name, self.rate), on_end)

    def ambience(self, scene: str | None, seed: int = 0) -> None:
        """Fades to a scene of ambience.SCENES, or to silence. Raises DeviceError for an unknown scene."""
        self.mixer.ambience(None if scene is None else Ambience(scene, seed, self.rate))

    def prepare(self, clip: Clip) -> Clip:
        """The clip at the rate of the stream, resampled once: call it ahead and `play` starts at once."""
        fitting = self._fitting.get(clip)
        if fitting is None:
            fitting = self._fitting[clip] = resampled(clip, self.rate)
        return fitting

    def pause(self) -> None:
        """Holds in mid-sentence."""
        self.mixer.pause()

    def resume(self) -> None:
        """Goes on where it was held."""
        self.mixer.resume()

    def louder(self) -> float:
        """Raises the volume; returns it, dB."""
        self.mixer.volume += STEP
        return self.mixer.volume

    def softer(self) -> float:
        """Lowers the volume; returns it, dB."""
        self.mixer.volume -= STEP
        return self.mixer.volume

    def stop(self) -> None:
        """Cuts voice and earcons, those waiting too; each `on_end` still runs, once."""
        self.mixer.stop()

    def close(self) -> None:
        """Stops the stream. What had not ended is reported as ended."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if threading.current_thread() is not self._helper:  # an `on_end` may close us
            self._helper.join(5)
        self._shut()
        with self._wake:
            rest = [call for _, _, call in sorted(self._due)] + list(self._waiting.values())
            self._due, self._waiting = [], {}
        for call in rest:
            _called(call)

    def __enter__(self) -> Speaker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, queue: Callable[[Clip], int], clip: Clip, on_end: Callable[[], None] | None) -> int:
        fitting = self.prepare(clip)
        with self._wake:  # the end cannot be reported before we know whom to tell
            number = queue(fitting)
            if on_end is not None:
                self._waiting[number] = on_end
        return number

    # The device.

    def _open(self, mixer: Mixer | None = None) -> None:
        """Opens the stream; the first time at the best rate, later at the mixer's."""
        known = getattr(self, "mixer", mixer)
        rates = (known.rate,) if known is not None else self._rates
        reason = ""
        for wanted in rates:
            try:
                info = self._sd.query_devices(self._device, "output")
                rate = wanted or round(info["default_samplerate"])
                if known is None:
                    self.mixer = Mixer(rate)
                elif not hasattr(self, "mixer"):
                    self.mixer = known
                self._stream = self._begin(rate, min(2, max(1, info["max_output_channels"])))
                return
            except (self._sd.PortAudioError, ValueError, OSError) as error:
                reason = str(error)
        name = "the default loudspeaker" if self._device is None else f"the loudspeaker {self._device!r}"
        raise DeviceError(f"{name} cannot be opened ({reason}): plug it in, or choose another device")

    def _begin(self, rate: int, channels: int) -> Any:
        with self._lock:
            self._generation += 1
            generation = self._generation

        def pull(out: npt.NDArray[np.int16], frames: int, clock: Any, status: Any) -> None:
            if status.output_underflow:
                self._underruns += 1
            self._pull(generation, out, frames, clock)

        stream = self._sd.OutputStream(
            samplerate=rate,
            blocksize=round(BLOCK * rate),
            device=self._device,
            channels=channels,
            dtype="int16",
            latency=LATENCY,
            callback=pull,
        )
        self._last_pull = time.monotonic()
        stream.start()
        return stream

    def _pull(self, generation: int, out: npt.NDArray[np.int16], frames: int, clock: Any) -> None:
        """The audio callback."""
        with self._lock:
            if generation != self._generation:
                out.fill(0)
                return
            now = self._last_pull = time.monotonic()
            ahead = clock.outputBufferDacTime - clock.currentTime
            if not 0 < ahead < 5:  # some drivers do not tell
                ahead = LATENCY
            first = self.mixer.frame
            out[:] = self.mixer.render(frames)[:, None]
            ended = self.mixer.take_ended()
        if ended:
            self._schedule([(one.id, now + ahead + (one.frame - first) / self.mixer.rate) for one in ended])

    def _schedule(self, ends: list[tuple[int, float]]) -> None:
        with self._wake:
            for number, when in ends:
                call = self._waiting.pop(number, None)
                if call is not None:
                    heapq.heappush(self._due, (when, next(self._order), call))
            self._wake.notify_all()

    def _shut(self) -> None:
        stream, self._stream = self._stream, None
        with self._lock:
            self._generation += 1  # a late callback of the old stream renders nothing
        if stream is not None:
            with contextlib.suppress(Exception):
                stream.abort(ignore_errors=True)
                stream.close(ignore_errors=True)

    # The helper thread.

    def _help(self) -> None:
        retry = 0.0
        while not self._closed:
            self._call_due()
            if self._alive():
                continue
            if time.monotonic() >= retry:
                retry = time.monotonic() + RETRY
                self._reopen()
            if self._stream is None:
                self._run_silently()

    def _alive(self) -> bool:
        stream = self._stream
        try:
            return stream is not None and stream.active and time.monotonic() - self._last_pull < STALLED
        except self._sd.PortAudioError:
            return False

    def _call_due(self) -> None:
        """Waits for the next end, at most a little, and tells who waits."""
        with self._wake:
            now = time.monotonic()
            first = self._due[0][0] - now if self._due else 0.5
            limit = 0.5 if self._stream is not None else BLOCK
            if first > 0 and not self._closed:
                self._wake.wait(min(first, limit))
            calls = []
            while self._due and self._due[0][0] <= time.monotonic():
                calls.append(heapq.heappop(self._due)[2])
        for call in calls:
            _called(call)

    def _reopen(self) -> None:
        if self._stream is not None:
            _log.warning("the loudspeaker stopped: trying to open it again")
            self._shut()
        with contextlib.suppress(DeviceError):
            self._open()
            _log.warning("the loudspeaker plays again")

    def _run_silently(self) -> None:
        """Without a device the sound still runs, unheard and in real time, so that every end comes."""
        with self._lock:
            now = time.monotonic()
            frames = min(round((now - self._last_pull) * self.mixer.rate), self.mixer.rate)
            self._last_pull = now
            self.mixer.render(frames)
            ended = self.mixer.take_ended()
        self._schedule([(one.id, now) for one in ended])


def _called(call: Callable[[], None]) -> None:
    """A listener that fails must not take the helper with it."""
    try:
        call()
    except Exception:
        _log.exception("a listener of the loudspeaker failed")
