"""A vosk model made by others as the ear of a table: the same port as TableEar.

- vosk is given the legal sentences as its grammar (a bigram over their words) and `[unk]`, or words of the model that
  nobody says if it has no such thing; what vosk answers counts only if it is one of them, whole, once hesitation around
  it is taken off.
- A word that the model does not know would be dropped by vosk without a word, so it is listened for as the nearest-
  sounding words it knows; a name that sounds like none of them, by its seat: "joueur trois" (or what sounds like that).
  `heard_as` tells.
- A sentence with any other word that nothing sounds like cannot be heard: `unheard` names it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
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
_STRANGERS = 24  # more of them take words from the sentences
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
        self._else = (_UNKNOWN,) if self._knows(_UNKNOWN) else _strangers(model.words, sentences := tuple(sentences))
        self._fillers = tuple(f.lower() for f in fillers if all(map(self._knows, f.lower().split())))
        wanted = tuple(dict.fromkeys(sentences))
        self.heard_as, missing = self._renamed(model, language, voice or language, wanted, names)
        self._texts: dict[str, str] = {}
        for sentence in wanted:
            text = self._known(sentence.lower())
            if _without(text, missing) == text:
                self._texts[sentence] = text
        self.unheard = tuple(s for s in wanted if s not in self._texts)
        self._all = frozenset(wanted)

    def open(self, sentences: Iterable[str], unlikely: Collection[str] = ()) -> Listener:
        """A fresh listener for these sentences, none of which is weighed: `unlikely` ones are like others. Raises
        ModelError if one is not among the table's.
        """
        if self._vosk is None:
            raise ModelError("this ear was closed: make a new one")
        legal = list(dict.fromkeys(sentences))
        for sentence in legal:
            if sentence not in self._all:
                raise ModelError(f"{sentence!r} is not among the sentences this table's ear was made for")
        texts = {self._texts[s]: s for s in reversed(legal) if s in self._texts}
        grammar = json.dumps([*texts, *self._fillers, *self._else], ensure_ascii=False)
        recognizer = _Whole(load_vosk().KaldiRecognizer(self._vosk, RATE, grammar))
        judge = _Whole.judge(texts, self._fillers)
        longest = max(map(len, texts), default=0)
        return Listener(self.settings, recognizer, judge, longest, whole=texts.__contains__)

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
        nearest = Nearest(model.words, voice, _cache(model, voice), language) if lacking or strange else None
        heard: dict[str, str] = {}
        for one in (*lacking, *strange):
            row = nearest.row(self._says.get(one, one)) if nearest else ()
            if row and " ".join(row) not in (*heard.values(), *lower):
                heard[one] = " ".join(row)
            elif one in lower and (seat := self._seat(lower[one], language, nearest)):
                heard[one] = seat
        return heard, {w for w in (*lacking, *strange) if w not in heard}

    def _seat(self, seat: int, language: str, nearest: Nearest | None) -> str:
        """ "joueur trois" in words of the model; "" if it has none that sound so."""
        rows = [
            (word,) if self._knows(word) else nearest.row(word) if nearest else ()
            for word in (SEAT.get(language, "player"), *number_words(seat, language).split())
        ]
        return " ".join(word for row in rows for word in row) if all(rows) else ""


def _strangers(words: Sequence[str], sentences: Iterable[str]) -> tuple[str, ...]:
    """Words for whatever is none of the sentences, evenly out of all that the model knows."""
    used = {word for sentence in sentences for word in _WORD.findall(sentence.lower())}
    known = [word for word in words if word.isalpha() and not word.isupper() and word not in used]
    return tuple(known[:: max(1, len(known) // _STRANGERS)])


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

    def PartialResult(self) -> str:  # noqa: N802
        partial = json.loads(self._recognizer.PartialResult())["partial"]
        return json.dumps({"partial": " ".join(filter(None, [*self._parts, partial]))})

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
