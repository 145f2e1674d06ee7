"""A small vosk model of words, as others make them: our acoustic model with a graph of the words given."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from narrator.ear import models
from narrator.ear.fst import Fst
from narrator.ear.graph import HUSH, STEP, words
from narrator.ear.lexicon import Lexicon
from narrator.ear.models import SILENCE, enter, stay


def write_stock_model(folder: Path, vocabulary: Iterable[str]) -> Path:
    """Writes a model that knows just these words and `[unk]`, and returns its folder."""
    listed, model, lexicon, graph = sorted(set(vocabulary)), models.load("fr"), Lexicon("fr"), Fst()
    start, pause = graph.state(), graph.state()
    graph.arc(start, pause, enter(SILENCE), 0, HUSH)
    graph.arc(pause, pause, stay(SILENCE), 0, STEP)
    graph.arc(pause, start, 0)
    for label, word in enumerate(listed, 1):
        _word(graph, start, label, [abs(o) for o in lexicon.spell(word) if o])
    phones = range(1, 1 + len(model.phones))
    unknown = graph.state()
    graph.arc(start, unknown, 0, len(listed) + 1, 4.0)
    for phone in phones:
        _loop(graph, unknown, phone, start)
    graph.final[start] = 0.0
    (folder / "graph").mkdir(parents=True)
    graph.write(folder / "graph/HCLr.fst", "write")
    words(len(listed) - 2).write(folder / "graph/Gr.fst", "read")
    table = "".join(f"{word} {label}\n" for label, word in enumerate([*listed, "[unk]"], 1))
    (folder / "graph/words.txt").write_text("<eps> 0\n" + table, encoding="utf-8")
    (folder / "graph/disambig_tid.int").write_text(f"{model.transitions + 1}\n", encoding="utf-8")
    for part in ("am", "conf"):
        shutil.copytree(model.folder / part, folder / part)
    return folder


def _word(graph: Fst, start: int, label: int, phones: list[int]) -> None:
    source, write = start, label
    for phone in phones:
        state = graph.state()
        graph.arc(source, state, enter(phone), write, STEP)
        graph.arc(state, state, stay(phone), 0, STEP)
        source, write = state, 0
    graph.arc(source, start, 0)


def _loop(graph: Fst, unknown: int, phone: int, start: int) -> None:
    state = graph.state()
    graph.arc(unknown, state, enter(phone), 0, 4.0)
    graph.arc(state, state, stay(phone), 0, STEP)
    graph.arc(state, unknown, 0)
    graph.arc(state, start, 0)
