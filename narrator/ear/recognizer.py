"""Microphone blocks -> the sentence that was said, one of a given set, or "something else".

- A table has one graph (see graph.py) and one vosk model; each `open` is a fresh vosk recogniser whose grammar lists
  the tokens of the sentences that are legal now, and `[unk]`.
- vosk's own confidence is about 1 on anything. Ours compares scores: vosk's best answers carry log likelihoods, so the
  sentence must beat `[unk]` (any sounds at all) by enough a phone, the next sentence by a little, and must have
  been spoken at a human pace. The thresholds are all in `EarSettings`.
- Something said that is none of the sentences is an Utterance with an empty text. Clicks are nothing at all.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError, ModelError
from narrator.ear import models
from narrator.ear.graph import HESITATED, NO_SENTENCE, UNKNOWN, token, write_graph
from narrator.ear.lexicon import Lexicon
from narrator.ear.vad import RATE, Began, Ended, Goes, Span, Vad, VadSettings
from narrator.ear.vosk_api import load_vosk


@dataclass(frozen=True, slots=True)
class EarSettings:
    """Every threshold of the ear. Scores are natural logarithms as vosk gives them (acoustic scale 0.6).

    Measured with all 566 sentences of a table of ten legal at once, ten synthetic voices never trained on, room and
    hiss: 209 of 240 right, 19 refused, 12 wrong (numbers, nearly all); no false sentence in 14 minutes of talk. Four
    unknown people, 70 names of countries: 57 right, 1 wrong, the rest refused. A lower `over_filler_once` hears a few
    more short words and takes more single words of talk for "passe" or "aide"; a lower `over_next` turns refusals of
    numbers into wrong numbers, one for one.
    """

    vad: VadSettings = field(default_factory=VadSettings)
    over_filler: float = 0.2  # a sentence beats [unk] by this much a phone
    over_filler_once: float = 1.5  # … and by this much at all
    over_next: float = 0.8  # and the next best sentence by this
    unseen: float = 12.0  # how far behind an answer is that the beam has dropped
    fastest: float = 0.035  # s of loud sound a phone, at least
    slowest: float = 0.30  # … at most
    slack: float = 0.5  # s added to the slowest
    alternatives: int = 12  # answers asked of vosk; what is not among so many is no better than the last of them


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was heard. `text` is the sentence exactly as it was given, "" when something was said that is none of them.

    `began` and `ended` are seconds since the listener was opened, first and last sound; `confidence` is in 0..1.
    """

    text: str
    began: float
    ended: float
    confidence: float


class TableEar:
    """The ear of one table: everything that may be said in its game, compiled once.

    `says` tells how words are said ("Zoé" -> "zo-é"); `fillers` are what people say before a sentence ("euh");
    `model` is another than the language's own; `heard`: more ways in which names are said, as phones.
    Raises ModelError if the language has no ear, a sentence no sound, or the model is damaged; DeviceError if the
    disk is full.
    """

    def __init__(
        self,
        language: str,
        sentences: Iterable[str],
        says: Mapping[str, str] | None = None,
        settings: EarSettings | None = None,
        fillers: Iterable[str] = (),
        model: models.EarModel | None = None,
        heard: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.settings = settings or EarSettings()
        model = model or models.load(language)
        lexicon = Lexicon(language, says, model)
        self._tokens = {sentence: token(i) for i, sentence in enumerate(dict.fromkeys(sentences))}
        self.spellings = {sentence: lexicon.spell(sentence) for sentence in self._tokens}
        self._folder = Path(tempfile.mkdtemp(prefix="narrator-ear-"))
        try:
            furnish(self._folder, model)
            hesitations = lexicon.hesitations(fillers)
            others = [(i, row) for i, s in enumerate(self._tokens, 1) for row in lexicon.otherwise(s, heard or {})]
            write_graph(self._folder / "graph", model, list(self.spellings.values()), hesitations, others)
            self._vosk = models.load_vosk(self._folder)
        except OSError as error:
            raise DeviceError(f"the ear's graph cannot be written ({error}): free some disk space") from error
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
        missing = [s for s, t in self._tokens.items() if self._vosk.vosk_model_find_word(t) < 0]
        if missing:
            raise ModelError(f"the ear's graph lacks {missing[0]!r}: this version of vosk cannot be used")

    def open(self, sentences: Iterable[str]) -> Listener:
        """A fresh listener for these sentences. Raises ModelError if one is not among the table's."""
        if self._vosk is None:
            raise ModelError("this ear was closed: make a new one")
        legal = list(dict.fromkeys(sentences))
        for sentence in legal:
            if sentence not in self._tokens:
                raise ModelError(f"{sentence!r} is not among the sentences this table's ear was made for")
        judge = _Judge(self.settings, {self._tokens[s]: s for s in legal}, {s: self.spellings[s] for s in legal})
        return Listener(self.settings, self.recognizer(map(self._tokens.__getitem__, legal)), judge, judge.longest)

    def recognizer(self, tokens: Iterable[str]) -> Any:
        """A vosk recogniser that answers with one of these tokens or `[unk]`."""
        recognizer = load_vosk().KaldiRecognizer(self._vosk, RATE, json.dumps([*tokens, *NO_SENTENCE]))
        recognizer.SetMaxAlternatives(self.settings.alternatives)
        return recognizer

    def close(self) -> None:
        """Frees the model once the last listener is gone."""
        self._vosk = None


def furnish(folder: Path, model: models.EarModel) -> None:
    """The parts of a vosk model that are the same for every table: linked, or copied where links are refused."""
    for part in ("am", "conf"):
        try:
            os.symlink(model.folder / part, folder / part, target_is_directory=True)
        except OSError:
            shutil.copytree(model.folder / part, folder / part)


class _Judge:
    """Which sentence vosk's scores speak for, if any. Called with vosk's answer and the seconds of speech."""

    def __init__(
        self, settings: EarSettings, sentences: Mapping[str, str], phones: Mapping[str, tuple[int, ...]]
    ) -> None:
        self._set, self._sentences, self._phones = settings, sentences, phones
        self.longest = max(map(len, phones.values()), default=0)

    def __call__(self, answer: Mapping[str, Any], seconds: float) -> tuple[str, float]:
        """The sentence and its confidence, or ("", 0)."""
        return self._choose({a["text"]: float(a["confidence"]) for a in answer.get("alternatives", ())}, seconds)

    def _choose(self, scores: Mapping[str, float], seconds: float) -> tuple[str, float]:
        """The sentence and its confidence, or ("", 0)."""
        known = self._sentences.keys() & scores.keys()
        ranked = sorted(((scores[t], self._sentences[t]) for t in known), reverse=True)
        if not ranked:
            return "", 0.0
        best, text = ranked[0]
        phones = sum(o > 0 for o in self._phones[text])
        floor = max(
            best - self._set.unseen, min(scores.values()) if len(scores) >= self._set.alternatives else -math.inf
        )
        others = [score for score, other in ranked if self._phones[other] != self._phones[text]]
        others.append(scores.get(HESITATED, floor))
        over_next = best - max(others)
        over_filler = best - scores.get(UNKNOWN, floor)
        wanted = self._set.over_filler_once + phones * self._set.over_filler
        human = self._set.fastest * phones <= seconds <= self._set.slowest * phones + self._set.slack
        if not human or over_filler < wanted or over_next < self._set.over_next:
            return "", 0.0
        return text, 1.0 / (1.0 + math.exp(-min(over_filler - wanted, over_next)))


class Listener:
    """Hears one of its sentences after another. Blocks are int16 mono 16 kHz of any length."""

    def __init__(
        self,
        settings: EarSettings,
        recognizer: Any,
        judge: Callable[[Mapping[str, Any], float], tuple[str, float]],
        longest: int,
    ) -> None:
        """`judge` makes a sentence, or "", and its confidence of vosk's answer and the seconds it was spoken in;
        `longest` is the number of phones in the longest sentence."""
        self._set, self._recognizer, self._judge = settings, recognizer, judge
        self._vad = Vad(self._set.vad)
        self._too_long = longest * self._set.slowest + self._set.slack + self._set.vad.trailing
        self._began = 0
        self._fed = 0  # samples

    @property
    def speaking(self) -> bool:
        """True while somebody speaks: a question should not time out then."""
        return self._vad.speaking

    def accept(self, block: NDArray[np.int16]) -> Utterance | None:
        """Takes a block; the utterance that ended in it, if one did.

        A block of more than a second may hold several: the last that is a sentence, or else the last, is given.
        """
        return self._take(self._vad.feed(block))

    def finish(self) -> Utterance | None:
        """The end of the audio: what was being said, if anything."""
        return self._take(self._vad.flush())

    def _take(self, spans: Iterable[Span]) -> Utterance | None:
        heard, waiting = None, []
        for span in spans:
            if isinstance(span, Began):
                self._began, self._fed, waiting = span.sample, 0, [span.audio]
            elif isinstance(span, Goes):
                waiting.append(span.audio)
            else:
                self._decode(waiting)
                waiting = []
                said = self._said(span)
                heard = said if said and (said.text or not (heard and heard.text)) else heard
        self._decode(waiting)
        return heard

    def _decode(self, frames: list[NDArray[np.int16]]) -> None:
        """Feeds vosk; speech longer than any sentence of ours is not worth decoding."""
        if frames and self._fed < self._too_long * RATE:
            audio = np.concatenate(frames)
            self._fed += len(audio)
            self._recognizer.AcceptWaveform(audio.tobytes())

    def _said(self, end: Ended) -> Utterance | None:
        answer = json.loads(self._recognizer.FinalResult())
        if end.loud < self._set.vad.shortest:
            return None
        text, confidence = "", 0.0
        if self._fed < self._too_long * RATE:
            text, confidence = self._judge(answer, (end.sample - self._began) / RATE)
        return Utterance(text, self._began / RATE, end.sample / RATE, confidence)
