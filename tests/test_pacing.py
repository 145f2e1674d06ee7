"""The night's time: lead-in, breaths, pauses that tell nothing, dawn, the pace; and the sound switched off by voice."""

from __future__ import annotations

import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_conductor import TABLE, FakeEar, FakeMouth

from narrator.conductor import Conductor
from narrator.core.effects import Manner, Wait
from narrator.core.errors import RuleError, ScriptError
from narrator.core.game import fold
from narrator.core.lines import BREATH, written
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.pacing import CHOICES, length_of
from narrator.ports import Caught, Stop, Typed
from narrator.rehearsal.room import Room
from narrator.rehearsal.tape import RATE, Tape
from narrator.stage.clock import VirtualClock
from narrator.stage.journal import Journal, Record, read_journal
from narrator.stage.tables import read_table, write_table
from narrator.voice.mixer import MASK

NIGHT = (
    "La nuit tombe",
    "Que chacune tende",
    "Que tout le monde ferme",
    "Dinarzade, garde",
    "Dinarzade, sans ouvrir",
    "Dinarzade, rouvre",
    "Pacifistes, refermez",
    "Le jour se lève",
)


class Night:
    """The recognition of a table of seven; when each line began and ended."""

    def __init__(
        self,
        seed: int = 1,
        pace: str = "normal",
        things: tuple[tuple[float, object], ...] = (),
        journal: Journal | None = None,
        until: float = 400.0,
        resumed: Record | None = None,
    ) -> None:
        self.clock = VirtualClock()
        self.mouth, self.told = FakeMouth(self.clock), []
        production = stage(replace(TABLE, pace=pace))
        self.conductor = Conductor(production, self.clock, self.mouth, FakeEar(self.clock), (self,), journal, seed)
        hurried = () if resumed else tuple((float(n), Typed("suivant")) for n in range(1, 10))
        for when, item in (*hurried, *things, (until, Stop())):
            self.clock.at(when, item)
        evening = fold(production.game, resumed.events) if resumed else production.game.opening()
        self.conductor.run(evening, resumed=resumed is not None)
        starts = [(when, text) for when, text in self.mouth.said if written(text).startswith(NIGHT)]
        self.texts = [text for _, text in starts]
        self.starts = [when for when, _ in starts]
        self.ends = [when + len(text) / 10 for when, text in starts]
        self.pauses = [round(b - a, 6) for a, b in zip(self.ends, self.starts[1:], strict=False)]

    def spoke(self, text: str, manner: Manner) -> None:
        self.told.append(text)

    def caught(self, *_: object, **__: object) -> None: ...
    def shown(self, facts: object) -> None: ...
    def whispered(self, text: str) -> None: ...
    def settled(self, conductor: Conductor) -> None: ...


USUAL = [3.0, 5.0, 4.0, 6.0, 6.0, 4.0]


def test_the_night_is_heard_before_it_is_told() -> None:
    night = Night()
    began = next(when for when, scene in night.mouth.scenes if scene == "night")
    assert night.starts[0] - began == pytest.approx(2.5)
    assert len(night.texts) == len(NIGHT)


def test_every_pause_is_drawn_from_one_distribution_around_its_length() -> None:
    shares = [pause / usual for seed in range(40) for pause, usual in zip(Night(seed).pauses, USUAL, strict=False)]
    assert min(shares) >= 0.75
    assert max(shares) <= 1.25
    assert min(shares) < 0.78
    assert max(shares) > 1.22
    assert sum(shares) / len(shares) == pytest.approx(1, abs=0.03)


def test_dawn_takes_its_five_to_ten_seconds_at_any_pace() -> None:
    dawns = [Night(seed, pace).pauses[-1] for seed in range(12) for pace in CHOICES]
    assert min(dawns) >= 5
    assert max(dawns) <= 10
    assert max(dawns) - min(dawns) > 3


def test_one_seed_waits_the_same_and_another_one_does_not() -> None:
    assert Night(3).pauses == Night(3).pauses
    assert Night(3).pauses != Night(4).pauses


@pytest.mark.parametrize(("pace", "factor"), [("calm", 0.85), ("normal", 1.0), ("brisk", 1.15)])
def test_the_pace_of_the_table_scales_hands_and_voice(pace: str, factor: float) -> None:
    night = Night(5, pace)
    assert night.pauses[:-1] == pytest.approx([pause / factor for pause in Night(5).pauses[:-1]], abs=1e-5)
    assert night.conductor.production.setting.pace == pace


@pytest.mark.parametrize(("said", "pace"), [("plus lentement", "calm"), ("plus vite", "brisk")])
def test_the_pace_of_hands_and_voice_changes_by_a_word(said: str, pace: str) -> None:
    night = Night(5, things=((0.5, Typed(said)),))
    assert night.pauses == pytest.approx(Night(5, pace).pauses, abs=1e-5)


def test_a_pace_that_is_none() -> None:
    with pytest.raises(RuleError, match="pace “frantic” is not one of calm, normal, brisk"):
        stage(replace(TABLE, pace="frantic"))


def test_a_draw_depends_on_the_seed_and_the_place_alone() -> None:
    wait = Wait("step", 4.0, dwell=True, jitter=0.25)
    assert length_of(wait, 1.0, 1, "night:2:0") == length_of(wait, 1.0, 1, "night:2:0")
    assert length_of(wait, 1.0, 1, "night:2:0") != length_of(wait, 1.0, 1, "night:3:0")
    assert length_of(Wait("time_up", 120.0, jitter=0.5), 2.0, 1, "x") == 120.0
    assert length_of(Wait("step", 4.0, dwell=True), 2.0, 1, "x") == 2.0


def test_hands_are_masked_while_they_work_and_never_under_speech() -> None:
    night = Night()
    on = [when for when, masked in night.mouth.masks if masked]
    assert on == pytest.approx(night.ends[:-1])
    off = [when for when, masked in night.mouth.masks if not masked]
    assert any(when == pytest.approx(night.ends[-1]) for when in off)  # eyes are open again


def test_a_breath_is_heard_and_not_shown() -> None:
    night = Night()
    assert sum(BREATH in text for text in night.texts) == 4
    assert not any(BREATH in text for text in night.told)
    assert "Dinarzade, rouvre ta main." in night.told


def test_the_sound_is_switched_off_and_on_by_voice_and_all_is_shown() -> None:
    things = (
        (250.0, Caught("coupe le son")),
        (270.0, Caught("répète")),
        (290.0, Caught("plus fort")),
        (310.0, Caught("coupe le son")),
        (330.0, Caught("remets le son")),
    )
    night = Night(things=things)
    switched = [cue for cue in night.mouth.cues if cue.startswith(("mute", "volume"))]
    assert switched == ["mute True", "mute False", "mute True", "mute False"]
    assert sum(text.startswith("Le son est coupé") for text in night.told) >= 2
    assert sum(text == "Le son est revenu." for text in night.told) == 2
    assert not night.conductor.muted
    assert [written(text) for _, text in night.mouth.said] == night.told  # muted or not


def test_a_pause_in_the_lead_in_loses_no_line() -> None:
    night = Night(things=((9.5, Typed("pause")), (60.0, Typed("reprends"))))
    assert len(night.texts) == len(NIGHT)
    assert night.starts[0] > 60


def test_a_night_cut_in_its_middle_goes_on_with_the_same_pauses(tmp_path: Path) -> None:
    """The plug is pulled while eyes are closed; what is left of the night lasts as it would have."""
    whole = Night(6)
    middle = (whole.ends[4] + whole.starts[5]) / 2  # the pause after “ferme le poing”
    journal = Journal.begin(TABLE, 6, skip_setup=False, path=tmp_path / "j.jsonl")
    Night(6, journal=journal, until=middle)
    record = read_journal(tmp_path / "j.jsonl")
    later = Night(record.seed, resumed=record)
    assert later.texts[-4:] == whole.texts[-4:]
    after = dict(zip(whole.texts, whole.pauses, strict=False))
    for text, pause in zip(later.texts, later.pauses, strict=False):
        assert pause == pytest.approx(after[text], abs=1e-5)


def test_a_table_keeps_its_pace(tmp_path: Path) -> None:
    calm = replace(TABLE, pace="calm")
    write_table(calm, tmp_path / "t.toml")
    assert read_table(tmp_path / "t.toml") == calm
    write_table(TABLE, tmp_path / "t.toml")
    assert read_table(tmp_path / "t.toml") == TABLE
    Journal.begin(calm, 1, skip_setup=False, path=tmp_path / "j.jsonl")
    assert read_journal(tmp_path / "j.jsonl").setting == calm
    (tmp_path / "t.toml").write_text('game = "sultan"\nplayers = ["A", "B"]\npace = 3\n', encoding="utf-8")
    with pytest.raises(ScriptError, match=r"t\.toml:3: “pace” has a value of the wrong kind"):
        read_table(tmp_path / "t.toml")


@pytest.mark.sound
def test_the_recording_of_a_rehearsal_has_the_night_and_its_mask(tmp_path: Path) -> None:
    """On the tape: the bed before the first word, louder while hands are at work, silent once it is day."""

    def recorded(*events: tuple[float, str]) -> np.ndarray:
        tape = Tape(1, Room(1))
        for at, event in events:
            tape.mask(at, event == "on") if event in ("on", "off") else tape.scene(at, event)
        tape.write(tmp_path / "n.wav", 16.0)
        with wave.open(str(tmp_path / "n.wav")) as file:
            return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)

    room = recorded()  # its own noise
    calm = recorded((0.0, "night"), (12.0, "")) - room
    masked = recorded((0.0, "night"), (4.0, "on"), (9.0, "off"), (12.0, "")) - room

    def level(sound: np.ndarray, start: float, end: float) -> float:
        part = sound[round(start * RATE) : round(end * RATE)]
        return float(10 * np.log10((part**2).mean() + 1e-9))

    assert level(masked, 2.5, 4.0) == pytest.approx(level(calm, 2.5, 4.0), abs=0.01)
    assert level(calm, 2.5, 4.0) > 40  # of an int16
    assert level(masked, 6.0, 9.0) - level(calm, 6.0, 9.0) == pytest.approx(MASK, abs=0.2)
    assert level(masked, 10.5, 12.0) == pytest.approx(level(calm, 10.5, 12.0), abs=0.01)
    assert level(masked, 15.0, 16.0) < 10


def test_a_master_works_under_the_mask_until_it_is_day() -> None:
    """The Storyteller's night: no step is waited for, yet hands are at work; the mask says nothing of how many."""
    names = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle")
    clock = VirtualClock()
    mouth = FakeMouth(clock)
    production = stage(Setting("clocktower", "fr", names))
    conductor = Conductor(production, clock, mouth, FakeEar(clock), (), None, 1)
    conductor.keys_are_private = True
    for when, item in ((90.0, Typed("suivant")), (200.0, Stop())):
        clock.at(when, item)
    conductor.run(production.game.opening(skip_setup=True))
    night = next(when for when, scene in mouth.scenes if scene == "night")
    assert mouth.said[0][0] - night == pytest.approx(2.5)
    day = next(when for when, scene in mouth.scenes if not scene and when > night)
    assert [masked for when, masked in mouth.masks if when < day] == [True] * 3
    assert not any(masked for when, masked in mouth.masks if when > day)
    assert 5 <= day - 90 <= 10  # dawn, after the last entry
