"""The process that owns a Piper voice: same questions and answers as worker.py, given the model's path as argument.

Rules. Run as a script, without narrator; can be killed at any time. The model is loaded once, before "ready".
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import wave
from pathlib import Path
from typing import Any, TextIO

NATURAL = 165  # words per minute at length scale 1
ADVICE = "pip install 'narrator[piper]', and give the path of a Piper voice (a .onnx file with its .onnx.json)"


class Talker:
    """One Piper voice."""

    def __init__(self, model: str) -> None:
        from piper import PiperVoice
        from piper.config import SynthesisConfig

        self._voice = PiperVoice.load(model)
        self._settings = SynthesisConfig

    def say_to_files(self, request: dict[str, Any]) -> list[str]:
        settings = self._settings(length_scale=NATURAL / int(request["rate"]))
        names = []
        for number, piece in enumerate(request["pieces"]):
            name = f"{request['prefix']}-{number}.wav"
            with wave.open(name, "wb") as file:
                file.setparams((1, 2, self._voice.config.sample_rate, 0, "NONE", ""))
                for chunk in self._voice.synthesize(piece, settings):
                    file.writeframes(chunk.audio_int16_bytes)
            names.append(name)
        return names


def _private_output() -> TextIO:
    """The answers' own descriptor; whatever else prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return answers


def main() -> None:
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _private_output()

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")

    try:
        talker = Talker(sys.argv[1])
    except Exception as error:
        answer(error=f"{type(error).__name__}: {error}", kind="engine", advice=ADVICE)
        return
    answer(ready=f"piper {Path(sys.argv[1]).stem}")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer(id=request["id"], files=talker.say_to_files(request))
        except Exception as error:
            answer(id=request["id"], error=f"{type(error).__name__}: {error}", kind="speech")


if __name__ == "__main__":
    main()
