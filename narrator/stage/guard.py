"""Listens on while we speak, for the few words that may interrupt us, on sound out of which our own voice is taken.

- It has an ear of its own, which knows those words and nothing else, made when we first speak: in the table's ear every
  sentence of the game is heard out of what the canceller leaves of a word.
- It listens through all the lines that are said in one go, for people call between two of them as well.
- What is understood counts if it was heard over our voice: of a call the canceller leaves nearly all, of us a tenth. So
  nothing that it leaves of us interrupts us, however like a word it sounds.
- Whatever fails costs the interruption, not the evening.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from narrator.ear.choice import Ear
from narrator.ear.echo import EchoCanceller
from narrator.ear.mic import Block
from narrator.ear.recognizer import Listener
from narrator.ear.vad import RATE

# Of the power at the microphone, so much must be left in a call. Measured: half to all in calls as loud as our echo or
# louder, at most a quarter in what was taken for a word though nobody spoke.
CLEAR = 0.35
_KEPT = 6 * RATE  # samples: longer than any utterance that can be a call

log = logging.getLogger(__name__)


class Guard:
    """`listen` and `rest` may be called in any thread, `hear` in one, and `close` when nothing calls that any more."""

    def __init__(self, canceller: EchoCanceller, sentences: Collection[str], make: Callable[[], Ear]) -> None:
        """`make` gives an ear that knows the sentences; it may raise, then nobody can interrupt."""
        self._canceller: EchoCanceller | None = canceller
        self._sentences, self._make = sentences, make
        self._ear: Ear | None = None
        self._listener: Listener | None = None
        self._sound = _Both()
        self._wanted = False

    def listen(self) -> None:
        """We are about to speak. Where it listens already it goes on."""
        self._wanted = True

    def rest(self) -> None:
        """The ordinary ear is open: nothing is heard here."""
        self._wanted = False

    def hear(self, block: Block) -> str:
        """What interrupts us, "" for nothing. To be called with every block: the canceller must know the room."""
        if self._canceller is None:
            return ""
        try:
            return self._understood(block.samples, self._canceller.clean(block))
        except Exception as error:
            log.warning("nobody can interrupt any more: %s", error)
            self.close()
            return ""

    def close(self) -> None:
        """Frees the ear; nothing is heard any more."""
        self._canceller = self._listener = None
        if self._ear is not None:
            self._ear.close()

    def _understood(self, heard: NDArray[np.int16], clean: NDArray[np.int16]) -> str:
        if not self._wanted:
            self._listener = None
            return ""
        if self._listener is None:
            self._ear = self._ear or self._make()
            self._listener, self._sound = self._ear.open(self._sentences), _Both()
        self._sound.add(heard, clean)
        said = self._listener.accept(clean)
        if said is None or not said.text or self._sound.left(said.began, said.ended) < CLEAR:
            return ""
        return said.text if self._wanted else ""


class _Both:
    """The last seconds of what the microphone heard and of what the canceller left of it."""

    def __init__(self) -> None:
        self._heard = self._clean = np.zeros(0, np.int16)
        self._dropped = 0

    def add(self, heard: NDArray[np.int16], clean: NDArray[np.int16]) -> None:
        """The two may be 10 ms apart."""
        self._heard, self._clean = np.concatenate([self._heard, heard]), np.concatenate([self._clean, clean])
        surplus = max(0, len(self._clean) - _KEPT)
        self._heard, self._clean = self._heard[surplus:], self._clean[surplus:]
        self._dropped += surplus

    def left(self, began: float, ended: float) -> float:
        """The share of power that is left, from second to second since the beginning."""
        first, last = (max(0, round(at * RATE) - self._dropped) for at in (began, ended))
        heard, clean = (_power(sound[first:last]) for sound in (self._heard, self._clean))
        return clean / heard if heard else 0.0


def _power(sound: NDArray[np.int16]) -> float:
    return float(np.sum(np.square(sound, dtype=np.float64)))
