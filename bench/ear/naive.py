"""The way beside ours: vosk's usual grammar of words on the same model, no silence gate, no sentences, no rejection."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.ear import graph, models
from narrator.ear.fst import Fst
from narrator.ear.lexicon import Lexicon
from narrator.ear.models import SILENCE, enter, stay

BLOCK = 1600


class WordEar:
    """Hears words of the sentences in the order a bigram allows."""

    def __init__(self, language: str, sentences: Sequence[str]) -> None:
        import vosk

        vosk.SetLogLevel(-1)
        self._sentences = [s.lower() for s in sentences]
        with tempfile.TemporaryDirectory() as name:
            _write(Path(name), language, sorted({w for s in self._sentences for w in s.split()}))
            self._model: Any = vosk.Model(name)

    def hear(self, audio: NDArray[np.int16]) -> str:
        """All the words heard."""
        import vosk

        recognizer = vosk.KaldiRecognizer(self._model, 16000, json.dumps(self._sentences, ensure_ascii=False))
        for at in range(0, len(audio), BLOCK):
            recognizer.AcceptWaveform(audio[at : at + BLOCK].tobytes())
        return str(json.loads(recognizer.FinalResult())["text"])


def _write(folder: Path, language: str, vocabulary: Sequence[str]) -> None:
    """A vosk model of these words: silence or a word, again and again."""
    model, lexicon, sounds = models.load(language), Lexicon(language), Fst()
    start, pause = sounds.state(), sounds.state()
    sounds.arc(start, pause, enter(SILENCE), 0, graph.HUSH)
    sounds.arc(pause, pause, stay(SILENCE), 0, graph.STEP)
    sounds.arc(pause, start, 0)
    for label, word in enumerate(vocabulary, 1):
        _word(sounds, start, label, lexicon.spell(word))
    sounds.final = {start: 0.0}
    (folder / "graph").mkdir()
    for part in ("am", "conf"):
        (folder / part).symlink_to((model.folder / part).absolute(), target_is_directory=True)
    sounds.write(folder / "graph/HCLr.fst", "write")
    graph.words(len(vocabulary) - 2).write(folder / "graph/Gr.fst", "read")
    listed = "".join(f"{word} {label}\n" for label, word in enumerate(vocabulary, 1))
    (folder / "graph/words.txt").write_text("<eps> 0\n" + listed, encoding="utf-8")
    (folder / "graph/disambig_tid.int").write_text(f"{model.transitions + 1}\n", encoding="utf-8")


def _word(sounds: Fst, start: int, label: int, spelling: tuple[int, ...]) -> None:
    ends = [(start, label)]
    for item in spelling:
        state = sounds.state()
        for source, write in ends:
            sounds.arc(source, state, enter(abs(item)), write, graph.STEP)
        sounds.arc(state, state, stay(abs(item)), 0, graph.STEP)
        ends = [(state, 0)] if item > 0 else [*ends, (state, 0)]
    for state, _ in ends:
        if state != start:
            sounds.arc(state, start, 0)
