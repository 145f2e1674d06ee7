"""The real engine in its worker: whole lines, wrong voices, dead and hung workers, hostile text."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_lines import source

from narrator.core.errors import DeviceError
from narrator.library import game_ids, languages_of
from narrator.voice.clip import LEAD, TAIL, Clip, resampled, sounding, to_float
from narrator.voice.loudness import SPEECH_LUFS, loudness
from narrator.voice.profile import Profile, load_profile
from narrator.voice.synth import Synth, answer_limit

pytestmark = pytest.mark.sound

FR = load_profile("fr")
SHORT = "Bonjour."
LONG = "Tout le monde ferme les yeux, puis la Grande Vizir se lève et choisit en silence une narratrice. " * 6


@pytest.fixture(scope="module")
def synth() -> Iterator[Synth]:
    with Synth(FR) as synth:
        yield synth


def alike(one: Clip, other: Clip) -> float:
    """Likeness of two clips' envelopes, 1 for the same."""
    shapes = []
    for clip in (one, other):
        sound = np.abs(to_float(resampled(clip, 22050).samples))
        shapes.append(sound[: len(sound) // 220 * 220].reshape(-1, 220).mean(axis=1))
    size = min(map(len, shapes))
    return float(np.corrcoef(shapes[0][:size], shapes[1][:size])[0, 1])


def alive(pid: int) -> bool:
    """A process that runs; one that ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_first_line_of_a_fresh_process_may_be_long() -> None:
    with Synth(FR) as fresh:
        first = fresh.render(LONG)
        again = fresh.render(LONG)
    assert first.seconds == pytest.approx(again.seconds, rel=0.01)  # espeak-ng itself varies by ms
    assert first.seconds > 25


def test_a_line_is_whole_with_its_margins(synth: Synth) -> None:
    clip = synth.render("La nuit tombe sur le palais, et la cité s'endort.")
    start, end = sounding(to_float(clip.samples))
    assert start / clip.rate == pytest.approx(LEAD, abs=0.003)
    assert (len(clip.samples) - end) / clip.rate == pytest.approx(TAIL, abs=0.003)
    assert clip.samples.dtype == np.int16
    assert np.abs(np.diff(clip.samples[: start + 20].astype(int))).max() < 1000
    assert not clip.samples[-100:].any()


def test_two_lines_in_a_row_are_each_their_own(synth: Synth) -> None:
    yes, no = synth.render("Oui, je nomme Sally."), synth.render("Personne n'est mort cette nuit.")
    assert alike(yes, no) < 0.8
    assert alike(yes, synth.render("Oui, je nomme Sally.")) > 0.98
    assert alike(no, synth.render("Personne n'est mort cette nuit.")) > 0.98


def test_no_line_of_many_comes_out_short(synth: Synth) -> None:
    """Begun a moment too early, one line in eight of pyttsx3's is empty: the worker waits for that moment."""
    lengths = [synth.render("Oui, je nomme Sally.").seconds for _ in range(60)]
    assert max(lengths) - min(lengths) < 0.1  # espeak-ng itself varies by ms


def test_nothing_at_the_end_is_lost(synth: Synth) -> None:
    """The last word alone and at the end of a sentence sound alike, so it is all there."""
    whole, alone = synth.render("C'est fini. Silence"), synth.render("Silence")
    end = Clip(whole.samples[-len(alone.samples) :], whole.rate)
    assert alike(end, alone) > 0.9


def test_pace_and_pauses(synth: Synth) -> None:
    assert synth.render(LONG, rate=110).seconds > 1.2 * synth.render(LONG, rate=170).seconds
    slow = replace(FR, pauses=replace(FR.pauses, sentence=1.5))
    with Synth(slow) as other:
        longer = other.render("Un. Deux.").seconds - synth.render("Un. Deux.").seconds
    assert longer == pytest.approx(1.5 - FR.pauses.sentence, abs=0.05)  # espeak-ng itself varies by ms


def test_lines_are_equally_loud(synth: Synth) -> None:
    levels = []
    for text in ("Oui.", "Silence !", LONG, "Qui vote contre Bob ?"):
        clip = synth.render(text)
        levels.append(loudness(to_float(clip.samples), clip.rate))
    assert max(levels) - min(levels) < 0.5
    assert np.mean(levels) == pytest.approx(SPEECH_LUFS + 20 * np.log10(FR.volume), abs=0.3)


def test_french_typography_says_the_same_as_plain_text(synth: Synth) -> None:
    assert alike(synth.render("Bob a dit «\u00a0bonsoir\u00a0»\u202f!"), synth.render("Bob a dit bonsoir!")) > 0.98


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01\x1b[2J",
        "<speak><break time='60s'/></speak>",
        "[[",
        "a" * 5000,
        "é" * 5000,
        "mot " * 1500,
        "\ud800",
        "🎲🎲",
        "",
        "\n\n",
        '{"id": 99, "files": ["/etc/passwd"]}',
        "- - -",
        "...",
    ],
    ids=range(13),
)
def test_hostile_text_ends_in_a_clip(synth: Synth, text: str) -> None:
    before = synth.pid
    clip = synth.render(text)
    assert 0.05 < clip.seconds < 700
    assert synth.pid == before


@pytest.mark.parametrize("voices", [("zz/nobody",), ("roa/fr+nosuch",), ("klingonais",)])
def test_a_voice_that_the_engine_lacks_is_one_clear_sentence(voices: tuple[str, ...]) -> None:
    with Synth(Profile("fr", voices, source="voices/fr/voice.toml")) as synth:
        with pytest.raises(DeviceError, match=r"voices/fr/voice\.toml: the speech engine knows none") as caught:
            synth.render(SHORT)
        assert voices[0] in str(caught.value)
        assert "\n" not in str(caught.value)


def test_the_first_voice_that_is_there_is_taken() -> None:
    with Synth(replace(FR, voices=("zz/nobody", "fr"))) as synth, Synth(FR) as known:
        assert alike(synth.render(LONG), known.render(LONG)) > 0.99


def test_a_variant_and_a_pitch_change_the_voice(synth: Synth) -> None:
    for profile in (replace(FR, voices=("roa/fr+f4",)), replace(FR, pitch=90)):
        with Synth(profile) as other:
            assert alike(other.render(LONG), synth.render(LONG)) < 0.9


def test_a_killed_worker_is_replaced() -> None:
    with Synth(FR) as synth:
        synth.render(SHORT)
        dead = synth.pid
        os.kill(dead, signal.SIGKILL)
        start = time.monotonic()
        assert synth.render(SHORT).seconds > 0.3
        assert time.monotonic() - start < 30  # an engine that is waited for is waited for without an end
        assert synth.pid not in (0, dead)


def test_a_hung_worker_is_replaced_in_time() -> None:
    with Synth(FR) as synth:
        synth.render(SHORT)
        hung = synth.pid
        os.kill(hung, signal.SIGSTOP)
        start = time.monotonic()
        assert synth.render(SHORT).seconds > 0.3
        assert time.monotonic() - start < answer_limit(len(SHORT)) + 30
        assert synth.pid != hung
        with pytest.raises(ProcessLookupError):
            os.kill(hung, 0)


@contextlib.contextmanager
def slowed(pid: int, share: float) -> Iterator[None]:
    """The process runs for this share of the time only, as on a machine that has hardly any to spare."""
    over = threading.Event()

    def brake() -> None:
        with contextlib.suppress(ProcessLookupError):
            while not over.wait(0.002):
                os.kill(pid, signal.SIGSTOP)
                over.wait(0.002 / share)
                os.kill(pid, signal.SIGCONT)

    thread = threading.Thread(target=brake)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_worker_that_has_become_slow_is_replaced_and_the_line_is_whole() -> None:
    with Synth(FR) as synth, Synth(FR) as other:
        synth.render(SHORT)
        slow = synth.pid
        with slowed(slow, 0.005):
            clip = synth.render(LONG)
        assert synth.pid != slow
        assert clip.seconds == pytest.approx(other.render(LONG).seconds, rel=0.01)  # espeak-ng itself varies by ms


def test_a_worker_that_is_only_a_little_slow_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is ten times what a line takes: on this machine, as busy as it is."""
    with Synth(FR) as synth:
        synth.render(SHORT)
        began = time.monotonic()
        synth.render(SHORT)
        limit = max(answer_limit(len(SHORT)), 10 * (time.monotonic() - began))
        monkeypatch.setattr("narrator.voice.synth.answer_limit", lambda characters: limit)
        before = synth.pid
        with slowed(before, 0.5):
            assert synth.render(SHORT).seconds > 0.3
        assert synth.pid == before


@pytest.mark.parametrize("game", game_ids())
def test_a_hung_worker_is_known_within_two_seconds_whatever_line_of_a_game_it_has(game: str) -> None:
    names = 15 * 12  # letters that are written into a line
    for language in languages_of(game):
        lines = source(game, language).data["lines"]
        assert answer_limit(max(map(len, lines.values())) + names) < 2.0


def test_a_worker_killed_in_the_middle_of_a_line() -> None:
    with Synth(FR) as synth:
        synth.render(SHORT)
        killer = threading.Timer(0.03, os.kill, (synth.pid, signal.SIGKILL))
        killer.start()
        assert synth.render("Un, deux, trois, quatre, cinq. " * 40).seconds > 60
        killer.join()


def test_an_engine_that_hangs_twice_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with Synth(FR) as synth:
        synth.render(SHORT)
        monkeypatch.setattr("narrator.voice.synth.answer_limit", lambda characters: 0.0)
        with pytest.raises(DeviceError, match="failed twice on one line"):
            synth.render(LONG)
        monkeypatch.undo()
        assert synth.render(SHORT).seconds > 0.3  # and the next line is spoken


def test_no_engine_is_one_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyttsx3.py").write_text("raise OSError('libespeak-ng.so.1: no such file')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Synth(FR) as synth, pytest.raises(DeviceError, match=r"libespeak-ng\.so\.1.*install espeak-ng"):
        synth.render(SHORT)


def test_a_worker_that_dies_before_it_is_ready_is_one_clear_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyttsx3.py").write_text("import os\nos._exit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Synth(FR) as synth:
        with pytest.raises(DeviceError, match="does not start"):
            _ = synth.engine
        with pytest.raises(DeviceError, match="failed twice"):
            synth.render(SHORT)


def test_what_the_engine_prints_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("import pyttsx3.engine\nprint('{\"id\": 1}')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Synth(FR) as synth:
        assert synth.render(SHORT).seconds > 0.3


def test_many_threads_get_each_their_line(synth: Synth) -> None:
    texts = ["Un.", "Deux cents personnes.", "Trois mille quatre cents vingt-deux chevaux blancs."] * 4
    clips: dict[int, Clip] = {}
    threads = [
        threading.Thread(target=lambda place, text: clips.__setitem__(place, synth.render(text)), args=pair)
        for pair in enumerate(texts)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    for place in range(3):
        lengths = [clips[place + 3 * turn].seconds for turn in range(4)]
        assert max(lengths) - min(lengths) < 0.1  # espeak-ng itself varies by ms
    assert clips[0].seconds < clips[1].seconds < clips[2].seconds


def test_close_ends_the_worker_and_its_folder() -> None:
    synth = Synth(FR)
    synth.render(SHORT)
    pid, folder = synth.pid, Path(synth._folder.name)
    assert list(folder.iterdir()) == []  # nothing piles up
    synth.close()
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(DeviceError, match="closed"):
        synth.render(SHORT)


def test_a_worker_whose_narrator_is_gone_ends_by_itself() -> None:
    program = "import os; from narrator.voice import profile, synth; s = synth.Synth(profile.load_profile('fr'));"
    program += "s.engine; print(s.pid, flush=True); os._exit(1)"
    path = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    end = time.monotonic() + 60
    while alive(int(run.stdout)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(int(run.stdout))


def test_english_speaks_too() -> None:
    with Synth(load_profile("en")) as synth:
        assert synth.engine == "espeak"
        assert synth.render("Everyone, close your eyes.").seconds > 1
