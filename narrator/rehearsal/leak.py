"""Our own loudspeaker as the microphone hears it: what the tape holds, through the real mixer and the room, softer.

Time only goes on, as in the world it is added to; what was played before a span still rings in it.
"""

from __future__ import annotations

import numpy as np

from narrator.rehearsal.room import Room
from narrator.rehearsal.tape import Tape
from narrator.rehearsal.voices import RATE
from narrator.voice.clip import Floats, Samples, to_float, to_int16
from narrator.voice.mixer import Mixer

LEVEL = -6.0  # dB at the microphone, of what the loudspeaker gets
METRES = 0.5  # from the one to the other: both stand in the middle of the table
_STEP = 30.0  # seconds mixed at a time


class Leak:
    """Adds to an AudioWorld (`world.leak = Leak(…)`)."""

    def __init__(self, tape: Tape, room: Room, level: float = LEVEL) -> None:
        self._tape, self._mixer = tape, Mixer(RATE)
        response = room.response(METRES)
        response *= 10 ** (level / 20) / np.sqrt(np.sum(response**2))
        self._response = response.astype(np.float32)
        self._history: Floats = np.zeros(len(response) - 1, np.float32)
        self._next = 0  # event of the tape

    def render(self, begin: int, end: int) -> Samples:
        """Samples `begin` to `end` of the evening, int16 mono at RATE; not before what was rendered last."""
        while self._mixer.frame < begin:
            self._dry(min(begin, self._mixer.frame + round(_STEP * RATE)))
        before = self._history
        dry = np.concatenate([before, self._dry(end)])
        size = 1 << (len(dry) + len(self._response)).bit_length()
        wet = np.fft.irfft(np.fft.rfft(dry, size) * np.fft.rfft(self._response, size), size)
        return to_int16(wet[len(before) : len(dry)])

    def _dry(self, until: int) -> Floats:
        """What the loudspeaker plays up to there; its end is kept for the echo."""
        parts: list[Floats] = []
        while self._mixer.frame < until:
            coming = self._tape.events[self._next : self._next + 1]
            stop = min(until, round(coming[0][0] * RATE)) if coming else until
            if coming and stop <= self._mixer.frame:
                self._tape.perform(self._mixer, coming[0][1])
                self._next += 1
                continue
            parts.append(to_float(self._mixer.render(stop - self._mixer.frame)))
            self._mixer.take_ended()
        sound = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        self._history = np.concatenate([self._history, sound])[-(len(self._response) - 1) :]
        return sound
