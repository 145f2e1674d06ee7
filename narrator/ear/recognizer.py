"""Microphone blocks -> the sentence that was said, one of a given set, or "something else".

- A table has one graph (see graph.py) and one vosk model; each `open` is a fresh vosk recogniser whose grammar lists
  the tokens of all its sentences, those that are legal now and those that the judge takes for nothing, and `[unk]`.
- judge.py decides whether it was one of them; all the thresholds are in its `EarSettings`.
- Something said that is none of the sentences is an Utterance with an empty text. Clicks are nothing at all.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError, ModelError
from narrator.ear import models
from narrator.ear.graph import NO_SENTENCE, UNKNOWN, before_last, beginnings, token, write_graph
from narrator.ear.judge import EarSettings, Judge, settings_for
from narrator.ear.lexicon import Lexicon, must
from narrator.ear.pieces import Pieces, Run
from narrator.ear.vad import FRAME, RATE, Began, Ended, Goes, Paused, Span, Vad
from narrator.ear.vosk_api import load_vosk


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
    `model` is another than the language's own; `heard`: more ways in which names are said, as phones; sentences of
    one `meaning` do not compete with each other.
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
        meaning: Callable[[str], Hashable] = lambda text: text,
    ) -> None:
        self.settings, self._meaning = settings or settings_for(language), meaning
        model = model or models.load(language)
        lexicon = Lexicon(language, says, model)
        self._tokens = {sentence: token(i) for i, sentence in enumerate(dict.fromkeys(sentences))}
        self.spellings = {sentence: lexicon.spell(sentence) for sentence in self._tokens}
        self._open = self._hesitant()
        self._folder = Path(tempfile.mkdtemp(prefix="narrator-ear-"))
        try:
            furnish(self._folder, model)
            hesitations = lexicon.hesitations(fillers)
            said = {must(row): sentence for sentence, row in self.spellings.items()}
            others = [
                (i, row)
                for i, s in enumerate(self._tokens, 1)
                for row in (*lexicon.variants(s), *lexicon.otherwise(s, heard or {}))
                if said.get(must(row), s) == s  # "Juan" as "Rouane", where somebody is called so
            ]
            write_graph(self._folder / "graph", model, list(self.spellings.values()), hesitations, others)
            self._vosk = models.load_vosk(self._folder)
        except OSError as error:
            raise DeviceError(f"the ear's graph cannot be written ({error}): free some disk space") from error
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
        missing = [s for s, t in self._tokens.items() if self._vosk.vosk_model_find_word(t) < 0]
        if missing:
            raise ModelError(f"the ear's graph lacks {missing[0]!r}: this version of vosk cannot be used")

    def open(self, sentences: Iterable[str], unlikely: Collection[str] = ()) -> Listener:
        """A fresh listener for these sentences; `unlikely` ones must be said clearer (see judge.py). Raises ModelError
        if one is not among the table's.
        """
        if self._vosk is None:
            raise ModelError("this ear was closed: make a new one")
        legal = list(dict.fromkeys(sentences))
        for sentence in legal:
            if sentence not in self._tokens:
                raise ModelError(f"{sentence!r} is not among the sentences this table's ear was made for")
        judge = self.judge(legal, unlikely)
        closed = {UNKNOWN, *self.tokens(legal)} - self._open
        recognizer = self.recognizer(self._tokens.values())
        return Listener(self.settings, recognizer, judge, judge.longest, begun=judge.begun, whole=closed.__contains__)

    def _hesitant(self) -> frozenset[str]:
        """Those in whose middle people think: sentences that begin as several do ("je propose …")."""
        shared = beginnings(list(self.spellings.values()))
        return frozenset(t for s, t in self._tokens.items() if before_last(self.spellings[s]) in shared)

    def tokens(self, sentences: Iterable[str]) -> list[str]:
        """Their names in the graph."""
        return [self._tokens[sentence] for sentence in sentences]

    def judge(self, legal: Iterable[str], unlikely: Collection[str] = ()) -> Judge:
        """What makes one of these sentences of vosk's answer."""
        texts = list(legal)
        sentences = {self._tokens[s]: s for s in texts}
        others = {t: s for s, t in self._tokens.items() if t not in sentences}
        halved = {s for s in texts if self._tokens[s] in self._open}
        return Judge(self.settings, sentences, self.spellings, self._meaning, halved, others, unlikely)

    def recognizer(self, tokens: Iterable[str]) -> Any:
        """A vosk recogniser that answers with one of these tokens or `[unk]`."""
        recognizer = load_vosk().KaldiRecognizer(self._vosk, RATE, json.dumps([*tokens, *NO_SENTENCE]))
        recognizer.SetMaxAlternatives(self.settings.alternatives)
        return recognizer

    def close(self) -> None:
        """Frees the model once the last listener is gone."""
        self._vosk = None


def furnish(folder: Path, model: models.EarModel) -> None:
    """The parts of a vosk model that are the same for every table: linked, or copied where links are refused.

    Kaldi's own dither is drawn anew at every call, so its scores never come twice: it is taken out (see `Dither`).
    """
    try:
        os.symlink(model.folder / "am", folder / "am", target_is_directory=True)
    except OSError:
        shutil.copytree(model.folder / "am", folder / "am")
    (folder / "conf").mkdir()
    for part in (model.folder / "conf").iterdir():  # their contents alone: installed files may be read-only
        shutil.copyfile(part, folder / "conf" / part.name)
    with (folder / "conf" / "mfcc.conf").open("a", encoding="utf-8") as features:
        features.write("\n--dither=0\n")


class Dither:
    """Noise of one unit of int16, the same for the same samples of an utterance whatever the blocks they come in.

    Digital silence, which a microphone's noise gate makes, is nothing that a model has heard: without it 15 of 42 soft
    sentences between such silences were right, and all of them with it.
    """

    def __init__(self) -> None:
        self._noise = np.random.default_rng(0)

    def __call__(self, audio: NDArray[np.int16]) -> bytes:
        """The samples with their noise, as vosk takes them."""
        noisy = audio + np.rint(self._noise.standard_normal(len(audio)))
        return np.clip(noisy, -32768, 32767).astype(np.int16).tobytes()


class Listener:
    """Hears one of its sentences after another. Blocks are int16 mono 16 kHz of any length."""

    def __init__(
        self,
        settings: EarSettings,
        recognizer: Any,
        judge: Callable[[Mapping[str, Any], float], tuple[str, float]],
        longest: int,
        *,
        begun: Callable[[Mapping[str, Any], float], str] | None = None,
        whole: Callable[[str], bool] = lambda text: False,
    ) -> None:
        """`judge` makes a sentence, or "", and its confidence of vosk's answer and the seconds it was spoken in;
        `longest` is the number of phones in the longest sentence; `begun`: which sentence may have been begun there, if
        one between pauses counts; `whole`: whether what vosk hears so far needs no more patience (it is never right
        about how much was said)."""
        self._set, self._recognizer, self._judge, self._begun = settings, recognizer, judge, begun
        self._whole = whole
        self._vad = Vad(self._set.vad)
        self._too_long = longest * self._set.slowest + self._set.slack + self._set.vad.trailing
        self._began = 0
        self._fed = 0  # samples
        self._dither = Dither()
        self._pieces = Pieces()

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
                self._began, self._fed, self._dither = span.sample, 0, Dither()
                self._pieces = Pieces(max(0, len(span.audio) - 2 * FRAME))
                waiting = [span.audio]
                self._pieces.add(span.audio, loud=True)
            elif isinstance(span, Goes):
                waiting.append(span.audio)
                self._pieces.add(span.audio, loud=span.loud)
            elif isinstance(span, Paused):
                self._decode(waiting)
                waiting = []
                if self._whole(json.loads(self._recognizer.PartialResult())["partial"]):
                    self._vad.enough()
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
            self._recognizer.AcceptWaveform(self._dither(audio))

    def _said(self, end: Ended) -> Utterance | None:
        answer = json.loads(self._recognizer.FinalResult())
        if end.loud < self._set.vad.shortest:
            return None
        whole = Utterance("", self._began / RATE, end.sample / RATE, 0.0)
        if self._fed < self._too_long * RATE:
            text, confidence = self._judge(answer, whole.ended - whole.began)
            whole = replace(whole, text=text, confidence=confidence)
        return whole if whole.text else self._within(whole)

    def _within(self, whole: Utterance) -> Utterance:
        """The one sentence that stands between pauses of an utterance that is none; else the utterance itself."""
        for runs in (self._pieces.runs(2), self._pieces.runs(1)) if self._begun else ():
            tried = [self._piece(run) for run in runs]
            found = {text: sure for text, sure, _ in tried if text}
            if found:
                (text, sure), *more = found.items()
                clear = not more and sure >= self._set.surer and all(begun in ("", text) for *_, begun in tried)
                return replace(whole, text=text, confidence=sure) if clear else whole
        return whole

    def _piece(self, run: Run) -> tuple[str, float, str]:
        """What is said in a part of an utterance, how sure that is, and which sentence was begun there at least."""
        if not self._begun or not self._set.briefest <= run.seconds < self._too_long:
            return "", 0.0, ""
        self._recognizer.AcceptWaveform(Dither()(run.sound))
        answer = json.loads(self._recognizer.FinalResult())
        return *self._judge(answer, run.seconds), self._begun(answer, run.seconds)
