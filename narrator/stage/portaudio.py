"""PortAudio and its streams, kept alive: plugs that are pulled are noticed within a second and put back.

Rules. PortAudio learns of devices only when it starts, and restarting it closes every stream: so all streams belong to
one `Soundcards`, which restarts it only when no healthy stream would be heard to break, and reopens all of them.
Whether a restart is worth it is asked of a child process, whose PortAudio is always fresh. One thread watches; an owner
is told "lost", "back" (the same device) or "changed" (another one).
"""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from narrator.core.errors import DeviceError
from narrator.stage.devices import CALLED, Device, Direction, candidates, matching

STALLED = 0.7  # seconds without a callback: the device is gone
SLOW_START = 3.0  # seconds until the first one, at most
TICK = 0.1  # seconds between looks
FIRST_RETRY, LAST_RETRY = 0.25, 4.0  # seconds between attempts, doubling
LOOK_EVERY = 5.0  # seconds between looks for the device we would rather have
_INSTALL = "install the library PortAudio (Debian: apt install libportaudio2)"
_LOOK = "import sounddevice as s, json; print(json.dumps([[d['hostapi'], d['name']] for d in s.query_devices()]))"

_log = logging.getLogger(__name__)


def sounddevice() -> Any:
    """The module, imported late: without PortAudio it fails at import. Raises DeviceError."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise DeviceError(f"there is no sound ({error}): {_INSTALL}") from error
    return sounddevice


def list_devices(direction: Direction) -> list[Device]:
    """Every device of one direction as PortAudio knew them when it started. Raises DeviceError without PortAudio."""
    sd = sounddevice()
    found = []
    try:
        apis = sd.query_hostapis()
        chosen = sd.query_devices(None, direction)["index"] if len(sd.query_devices()) else -1
    except (sd.PortAudioError, ValueError):
        chosen = -1
    for number, info in enumerate(sd.query_devices()):
        if channels := int(info[f"max_{direction}_channels"]):
            api = apis[info["hostapi"]]["name"]
            rate, latency = round(info["default_samplerate"]), float(info[f"default_high_{direction}_latency"])
            found.append(Device(number, api, str(info["name"]), channels, rate, latency, number == chosen))
    return found


class Plug:
    """One stream that is to stay open.

    `start` opens and starts a stream on a device or raises; the stream calls `beat` at every block. `told` hears what
    happened, in the watching thread. `quiet` tells whether a short gap would go unnoticed.
    """

    def __init__(
        self,
        direction: Direction,
        wish: str | int | None,
        start: Callable[[Device], Any],
        told: Callable[[str], None] = lambda what: None,
        quiet: Callable[[], bool] = lambda: True,
    ) -> None:
        self.direction, self.wish, self.told, self.quiet = direction, wish, told, quiet
        self.device: Device | None = None
        self.stream: Any = None
        self.losses = 0
        self.last_beat = time.monotonic()
        self.beaten = False  # since the stream was opened
        self._start = start
        self.retry_at, self.pause = 0.0, FIRST_RETRY
        self.look_at = 0.0
        self.first: Device | None = None  # the device opened at the beginning: to return to
        self.used: Device | None = None  # the one the owner knows of
        self.missed = False  # the owner waits for it

    def beat(self) -> None:
        """A block went through."""
        self.last_beat = time.monotonic()
        self.beaten = True

    @property
    def alive(self) -> bool:
        """The stream runs and gave a sign of life lately."""
        stream = self.stream
        if stream is None:
            return False
        try:
            return bool(stream.active) and time.monotonic() - self.last_beat < (STALLED if self.beaten else SLOW_START)
        except Exception:  # PortAudio forgot the stream
            return False

    def connect(self, devices: Sequence[Device], *, strict: bool = False) -> None:
        """Opens the best device that works. `strict`: only what was wished for. Raises DeviceError."""
        called = f"the {CALLED[self.direction]}"
        if strict and self.wish is not None and not matching(devices, self.wish):
            raise DeviceError(
                f"{called} “{self.wish}” cannot be opened (there is no such device): plug it in, or choose another one"
            )
        reason = "there is none"
        tries = candidates(devices, self.wish, self.device)
        if strict and self.wish is not None:
            tries = matching(devices, self.wish)
        for device in tries:
            try:
                self.last_beat, self.beaten = time.monotonic(), False
                self.stream = self._start(device)
            except Exception as error:  # PortAudio's, or a driver's own
                reason = str(error)
                continue
            self.device, self.first = device, self.first or device
            if isinstance(self.wish, int) or (self.wish and self.wish.strip().isdigit()):
                self.wish = device.title  # numbers change when PortAudio looks anew
            return
        which = called if self.wish is not None else f"a {CALLED[self.direction]}"
        raise DeviceError(f"{which} cannot be opened ({reason}): plug it in, or choose another device")

    def drop(self) -> bool:
        """Lets go of the stream; False if its driver hangs."""
        stream, self.stream = self.stream, None
        if stream is None:
            return True
        thread = threading.Thread(target=_ended, args=(stream,), name="sound-close", daemon=True)
        thread.start()
        thread.join(2.0)
        return not thread.is_alive()


def _ended(stream: Any) -> None:
    with contextlib.suppress(Exception):
        stream.abort(ignore_errors=True)
    with contextlib.suppress(Exception):
        stream.close(ignore_errors=True)


class Soundcards:
    """All the plugs of this process and the thread that watches them."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._plugs: list[Plug] = []
        self._stuck = False  # a driver hangs: PortAudio cannot be restarted any more
        self._thread: threading.Thread | None = None

    def attach(self, plug: Plug) -> None:
        """Opens it and keeps it open. Raises DeviceError if no device can be opened now."""
        with self._lock:
            plug.connect(list_devices(plug.direction), strict=True)
            plug.used = plug.device
            self._adopt(plug)

    def await_device(self, plug: Plug) -> None:
        """Keeps trying to open it: for a device that is missing at the start."""
        with self._lock:
            plug.missed = True
            self._adopt(plug)

    def detach(self, plug: Plug) -> None:
        """Closes it for good."""
        with self._lock:
            if plug in self._plugs:
                self._plugs.remove(plug)
            self._stuck |= not plug.drop()

    def _adopt(self, plug: Plug) -> None:
        self._plugs.append(plug)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._watch, name="sound-watch", daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        while True:
            time.sleep(TICK)
            with self._lock:
                plugs = list(self._plugs)
                if not plugs:
                    self._thread = None
                    return
            for plug in plugs:
                try:
                    self._tend(plug)
                except Exception:
                    _log.exception("the watch over the sound devices failed")

    def _tend(self, plug: Plug) -> None:
        now = time.monotonic()
        with self._lock:
            if plug not in self._plugs:
                return
            if plug.alive:
                self._announce()
                self._return_to_first(plug, now)
                return
            if plug.stream is not None:
                self._lose(plug, now)
            if now < plug.retry_at:
                return
            plug.pause = min(2 * plug.pause, LAST_RETRY)
            plug.retry_at = now + plug.pause
        self._regain(plug)

    def _lose(self, plug: Plug, now: float) -> None:
        _log.warning("the %s stopped: trying to open it again", CALLED[plug.direction])
        self._stuck |= not plug.drop()
        if not plug.missed:
            plug.losses, plug.missed = plug.losses + 1, True
            plug.pause, plug.retry_at = FIRST_RETRY, now
            plug.told("lost")

    def _regain(self, plug: Plug) -> None:
        """The same device if it opens, else whatever a fresh list offers."""
        before = plug.device
        with self._lock:
            same = [d for d in list_devices(plug.direction) if before and d.title == before.title]
            opened = _opened(plug, same)
        if not opened and self._worth_restarting(plug):
            with self._lock:
                self._restart()
        with self._lock:
            if plug.stream is None and plug in self._plugs:
                _opened(plug, list_devices(plug.direction))

    def _announce(self) -> None:
        """Tells the owners whose lost stream runs again."""
        for plug in self._plugs:
            if plug.missed and plug.stream is not None and plug.beaten and plug.device is not None:
                plug.missed, plug.pause = False, FIRST_RETRY
                _log.warning("the %s works again: %s", CALLED[plug.direction], plug.device.title)
                titles = {one.title for one in (plug.used, plug.first) if one}
                same = plug.used is None or plug.device.title in titles
                plug.used = plug.device
                plug.told("back" if same else "changed")

    def _worth_restarting(self, plug: Plug) -> bool:
        others = [other for other in self._plugs if other is not plug and other.stream is not None]
        if self._stuck or not all(other.quiet() for other in others):
            return False
        return not others or (fresh_devices() != _known_devices() and all(other.quiet() for other in others))

    def _return_to_first(self, plug: Plug, now: float) -> None:
        """On a substitute: is the device we began with back?"""
        first, device = plug.first, plug.device
        if first is None or device is None or first.title == device.title:
            return
        if now < plug.look_at or self._stuck or not all(other.quiet() for other in self._plugs):
            return
        plug.look_at = now + LOOK_EVERY
        if fresh_devices() != _known_devices():
            plug.device, plug.missed = first, True
            self._restart()

    def _restart(self) -> None:
        """Closes every stream, lets PortAudio look anew, opens them again."""
        sd = sounddevice()
        for plug in self._plugs:
            self._stuck |= not plug.drop()
        if self._stuck:
            return
        with contextlib.suppress(sd.PortAudioError):
            sd._terminate()
        with contextlib.suppress(sd.PortAudioError):
            sd._initialize()
        for plug in self._plugs:
            if not _opened(plug, list_devices(plug.direction)):
                plug.missed = True
                plug.retry_at = time.monotonic() + plug.pause


def _opened(plug: Plug, devices: Sequence[Device]) -> bool:
    if not devices:
        return False
    with contextlib.suppress(DeviceError):
        plug.connect(devices)
        return True
    return False


def _known_devices() -> list[list[Any]]:
    return [[info["hostapi"], info["name"]] for info in sounddevice().query_devices()]


def fresh_devices() -> list[list[Any]]:
    """[host API, name] of every device as a process that starts now sees them; what we know if it cannot tell."""
    try:
        run = subprocess.run([sys.executable, "-c", _LOOK], capture_output=True, text=True, timeout=5, check=True)
        return list(json.loads(run.stdout.splitlines()[-1]))
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return _known_devices()


@lru_cache(maxsize=1)
def soundcards() -> Soundcards:
    """The one of this process."""
    return Soundcards()
