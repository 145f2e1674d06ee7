"""Takes our own voice out of what the microphone hears, so that "pause" may interrupt it (extra `echo`, livekit).

Both sides are laid on one clock: what leaves the loudspeaker by the time it is out, what the microphone hears by the
time it was in the air, and each runs on as its samples count. Measured on speech in a room at -6 dB: the echo goes down
by 18 dB, under the room's noise.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError
from narrator.ear.mic import Block, Resampler
from narrator.ear.vad import RATE

FRAME = RATE // 100  # 10 ms: all that WebRTC takes
AHEAD = 0.03  # seconds by which the loudspeaker's sound is shown early: clocks of devices are not that exact
_KEPT = 4.0  # seconds of the loudspeaker's sound
_ASTRAY, _PATIENCE, _AT_ONCE = 0.01, 0.5, 0.2  # s: so far off, for so long, is a gap; so far at once
_MEMORY, _ENOUGH = 60, 10  # seconds of which a clock's drift is learnt: at most, at least

Played = tuple[float, NDArray[np.int16]]  # when the first sample is out (time.monotonic), samples


class Steady:
    """When the blocks of one stream began: its samples counted, on a straight line through what the device says.

    A device's stamps jump by milliseconds while its sound runs on (PulseAudio: 4 ms for seconds, 20 ms for a moment),
    and its clock may drift by 100 millionths. Either shakes the canceller: with bare stamps the echo went down by only
    6 dB in a twentieth of our speech, with a drift of 1.6 samples a second by 12 dB, with neither by 48 dB. The line is
    that of Theil and Sen, which outliers do not bend. Stamps 10 ms off for half a second are right: sound was lost.
    """

    def __init__(self, rate: int) -> None:
        self._rate, self._count = rate, 0
        self._level = self._drift = 0.0  # stamp - seconds counted = level + drift * seconds counted
        self._second: list[float] = []
        self._past: deque[tuple[float, float]] = deque(maxlen=_MEMORY)  # seconds counted, middle of that second
        self._astray: list[float] = []

    def began(self, stamp: float, count: int) -> float:
        """The time of the first of the `count` samples that come next."""
        at = self._count / self._rate
        self._count += count
        off = stamp - at - self._level - self._drift * at
        self._astray = [*self._astray, off] if abs(off) > _ASTRAY else []
        if abs(off) > _AT_ONCE:
            self._shift(off)
        elif len(self._astray) * count > _PATIENCE * self._rate:
            self._shift(float(np.median(self._astray)))
        self._second.append(stamp - at)
        if len(self._second) * count >= self._rate:
            self._past.append((at, float(np.median(self._second))))
            self._second = []
            self._learn()
        return at + self._level + self._drift * at

    def _shift(self, gap: float) -> None:
        self._level += gap
        self._past = deque(((at, off + gap) for at, off in self._past), maxlen=_MEMORY)
        self._second, self._astray = [], []

    def _learn(self) -> None:
        at, off = np.array(self._past).T
        if len(at) >= _ENOUGH:
            first, second = np.triu_indices(len(at), 1)
            self._drift = float(np.median((off[second] - off[first]) / (at[second] - at[first])))
        self._level = float(np.median(off - self._drift * at))


class Reference:
    """What the loudspeaker plays, by time. `take` may be called in an audio callback; all else in one other thread."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._coming: deque[Played] = deque(maxlen=500)
        self._clock, self._resampler = Steady(rate), Resampler(rate)
        self._sound = np.zeros(0, np.int16)
        self._from = 0.0  # time of the first sample kept

    def take(self, out_at: float, samples: NDArray[np.int16]) -> None:
        """A block that will be out at that time."""
        self._coming.append((out_at, samples.copy()))

    def between(self, begin: float, count: int) -> NDArray[np.int16]:
        """`count` samples at 16 kHz from that time on; silence where nothing was played."""
        self._gather()
        first = round((begin - self._from) * RATE)
        out = np.zeros(count, np.int16)
        low, high = max(first, 0), min(first + count, len(self._sound))
        if low < high:
            out[low - first : high - first] = self._sound[low:high]
        return out

    def _gather(self) -> None:
        kept = round(_KEPT * RATE)
        while self._coming:
            out_at, samples = self._coming.popleft()
            begin = self._clock.began(out_at, len(samples)) - self._resampler.late
            gap = round((begin - self._from) * RATE) - len(self._sound)
            if gap > 0:
                self._sound = np.concatenate([self._sound, np.zeros(min(gap, kept), np.int16)])
            elif gap < 0:
                self._sound = self._sound[:gap]
            self._from = begin - len(self._sound) / RATE
            self._sound = np.concatenate([self._sound, self._resampler.feed(samples)])
        surplus = len(self._sound) - kept
        if surplus > 0:
            self._sound, self._from = self._sound[surplus:], self._from + surplus / RATE


class EchoCanceller:
    """One stream of microphone blocks. Raises DeviceError where the extra is not installed."""

    def __init__(self, reference: Reference) -> None:
        try:
            from livekit.rtc import AudioFrame
            from livekit.rtc.apm import AudioProcessingModule
        except ImportError:
            raise DeviceError("there is no echo cancellation: pip install 'narrator[echo]'") from None
        self._frame, self._reference = AudioFrame, reference
        self._module: Any = AudioProcessingModule(echo_cancellation=True)
        self._clock, self._rest = Steady(RATE), np.zeros(0, np.int16)

    def clean(self, block: Block) -> NDArray[np.int16]:
        """The block without our own sound, up to 10 ms late."""
        began = self._clock.began(block.began, len(block.samples)) - len(self._rest) / RATE
        sound = np.concatenate([self._rest, block.samples])
        whole = len(sound) // FRAME * FRAME
        self._rest = sound[whole:]
        far = self._reference.between(began + AHEAD, whole)
        parts = [self._cancelled(far[at : at + FRAME], sound[at : at + FRAME]) for at in range(0, whole, FRAME)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)

    def _cancelled(self, far: NDArray[np.int16], near: NDArray[np.int16]) -> NDArray[np.int16]:
        frames = [self._frame(bytearray(one.tobytes()), RATE, 1, FRAME) for one in (far, near)]
        self._module.process_reverse_stream(frames[0])
        self._module.set_stream_delay_ms(round(1000 * AHEAD))
        self._module.process_stream(frames[1])
        return np.frombuffer(bytes(frames[1]._data), np.int16)
