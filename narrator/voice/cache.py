"""Lines already spoken: kept in memory and on disk, rendered ahead while the table talks.

Rules. A line is known by engine, voice, rate, pitch, loudness, pauses and spoken text. A damaged file is
rendered again; a disk that refuses is done without, and says so once. What is wanted now never waits for
more than the one line that is being rendered ahead.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import struct
import tempfile
import threading
import time
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from platformdirs import user_cache_dir

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip
from narrator.voice.engine import Voice
from narrator.voice.pack import Pack
from narrator.voice.patience import Patience, bearable
from narrator.voice.profile import Profile
from narrator.voice.spoken import spoken_form
from narrator.voice.synth import Synth

FORMAT = 2  # raise it whenever the same text would sound or be stored differently
MEMORY_BYTES = 64_000_000  # about 25 minutes of speech
DISK_BYTES = 400_000_000
HUNG, CONVALESCENCE = 1.5, 120.0  # seconds: a voice that takes so long to fail is left in peace for so long
_MAGIC = b"NARV"
_HEAD = struct.Struct("<4sIIII")  # magic, format, rate, samples, CRC of the samples

_log = logging.getLogger(__name__)


class Studio:
    """Clips of one profile. Thread-safe."""

    def __init__(
        self,
        profile: Profile,
        synth: Voice | None = None,
        folder: Path | None = None,
        *,
        pack: Pack | None = None,
        spare: Callable[[], Voice] | None = None,
        owned: bool = False,
    ) -> None:
        """`folder`: where clips are kept, by default the user's cache. `pack`: recordings that come first.
        `spare`: makes the voice that steps in when the first one fails on a line.

        A Synth that Studio makes, it also closes; and `synth` too if it is `owned`.
        """
        self.profile = profile
        self._owned = owned or synth is None
        self._synth: Voice = Synth(profile) if synth is None else synth
        self._pack, self._make_spare = pack, spare
        self._spare: Studio | None = None
        self._sparing, self._patience = threading.Lock(), Patience()
        self._told_slow = False
        self._ill_until = 0.0  # time.monotonic() until which the spare speaks
        self._folder = Path(user_cache_dir("narrator")) / "voice" if folder is None else folder
        self._memory: OrderedDict[str, Clip] = OrderedDict()
        self._held = 0
        self._state = threading.Lock()  # memory, waiting
        self._rendering = threading.Lock()  # one line at a time: a second wish for it finds it done
        self._disk_works = True
        self._todo: deque[tuple[str, float]] = deque()
        self._wake = threading.Condition()
        self._urgent = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def voice(self) -> str:
        """Who speaks. Raises DeviceError when nobody can."""
        recorded = f"pack {self._pack.folder.name}, " if self._pack is not None else ""
        return recorded + self._synth.engine

    def clip(self, text: str, pace: float = 1.0) -> Clip:
        """The line as sound, at once when it is known. `pace` multiplies the rate (not of recordings).

        Raises DeviceError when neither the voice nor its spare can say it.
        """
        if self._pack is not None and (recorded := self._pack.clip(text)) is not None:
            return recorded
        if time.monotonic() < self._ill_until:
            return self._spare_studio().clip(text, pace)
        began = time.monotonic()
        try:
            return self._own_clip(text, pace)
        except DeviceError as error:
            if self._make_spare is None or self._closed:
                raise
            _log.warning("another voice steps in for one line: %s", error)
            if time.monotonic() - began > HUNG:
                self._ill_until = time.monotonic() + CONVALESCENCE
            return self._spare_studio().clip(text, pace)

    def now(self, text: str, pace: float = 1.0) -> Clip:
        """Like `clip`, for people who wait: where a voice takes too long (see patience.py), its spare speaks."""
        if self._make_spare is None or not self._waits(text, pace):
            return self.clip(text, pace)
        clip = self._patience.wait(lambda: self.clip(text, pace), bearable(text))
        if clip is None and not self._told_slow:
            _log.warning("this machine is too slow for its voice: another one says what cannot wait")
        self._told_slow = clip is None
        return clip or self._spare_studio().clip(text, pace)

    def _waits(self, text: str, pace: float) -> bool:
        """Whether the line is still to be rendered; who cannot even start is not waited for."""
        try:
            return self._known(self._key(text, pace)[0]) is None
        except DeviceError:
            return False

    def _spare_studio(self) -> Studio:
        """The same lines by the spare voice, kept apart from those of the first one."""
        with self._sparing:
            if self._spare is None:
                assert self._make_spare is not None
                self._spare = Studio(self.profile, self._make_spare(), self._folder, owned=True)
            return self._spare

    def _own_clip(self, text: str, pace: float) -> Clip:
        key, rate = self._key(text, pace)
        known = self._known(key)
        if known is not None:
            return known
        with self._wake:
            self._urgent += 1
        try:
            return self._render(key, text, rate)
        finally:
            with self._wake:
                self._urgent -= 1
                self._wake.notify_all()

    def seconds(self, text: str, pace: float = 1.0) -> float:
        """How long the line takes, seconds (it is rendered if it was not). Raises DeviceError."""
        return self.clip(text, pace).seconds

    def ahead(self, texts: Iterable[str], pace: float = 1.0) -> None:
        """Renders these in the background, in order, after what is already asked for; returns at once."""
        with self._wake:
            self._todo.extend((text, pace) for text in texts)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="voice-ahead", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def forget_ahead(self) -> None:
        """Drops what waits to be rendered ahead: the game took another way."""
        with self._wake:
            self._todo.clear()

    def wait_ahead(self, timeout: float | None = None) -> bool:
        """Waits until everything asked for ahead is done; False when `timeout` (seconds) passed first."""
        with self._wake:
            return self._wake.wait_for(lambda: self._closed or not self._todo, timeout)

    def close(self) -> None:
        """Ends the background work, and the synthesiser if Studio made it."""
        with self._wake:
            self._closed = True
            self._todo.clear()
            self._wake.notify_all()
        if self._owned:
            self._synth.close()  # first: then nobody waits for the line under way
        if self._thread is not None:
            self._thread.join(5)
        if self._spare is not None:
            self._spare.close()

    def _key(self, text: str, pace: float) -> tuple[str, int]:
        rate = max(60, min(450, round(self.profile.rate * pace)))
        p = self.profile
        pauses = (p.pauses.comma, p.pauses.semicolon, p.pauses.sentence, p.pauses.ellipsis, p.pauses.breath)
        facts = (FORMAT, self._synth.engine, p.voices, rate, p.pitch, p.volume, pauses, spoken_form(text, p))
        return hashlib.sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()[:40], rate

    def _known(self, key: str) -> Clip | None:
        with self._state:
            clip = self._memory.get(key)
            if clip is not None:
                self._memory.move_to_end(key)
                return clip
        clip = self._read(key)
        if clip is not None:
            self._remember(key, clip)
        return clip

    def _render(self, key: str, text: str, rate: int) -> Clip:
        with self._rendering:
            known = self._known(key)
            if known is not None:
                return known
            clip = self._synth.render(text, rate=rate)
            self._remember(key, clip)
        self._write(key, clip)
        return clip

    def _remember(self, key: str, clip: Clip) -> None:
        clip.samples.setflags(write=False)
        with self._state:
            if key not in self._memory:
                self._held += clip.samples.nbytes
            self._memory[key] = clip
            while self._held > MEMORY_BYTES and len(self._memory) > 1:
                self._held -= self._memory.popitem(last=False)[1].samples.nbytes

    def _work(self) -> None:
        with contextlib.suppress(OSError):
            _make_room(self._folder, DISK_BYTES)
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or (self._todo and not self._urgent))
                if self._closed:
                    return
                text, pace = self._todo[0]
            self._render_ahead(text, pace)
            with self._wake:
                if self._todo and self._todo[0] == (text, pace):
                    self._todo.popleft()
                self._wake.notify_all()

    def _render_ahead(self, text: str, pace: float) -> None:
        try:
            if self._pack is not None and self._pack.clip(text) is not None:
                return
            key, rate = self._key(text, pace)
            if self._known(key) is None:
                self._render(key, text, rate)
        except DeviceError as error:
            _log.info("a line could not be rendered ahead: %s", error)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.clip"

    def _read(self, key: str) -> Clip | None:
        """The clip on disk, None when there is none or it is damaged."""
        path = self._path(key)
        try:
            data = path.read_bytes()
            clip = _unpacked(data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, struct.error) as error:
            _log.info("a cached line is damaged and will be rendered again: %s (%s)", path, error)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return clip

    def _write(self, key: str, clip: Clip) -> None:
        """Whole or not at all: written aside, then renamed."""
        if not self._disk_works:
            return
        path, aside = self._path(key), ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, aside = tempfile.mkstemp(dir=path.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(_packed(clip))
            os.replace(aside, path)
        except OSError as error:
            self._disk_works = False
            _log.warning("spoken lines cannot be kept in %s (%s): they stay in memory", self._folder, error)
            with contextlib.suppress(OSError):
                if aside:
                    os.unlink(aside)


def _packed(clip: Clip) -> bytes:
    data = clip.samples.astype("<i2").tobytes()
    return _HEAD.pack(_MAGIC, FORMAT, clip.rate, len(clip.samples), zlib.crc32(data)) + data


def _unpacked(data: bytes) -> Clip:
    magic, version, rate, count, check = _HEAD.unpack_from(data)
    body = data[_HEAD.size :]
    if magic != _MAGIC or version != FORMAT or len(body) != 2 * count or zlib.crc32(body) != check or not rate:
        raise ValueError("not a whole clip")
    return Clip(np.frombuffer(body, "<i2").astype(np.int16), rate)


def _make_room(folder: Path, limit: int) -> None:
    """Removes the lines longest unheard until the rest fits, and what a crash left half written."""
    files = [(path, path.stat()) for path in folder.glob("??/*.clip")]
    for path in folder.glob("??/*.part"):
        path.unlink(missing_ok=True)
    total = sum(stat.st_size for _, stat in files)
    for path, stat in sorted(files, key=lambda one: one[1].st_mtime):
        if total <= limit:
            return
        path.unlink(missing_ok=True)
        total -= stat.st_size
