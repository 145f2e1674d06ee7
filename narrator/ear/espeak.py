"""How a sentence sounds, from espeak-ng's C library (libespeak-ng): text to phonemes, no sound is made.

The library can be set up once per process and keeps one voice at a time: everything here is behind one lock.
Measured: 25 microseconds a sentence, liaisons included, so nothing is cached on disk.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import threading
from collections.abc import Iterator
from functools import cache

from narrator.core.errors import ModelError

_SYNCHRONOUS, _PHONEME_EVENTS_IN_IPA = 2, 1 | 2
_UTF8, _IPA = 1, 0x02
_SEPARATOR = "_"  # between the phonemes of a word; words are separated by a space
_lock = threading.Lock()


@cache
def library() -> ctypes.CDLL:
    """The initialised library. Raises ModelError if it or its data cannot be found."""
    names = ("libespeak-ng.so.1", "libespeak-ng.dylib", "libespeak-ng.dll", ctypes.util.find_library("espeak-ng"))
    for name in filter(None, names):
        try:
            found = ctypes.CDLL(name)
        except OSError:
            continue
        if found.espeak_Initialize(_SYNCHRONOUS, 0, None, _PHONEME_EVENTS_IN_IPA) <= 0:
            raise ModelError("espeak-ng does not find its data: apt install espeak-ng-data")
        found.espeak_TextToPhonemes.restype = ctypes.c_char_p
        found.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
        return found
    raise ModelError("the ear needs espeak-ng to know how names sound: apt install libespeak-ng1")


def phonemes(text: str, voice: str) -> list[list[str]]:
    """IPA phonemes of each word as `voice` says the whole text; words that melt in speech come as one.

    Raises ModelError if the library or the voice is missing.
    """
    with _lock:
        found = library()
        if found.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ModelError(f"espeak-ng has no voice {voice!r}: install espeak-ng-data or correct ear.toml")
        said = " ".join(_clauses(found, text))
    return [phones for word in said.split() if (phones := [p for p in word.split(_SEPARATOR) if p])]


@cache
def is_foreign(word: str, voice: str) -> bool:
    """True if `voice` reads the word as one of another language, which it does where letters stand as in no word of its
    own ("(en)nˈeɪθən(fr)")."""
    return any(phone.startswith("(") for said in phonemes(word, voice) for phone in said)


def _clauses(found: ctypes.CDLL, text: str) -> Iterator[str]:
    rest = ctypes.c_char_p(text.encode())
    while rest.value:
        yield found.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, _IPA | ord(_SEPARATOR) << 8).decode()
