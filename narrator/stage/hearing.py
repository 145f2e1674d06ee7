"""The ear of a real evening: a thread takes the microphone's blocks to the listener that is open, another watches it.

Half duplex to the sample: blocks carry the time at which they were in the air, and what was before the opening is cut
away. A recogniser that raises or never returns is left behind and another one asked for (the conductor repeats the
question); after three failures in a row the keyboard leads, and the ear is tried behind its back: when it works again
the table is told, and asked again.
"""

from __future__ import annotations

import logging
import queue
import threading
import time

import numpy as np
from numpy.typing import NDArray

from narrator.ear.choice import Ear
from narrator.ear.mic import Block, Microphone
from narrator.ear.recognizer import Listener
from narrator.ear.vad import RATE
from narrator.ports import Caught, Fault, Interrupted
from narrator.stage.clock import Clock
from narrator.stage.guard import Guard

STUCK = 3.0  # seconds in which a block must be decoded, on a busy machine
SOUND = 10.0  # seconds of work without a failure after which the ear is trusted again
FAILURES = 3  # in a row: the keyboard leads
REST, LONGEST_REST = 15.0, 480.0  # seconds until the ear is tried again, doubling
TICK = 0.25  # seconds between looks

log = logging.getLogger(__name__)


class LiveEar:
    """Hearing on a microphone."""

    def __init__(self, clock: Clock, table_ear: Ear, microphone: Microphone, guard: Guard | None = None) -> None:
        """Starts the microphone. Raises DeviceError if there is none (and it is not to be waited for).

        `guard`: listens while the gate is shut.
        """
        self._guard = guard
        self._clock, self._table_ear, self._microphone = clock, table_ear, microphone
        self._lock = threading.Lock()
        self._listener: Listener | None = None
        self._sentences: frozenset[str] = frozenset()
        self._open_at = 0.0  # time.monotonic()
        self._stopped = threading.Event()
        self._generation = 0  # of the thread that decodes: a stuck one is left behind
        self._busy_since = 0.0
        self._failures, self._failed_at = 0, 0.0
        self._wanted: tuple[str, ...] = ()  # what was to be listened for last, open or not
        self._rest, self._again_at = REST, 0.0
        microphone.start()
        self._start_thread()
        threading.Thread(target=self._watch, name="ear-watch", daemon=True).start()

    @property
    def alive(self) -> bool:
        """There is a microphone."""
        return self._microphone.alive

    @property
    def speaking(self) -> bool:
        """Somebody is in the middle of an utterance."""
        with self._lock:
            return self._listener is not None and self._listener.speaking

    @property
    def overruns(self) -> int:
        """Blocks that were lost because nobody took them in time."""
        return self._microphone.overruns

    @property
    def losses(self) -> int:
        """How often the microphone died."""
        return self._microphone.losses

    def open(self, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None:
        """A fresh recogniser for these sentences, once the room has carried our last sound away."""
        opens, self._wanted = time.monotonic() + delay, sentences
        if self._guard is not None:
            self._guard.rest()
        if self._failures >= FAILURES:
            return
        try:
            listener = self._table_ear.open(sentences, unlikely)
        except Exception as error:
            self._failed(error)
            return
        with self._lock:
            self._listener, self._sentences, self._open_at = listener, frozenset(sentences), opens

    def close(self) -> None:
        with self._lock:
            self._listener = None
        if self._guard is not None:
            self._guard.listen()

    def leave(self) -> None:
        """Stop listening for good and free the device."""
        self._stopped.set()
        self._thread.join(timeout=2.0)
        self._microphone.close()
        if not self._thread.is_alive():
            self._table_ear.close()
            if self._guard is not None:
                self._guard.close()

    def _start_thread(self) -> None:
        self._generation += 1
        self._busy_since = 0.0
        self._thread = threading.Thread(target=self._listen, args=(self._generation,), name="ear", daemon=True)
        self._thread.start()

    def _listen(self, generation: int) -> None:
        while not self._stopped.is_set() and generation == self._generation:
            try:
                block = self._microphone.blocks.get(timeout=0.5)
            except queue.Empty:
                continue
            with self._lock:
                listener, opens = self._listener, self._open_at
            samples = _since(block, opens)
            if listener is not None and len(samples):
                self._decode(generation, listener, samples)
            interruption = self._guard.hear(block) if self._guard is not None else ""
            if interruption:
                self._clock.post(Interrupted(interruption))

    def _decode(self, generation: int, listener: Listener, samples: NDArray[np.int16]) -> None:
        self._busy_since = time.monotonic()
        try:
            utterance = listener.accept(samples)
        except Exception as error:
            if generation == self._generation:
                self._failed(error)
            return
        finally:
            if generation == self._generation:
                self._busy_since = 0.0
        with self._lock:
            ours = listener is self._listener and generation == self._generation
        if utterance is not None and ours:
            text = utterance.text
            self._clock.post(Caught(text if text in self._sentences else ""))

    def _watch(self) -> None:
        while not self._stopped.wait(TICK):
            since, now = self._busy_since, time.monotonic()
            if since and now - since > STUCK:
                self._start_thread()
                self._failed(TimeoutError(f"a block was not decoded within {STUCK:.0f} seconds"))
            elif self._failures >= FAILURES and now > self._again_at:
                self._rest_on(now)
                threading.Thread(target=self._try_again, name="ear-again", daemon=True).start()

    def _failed(self, error: Exception) -> None:
        log.warning("the ear failed: %s", error)
        with self._lock:
            self._listener = None
        now = time.monotonic()
        trusted = now - self._failed_at > SOUND * max(1, self._failures)
        self._failures = 1 if trusted else self._failures + 1
        self._failed_at = now
        if trusted:
            self._rest = REST
        if self._failures >= FAILURES:
            self._rest_on(now)
        self._clock.post(Fault("ear_again" if self._failures < FAILURES else "ear_lost"))

    def _rest_on(self, now: float) -> None:
        self._again_at, self._rest = now + self._rest, min(2 * self._rest, LONGEST_REST)

    def _try_again(self) -> None:
        """On a noise of its own, in a thread that may hang; one more failure soon after, and the keyboard leads on."""
        try:
            self._table_ear.open(self._wanted).accept(_noise())
        except Exception as error:
            log.warning("the ear still fails: %s", error)
            return
        if self._failures >= FAILURES and not self._stopped.is_set():
            self._failures, self._failed_at = FAILURES - 1, time.monotonic()
            self._clock.post(Fault("microphone_back"))


def _noise() -> NDArray[np.int16]:
    """Half a second of a loud room."""
    return np.random.default_rng(0).normal(0, 1000, RATE // 2).astype(np.int16)


def _since(block: Block, opens: float) -> NDArray[np.int16]:
    """What was in the air from `opens` on."""
    return block.samples[max(0, round((opens - block.began) * RATE)) :]
