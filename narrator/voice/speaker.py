"""The loudspeaker: one long-lived output stream that pulls from a Mixer, and knows when the last sample has
left.

Rules. Whoever waits for an end is called from a helper thread, when the device's own clock says that the sound
is out. Of `on_end` and `on_cut` one is called, exactly once, also when the device died: an evening never hangs on
a loudspeaker. What a dead device was playing or had waiting is cut at once; sounds started while there is no
device run in silence and real time.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import threading
import time
import weakref
from collections.abc import Callable

from narrator.core.errors import DeviceError
from narrator.stage.devices import Device
from narrator.voice.ambience import Ambience
from narrator.voice.clip import Clip, Samples, resampled, silence
from narrator.voice.earcons import earcon
from narrator.voice.mixer import RATE, Mixer
from narrator.voice.output import BLOCK, Ends, Output

STEP = 4.0  # dB of louder() and softer()
ASLEEP = 3.0  # seconds of rest after which a speaker may have to wake up

_log = logging.getLogger(__name__)
_Calls = tuple[Callable[[], None], Callable[[], None]]  # at the end, when cut


class Speaker:
    """Plays clips through `device` (a title, a part of a name, a number, or None for the default).

    Raises DeviceError when there is no PortAudio or no device that plays; with `wait` a missing device is waited
    for. `rate`: Hz asked of the device, by default the mixer's. `told` hears "lost", "back" (the same device) and
    "changed" (another one), after everything that was cut.
    """

    def __init__(
        self,
        device: str | int | None = None,
        rate: int | None = None,
        mixer: Mixer | None = None,
        *,
        told: Callable[[str], None] = lambda what: None,
        wait: bool = False,
    ) -> None:
        self.mixer = mixer or Mixer(RATE)
        self._told = told
        self._fitting: weakref.WeakKeyDictionary[Clip, Clip] = weakref.WeakKeyDictionary()
        self._waiting: dict[int, _Calls] = {}
        self._due: list[tuple[float, int, _Calls]] = []
        self._order = itertools.count()
        self._wake = threading.Condition()
        self._closed = False
        self._last_sound = -math.inf  # at the start it may be asleep too
        self._output = Output(device, self.mixer, self._schedule, self._happened, rate=rate, wait=wait)
        self._helper = threading.Thread(target=self._help, name="speaker-ends", daemon=True)
        self._helper.start()

    @property
    def rate(self) -> int:
        """Hz of the mixer."""
        return self.mixer.rate

    @property
    def device(self) -> Device | None:
        """What it plays on, or played on last."""
        return self._output.plug.device

    @property
    def alive(self) -> bool:
        """There is a device that plays."""
        return self._output.plug.stream is not None

    @property
    def missing(self) -> str:
        """Why there was no device at the start, "" if there was."""
        return self._output.missing

    @property
    def losses(self) -> int:
        """How often the device died."""
        return self._output.plug.losses

    @property
    def latency(self) -> float:
        """Seconds between a sample being handed over and leaving the speaker."""
        return self._output.latency

    @property
    def hidden(self) -> float:
        """The part of the latency that the device does not report, seconds."""
        return self._output.manners.hidden

    @property
    def underruns(self) -> int:
        """How often the device had nothing to play because we came too late."""
        return self._output.underruns

    @property
    def lead(self) -> float:
        """Seconds of silence that the next sound will have in front, while the speaker wakes."""
        rested = self.mixer.idle and time.monotonic() - self._last_sound > ASLEEP
        return self._output.manners.lead if rested else 0.0

    @property
    def stream_rate(self) -> int:
        """Hz of the device's stream."""
        stream = self._output.plug.stream
        return round(stream.samplerate) if stream is not None else self.rate

    def overhear(self, played: Callable[[float, Samples], None]) -> None:
        """Let `played` be called in the audio callback with every block and when it will be out (time.monotonic)."""
        self._output.played = played

    def play(
        self, clip: Clip, on_end: Callable[[], None] | None = None, on_cut: Callable[[], None] | None = None
    ) -> int:
        """Speaks a clip after those under way; `on_end` runs in a helper thread once its last sample
        has left, `on_cut` instead of it if the device died first.
        """
        return self._start(self.mixer.play, clip, on_end, on_cut)

    def earcon(self, name: str, on_end: Callable[[], None] | None = None) -> int:
        """Plays an earcon beside the voice. Raises DeviceError for an unknown name."""
        return self._start(self.mixer.earcon, earcon(name, self.rate), on_end, None)

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
        self._output.close()
        with self._wake:
            rest = [calls[0] for _, _, calls in sorted(self._due)] + [calls[0] for calls in self._waiting.values()]
            self._due, self._waiting = [], {}
        for call in rest:
            _called(call)

    def __enter__(self) -> Speaker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(
        self,
        queue: Callable[[Clip], int],
        clip: Clip,
        on_end: Callable[[], None] | None,
        on_cut: Callable[[], None] | None,
    ) -> int:
        fitting = self.prepare(clip)
        with self._wake:  # the end cannot be reported before we know whom to tell
            if lead := self.lead:
                queue(silence(lead, self.rate))
            number = queue(fitting)
            self._last_sound = time.monotonic() + fitting.seconds
            if end := on_end or on_cut:
                self._waiting[number] = end, on_cut or end
        return number

    def _schedule(self, ends: Ends) -> None:
        with self._wake:
            for number, when in ends:
                calls = self._waiting.pop(number, None)
                if calls is not None:
                    heapq.heappush(self._due, (when, next(self._order), calls))
            self._wake.notify_all()

    def _happened(self, what: str) -> None:
        """In the watching thread: the device died, or plays again."""
        if what == "lost":
            with self._wake:  # what was on its way in the device's buffer was not heard either
                cut = [calls[1] for _, _, calls in sorted(self._due)] + [calls[1] for calls in self._waiting.values()]
                self._due, self._waiting = [], {}
            self.mixer.stop()
            for call in cut:
                _called(call)
        _called(lambda: self._told(what))

    # The helper thread.

    def _help(self) -> None:
        while not self._closed:
            self._call_due()
            if not self.alive:
                self._output.run_silently()

    def _call_due(self) -> None:
        """Waits for the next end, at most a little, and tells who waits."""
        with self._wake:
            first = self._due[0][0] - time.monotonic() if self._due else 0.5
            limit = 0.5 if self.alive else BLOCK
            if first > 0 and not self._closed:
                self._wake.wait(min(first, limit))
            calls = []
            while self._due and self._due[0][0] <= time.monotonic():
                calls.append(heapq.heappop(self._due)[2][0])
        for call in calls:
            _called(call)


def _called(call: Callable[[], None]) -> None:
    """A listener that fails must not take the helper with it."""
    try:
        call()
    except Exception:
        _log.exception("a listener of the loudspeaker failed")


__all__ = ["DeviceError", "Speaker"]
