"""Takes our own voice out of what the microphone hears, so that "pause" may interrupt it (extra `echo`, livekit).

Both sides are laid on one clock: what leaves the loudspeaker by the time it is out, what the microphone hears by the
time it was in the air. Measured on speech in a room at -6 dB: the echo goes down by 18 dB, under the room's noise.
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
_JUMP = 0.03  # seconds between two blocks that make a gap

Played = tuple[float, NDArray[np.int16]]  # when the first sample is out (time.monotonic), samples


class Reference:
    """What the loudspeaker plays, by time. `take` may be called in an audio callback; all else in one other thread."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._coming: deque[Played] = deque(maxlen=500)
        self._resampler = Resampler(rate)
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
        while self._coming:
            out_at, samples = self._coming.popleft()
            end = self._from + len(self._sound) / RATE + self._resampler.late
            if abs(out_at - end) > _JUMP:
                gap = round((out_at - end) * RATE)
                if 0 < gap < _KEPT * RATE:
                    self._sound = np.concatenate([self._sound, np.zeros(gap, np.int16)])
                else:
                    self._sound, self._from = np.zeros(0, np.int16), out_at - self._resampler.late
            self._sound = np.concatenate([self._sound, self._resampler.feed(samples)])
        surplus = len(self._sound) - round(_KEPT * RATE)
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
        self._rest = np.zeros(0, np.int16)

    def clean(self, block: Block) -> NDArray[np.int16]:
        """The block without our own sound, up to 10 ms late."""
        began = block.began - len(self._rest) / RATE
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
