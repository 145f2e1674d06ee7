"""Which sentence vosk's scores speak for, if any: the evidence, and the thresholds it must pass.

- vosk's own confidence is about 1 on anything, so scores are compared: the best sentence with `[unk]` (any sounds at
  all), and with the best sentence that means something else. Two ways to say one thing do not compete.
- What is not for now is listened for all the same: a sentence of another phase, or mere hesitation, that explains the
  sounds better makes them nothing. So "quatre oui trois non" is no "non" where nobody votes.
- A count that the game would refuse is rarely meant: "quatre oui quatre non" where nine vote is "cinq oui quatre non"
  unless it fits better by far. Said clearly, it is understood, and refused with why. Names are taken at their word.
- Doubts add up: what passes one threshold narrowly must pass the others by more (`together`).
- `bench.ear.tune` chooses the thresholds on voices and names that are neither trained on nor tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rapidfuzz.distance import Levenshtein

from narrator.ear.graph import HALF, HESITATED, UNKNOWN
from narrator.ear.lexicon import must
from narrator.ear.vad import VadSettings


@dataclass(frozen=True, slots=True)
class EarSettings:
    """Every threshold of the ear. Scores are natural logarithms as vosk gives them (acoustic scale 0.6).

    A lower `over_filler_once` hears a few more short words and takes more single words of talk for "passe" or "aide"; a
    lower `over_next` turns refusals of numbers into wrong numbers, one for one. `doubt` asks for more than each of the
    margins where several are narrow. Figures: docs/EAR.md.
    """

    vad: VadSettings = field(default_factory=VadSettings)
    over_filler: float = 0.0  # a sentence beats [unk] by this much a phone
    over_filler_once: float = 2.0  # … and by this much at all
    over_next: float = 0.8  # and the next sentence of another meaning by this
    over_half: float = 1.0  # its last word beats any sounds there by this
    doubt: float = 2.0  # how much more the others are passed by where one margin is narrow; 0: each for itself
    unlikely: float = 3.0  # a sentence that the game would refuse beats those it would take by this much more
    unseen: float = 12.0  # how far behind an answer is that the beam has dropped
    fastest: float = 0.035  # s of loud sound a phone, at least
    slowest: float = 0.30  # … at most
    slack: float = 0.5  # s added to the slowest
    surer: float = 0.82  # confidence that a sentence beside chatter needs: together they are passed by 1.5
    briefest: float = 0.42  # s of such a sentence; a word is too short to be told from talk
    far: int = 3  # phones in which a sentence of another phase must differ, or as many as a shorter one has
    over_hesitation: float = 3.0  # a short sentence beats "bon", "ben" by this
    hesitant: int = 5  # phones of a sentence that need not: "moins fort"
    alternatives: int = 24  # answers asked of vosk; what is not among so many is no better than the last of them


#: Thresholds that another model than the French one needs: the English ear is less sure of the end of a name.
_OWN = {"en": EarSettings(over_half=0.0)}


def settings_for(language: str) -> EarSettings:
    """The thresholds of our own ear in a language."""
    return _OWN.get(language, EarSettings())


def guard_settings(language: str) -> EarSettings:
    """The thresholds of the ear that listens while we speak (`choice.guard_ear`): for a word or two, on sound out of
    which the canceller has cut our own voice, and what was soft in theirs.

    - What the canceller leaves of us is told by its power (stage/guard.py), so the margin over any sounds is for people
      who talk over us: in 27 minutes of that one call that nobody made passed 2, two passed 1.5, three 0.5.
    - It calls over our voice, so it is loud: what the canceller leaves of us, at most 45 dB, does not begin or prolong
      an utterance, and a short silence ends it.
    - As sure as a sentence by itself must a call be that stands beside something else: else one of two is lost in that.
    - Each margin is for itself: the canceller takes from all of them.

    Figures: docs/RELIABILITY.md.
    """
    vad = VadSettings(quietest=(46.0, 54.0), brisk=0.28, trailing=0.4)
    each = replace(settings_for(language), over_filler=0.0, over_filler_once=2.0, over_next=0.8, doubt=0.0)
    return replace(each, vad=vad, surer=0.5)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the scores say for the best sentence: margins over `[unk]`, over the best sentence of another meaning (less
    `EarSettings.unlikely` for what the game would refuse), and over the same beginning with any sounds behind it
    (infinite where no other begins so); `phones` that must be said in it, and the seconds it took."""

    text: str
    phones: int
    seconds: float
    over_filler: float
    over_next: float
    over_half: float
    beaten: bool = False  # by something that is not legal now


def together(margins: ArrayLike, doubt: float) -> NDArray[np.float64]:
    """What several margins (the first axis) are worth as one: the least of them, or less where others are narrow too.

    exp(-margin / doubt) is how much each speaks against a sentence, and that adds up. `doubt` 0: the least alone.
    """
    rows = np.asarray(margins, np.float64)
    return rows.min(0) if doubt <= 0 else np.asarray(-doubt * np.logaddexp.reduce(-rows / doubt))


def passed(
    limits: EarSettings, phones: ArrayLike, over_filler: ArrayLike, over_next: ArrayLike, over_half: ArrayLike
) -> NDArray[np.float64]:
    """By how much margins pass the thresholds, together: of one sentence, or of many in arrays."""
    wanted = limits.over_filler_once + np.asarray(phones) * limits.over_filler
    margins = (
        np.subtract(over_filler, wanted),
        np.subtract(over_next, limits.over_next),
        np.subtract(over_half, limits.over_half),
    )
    return together(margins, limits.doubt)


class Judge:
    """Called with vosk's answer and the seconds of speech. `sentences`: token -> text; `phones`: text -> spelling."""

    def __init__(
        self,
        settings: EarSettings,
        sentences: Mapping[str, str],
        phones: Mapping[str, Sequence[int]],
        meaning: Callable[[str], Hashable] = lambda text: text,
        halved: Collection[str] = (),
        others: Mapping[str, str] | None = None,
        unlikely: Collection[str] = (),
    ) -> None:
        """`halved`: sentences that `[half]` is the beginning of; `others`: tokens of those that are not legal now;
        `unlikely`: legal ones that the game would refuse."""
        self._halved, self._others, self._unlikely = halved, others or {}, frozenset(unlikely)
        self._set, self._sentences, self._phones = settings, sentences, phones
        self._meaning = meaning
        self.longest = max((len(phones[text]) for text in sentences.values()), default=0)

    def __call__(self, answer: Mapping[str, Any], seconds: float) -> tuple[str, float]:
        """The sentence and its confidence, or ("", 0)."""
        evidence = self.evidence(answer, seconds)
        certainty = self.certainty(evidence) if evidence else -math.inf
        return (evidence.text, 1.0 / (1.0 + math.exp(-certainty))) if evidence and certainty >= 0 else ("", 0.0)

    def begun(self, answer: Mapping[str, Any], seconds: float) -> str:
        """The sentence that is no talk, though it may be another of its kind or half of one; "" if there is none.

        Whoever begins two sentences in one breath has not made up their mind.
        """
        evidence = self.evidence(answer, seconds)
        if evidence is None:
            return ""
        talk = self.certainty(replace(evidence, over_next=math.inf, over_half=math.inf)) < 0
        return "" if talk else evidence.text

    def certainty(self, evidence: Evidence) -> float:
        """By how much the evidence passes the thresholds, together; negative if it does not."""
        if evidence.beaten or not self.human(evidence.phones, evidence.seconds):
            return -math.inf
        return float(passed(self._set, evidence.phones, evidence.over_filler, evidence.over_next, evidence.over_half))

    def human(self, phones: int, seconds: float) -> bool:
        """True if somebody may have said so many phones in that time."""
        limits = self._set
        return limits.fastest * phones <= seconds <= limits.slowest * phones + limits.slack

    def evidence(self, answer: Mapping[str, Any], seconds: float) -> Evidence | None:
        """For the best sentence of vosk's answer; None if there is none in it."""
        scores = {a["text"]: float(a["confidence"]) for a in answer.get("alternatives", ())}
        legal = {self._sentences[t]: scores[t] for t in self._sentences.keys() & scores.keys()}
        if not legal:
            return None
        ranked = sorted(((self._weighed(score, text), text) for text, score in legal.items()), reverse=True)
        first, text = ranked[0]
        best = legal[text]
        last = min(scores.values()) if len(scores) >= self._set.alternatives else -math.inf
        floor = max(best - self._set.unseen, last)
        rivals = (score for score, other in ranked if self._differ(text, other))
        others = max(last, max(rivals, default=floor))  # what is not among the answers may be likely
        filler, half = (best - scores.get(one, floor) for one in (UNKNOWN, HALF))
        if text not in self._halved:
            half = math.inf
        phones, beaten = len(must(self._phones[text])), self._beaten(scores, best, text)
        return Evidence(text, phones, seconds, filler, first - others, half, beaten)

    def _weighed(self, score: float, text: str) -> float:
        """The score of a legal sentence beside the others."""
        return score - self._set.unlikely if text in self._unlikely else score

    def _beaten(self, scores: Mapping[str, float], best: float, text: str) -> bool:
        """True if a sentence that is not legal now explains better what was said; or hesitation nearly as well what is
        short, for "bon, alors" is "non, alors" but for one sound."""
        said = must(self._phones[text])
        hesitation = scores.get(HESITATED, -math.inf)
        if len(said) < self._set.hesitant and hesitation > best - self._set.over_hesitation:
            return True
        better = (self._others[one] for one, score in scores.items() if score > best and one in self._others)
        far = min(self._set.far, len(said))
        return any(Levenshtein.distance(said, must(self._phones[other])) >= far for other in better)

    def _differ(self, one: str, other: str) -> bool:
        return self._meaning(one) != self._meaning(other) and self._phones[one] != self._phones[other]
