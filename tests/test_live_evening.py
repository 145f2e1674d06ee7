"""In real time through PortAudio on a virtual sound card: a proposal and a count are heard, and answered aloud."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from soundcard import SoundCard, Tape, virtual_sound_card

TABLE = """game = "sultan"
lang = "fr"
players = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]
first = "Alice"
[options]
discussion = 300
"""
PATIENCE = 40.0  # seconds for a line to come


class Evening:
    """`narrator play` on a virtual sound card, with somebody in front of the microphone."""

    def __init__(self, card: SoundCard, tape: Tape, folder: Path) -> None:
        self.card, self.tape, self.folder = card, tape, folder
        table = folder / "table.toml"
        table.write_text(TABLE, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "narrator", "play", "--table", str(table), "--skip-setup", "--seed", "1"],
            env={**card.env, "XDG_STATE_HOME": str(folder), "PYTHONUNBUFFERED": "1", "LANG": "fr_FR.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._queue: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._queue.put(line.strip())

    def wait_for(self, text: str) -> str:
        """The next line that holds `text`."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                line = self._queue.get(timeout=0.5)
            except queue.Empty:
                assert self.process.poll() is None, "\n".join(self.lines)
                continue
            self.lines.append(line)
            if text in line:
                return line
        raise AssertionError(f"“{text}” never came:\n" + "\n".join(self.lines))

    def wait_for_silence(self, seconds: float = 1.0) -> None:
        """Until the loudspeaker has been silent for a while, after having spoken."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(0.2)
            lately = self.tape.samples[-round(seconds * self.card.rate) :].astype(float)
            if len(lately) and np.sqrt(np.mean(lately**2)) < 20:
                return
        raise AssertionError("the narrator never fell silent")

    def say(self, sentence: str) -> None:
        """Somebody speaks, with an espeak-ng voice."""
        file = self.folder / "said.wav"
        subprocess.run(["espeak-ng", "-v", "fr+f2", "-s", "145", "-w", str(file), sentence], check=True)
        self.card.play_to_microphone(file)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=15)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with virtual_sound_card() as card, card.record() as tape:
        playing = Evening(card, tape, tmp_path)
        try:
            yield playing
        finally:
            playing.end()


@pytest.mark.sound
def test_hears_a_proposal_and_a_count_and_speaks_back(evening: Evening) -> None:
    evening.wait_for("Alice, qui proposes-tu comme Narratrice")
    evening.wait_for_silence()
    evening.say("je propose Chloé")
    evening.wait_for("◂ je propose chloé")
    evening.wait_for("Alice propose Chloé comme Narratrice.")
    evening.wait_for("Discutez-en")
    evening.wait_for_silence()
    evening.say("on vote")
    evening.wait_for("Combien de oui")
    evening.wait_for_silence()
    evening.say("quatre oui, trois non")
    evening.wait_for("Quatre oui, trois non.")
    evening.wait_for("Le gouvernement est accepté.")
    heard = [line for line in evening.lines if line.startswith("◂")]
    assert heard == ["◂ je propose chloé", "◂ on vote", "◂ quatre oui trois non"]  # nothing else was taken for speech
    evening.wait_for_silence()
    loud = np.abs(evening.tape.samples.astype(float)) > 1000
    assert loud.sum() > 5 * evening.card.rate * 0.1  # and it was spoken aloud, not only printed
    evening.end()
    assert evening.process.returncode == 0
