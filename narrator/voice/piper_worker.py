"""The process that owns a Piper voice: questions and answers as in serving.py, given the model's path as argument.

Rules. Run as a script; can be killed at any time. The model is loaded once, before "ready".
"""

from __future__ import annotations

import sys
import wave
from pathlib import Path
from typing import Any

NATURAL = 165  # words per minute at length scale 1
ADVICE = "pip install 'narrator[piper]', and give the path of a Piper voice (a .onnx file with its .onnx.json)"


class Talker:
    """One Piper voice."""

    def __init__(self, model: str) -> None:
        from piper import PiperVoice
        from piper.config import SynthesisConfig

        self.name = f"piper {Path(model).stem}"
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


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: nothing of ours hides a module of Python's
    from narrator.voice.serving import serve

    serve(lambda: Talker(sys.argv[1]), ADVICE)
