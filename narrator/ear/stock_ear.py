"""A vosk model made by others as the ear of a table: the same port as TableEar.

- vosk is given the legal sentences as its grammar (a bigram over their words) and `[unk]`; what it answers counts only
  if it is one of them, whole, once hesitation before it is taken off.
- A word that the model does not know would be dropped by vosk without a word, so it is listened for as the nearest-
  sounding words it knows; a name that sounds like none of them, by its seat: "joueur trois". `heard_as` tells.
- A sentence with any other word that nothing sounds like cannot be heard: `unheard` names it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from narrator.core.errors import ModelError
from narrator.core.lines import number_words
from narrator.ear import models
from narrator.ear.judge import EarSettings
from narrator.ear.nearest import Nearest
from narrator.ear.recognizer import Listener
from narrator.ear.stock import StockModel
from narrator.ear.vad import RATE
from narrator.ear.vosk_api import load_vosk

SEAT = {"fr": "joueur", "en": "player"}
_UNKNOWN = "[unk]"
_WORD = re.compile(r"[^\s,.;:!?]+")


class StockEar:
    """`names` are the players clockwise. Raises ModelError for a model that takes no grammar or that vosk refuses."""

    def __init__(
        self,
        model: StockModel,
        language: str,
        sentences: Iterable[str],
        names: Sequence[str] = (),
        says: Mapping[str, str] | None = None,
        settings: EarSettings | None = None,
        fillers: Iterable[str] = (),
        voice: str | None = None,
    ) -> None:
        """`voice`: espeak-ng's, if the model's language is not the table's."""
        if not model.dynamic:
            raise ModelError(f"{model.folder.name} takes no grammar (it is not a small model): choose a small one")
        self.settings = settings or EarSettings()
        self._vosk = models.load_vosk(model.folder)
        self._says = {word.casefold(): said.replace("-", "") for word, said in (says or {}).items()}
        self._fillers = tuple(f.lower() for f in fillers if all(map(self._knows, f.lower().split())))
        wanted = tuple(dict.fromkeys(sentences))
        self.heard_as, missing = self._renamed(model, language, voice or language, wanted, names)
        self._texts: dict[str, str] = {}
        for sentence in wanted:
            text = self._known(sentence.lower())
            if not missing & set(_WORD.findall(text)):
                self._texts[sentence] = text
        self.unheard = tuple(s for s in wanted if s not in self._texts)
        self._all = frozenset(wanted)

    def open(self, sentences: Iterable[str]) -> Listener:
        """A fresh listener for these sentences. Raises ModelError if one is not among the table's."""
        if self._vosk is None:
            raise ModelError("this ear was closed: make a new one")
        legal = list(dict.fromkeys(sentences))
        for sentence in legal:
            if sentence not in self._all:
                raise ModelError(f"{sentence!r} is not among the sentences this table's ear was made for")
        texts = {self._texts[s]: s for s in reversed(legal) if s in self._texts}
        grammar = json.dumps([*texts, *self._fillers, _UNKNOWN], ensure_ascii=False)
        recognizer = _Whole(load_vosk().KaldiRecognizer(self._vosk, RATE, grammar))
        judge = _Whole.judge(texts, self._fillers)
        return Listener(self.settings, recognizer, judge, max(map(len, texts), default=0))

    def close(self) -> None:
        """Frees the model once the last listener is gone."""
        self._vosk = None

    def _knows(self, word: str) -> bool:
        return bool(self._vosk.vosk_model_find_word(word) >= 0)

    def _known(self, sentence: str) -> str:
        """The sentence in the model's words."""
        for name in sorted(self.heard_as, key=len, reverse=True):
            sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self.heard_as[name], sentence)
        return sentence

    def _renamed(
        self, model: StockModel, language: str, voice: str, sentences: Sequence[str], names: Sequence[str]
    ) -> tuple[dict[str, str], set[str]]:
        """What is listened for instead of names and words that the model lacks; and the words that have no likeness."""
        lower = {name.lower(): seat for seat, name in enumerate(names, 1)}
        words = {w for s in sentences for w in _WORD.findall(_without(s.lower(), lower))}
        lacking = [w for w in sorted(words) if not self._knows(w)]
        strange = [n for n in lower if not all(map(self._knows, _WORD.findall(n)))]
        nearest = Nearest(model.words, voice, _cache(model, voice)) if lacking or strange else None
        heard: dict[str, str] = {}
        for one in (*lacking, *strange):
            row = nearest.row(self._says.get(one, one)) if nearest else ()
            if row and " ".join(row) not in (*heard.values(), *lower):
                heard[one] = " ".join(row)
            elif one in lower:
                heard[one] = f"{SEAT.get(language, 'player')} {number_words(lower[one], language)}"
        return heard, {w for w in lacking if w not in heard}


def _cache(model: StockModel, voice: str) -> Path:
    file = model.folder / "graph/Gr.fst"
    facts = f"{file.resolve()} {file.stat().st_size} {file.stat().st_mtime_ns} {len(model.words)} {voice}"
    return user_cache_path("narrator", appauthor=False) / "sounds" / hashlib.sha256(facts.encode()).hexdigest()[:24]


def _without(sentence: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", sentence)
    return sentence


class _Whole:
    """vosk's recogniser without its own end points: what it gives on the way is kept for the end."""

    def __init__(self, recognizer: Any) -> None:
        self._recognizer = recognizer
        self._parts: list[str] = []

    def AcceptWaveform(self, data: bytes) -> bool:  # noqa: N802
        if self._recognizer.AcceptWaveform(data):
            self._parts.append(json.loads(self._recognizer.Result())["text"])
        return False

    def FinalResult(self) -> str:  # noqa: N802
        parts, self._parts = [*self._parts, json.loads(self._recognizer.FinalResult())["text"]], []
        return json.dumps({"text": " ".join(filter(None, parts))})

    @staticmethod
    def judge(texts: Mapping[str, str], fillers: Sequence[str]) -> Any:
        """Whole sentences only, hesitation before them taken off."""

        def choose(answer: Mapping[str, Any], _seconds: float) -> tuple[str, float]:
            said = str(answer.get("text", ""))
            while said not in texts and (begin := next((f for f in fillers if said.startswith(f + " ")), "")):
                said = said[len(begin) + 1 :]
            return (texts[said], 0.5) if said in texts else ("", 0.0)

        return choose
