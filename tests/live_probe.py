"""Narrator's command line, telling on standard error when its gate opens (time.monotonic, which the recorder uses too).

Faults are injected by the environment: PROBE_EAR="raises garbage hangs", one word for each of the first utterances of
the evening. An ear that is given up is tried again soon.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from narrator.ear import recognizer
from narrator.ear.recognizer import Listener, Utterance
from narrator.stage import hearing

_open = hearing.LiveEar.open
_accept = Listener.accept
_faults = os.environ.get("PROBE_EAR", "").split()


def told_open(self: Any, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None:
    print(f"opens {time.monotonic() + delay:.4f}", file=sys.stderr, flush=True)
    _open(self, sentences, delay, unlikely)


def faulty_accept(self: Listener, block: Any) -> Utterance | None:
    utterance = _accept(self, block)
    if utterance is None or not _faults:
        return utterance
    match _faults.pop(0):
        case "raises":
            raise RuntimeError("the recogniser is broken")
        case "hangs":
            time.sleep(3600)
    return Utterance("\x1b[31mje propose Personne\0", 0.0, 1.0, 1.0)


hearing.REST, hearing.SOUND = 3.0, 60.0  # however slow the machine is, failures in a row are in a row
hearing.LiveEar.open = told_open  # type: ignore[method-assign]
recognizer.Listener.accept = faulty_accept  # type: ignore[method-assign]

if __name__ == "__main__":
    from narrator.cli import main

    main()
