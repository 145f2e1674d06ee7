"""What is wrong with a model or a device is said in one sentence, and never ends the process."""

from __future__ import annotations

import builtins
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narrator.core.errors import DeviceError, ModelError
from narrator.ear import models
from narrator.ear.mic import Microphone
from narrator.ear.recognizer import TableEar


def test_french_and_english_have_ears_and_another_language_says_what_to_do():
    for language in ("fr", "en"):
        assert models.has_ear(language)
        assert models.ear_folder(language).is_dir()
    assert not models.has_ear("xx")
    with pytest.raises(ModelError, match="xx"):
        models.ear_folder("xx")
    with pytest.raises(ModelError, match="xx"):
        TableEar("xx", ["yes"])


def cut(file: str, keep: int) -> Callable[[Path], Any]:
    return lambda folder: (folder / file).write_bytes((folder / file).read_bytes()[:keep])


def flip(folder: Path) -> None:
    data = bytearray((folder / "am/final.mdl").read_bytes())
    data[5_000_000] ^= 0xFF
    (folder / "am/final.mdl").write_bytes(data)


def edit(old: str, new: str) -> Callable[[Path], Any]:
    def change(folder: Path) -> None:
        text = (folder / "ear.toml").read_text(encoding="utf-8")
        assert old in text
        (folder / "ear.toml").write_text(text.replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda f: (f / "am/final.mdl").unlink(), "final.mdl is missing"),
        (lambda f: (f / "conf/mfcc.conf").unlink(), "mfcc.conf is missing"),
        (lambda f: (f / "talk.txt").unlink(), "talk.txt is missing"),
        (cut("am/final.mdl", 9_000_000), "damaged"),
        (cut("am/final.mdl", 0), "damaged"),
        (flip, "damaged"),
        (cut("talk.txt", 3000), "rows of 35 costs"),
        (edit("format = 1", "format = 2"), "has format 2, this narrator reads 1"),
        (edit("format = 1", "format ="), "cannot be read"),
        (edit("phones = [", "fones = ["), "needs 'phones'"),
        (edit('espeak = "fr"', "espeak = 3"), "needs 'espeak'"),
    ],
)
def test_a_broken_model_is_one_sentence(tmp_path: Path, harm: Callable[[Path], Any], words: str):
    folder = tmp_path / "ear"
    shutil.copytree(models.ear_folder("fr"), folder)
    assert models.load_folder(folder).phones
    models.load_folder.cache_clear()
    harm(folder)
    with pytest.raises(ModelError, match=words) as error:
        models.load_folder(folder)
    assert "\n" not in str(error.value)


def test_a_missing_portaudio_is_one_sentence(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "sounddevice":
            raise OSError("PortAudio library not found")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DeviceError, match="apt install libportaudio2"):
        Microphone()


def test_a_microphone_that_is_not_there_is_one_sentence():
    with pytest.raises(DeviceError, match=r"the microphone “no such microphone” cannot be opened .*keyboard"):
        Microphone("no such microphone").start()
