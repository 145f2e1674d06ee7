"""People who speak other languages: they teach an ear what people sound like, by the phones that both languages have.

Few people speak French in the registries, and as few English; Tux Paint's stamps and Asterisk's prompts are read aloud
in a dozen other languages. A phone that the ear's language has too (`_SHARED`) is learned from them, of every other one
the nearest is only looked for, to find out where it is: its frames are left out of the training (`UNSURE`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrator.ear.espeak import phonemes
from narrator.ear.lexicon import PAUSE
from training import align, guard, recordings
from training.align import IGNORED
from training.language import model

_CONSONANTS = "p b t d k ɡ f v s z ʃ ʒ m n"
# Ear -> language (espeak-ng's name) -> phones that sound alike in both, as espeak-ng writes them in that language.
_SHARED = {
    "fr": {
        "es": "p t k b d ɡ f s m n ɲ l tʃ j w a i u",
        "ca": f"{_CONSONANTS} ɲ l j w a ɛ e i ɔ o u",
        "it": f"{_CONSONANTS} ɲ l j w a ɛ e i ɔ o u tʃ dʒ",
        "ro": f"{_CONSONANTS} l j w a i u",
        "ru": "p b t d k ɡ f v s z m n a i u",
        "bg": f"{_CONSONANTS} l j a i u",
        "be": "p b t d k f v s z m n a i u",
        "el": "p t k f v s z m n l a i u",
        "en-us": "b d k ɡ f v s z ʃ ʒ m n j w",
    },
    "en": {
        "fr": "p b k ɡ f v s z ʃ ʒ m n j w",
        "es": "f s m n tʃ j w",
        "ca": "f s z m n j w",
        "it": "b d ɡ f v s z ʃ m n tʃ dʒ j w",
        "ro": "b d ɡ f v s z ʃ ʒ m n tʃ dʒ j w",
        "ru": "f v s z m n",
        "bg": "b d ɡ f v s z ʃ ʒ m n j",
        "be": "f v s z m n",
        "el": "f v θ ð s z m n",
    },
}
_STAMPS = ("es", "ca", "ro", "ru", "bg", "be", "el")
_PROMPTS = {"es": "es_MX_f_Allison", "it": "it_IT_m_Carlo", "ru": "ru_RU_f_IvrvoiceRU"}
_PEOPLE = {"fr": "en", "en": "fr"}  # whose own speakers are the other's, too
_VOICE = {"en": "en-us"}
# Nearest phones where the French ear's own table (`same`) has none or a coarser one, then what English has otherwise; a
# row where one sound is two.
_NEAR = """
r ʁ  ɾ ʁ  ʀ ʁ  x ʁ  ɣ ʁ  χ ʁ  ð d  β b  ʋ v  ʎ l_j  ʝ j  ɭ l  ɫ l  c k  ɟ ɡ  ç ʃ  ɕ ʃ  ʑ ʒ  ʂ ʃ  ʐ ʒ  ss s  ts t_s
dz d_z  t̻͡s t_s  ʈ͡ʂ t_ʃ  tʃ t_ʃ  dʒ d_ʒ  tɕ t_ʃ  dʑ d_ʒ  d̪ d  t̪ t  ʌ a  æ a  ɨ i  ɵ o  ᵻ i  aɪ a_j  eɪ e_j  oɪ o_j
ɔɪ ɔ_j  aʊ a_u  eʊ e_u  oʊ o  iʊ i_u  uɪ u_i  ja j_a  ju j_u  ea e_a  ɔa o_a  eo e_o  iɪ i_j  yɪ i_j  ɪ^ i  u" u
əl ə_l  ɚ œ_ʁ  ʔ t
"""
_NEAR_ENGLISH = """
ʁ ɹ  a ɑ  e ɛ  o ɔ  y u  ø ɜ  œ ɜ  ɲ n_j  ɛ̃ æ_n  œ̃ æ_n  ɑ̃ ɑ_n  ɔ̃ ɔ_n  t_ʃ tʃ  d_ʒ dʒ
"""
_MARKS = re.compile(r"\([a-z-]+\)|[ˈˌː\-‿̆\d]")
_SOFT = re.compile("[ʲ̻ᵊ]")
_WORST = 0.1  # of a speaker's recordings are taken for misread, or for another language than their text
_AWAY = -2.2  # mean log probability under which a sentence was not aligned well; its sounds are somewhat others


@cache
def speakers(ear: str, people: Path, prompts: Path) -> dict[str, list[recordings.Recording]]:
    """Their recordings by "language name"; those of a speaker who is kept for tests are not among them."""
    found = {f"{spoken} stamps": recordings.stamps(prompts, spoken) for spoken in _STAMPS}
    found |= {f"{spoken} prompts": recordings.asterisk(prompts, spoken, name) for spoken, name in _PROMPTS.items()}
    other = _PEOPLE[ear]
    for name, said in recordings.speakers(other, people, prompts).items():
        if name not in guard.SPEAKERS:
            found[f"{_VOICE.get(other, other)} {name}"] = guard.trained(said)
    return {name: said for name, said in found.items() if said}


def clips(ear: str, name: str, people: Path, prompts: Path, listen: align.Listen) -> list[align.Clip]:
    """A speaker's recordings with the ear's phones; `IGNORED` where it has no such phone."""
    spoken = name.partition(" ")[0]
    found = []
    for recording in speakers(ear, people, prompts)[name]:
        samples = recordings.decode(recording.file)
        spellings = [s for way in recording.ways if (s := spelling(ear, spoken, way))]
        if spellings and recordings.usable(samples):
            found.append(align.clip(samples, spellings, lambda x: doubled(listen(x))))
    worst = max(_AWAY, sorted(clip.score for clip in found)[int(len(found) * _WORST)])
    return [align.Clip(c.samples, _sure(ear, c.labels), c.score) for c in found if c.score > worst]


def _sure(ear: str, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(labels <= len(model(ear).phones), labels, IGNORED)


def doubled(scores: align.Scores) -> align.Scores:
    """Every output twice: as itself, and as the nearest to a phone that the ear does not have."""
    return np.concatenate([scores, scores], 1)


def spelling(ear: str, spoken: str, text: str) -> tuple[int, ...]:
    """The outputs of a text in another language, as a row of narrator.ear.lexicon; the nearest ones of phones that are
    not shared are larger by the number of outputs. Empty if a sound is known neither way."""
    shared, outputs = _shared(ear, spoken), {phone: i for i, phone in enumerate(model(ear).phones, 1)}
    row: list[int] = []
    for word in phonemes(text.casefold(), spoken):
        for phoneme in word:
            symbol = _MARKS.sub("", phoneme)
            beyond = 0 if symbol in shared else len(outputs) + 1
            phones = _phones(ear, spoken, symbol)
            if not phones:
                return ()
            row += [beyond + outputs[phone] for phone in phones if phone]
        row.append(PAUSE)
    return tuple(row[:-1])


@cache
def _shared(ear: str, spoken: str) -> frozenset[str]:
    return frozenset(_SHARED[ear][spoken].split())


@cache
def _phones(ear: str, spoken: str, symbol: str) -> Sequence[str]:
    """The ear's phones for a symbol; [""] for one that is no sound, none for one that is not known."""
    plain = _SOFT.sub("", symbol)
    known, near = set(model(ear).phones), _nearest(ear)
    if not plain:
        return [""]
    home = next((code for code, voice in _VOICE.items() if voice == spoken), spoken)
    same = model(home).same if home in _PEOPLE else {}
    parts = [p.removeprefix("-") for p in same.get(plain, plain).split()]
    rows = [[part] if part in known else near.get(part, []) for part in parts]
    return [] if not all(rows) or any(p not in known for row in rows for p in row) else [p for row in rows for p in row]


@cache
def _nearest(ear: str) -> dict[str, list[str]]:
    words = _NEAR.split()
    near = {symbol: phones.replace("-", "").split() for symbol, phones in model("fr").same.items()}
    near |= {symbol: phones.split("_") for symbol, phones in zip(words[::2], words[1::2], strict=True)}
    if ear == "fr":
        return near
    own = _NEAR_ENGLISH.split()
    english = {symbol: phones.split("_") for symbol, phones in zip(own[::2], own[1::2], strict=True)}
    return {s: [e for p in row for e in english.get(p, [p])] for s, row in near.items()} | english
