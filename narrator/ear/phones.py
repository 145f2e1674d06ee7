"""What was said as phones, with no words in between: the model's own phone loop, for names taught by saying them.

The graph's tokens are phones, one after another at the price that talk pays for them, silence between them.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError
from narrator.ear import models
from narrator.ear.fst import Fst
from narrator.ear.graph import STEP, token
from narrator.ear.judge import EarSettings
from narrator.ear.models import SILENCE, EarModel, enter, stay
from narrator.ear.recognizer import Listener, furnish
from narrator.ear.vad import RATE
from narrator.ear.vosk_api import load_vosk

_LONGEST = 40  # phones
FEWEST = 2  # phones of a name; less is a cough


class PhoneEar:
    """Hears phones. Raises ModelError if the language has no ear of ours, DeviceError if the disk is full."""

    def __init__(self, language: str, settings: EarSettings | None = None) -> None:
        self._settings, self._model = settings or EarSettings(), models.load(language)
        folder = Path(tempfile.mkdtemp(prefix="narrator-phones-"))
        try:
            furnish(folder, self._model)
            _narrow(folder / "conf")
            _write(folder / "graph", self._model)
            self._vosk = models.load_vosk(folder)
        except OSError as error:
            raise DeviceError(f"the ear's graph cannot be written ({error}): free some disk space") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def listen(self) -> Listener:
        """A listener whose utterances are phones with spaces between them ("z o e"), "" for what is no name."""
        return Listener(self._settings, load_vosk().KaldiRecognizer(self._vosk, RATE), self._judge, _LONGEST)

    def names(self, audio: NDArray[np.int16]) -> Iterator[str]:
        """Every name said in a recording (int16 mono 16 kHz), as phones."""
        listener = self.listen()
        heard = [listener.accept(audio[at : at + RATE // 10]) for at in range(0, len(audio), RATE // 10)]
        yield from (u.text for u in (*heard, listener.finish()) if u and u.text)

    def _judge(self, answer: Mapping[str, Any], _seconds: float) -> tuple[str, float]:
        phones = [self._model.phones[int(t[1:])] for t in answer.get("text", "").split() if t.startswith("s")]
        return (" ".join(phones), 0.5) if len(phones) >= FEWEST else ("", 0.0)


def _narrow(folder: Path) -> None:
    """One answer is wanted, and a wide lattice of phones would take vosk's memory: a copy with a narrow one."""
    text = (folder / "model.conf").read_text(encoding="utf-8")
    kept = {file.name: file.read_bytes() for file in folder.iterdir()}
    folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
    folder.mkdir()
    for name, data in kept.items():
        (folder / name).write_bytes(data)
    (folder / "model.conf").write_text(re.sub(r"--lattice-beam=\S+", "--lattice-beam=2.0", text), encoding="utf-8")


def _write(folder: Path, model: EarModel) -> None:
    folder.mkdir(parents=True)
    graph, costs = Fst(), model.talk
    start = graph.state()
    states = [graph.state() for _ in costs]
    hushed = len(costs)  # label of silence; phone p has label p
    for output in range(len(costs)):
        label = hushed if output == SILENCE else output
        graph.arc(start, states[output], enter(output), label, costs[SILENCE][output])
        graph.arc(states[output], states[output], stay(output), 0, STEP)
        graph.final[states[output]] = 0.0
        for before, row in enumerate(costs):
            if before != output:
                graph.arc(states[before], states[output], enter(output), label, row[output])
    graph.write(folder / "HCLr.fst", sort="write")
    grammar = Fst()
    grammar.state()
    for label in range(1, hushed + 1):
        grammar.arc(0, 0, label, label)
    grammar.final[0] = 0.0
    grammar.write(folder / "Gr.fst", sort="read")
    names = [*map(token, range(len(costs) - 1)), "[silence]"]
    table = "".join(f"{name} {label}\n" for label, name in enumerate(names, 1))
    (folder / "words.txt").write_text("<eps> 0\n" + table, encoding="utf-8")
    (folder / "disambig_tid.int").write_text(f"{model.transitions + 1}\n", encoding="utf-8")
