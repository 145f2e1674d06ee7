"""A sound card made of software, for tests of the real audio path: a private PulseAudio with two null sinks.

Rules. Nothing touches the machine's own sound: the daemon has its own folder, socket and configuration, and
a program sees it only through `card.env`. It plays to the sink "speaker" (the default) and listens to what
a test plays into the sink "microphone" (the default source). Leaving the context ends the daemon and every
recording.

with virtual_sound_card() as card: with card.record() as tape: subprocess.run([sys.executable, "-m", ...],
env=card.env) heard = tape.samples # int16 mono at card.rate: all that came out of the loudspeaker
card.play_to_microphone(samples, 16000) # blocks until it is said; a Path to a WAV file will do
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import tempfile
import threading
import time
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec

import numpy as np
import numpy.typing as npt

RATE = 48000
P = ParamSpec("P")
_SOCKET_LIMIT = 100  # a unix socket's path may have 107 bytes

_ALSA = """\
pcm.!default { type pulse }
ctl.!default { type pulse }
pcm.pulse { type pulse }
ctl.pulse { type pulse }
"""


def thrice(test: Callable[P, None]) -> Callable[P, None]:
    """Measures real sound, whose times and gaps a busy machine spoils now and then: right once of three times is right.

    Spoilt by the program, it is wrong three times.
    """

    @functools.wraps(test)
    def tried(*arguments: P.args, **named: P.kwargs) -> None:
        for _ in range(2):
            with contextlib.suppress(AssertionError):
                return test(*arguments, **named)
        return test(*arguments, **named)

    return tried


class Tape:
    """A recording under way. `started`: time.monotonic() of the first sample, within a few milliseconds."""

    def __init__(self, process: subprocess.Popen[bytes], rate: int) -> None:
        self._process, self.rate = process, rate
        self._data = bytearray()
        self.started = 0.0
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while chunk := os.read(self._process.stdout.fileno(), 65536):
            if not self.started:
                self.started = time.monotonic() - len(chunk) / 2 / self.rate
                self._first.set()
            self._data += chunk

    def wait_started(self, timeout: float = 60) -> None:
        if not self._first.wait(timeout):
            raise RuntimeError("the recorder parec delivers nothing")

    @property
    def samples(self) -> npt.NDArray[np.int16]:
        """What was recorded so far, int16 mono, a copy."""
        return np.frombuffer(bytes(self._data[: len(self._data) // 2 * 2]), np.int16)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._thread.join(30)
        if self._process.stdout is not None:
            self._process.stdout.close()


@dataclass(frozen=True)
class SoundCard:
    """What a test does with the card. `env`: the whole environment for programs under test."""

    env: dict[str, str]
    folder: Path
    rate: int = RATE
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)  # ended with the card

    @contextlib.contextmanager
    def record(self, source: str = "speaker.monitor", rate: int | None = None) -> Iterator[Tape]:
        """Records what comes out of the loudspeaker until the block is left."""
        rate = rate or self.rate
        command = [
            "parec",
            f"--device={source}",
            "--format=s16le",
            f"--rate={rate}",
            "--channels=1",
            "--latency-msec=10",
        ]
        process = subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        tape = Tape(process, rate)
        try:
            tape.wait_started()
            yield tape
        finally:
            tape.stop()

    def play_to_microphone(self, sound: Path | npt.NDArray[np.int16], rate: int = 16000, wait: bool = True) -> float:
        """Says something into the microphone: a mono WAV file or int16 samples. Returns its seconds.

        Blocks until the last sample was played unless `wait` is false.
        """
        if isinstance(sound, Path):
            with wave.open(str(sound)) as file:
                rate = file.getframerate()
                sound = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        command = [
            "pacat",
            "--device=microphone",
            "--format=s16le",
            f"--rate={rate}",
            "--channels=1",
            "--latency-msec=100",
        ]
        data = sound.astype("<i2").tobytes()
        if wait:
            subprocess.run(command, input=data, env=self.env, check=True, timeout=60 + 5 * len(sound) / rate)
        else:
            threading.Thread(target=subprocess.run, args=(command,), kwargs={"input": data, "env": self.env}).start()
        return len(sound) / rate

    def unplug(self, *sinks: str) -> None:
        """Takes sinks away ("speaker", "microphone"), as a pulled plug does."""
        for line in self._control("list", "short", "modules").splitlines():
            number, _, rest = line.partition("\t")
            if any(f"sink_name={sink} " in rest for sink in sinks):
                self._control("unload-module", number)

    def plug(self, *sinks: str) -> None:
        """Brings them back."""
        for sink in sinks:
            words = (f"sink_name={sink}", f"rate={self.rate}", "channels=1")
            self._control("load-module", "module-null-sink", *words)
            self.processes.append(_listener(self, sink))
        self._control("set-default-sink", "speaker")
        self._control("set-default-source", "microphone.monitor")

    def _control(self, *words: str) -> str:
        command = ["pactl", *words]
        return subprocess.run(command, env=self.env, check=True, capture_output=True, text=True, timeout=60).stdout


@contextlib.contextmanager
def virtual_sound_card(folder: Path | None = None) -> Iterator[SoundCard]:
    """Starts the daemon in a folder of its own (inside `folder` when its path is short enough for a socket)."""
    for program in ("pulseaudio", "pactl", "parec", "pacat"):
        if shutil.which(program) is None:
            raise RuntimeError(f"{program} is missing: apt install pulseaudio pulseaudio-utils libasound2-plugins")
    if folder is not None and len(str(folder)) > _SOCKET_LIMIT - 30:
        folder = None
    with tempfile.TemporaryDirectory(prefix="card-", dir=folder, ignore_cleanup_errors=True) as name:
        card = SoundCard(_environment(Path(name)), Path(name))
        processes = card.processes
        processes.append(_daemon(card))
        try:
            _wait_until_there(card, processes[0])
            card._control("set-default-sink", "speaker")
            card._control("set-default-source", "microphone.monitor")
            processes += [_listener(card, sink) for sink in ("speaker", "microphone")]
            yield card
        finally:
            for process in reversed(processes):
                _end(process)


def _environment(folder: Path) -> dict[str, str]:
    (folder / "asound.conf").write_text(_ALSA)
    (folder / "client.conf").write_text("autospawn = no\nenable-shm = no\n")
    socket = folder / "s"
    if len(str(socket)) > _SOCKET_LIMIT:
        raise RuntimeError(f"{socket} is too long for a socket: set TMPDIR to a short folder")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PULSE_", "ALSA_"))}
    return kept | {
        "PULSE_RUNTIME_PATH": str(folder),
        "PULSE_STATE_PATH": str(folder),
        "PULSE_SERVER": f"unix:{socket}",
        "PULSE_CLIENTCONFIG": str(folder / "client.conf"),
        "PULSE_COOKIE": str(folder / "cookie"),
        "ALSA_CONFIG_PATH": str(folder / "asound.conf"),
        "XDG_RUNTIME_DIR": str(folder),
    }


def _daemon(card: SoundCard) -> subprocess.Popen[bytes]:
    modules = [
        f"module-native-protocol-unix auth-anonymous=1 socket={card.folder / 's'}",
        f"module-null-sink sink_name=speaker rate={card.rate} channels=1",
        f"module-null-sink sink_name=microphone rate={card.rate} channels=1",
    ]
    command = [
        "pulseaudio",
        "-n",
        "--daemonize=no",
        "--exit-idle-time=-1",
        "--use-pid-file=no",
        "--disable-shm=yes",
    ]
    command += [word for module in modules for word in ("-L", module)]
    environment = {key: value for key, value in card.env.items() if key != "PULSE_SERVER"}
    with (card.folder / "log").open("wb") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def _listener(card: SoundCard, sink: str) -> subprocess.Popen[bytes]:
    """A null sink that nobody hurries works in steps of two seconds: this one asks for 10 ms and
    throws it away.
    """
    command = ["parec", f"--device={sink}.monitor", "--latency-msec=10"]
    return subprocess.Popen(command, env=card.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


def _wait_until_there(card: SoundCard, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(subprocess.SubprocessError):
            if "microphone" in card._control("list", "short", "sinks"):
                return
        time.sleep(0.05)
    raise RuntimeError(f"PulseAudio did not start: {(card.folder / 'log').read_text()[-600:]}")
