"""`narrator voices`, as it is typed: list, say, use, and record through a sound card made of software."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from soundcard import SoundCard, virtual_sound_card

from narrator.voice.clip import read_clip, to_float
from narrator.voice.loudness import SPEECH_LUFS, loudness
from narrator.voice.pack import Pack
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

ROOT = Path(__file__).parent.parent
NARRATOR = [sys.executable, "-m", "narrator", "voices"]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    homes = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, **homes, "PYTHONPATH": path, "LC_ALL": "C.UTF-8", "NARRATOR_VOICE": ""}


def run(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NARRATOR, *arguments], env=env, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT
    )


def test_list_marks_who_speaks_and_use_changes_it(env: dict[str, str]) -> None:
    first = run(env, "list").stdout.splitlines()
    assert first[0].startswith("* ")
    assert "system" in {line.strip("* ") for line in first}
    assert run(env, "use", "system").stdout == "system will speak (fr).\n"
    assert "* system" in run(env, "list").stdout.splitlines()
    assert "* system" not in run(env, "list", "--lang", "en").stdout.splitlines()[:1]
    run(env, "use", "best")
    assert run(env, "list").stdout.splitlines() == first


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("use", "darth"), "there is no voice “darth” for “fr” here: choose "),
        (("use", "pack:mamie"), "there is no recorded voice 'mamie': make one with “narrator voices record mamie”"),
        (("say", "Bonsoir", "--voice", "piper:/nowhere.onnx"), "is no Piper voice"),
        (("list", "--lang", "zz"), "this voice cannot be read"),
        (("record", "../mamie"), "the voice cannot be called “../mamie”"),
        (("record", "mamie", "--game", "chess"), "there is no game “chess”"),
    ],
)
def test_what_cannot_be_is_one_sentence(env: dict[str, str], arguments: tuple[str, ...], says: str) -> None:
    done = run(env, *arguments)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.sound
def test_say_writes_what_it_would_speak(env: dict[str, str], tmp_path: Path) -> None:
    sound = tmp_path / "s.wav"
    done = run(env, "say", "La nuit tombe sur le palais.", "--voice", "system", "--wav", str(sound))
    assert done.returncode == 0, done.stderr
    with wave.open(str(sound)) as file:
        assert 1 < file.getnframes() / file.getframerate() < 4
    assert run(env, "say", "Bonsoir.", "--wav", str(tmp_path)).stderr.startswith("narrator: ")


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundCard]:
    with virtual_sound_card(tmp_path_factory.mktemp("card")) as card:
        yield card


class Booth:
    """The command under way: what it prints is read as it comes."""

    def __init__(self, env: dict[str, str], *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*NARRATOR, *arguments], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self.text = ""

    def until(self, words: str) -> None:
        assert self.process.stdout is not None
        self.text = ""
        end = time.monotonic() + 60
        while words not in self.text and time.monotonic() < end:
            self.text += os.read(self.process.stdout.fileno(), 4096).decode("utf-8", "replace")
        assert words in self.text

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()


@pytest.mark.sound
def test_record_walks_a_person_through_the_lines(env: dict[str, str], tmp_path: Path, card: SoundCard) -> None:
    """A synthetic person speaks into a real microphone stream: her take is heard again, kept, and then played."""
    person = card.env | {
        key: env[key] for key in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LC_ALL", "PYTHONPATH")
    }
    with Synth(load_profile("fr")) as synth:
        voice = synth.render("Alice")
    booth = Booth(person, "record", "mamie", "--names", "Alice, Bob")
    booth.until("Enter: record")
    assert "lines to record" in booth.text
    with card.record() as tape:
        booth.type("")
        time.sleep(2.2)  # the count-in
        card.play_to_microphone(voice.samples, voice.rate)
        booth.until("Enter: keep")
        played = to_float(tape.samples)
    booth.type("")
    booth.until("Enter: record")
    booth.type("q")
    booth.until("1 of ")
    assert booth.process.wait(20) == 0
    pack = Pack(tmp_path / "XDG_DATA_HOME" / "narrator" / "packs" / "mamie")
    assert dict(pack.names) == {"Alice": "alice.wav"}
    clip = read_clip(pack.folder / "names" / "alice.wav")
    assert clip.seconds == pytest.approx(voice.seconds, abs=0.25)
    assert loudness(to_float(clip.samples), clip.rate) == pytest.approx(SPEECH_LUFS, abs=0.5)
    heard = [abs(played[at : at + 480]).max() > 0.02 for at in range(0, len(played) - 480, 480)]
    bursts = sum(not before and now for before, now in zip([False, *heard], heard, strict=False))
    assert bursts >= 4  # three ticks, then the take played back
    assert run(env, "use", "pack:mamie").stdout == "pack:mamie will speak (fr).\n"
    assert "* pack:mamie" in run(env, "list").stdout
    assert run(env, "say", "Alice", "--wav", str(tmp_path / "a.wav")).returncode == 0
    assert read_clip(tmp_path / "a.wav").samples.tolist() == clip.samples.tolist()


def test_setup_tells_in_one_line_how_to_get_a_better_voice(env: dict[str, str], tmp_path: Path) -> None:
    setup = [*NARRATOR[:-1], "setup", "--yes", "--game", "sultan", "--lang", "fr", "--out", str(tmp_path / "t.toml")]
    done = subprocess.run(
        [*setup, "--players", "Alice, Bob, Chloé, David, Emma", "--pace", "calm"],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    listed = [line for line in run(env, "list").stdout.splitlines() if line.startswith("A better voice: ")]
    assert [line for line in done.stdout.splitlines() if line.startswith("A better voice: ")] == listed
    assert len(listed) <= 1
    assert 'pace = "calm"' in (tmp_path / "t.toml").read_text(encoding="utf-8")
