"""The process that owns pyttsx3: questions and answers as in serving.py, one sound file for each piece.

Rules. One utterance per call, a new file each, finished only when the engine said so and the file is there.
Run as a script: it starts in a few hundredths of a second, and can be killed at any time.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_EMPTY = 64  # bytes of a sound file's head


class VoiceError(Exception):
    """No voice asked for is known to the engine."""

    kind = "voice"


class Talker:
    """One pyttsx3 engine, one utterance at a time."""

    def __init__(self) -> None:
        import pyttsx3

        self._engine: Any = pyttsx3.init()
        self._done = self._whole = False
        self._errors: list[Exception] = []
        self._voice: tuple[str, ...] = ()
        self._playing = _espeak_is_playing() if str(self._engine) == "espeak" else None
        self._engine.connect("finished-utterance", lambda name, completed: self._finish(completed))
        self._engine.connect("error", lambda name, exception: self._errors.append(exception))
        if self._playing is not None:
            self._engine.runAndWait()  # spend the first loop: in it pyttsx3 returns before anything is done
        self._engine.setProperty("volume", 1.0)

    @property
    def name(self) -> str:
        return str(self._engine)

    def _finish(self, completed: bool) -> None:
        self._done, self._whole = True, completed

    def _settle(self) -> None:
        """Waits until espeak's own thread is idle.

        pyttsx3 says "finished" from inside that thread; a line begun before the thread is out takes the old
        line's end for its own and comes out empty (measured: one in eight). Settings are work for that thread
        too, and every loop of pyttsx3 begins by cancelling what it still has to do: a rate set too late is
        forgotten (measured: one line in 160).
        """
        while self._playing is not None and self._playing():
            time.sleep(0.0005)

    def say_to_files(self, request: dict[str, Any]) -> list[str]:
        self._use(tuple(request["voices"]))
        self._engine.setProperty("rate", int(request["rate"]))
        if request.get("pitch") is not None:
            self._engine.setProperty("pitch", int(request["pitch"]))
        self._errors.clear()  # an engine without pitch says so: it may
        names = [f"{request['prefix']}-{number}.wav" for number in range(len(request["pieces"]))]
        for piece, name in zip(request["pieces"], names, strict=True):
            self._say(piece, name)
            if not self._whole or os.path.getsize(name) <= _EMPTY:  # what can be said is never nothing: once more
                self._say(piece, name)
        return names

    def _say(self, text: str, name: str) -> None:
        self._settle()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        self._done = False
        self._engine.save_to_file(text, name, name)
        self._engine.runAndWait()
        size = -1
        while not (self._done and os.path.exists(name) and os.path.getsize(name) == size > 0):
            size = os.path.getsize(name) if os.path.exists(name) else -1
            if self._errors:
                raise RuntimeError(str(self._errors[0]))
            if self._done and not self._whole:
                return
            if not (self._done and size > 0):
                time.sleep(0.002)

    def _use(self, voices: tuple[str, ...]) -> None:
        """Takes the first voice that the engine has.

        pyttsx3 ignores a wrong one silently, so ask the engine back.
        """
        if voices == self._voice:
            return
        known = self._engine.getProperty("voices")
        for wanted in voices:
            for voice_id in _candidates(wanted, known):
                if self._accepts(voice_id):
                    self._voice = voices
                    return
        language = voices[-1].partition("+")[0].rpartition("/")[2][:2].lower()
        near = sorted(v.id for v in known if any(str(t).lower().startswith(language) for t in _languages(v)))
        have = f"it has {', '.join(near[:12])}" if near else f"it has no voice for {language!r}"
        raise VoiceError(f"the speech engine knows none of the voices {', '.join(voices)}: {have}")

    def _accepts(self, voice_id: str) -> bool:
        self._errors.clear()
        # Settings of a fresh engine wait until its loop runs; the driver itself takes them at once.
        try:
            self._engine.proxy._driver.setProperty("voice", voice_id)
        except Exception:
            return False
        return str(self._engine.getProperty("voice")).lower() == voice_id.lower()


def _espeak_is_playing() -> Callable[[], int]:
    from pyttsx3.drivers import _espeak

    playing: Callable[[], int] = _espeak.IsPlaying
    return playing


def _languages(voice: Any) -> list[str]:
    return [t.decode("utf-8", "ignore") if isinstance(t, bytes) else str(t) for t in voice.languages or ()]


def _candidates(wanted: str, known: list[Any]) -> list[str]:
    """Ids to try for a wish: that voice (with its +variant), or every voice of that language."""
    base, plus, variant = wanted.partition("+")
    if base.startswith("mb/"):  # espeak-ng lists no MBROLA voice, and takes those whose data is there
        return [wanted]
    exact = [v.id for v in known if v.id.lower() == base.lower()]
    if not exact and "/" not in base:
        exact = [v.id for v in known if any(_speaks(tag, base) for tag in _languages(v))]
    return [f"{voice_id}{plus}{variant}" for voice_id in exact]


def _speaks(tag: str, language: str) -> bool:
    tag = "".join(char for char in tag if char.isprintable()).lower().replace("_", "-")
    return tag == language.lower() or tag.startswith(language.lower() + "-")


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # last: nothing of ours hides a module of Python's
    from narrator.voice.serving import serve

    serve(Talker)
