"""Names taught by saying them: phones into the table file, from there into the ear."""

from __future__ import annotations

import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
from ear_sound import HELD_OUT, RATE, hear, say, scene
from soundcard import virtual_sound_card
from typer.testing import CliRunner

from narrator.cli import app
from narrator.core.errors import ModelError, NarratorError, ScriptError
from narrator.ear.lexicon import Lexicon
from narrator.ear.phones import PhoneEar
from narrator.ear.recognizer import TableEar
from narrator.names import teach_names
from narrator.stage.tables import read_table

ODD = "chivaune"  # how the table's Xyloh says her name
PLAYERS = ("Alice", "Bob", "Xyloh", "David", "Emma")
TABLE = 'game = "sultan"\nplayers = ["Alice", "Bob", "Xyloh", "David", "Emma"]\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def phones() -> PhoneEar:
    return PhoneEar("fr")


def record(file: Path, text: str, voice: str) -> Path:
    with wave.open(str(file), "wb") as sink:
        sink.setparams((1, 2, RATE, 0, "NONE", ""))
        sink.writeframes(scene(say(text, voice), 3).tobytes())
    return file


@pytest.mark.sound
def test_every_name_of_a_recording_is_heard_as_phones(phones: PhoneEar) -> None:
    (heard,) = phones.names(scene(say(ODD, "max"), 1))
    assert heard == "ʃ i v o n"
    assert list(phones.names(np.ones(2 * RATE, np.int16))) == []


@pytest.mark.sound
def test_a_name_said_in_an_odd_way_is_heard_once_it_is_taught(table: Path, tmp_path: Path) -> None:
    recordings = [record(tmp_path / f"{voice}.wav", ODD, voice) for voice in HELD_OUT[:3]]
    options = [part for file in recordings for part in ("--wav", str(file))]
    result = CliRunner().invoke(app, ["names", "--table", str(table), "--player", "Xyloh", *options])
    assert result.exit_code == 0, result.output
    heard = read_table(table).heard
    assert set(heard) == {"Xyloh"}
    sentences = [f"je propose {name}" for name in PLAYERS]
    before, after = TableEar("fr", sentences), TableEar("fr", sentences, heard=heard)
    rates = [
        sum(
            [u.text for u in hear(ear.open(sentences), scene(say(f"je propose {ODD}", voice), 1))]
            == ["je propose Xyloh"]
            for voice in HELD_OUT[3:]  # other voices than those that taught it
        )
        for ear in (before, after)
    ]
    assert rates[1] >= 3
    assert rates[1] > rates[0]
    plain = [u.text for u in hear(after.open(sentences), scene(say("je propose alice", "max"), 1))]
    assert plain == ["je propose Alice"]


@pytest.mark.sound
def test_names_are_taught_through_a_microphone(table: Path) -> None:
    """The command on a sound card made of software; what is said before it listens is lost, so it is said again."""
    command = [sys.executable, "-u", "-m", "narrator", "names", "--table", str(table), "--player", "Xyloh"]
    with virtual_sound_card() as card:
        env = {**card.env, "PYTHONPATH": str(Path(__file__).parent.parent), "LC_ALL": "C"}
        teaching = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for count in range(30):
                if teaching.poll() is not None:
                    break
                card.play_to_microphone(scene(say(ODD, HELD_OUT[count % 3]), count))
            told, _ = teaching.communicate(timeout=120)
        finally:
            teaching.kill()
            teaching.wait()
    assert teaching.returncode == 0, told
    ways = read_table(table).heard["Xyloh"]
    assert 1 <= len(ways) <= 3
    assert any("ʃ i v" in way for way in ways), ways
    assert all(way in told for way in ways)


@pytest.mark.sound
def test_what_cannot_be_taught_is_one_sentence(table: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.wav", ODD, "max")
    with pytest.raises(NarratorError, match="“Nobody” does not play here; there are: Alice, Bob"):
        teach_names(table, [file], "Nobody", None)
    with pytest.raises(NarratorError, match="whose name do the recordings say"):
        teach_names(table, [file], None, None)
    with wave.open(str(tmp_path / "silence.wav"), "wb") as sink:
        sink.setparams((1, 2, RATE, 0, "NONE", ""))
        sink.writeframes(bytes(2 * RATE))
    with pytest.raises(NarratorError, match="no name was heard for “Bob”"):
        teach_names(table, [tmp_path / "silence.wav"], "Bob", None)


@pytest.mark.parametrize(
    ("heard", "words", "line"),
    [
        ('Bob = ["b ɔ b"]', "another format than 1", 3),
        ('_format = 2\nBob = ["b ɔ b"]', "another format than 1", 3),
        ('_format = 1\nNobody = ["b"]', "“Nobody”, who does not play here", 5),
        ("_format = 1\nBob = []", "a list of phones", 5),
        ('_format = 1\nBob = [" "]', "a list of phones", 5),
        ('_format = 1\nBob = "b ɔ b"', "a list of phones", 5),
    ],
)
def test_a_faulty_table_of_phones_has_file_and_line(table: Path, heard: str, words: str, line: int) -> None:
    table.write_text(f"{TABLE}[heard]\n{heard}\n", encoding="utf-8")
    with pytest.raises(ScriptError, match=words) as error:
        read_table(table)
    assert f"{table}:{line}" in str(error.value)


def test_other_ways_are_more_spellings() -> None:
    lexicon = Lexicon("fr")
    (row,) = lexicon.otherwise("je propose Bob", {"Bob": ["p ɔ ʁ"], "Alice": ["a l i s"]})
    assert row[:-4] == lexicon.spell("je propose")
    assert row[-4:] == (0, *lexicon.spell("por")[:3])
    with pytest.raises(ModelError, match="“qq” is no phone of this ear"):
        lexicon.otherwise("je propose Bob", {"Bob": ["qq"]})
