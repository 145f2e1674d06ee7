"""SVOX Pico through `pico2wave` (Debian non-free: libttspico-utils): nicer than espeak-ng, at home on a Raspberry Pi.

Rules. One process per clause, killed when it hangs and tried once more. Text goes as one argument, never through a
shell, with what Pico takes for markup removed; the rate is Pico's own `<speed>`.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
import tempfile
from pathlib import Path

from narrator.core.errors import DeviceError
from narrator.voice.engine import Engine
from narrator.voice.profile import Profile
from narrator.voice.spoken import Clause

COMMAND = "pico2wave"
LANGUAGES = {"fr": "fr-FR", "en": "en-GB", "de": "de-DE", "es": "es-ES", "it": "it-IT"}
NATURAL = 165  # words per minute at speed 100
PATIENCE = 3.0
INSTALL = "apt install libttspico-utils (Debian non-free)"


def has_pico(language: str) -> bool:
    """Whether this machine can speak the language with Pico."""
    return language in LANGUAGES and shutil.which(COMMAND) is not None


def answer_limit(characters: int) -> float:
    """Seconds after which a clause is held to be hung: ten times what it takes. A second try gets PATIENCE as long."""
    return 0.8 + 0.005 * characters


class Pico(Engine):
    """Speaks a profile's language. Raises DeviceError at once where Pico is missing or does not know it."""

    def __init__(self, profile: Profile) -> None:
        if profile.language not in LANGUAGES:
            raise DeviceError(f"Pico does not speak {profile.language!r}: it speaks {', '.join(LANGUAGES)}")
        command = shutil.which(COMMAND)
        if command is None:
            raise DeviceError(f"the program {COMMAND} is missing: {INSTALL}")
        super().__init__(profile)
        self._command = command
        self._numbers = itertools.count(1)
        self._folder = tempfile.TemporaryDirectory(prefix="narrator-pico-", ignore_cleanup_errors=True)

    @property
    def engine(self) -> str:
        return f"pico {LANGUAGES[self.profile.language]}"

    def close(self) -> None:
        """Removes its folder."""
        with self._lock:
            self._folder.cleanup()

    def _files(self, parts: tuple[Clause, ...], rate: int) -> list[Path]:
        return [self._file(part.text, rate) for part in parts]

    def _file(self, text: str, rate: int) -> Path:
        speed = max(20, min(500, round(100 * rate / NATURAL)))
        path = Path(self._folder.name) / f"{next(self._numbers)}.wav"
        marked = f'<speed level="{speed}">{text.replace("&", " ")}</speed>'
        command = [self._command, "-l", LANGUAGES[self.profile.language], "-w", str(path), marked]
        reason = ""
        for patience in (1.0, PATIENCE):
            limit = patience * answer_limit(len(text))
            try:
                done = subprocess.run(
                    command, capture_output=True, timeout=limit, check=False, stdin=subprocess.DEVNULL
                )
            except subprocess.TimeoutExpired:
                reason = "it does not answer"
            except OSError as error:
                reason = str(error)
            else:
                if done.returncode == 0 and path.exists():
                    return path
                reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or f"code {done.returncode}"
        raise DeviceError(f"{COMMAND} failed twice on one line ({reason})")
