"""Run by test_voice_speaker.py inside the virtual sound card: one Speaker, told what to do by the first
argument.

Prints one JSON line of facts; times are time.monotonic(), the clock that the recording test uses too.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

from narrator.voice.clip import Clip
from narrator.voice.speaker import Speaker

RATE = 22050


def sweep(seconds: float) -> Clip:
    """A tone that never repeats, so that a recording shows each lost or doubled sample."""
    time_ = np.arange(round(seconds * RATE)) / RATE
    phase = 2 * np.pi * (300 * time_ + (3000 - 300) / (2 * seconds) * time_**2)
    return Clip((6000 * np.sin(phase)).astype(np.int16), RATE)


class Ends:
    """Notes when each clip ended."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._more = threading.Condition()

    def __call__(self) -> None:
        with self._more:
            self.times.append(time.monotonic())
            self._more.notify_all()

    def wait(self, count: int, timeout: float = 60) -> bool:
        with self._more:
            return self._more.wait_for(lambda: len(self.times) >= count, timeout)


def one(speaker: Speaker, ends: Ends) -> dict[str, object]:
    played = time.monotonic()
    speaker.play(speaker.prepare(sweep(2.0)), ends)
    assert ends.wait(1)
    return {"played": played, "calling_thread": threading.current_thread() is threading.main_thread()}


def pause(speaker: Speaker, ends: Ends) -> dict[str, object]:
    speaker.play(sweep(2.0), ends)
    time.sleep(1.0)
    speaker.pause()
    time.sleep(1.0)
    early = len(ends.times)
    speaker.resume()
    assert ends.wait(1)
    return {"early": early}


def stop(speaker: Speaker, ends: Ends) -> dict[str, object]:
    speaker.play(sweep(5.0), ends)
    speaker.play(sweep(5.0), ends)
    time.sleep(0.6)
    speaker.stop()
    stopped = time.monotonic()
    assert ends.wait(2)
    return {"stopped": stopped}


def unplugged(speaker: Speaker, ends: Ends) -> dict[str, object]:
    """The test pulls the plug when it reads `ready`, and puts it back when it reads `silent`."""
    print("ready", flush=True)
    sys.stdin.readline()
    speaker.play(sweep(1.0), ends)
    silent = ends.wait(1)
    print("silent", flush=True)
    sys.stdin.readline()
    time.sleep(4.5)
    while not speaker.alive:
        time.sleep(0.1)
    speaker.play(sweep(1.0), ends)
    return {"without_device": silent, "with_device": ends.wait(2)}


def everything(speaker: Speaker, ends: Ends) -> dict[str, object]:
    speaker.ambience("night", seed=3)
    speaker.earcon("listen", ends)
    assert ends.wait(1)
    speaker.softer()
    speaker.louder()
    speaker.play(sweep(0.5), ends)
    assert ends.wait(2)
    speaker.ambience(None)
    return {}


def farewell(speaker: Speaker, ends: Ends) -> dict[str, object]:
    """A listener that fails, then a close with clips under way and waiting."""
    speaker.play(sweep(0.2), lambda: 1 / 0)
    speaker.play(sweep(5.0), ends)
    speaker.play(sweep(5.0), ends)
    time.sleep(0.8)
    early = len(ends.times)
    closing = time.monotonic()
    speaker.close()
    return {"early": early, "closing": closing}


def main() -> None:
    acts: dict[str, Callable[[Speaker, Ends], dict[str, object]]] = {
        act.__name__: act for act in (one, pause, stop, unplugged, everything, farewell)
    }
    ends = Ends()
    with Speaker() as speaker:
        time.sleep(0.3)
        facts = acts[sys.argv[1]](speaker, ends)
        facts |= {"ends": ends.times, "underruns": speaker.underruns, "rate": speaker.rate}
        time.sleep(0.3)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
