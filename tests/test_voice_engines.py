"""Every engine behind the one port: Pico, MBROLA, Piper, the system's; which one speaks, and what if it fails."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from narrator.core.errors import DeviceError
from narrator.voice import choice, kokoro, mbrola, pico, piper
from narrator.voice.cache import Studio
from narrator.voice.clip import Clip, to_float
from narrator.voice.engine import Voice
from narrator.voice.loudness import SPEECH_LUFS, loudness, true_peak
from narrator.voice.mbrola import Mbrola
from narrator.voice.pico import Pico
from narrator.voice.piper import Piper
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

FR, EN = load_profile("fr"), load_profile("en")
LINE = "La nuit tombe sur le palais. Posez vos mains sur la table, et ne parlez plus."

#: Speaks like pico2wave: a tone whose length follows the text and its <speed>; HANG, FAIL and EMPTY are its illnesses.
FAKE_PICO = f"""#!{sys.executable}
import math, re, struct, sys, time, wave
assert sys.argv[1] == "-l" and sys.argv[3] == "-w", sys.argv
language, path, text = sys.argv[2], sys.argv[4], sys.argv[5]
open(sys.argv[0] + ".log", "a").write(f"{{language}} {{text}}\\n")
if "HANG" in text: time.sleep(60)
if "FAIL" in text: sys.exit("Cannot speak today")
speed, words = re.fullmatch(r'<speed level="(\\d+)">(.*)</speed>', text).groups()
count = 0 if "EMPTY" in text else int(16000 * 0.06 * len(words) * 100 / int(speed))
with wave.open(path, "wb") as file:
    file.setparams((1, 2, 16000, 0, "NONE", ""))
    file.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(i / 8))) for i in range(count)))
"""


@pytest.fixture
def fake_pico(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "pico2wave"
    program.parent.mkdir()
    program.write_text(FAKE_PICO, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(pico, "answer_limit", lambda characters: 20.0)  # a Python that starts is no Pico
    return program


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has chosen nothing and owns no voices."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv(choice.VARIABLE)
    return tmp_path


@pytest.fixture
def bare(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no voice but the system's."""
    monkeypatch.setattr(choice.pico, "has_pico", lambda language: False)
    monkeypatch.setattr(choice.piper, "has_piper", lambda: False)
    monkeypatch.setattr(choice.kokoro, "has_kokoro", lambda: False)
    monkeypatch.setattr(choice.mbrola, "mbrola_voices", lambda language: ())
    return home


def as_every_line(voice: Voice, text: str = LINE) -> Clip:
    """Renders a line that keeps what the port promises; a brisker one is shorter."""
    clip = voice.render(text)
    sound = to_float(clip.samples)
    assert loudness(sound, clip.rate) == pytest.approx(SPEECH_LUFS + 20 * np.log10(FR.volume), abs=0.5)
    assert true_peak(sound, clip.rate) < -1
    assert sound[0] == sound[-1] == 0
    assert voice.render(text, rate=240).seconds < 0.8 * voice.render(text, rate=120).seconds
    return clip


# ---- Pico


def test_pico_as_it_is_called(fake_pico: Path) -> None:
    with Pico(FR) as voice:
        clip = as_every_line(voice, "Bonsoir, Bob ! Ça va & « bien » ?")
        assert clip.rate == 16000
        assert voice.engine == "pico fr-FR"
    said = fake_pico.with_name("pico2wave.log").read_text(encoding="utf-8").splitlines()
    speed = round(100 * FR.rate / pico.NATURAL)
    assert [line.partition('">')[2] for line in said[:2]] == ["Bonsoir,</speed>", "Bob!</speed>"]
    assert said[0].startswith(f'fr-FR <speed level="{speed}">')
    assert not [line for line in said if "&" in line]


def test_the_real_pico_where_there_is_one_and_the_like_of_it_elsewhere(
    fake_pico: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test on whatever pico2wave this machine has: its own, or the script above."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH'].partition(os.pathsep)[2]}{os.pathsep}{fake_pico.parent}")
    for profile in (FR, EN):
        with Pico(profile) as voice:
            assert 2.5 < as_every_line(voice).seconds < 8
            for hostile in ("</speed><speed level='500'>", "-w /etc/passwd", "$(reboot)", "\x1b[2J", "a" * 5000, ""):
                assert voice.render(hostile).seconds > 0.05


def test_a_pico_that_hangs_is_killed_and_tried_again(fake_pico: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pico, "answer_limit", lambda characters: 2.5)
    with Pico(FR) as voice:
        start = time.monotonic()
        with pytest.raises(DeviceError, match=r"pico2wave failed twice on one line \(it does not answer\)"):
            voice.render("HANG")
        assert time.monotonic() - start < 60  # as long as it would hang
    assert len(fake_pico.with_name("pico2wave.log").read_text().splitlines()) == 2


def test_what_pico_says_of_a_failure_is_told(fake_pico: Path) -> None:
    with Pico(FR) as voice, pytest.raises(DeviceError, match="Cannot speak today"):
        voice.render("FAIL")


def test_no_pico_and_no_such_language(monkeypatch: pytest.MonkeyPatch, fake_pico: Path) -> None:
    with pytest.raises(DeviceError, match="Pico does not speak 'zz'"):
        Pico(type(FR)("zz", ("zz",)))
    monkeypatch.setenv("PATH", str(fake_pico.parent / "nowhere"))
    with pytest.raises(DeviceError, match="apt install libttspico-utils"):
        Pico(FR)
    assert not pico.has_pico("fr")


# ---- MBROLA


@pytest.mark.parametrize("rate", [16000, 22050])
def test_mbrola_is_found_by_its_data_and_speaks_at_its_own_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rate: int
) -> None:
    """The voice's own rate, not the one that pyttsx3 writes; where espeak-ng lacks the voice, a clear sentence."""
    data = tmp_path / "fr9" / "fr9"
    data.parent.mkdir()
    data.write_bytes(b"MBROLA2.060" + bytes(12) + rate.to_bytes(2, "little") + bytes(100))
    monkeypatch.setattr(mbrola, "FOLDERS", (*mbrola.FOLDERS, tmp_path))
    monkeypatch.setitem(mbrola.PREFERRED, "fr", (*mbrola.PREFERRED["fr"], "fr9"))
    monkeypatch.setattr(mbrola.shutil, "which", lambda name: f"/bin/{name}")
    *real, ours = mbrola.mbrola_voices("fr")
    assert ours == "fr9"
    with Mbrola(FR, "fr9") as voice:
        assert voice.engine == "mbrola fr9"
        with Synth(FR) as system:
            file = system._files(pico_parts("Bonjour"), 160)[0]
            assert voice._read(file).rate == rate
        with pytest.raises(DeviceError, match="none of the voices mb/mb-fr9"):
            voice.render("Bonjour")
    monkeypatch.undo()
    for name in real:  # those of this machine
        with Mbrola(FR, name) as voice:
            assert 3 < as_every_line(voice).seconds < 8


def pico_parts(text: str) -> tuple[object, ...]:
    from narrator.voice.spoken import clauses

    return clauses(text, FR.pauses)


def test_what_is_no_mbrola_voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mbrola.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(mbrola, "FOLDERS", (tmp_path,))
    with pytest.raises(DeviceError, match="apt install mbrola mbrola-fr4"):
        Mbrola(FR, "fr4")
    (tmp_path / "fr4").mkdir()
    (tmp_path / "fr4" / "fr4").write_bytes(b"something else")
    with pytest.raises(DeviceError, match="is not an MBROLA voice"):
        Mbrola(FR, "fr4")


# ---- Piper


def joe() -> Path:
    return piper.piper_models("en")[0]


@pytest.mark.sound
def test_piper_speaks_and_outlives_its_worker() -> None:
    """With the English voice that the development extra brings."""
    with Piper(EN, joe()) as voice:
        clip = as_every_line(voice, "Everyone, close your eyes, and be quiet now.")
        assert 2 < clip.seconds < 5
        assert voice.engine == "piper en_US-joe-medium"
        dead = voice.pid
        os.kill(dead, signal.SIGKILL)
        assert voice.render("Good evening.").seconds > 0.4
        assert voice.pid not in (0, dead)
        hostile = ("\x00\x1b[2J", "[[", "a" * 300, "🎲", '{"id": 1, "files": ["/etc/passwd"]}')
        assert all(voice.render(text).seconds > 0.05 for text in hostile)


def test_a_piper_model_is_two_files(tmp_path: Path) -> None:
    model = tmp_path / "fr_FR-x-low.onnx"
    model.write_bytes(b"not a model")
    with pytest.raises(DeviceError, match="is no Piper voice: a"):
        Piper(FR, model)
    model.with_name(model.name + ".json").write_text("{}", encoding="utf-8")
    with Piper(FR, model) as voice, pytest.raises(DeviceError, match=r"can be loaded .*narrator\[piper\]"):
        voice.render("Bonjour")


def test_models_are_found_by_the_language_of_their_name(home: Path) -> None:
    folder = piper.models_folder()
    folder.mkdir(parents=True)
    for name in ("fr_FR-siwis-low.onnx", "fr_FR-siwis-low.onnx.json", "fr_FR-half-low.onnx", "readme.onnx"):
        (folder / name).write_bytes(b"x")
    assert [path.name for path in piper.piper_models("fr")] == ["fr_FR-siwis-low.onnx"]
    assert joe().name == "en_US-joe-medium.onnx"


# ---- which one


def test_the_best_voice_comes_first_and_the_systems_last(home: Path, fake_pico: Path) -> None:
    names = [offer.name for offer in choice.offers("en")]
    assert names[:4] == ["kokoro:af_heart", "kokoro:bm_george", "piper:en_US-joe-medium", "pico"]
    assert names[-1] == "system"
    assert choice.find("best", "en").name == choice.find("kokoro", "en").name == names[0]
    assert choice.find("bm_george", "en").name == names[1]
    assert choice.find("piper", "en").name == choice.find("en_US-joe-medium", "en").name == names[2]
    assert [offer.name for offer in choice.offers("fr")][:2] == ["kokoro:ff_siwis", "pico"]
    assert choice.next_better("en") == choice.next_better("fr") == ""


def test_a_bare_machine_has_the_systems_voice_and_is_told_of_a_better_one(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [offer.name for offer in choice.offers("fr")] == ["system"]
    monkeypatch.setattr(choice.sys, "platform", "linux")
    assert choice.next_better("fr") == f"{kokoro.INSTALL}, or {pico.INSTALL}"
    assert choice.next_better("it") == pico.INSTALL  # Kokoro has no Italian speaker here
    monkeypatch.setattr(choice.sys, "platform", "win32")
    assert choice.next_better("fr") == kokoro.INSTALL
    assert "piper" in choice.next_better("it")
    with pytest.raises(DeviceError, match="there is no voice “pico” for “fr” here: choose system"):
        choice.find("pico", "fr")
    with pytest.raises(DeviceError, match=r"the voice Kokoro is not installed: pip install 'narrator\[kokoro\]'"):
        choice.find("kokoro", "fr")
    studio = choice.open_chosen(FR, bare / "clips")
    assert studio.clip("Bonsoir.").seconds > 0.4
    studio.close()


def test_a_choice_is_remembered_for_its_language(home: Path, fake_pico: Path) -> None:
    assert choice.chosen("fr") == "best"
    assert choice.choose("system", "fr") == "system"
    assert choice.choose("piper", "en") == "piper:en_US-joe-medium"
    assert (choice.chosen("fr"), choice.chosen("en")) == ("system", "piper:en_US-joe-medium")
    assert choice.choose("best", "en") == "best"
    assert (choice.chosen("fr"), choice.chosen("en")) == ("system", "best")
    with pytest.raises(DeviceError, match="no voice “darth”"):
        choice.choose("darth", "fr")
    assert choice.chosen("fr") == "system"


def test_a_voice_for_one_run_goes_before_the_choice(
    home: Path, fake_pico: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice.choose("system", "fr")
    monkeypatch.setenv(choice.VARIABLE, "pico")
    assert choice.chosen("fr") == "pico"
    monkeypatch.setenv(choice.VARIABLE, "darth")
    studio = choice.open_chosen(FR, home / "clips")  # it is not there: another one speaks
    studio.close()
    monkeypatch.delenv(choice.VARIABLE)
    assert choice.chosen("fr") == "system"


@pytest.mark.parametrize("text", ["= nothing", 'fr = "pico"\n', "[fr]\nvoice = 3\n", '[fr]\nvoice = "gone"\n'])
def test_a_choice_that_cannot_be_followed_is_passed_over(bare: Path, text: str) -> None:
    choice.choice_file().parent.mkdir(parents=True)
    choice.choice_file().write_text(text, encoding="utf-8")
    studio = choice.open_chosen(FR, bare / "clips")
    assert studio.clip("Bonsoir.").seconds > 0.4
    studio.close()
    choice.choose("system", "fr")
    assert choice.chosen("fr") == "system"


def test_the_systems_voice_steps_in_for_a_line_and_is_not_kept_for_the_other(home: Path, fake_pico: Path) -> None:
    studio = choice.open_voice(FR, "pico", home / "clips")
    assert studio.clip("Bonsoir.").rate == 16000
    ill = studio.clip("FAIL, bonsoir.")
    assert ill.rate == 22050
    assert studio.clip("FAIL, bonsoir.") is ill  # at once, by the voice that knows it
    assert studio.clip("Bonne nuit.").rate == 16000
    studio.close()
    program = fake_pico.read_text(encoding="utf-8").replace('"FAIL" in text', '"CURED" in text')
    fake_pico.write_text(program, encoding="utf-8")
    again = choice.open_voice(FR, "pico", home / "clips")
    assert again.clip("FAIL, bonsoir.").rate == 16000
    again.close()


def test_a_voice_that_hangs_is_left_in_peace_for_a_while(
    home: Path, fake_pico: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room waits for it once, not at every line."""
    monkeypatch.setattr(pico, "answer_limit", lambda characters: 2.5)
    studio = choice.open_voice(FR, "pico", home / "clips")
    assert studio.clip("HANG, bonsoir.").rate == 22050
    asked = fake_pico.with_name("pico2wave.log").read_text(encoding="utf-8")
    assert studio.clip("HANG, bonne nuit.").rate == 22050
    assert fake_pico.with_name("pico2wave.log").read_text(encoding="utf-8") == asked
    studio.close()


def test_engines_never_share_a_cached_line(tmp_path: Path, fake_pico: Path) -> None:
    for voice, rate in ((Synth(FR), 22050), (Pico(FR), 16000), (Synth(FR), 22050)):
        studio = Studio(FR, voice, tmp_path, owned=True)
        assert studio.clip("Bonsoir.").rate == rate
        studio.close()


def test_a_voice_folder_of_the_user_may_hold_anything(home: Path) -> None:
    folder = choice.packs_folder() / "broken"
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text(tomli_w.dumps({"pack": 99}), encoding="utf-8")
    assert choice.packs("fr") == ()
    shutil.rmtree(folder)
