"""A real evening's latencies on a virtual sound card (PulseAudio): `python -m bench.live`.

Printed: start of `narrator play` to the first sound, with the cache of lines cold and warm, beside what any program
pays (the bare import of its packages); end of a spoken sentence to the first sound of the answer, beside the endpoint
silence that it contains.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from soundcard import SoundCard, Tape, virtual_sound_card

from narrator.ear.judge import EarSettings

TABLE = 'game = "sultan"\nfirst = "Alice"\nplayers = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]\n'
QUESTIONS = ("où en est-on", "combien de contes", "qui peut être narratrice")
LOUD = 300  # of 32768


def first_sound(tape: Tape, since: float, rate: int, patience: float = 30.0) -> float:
    """Seconds from the monotonic time `since` until the loudspeaker is heard."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        start = max(round((since - tape.started) * rate), 0)
        loud = np.flatnonzero(np.abs(tape.samples[start:].astype(int)) > LOUD)
        if len(loud):
            return (start + int(loud[0])) / rate - (since - tape.started)
        time.sleep(0.02)
    raise TimeoutError("nothing was heard")


def wait_for_silence(tape: Tape, rate: int) -> None:
    while np.abs(tape.samples[-rate:].astype(int)).max(initial=0) > 20:
        time.sleep(0.1)


def evening(card: SoundCard, folder: Path, questions: tuple[str, ...]) -> tuple[float, list[float], float]:
    """Seconds to the first word and of every answer, MB of memory."""
    table = folder / "t.toml"
    table.write_text(TABLE, encoding="utf-8")
    folders = {f"XDG_{name}_HOME": str(folder) for name in ("STATE", "CACHE", "CONFIG")}
    with card.record() as tape:
        began = time.monotonic()
        playing = subprocess.Popen(
            [sys.executable, "-m", "narrator", "play", "--table", str(table), "--skip-setup"],
            env={**card.env, **folders},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        first, answers = first_sound(tape, began, card.rate), []
        for question in questions:
            time.sleep(1.0)
            wait_for_silence(tape, card.rate)
            file = folder / "said.wav"
            subprocess.run(["espeak-ng", "-v", "fr+f2", "-s", "150", "-w", str(file), question], check=True)
            card.play_to_microphone(file)
            answers.append(first_sound(tape, time.monotonic(), card.rate) + trailing_silence(file))
        memory = peak_memory(playing.pid)
        playing.terminate()
        playing.wait(timeout=15)
    return first, answers, memory


def trailing_silence(file: Path) -> float:
    """Seconds of the recording after its last loud sample."""
    with wave.open(str(file)) as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), np.int16).astype(int)
        return (len(samples) - int(np.flatnonzero(np.abs(samples) > LOUD)[-1])) / sound.getframerate()


def peak_memory(pid: int) -> float:
    """MB of the process and of its largest child (the synthesiser), at their peak; 0 where /proc does not tell."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    pids = [str(pid), *(children.read_text().split() if children.exists() else ())]
    peaks = [Path(f"/proc/{one}/status").read_text() for one in pids if Path(f"/proc/{one}/status").exists()]
    return sum(int(text.split("VmHWM:")[1].split()[0]) for text in peaks if "VmHWM:" in text) / 1024


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import vosk, numpy, sounddevice, hassil, transitions"], check=True)
    bare = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as name, virtual_sound_card() as card:
        cold, _, _ = evening(card, Path(name), ())
        warm, answers, memory = evening(card, Path(name), QUESTIONS)
    silence = EarSettings().vad.trailing
    answer = statistics.median(answers)
    print(f"first word, cold cache   {cold:.2f} s")
    print(f"first word, warm cache   {warm:.2f} s   (importing packages alone {bare:.2f} s; ratio {warm / bare:.1f})")
    print(f"end of speech to answer  {answer:.2f} s   (median of {len(answers)}; endpoint silence {silence:.2f} s)")
    print(f"peak memory              {memory:.0f} MB   (with the synthesiser's process)")


if __name__ == "__main__":
    main()
