"""Run by test_ear_microphone.py inside the virtual sound card: the real microphone into the real ear.

Prints "ready", then one JSON line: the sentences heard until "pause" was said or 90 seconds went by, and what the
microphone knows of itself.
"""

from __future__ import annotations

import json
import queue
import time

from narrator.ear.mic import Microphone
from narrator.ear.recognizer import TableEar

SENTENCES = ("je propose Chloé", "je propose Bob", "annule", "pause")


def main() -> None:
    listener = TableEar("fr", SENTENCES).open(SENTENCES)
    heard: list[str] = []
    loudest, late = 0, 0.0
    with Microphone() as microphone:
        print("ready", flush=True)
        end = time.monotonic() + 90
        while time.monotonic() < end and "pause" not in heard:
            try:
                block = microphone.blocks.get(timeout=5).samples
            except queue.Empty:
                continue
            loudest = max(loudest, int(abs(block.astype(int)).max()))
            utterance = listener.accept(block)
            if utterance is not None:
                heard.append(utterance.text)
            late = max(late, microphone.blocks.qsize() * 0.05)
        facts = {"heard": heard, "overruns": microphone.overruns, "late": late, "loudest": loudest}
        facts["since_block"] = microphone.seconds_since_block
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
