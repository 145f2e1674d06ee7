"""`narrator play` in a process of its own on a virtual sound card, with somebody in front of its microphone."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from soundcard import SoundCard, Tape

TABLE = """game = "sultan"
lang = "fr"
players = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]
first = "Alice"
[options]
discussion = 300
"""
PATIENCE = 90.0  # seconds for a line to come: the machine is shared


class LiveEvening:
    """`program`: run instead of narrator's command line (it gets its arguments), `command` instead of
    playing; `typing`: the keyboard is ours."""

    def __init__(
        self,
        card: SoundCard,
        tape: Tape | None,
        folder: Path,
        *arguments: str,
        typing: bool = False,
        program: tuple[str, ...] = ("-m", "narrator"),
        command: tuple[str, ...] = (),
    ) -> None:
        self.card, self.tape, self.folder = card, tape, folder
        folder.mkdir(parents=True, exist_ok=True)
        table = folder / "table.toml"
        table.write_text(TABLE, encoding="utf-8")
        command = command or ("play", "--table", str(table), "--skip-setup", "--seed", "1")
        self.process = subprocess.Popen(
            [sys.executable, *program, *command, *arguments],
            env={
                **card.env,
                **{f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("STATE", "CONFIG")},
                "PYTHONUNBUFFERED": "1",
                "PYTHONPATH": str(Path(__file__).parent.parent),
                "LANG": "fr_FR.UTF-8",
            },
            stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._queue: queue.Queue[tuple[str, float]] = queue.Queue()
        self._since = 0.0  # time.monotonic() when the line last waited for came, or something was typed
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._queue.put((line.strip(), time.monotonic()))

    def wait_for(self, text: str) -> str:
        """The next line that holds `text`."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                line, came = self._queue.get(timeout=0.5)
            except queue.Empty:
                assert self.process.poll() is None, "\n".join(self.lines)
                continue
            self.lines.append(line)
            if text in line:
                if not line.startswith("opens "):  # the probe's: nothing of it is spoken
                    self._since = came
                return line
        raise AssertionError(f"“{text}” never came:\n" + "\n".join(self.lines))

    def wait_for_silence(self, seconds: float = 1.0, *, muted: bool = False) -> None:
        """Until the loudspeaker has been silent for a while, after having spoken the line last waited for.

        A line is written before it is rendered: a busy machine is silent in between. `muted`: nothing is to be heard.
        """
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(0.2)
            spoken, size = self._sound().astype(float), round(seconds * self.card.rate)
            heard = muted or np.abs(spoken).max(initial=0) > 200
            if heard and len(spoken) >= size and np.sqrt(np.mean(spoken[-size:] ** 2)) < 20:
                return
        raise AssertionError("the narrator never fell silent")

    def wait_for_sound(self, seconds: float = 0.3) -> None:
        """Until the loudspeaker has sounded for a while since the line last waited for came, or something was typed."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if (np.abs(self._sound().astype(int)) > 500).sum() > seconds * self.card.rate * 0.2:
                return
            time.sleep(0.05)
        raise AssertionError("the narrator is not heard")

    def _sound(self) -> npt.NDArray[np.int16]:
        """What has come out of the loudspeaker since then."""
        assert self.tape
        return self.tape.samples[max(0, round((self._since - self.tape.started) * self.tape.rate)) :]

    def type(self, sentence: str) -> None:
        assert self.process.stdin
        self._since = time.monotonic()
        self.process.stdin.write(sentence + "\n")
        self.process.stdin.flush()

    def say(self, sentence: str, *, wait: bool = True, loud: int = 100) -> None:
        """Somebody speaks, with an espeak-ng voice; `loud`: its amplitude, 200 is a call."""
        file = self.folder / "said.wav"
        spoken = ["-v", "fr+f2", "-s", "145", "-a", str(loud), "-w", str(file), sentence]
        subprocess.run(["espeak-ng", *spoken], check=True)
        self.card.play_to_microphone(file, wait=wait)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)
