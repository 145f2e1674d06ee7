"""Kokoro-82M, a neural voice (extra `kokoro`): one worker process that holds the model, like Piper's.

Rules. The model is installed from the registry and needs no download; its speakers are ours: voices/<language>/kokoro/.
It is given whole sentences with their punctuation, so that their melody is one; espeak-ng says how they sound, in the
letters that Kokoro was trained on. Where espeak-ng's library is missing, Kokoro is not offered.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from narrator.core.errors import DeviceError, ModelError
from narrator.ear import espeak
from narrator.library import data_folder
from narrator.voice.kokoro_worker import ADVICE, PARTS, VOCABULARY
from narrator.voice.profile import Pauses, Profile
from narrator.voice.spoken import Clause, clauses, sentences
from narrator.voice.synth import Synth

INSTALL = ADVICE
INSTALL_OR = "pip install 'narrator[kokoro]', or {other}"
_MARKS = ",;:.!?…"
_STRESS = "ˈˌ"
_NOTE = re.compile(r"\([a-z-]+\)")
_BRITISH, _AMERICAN = "b", "a"  # how the names of English speakers begin
# Kokoro writes diphthongs and affricates as one letter.
_ONE_LETTER = {
    "aɪ": "I",
    "aʊ": "W",
    "eɪ": "A",
    "oʊ": "O",
    "əʊ": "Q",
    "ɔɪ": "Y",
    "dʒ": "ʤ",
    "tʃ": "ʧ",
    "dz": "ʣ",
    "ts": "ʦ",
}
# Its English has letters of its own; what is in a phoneme is replaced in this order.
_ENGLISH = {"əl": "ᵊl", "ɚ": "əɹ", "r": "ɹ", "x": "k", "ç": "k", "ɐ": "ə", "o": "ɔ", "ɬ": "l", "ʔ": "t", "\u0303": ""}
_ACCENTS = {_BRITISH: {"eə": "ɛː", "iə": "ɪə"}, _AMERICAN: {"ɜːɹ": "ɜɹ", "ɜː": "ɜɹ", "ɪə": "iə", "ː": ""}}


def has_kokoro() -> bool:
    """Whether the extra is installed, and espeak-ng's library with it."""
    if any(find_spec(name) is None for name in ("onnxruntime", VOCABULARY, *PARTS)):
        return False
    try:
        espeak.library()
    except ModelError:
        return False
    return True


def kokoro_speakers(language: str) -> tuple[Path, ...]:
    """The vectors of a language's speakers, best first; whether Kokoro is installed or not."""
    return tuple(sorted((data_folder("voices") / language / "kokoro").glob("*.npy")))


class Kokoro(Synth):
    """One speaker. Starts its worker at once; loading the model takes a second, or several on a small machine."""

    script = "kokoro_worker.py"
    start_limit = 60.0

    def __init__(self, profile: Profile, speaker: Path) -> None:
        """`speaker`: one of kokoro_speakers. Raises DeviceError without the extra or the speaker."""
        if not has_kokoro():
            raise DeviceError(f"the voice Kokoro is not installed: {INSTALL}")
        if not speaker.is_file():
            raise DeviceError(f"{speaker}: this speaker is missing: install narrator again")
        super().__init__(profile, str(speaker))
        self._speaker = speaker.stem

    @property
    def engine(self) -> str:
        """Known without waiting for the model."""
        return f"kokoro {self._speaker}"

    def limit(self, characters: int) -> float:
        """Six times what it sounds: a busy machine may be that slow, and nobody waits for it (see patience.py)."""
        return 20.0 + 0.4 * characters

    def _parts(self, spoken: str) -> tuple[Clause, ...]:
        return sentences(super()._parts(spoken))

    def _piece(self, text: str) -> str:
        return phonemes(text, self.profile.language, self._speaker)


def phonemes(text: str, language: str, speaker: str) -> str:
    """A spoken form as Kokoro reads it: phonemes, words apart, punctuation where it stood.

    Raises DeviceError if espeak-ng does not know the language.
    """
    accent = speaker[:1] if language == "en" else ""
    voice = {_BRITISH: "en", _AMERICAN: "en-us"}.get(accent, language)
    said = []
    for clause in clauses(text, Pauses()):
        mark = clause.text[-1] if clause.text[-1] in _MARKS else ""
        try:
            words = espeak.phonemes(clause.text, voice)
        except ModelError as error:
            raise DeviceError(f"Kokoro cannot know how a line sounds ({error})") from error
        said.append(" ".join("".join(_letters(phone, accent) for phone in word) for word in words) + mark)
    return " ".join(said)


def _letters(phone: str, accent: str) -> str:
    """One phoneme of espeak-ng, with its stress, in Kokoro's letters; nothing for its notes ("(en)")."""
    phone = _NOTE.sub("", phone)
    bare = phone.lstrip(_STRESS)
    stress = phone[: len(phone) - len(bare)]
    if bare in _ONE_LETTER:
        return stress + _ONE_LETTER[bare]
    if accent:
        for one, other in {**_ENGLISH, **_ACCENTS.get(accent, {})}.items():
            bare = bare.replace(one, other)
    return stress + bare
