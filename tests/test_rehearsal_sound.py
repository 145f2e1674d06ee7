"""The sound of a simulated table: voices of one's own, a room that keeps its levels, a microphone that keeps time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from narrator.core.errors import DeviceError
from narrator.rehearsal.room import DISTANCES, Room
from narrator.rehearsal.voices import RATE, Voices
from narrator.rehearsal.world import AudioWorld
from narrator.voice.clip import Samples

NAMES = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules")


def level(samples: Samples) -> float:
    """dBFS."""
    return float(20 * np.log10(np.sqrt(np.mean(samples.astype(float) ** 2)) / 32768 + 1e-9))


def tone(seconds: float = 0.5, height: int = 3000) -> Samples:
    return (height * np.sin(2 * np.pi * 440 * np.arange(int(seconds * RATE)) / RATE)).astype(np.int16)


# ---- voices


@pytest.fixture(scope="module")
def voices() -> Voices:
    return Voices("fr", NAMES, seed=4)


def test_every_player_has_a_voice_of_her_own(voices: Voices) -> None:
    assert len({voices.voice_of(name).variant for name in NAMES}) == len(NAMES)
    said = [voices.say("je propose Bob", name) for name in NAMES[:4]]
    for one in range(4):
        for other in range(one):
            short = min(len(said[one]), len(said[other]))
            alike = np.corrcoef(said[one][:short].astype(float), said[other][:short].astype(float))[0, 1]
            assert abs(alike) < 0.5


def test_a_seed_gives_the_same_voices_again(voices: Voices) -> None:
    again = Voices("fr", NAMES, seed=4)
    assert all(again.voice_of(name) == voices.voice_of(name) for name in NAMES)
    assert any(Voices("fr", NAMES, 5).voice_of(name) != voices.voice_of(name) for name in NAMES)
    assert np.array_equal(again.say("quatre oui", "Bob"), voices.say("quatre oui", "Bob"))


def test_sentences_are_as_loud_as_one_another_and_without_silence_around(voices: Voices) -> None:
    for name in NAMES:
        said = voices.say("conte interventionniste", name)
        assert said.dtype == np.int16
        assert 0.8 < len(said) / RATE < 2.5
        assert -24 < level(said) < -18
        assert level(said[: int(0.01 * RATE)]) < -60
        assert level(said[int(0.03 * RATE) : int(0.2 * RATE)]) > -35


def test_what_was_said_once_costs_nothing(voices: Voices) -> None:
    first = voices.say("on vote", "Emma")
    assert voices.say("on vote", "Emma") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1


def test_a_name_is_spoken_as_the_table_writes_it_for_the_voice() -> None:
    plain, told = Voices("fr", ("Bob",), 1), Voices("fr", ("Bob",), 1, says={"Bob": "Robert"})
    assert np.array_equal(told.say("je propose bob", "Bob"), plain.say("je propose Robert", "Bob"))


def test_sixteen_kilohertz_keep_the_pitch(voices: Voices) -> None:
    """What is resampled has nothing above the new half rate folded back: energy falls off towards 8 kHz."""
    said = voices.say("conte pacifiste", "Alice").astype(float)
    power = np.abs(np.fft.rfft(said)) ** 2
    hertz = np.fft.rfftfreq(len(said), 1 / RATE)
    assert power[hertz < 4000].sum() > 10 * power[hertz > 7800].sum()


def test_without_the_program_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DeviceError, match="apt install espeak-ng"):
        Voices("fr", NAMES, 1).say("oui", "Bob")


def test_a_language_that_the_program_lacks_is_one_sentence() -> None:
    with pytest.raises(DeviceError, match="espeak-ng"):
        Voices("nolanguage", NAMES, 1).say("oui", "Bob")


# ---- room


@pytest.mark.parametrize("seed", range(6))
def test_a_room_keeps_its_levels(seed: int) -> None:
    room, speech = Room(seed), tone(1.0, 4634)  # -20 dBFS
    levels = [level(room.place(speech, name)[: len(speech)]) for name in NAMES]
    assert all(-26 < one < -10 for one in levels)
    assert max(levels) - min(levels) > 1.0  # seats differ
    assert 14 < -20 - level(room.bed(20 * RATE)) < 26
    assert all(DISTANCES[0] <= room.distance(name) <= DISTANCES[1] for name in NAMES)


def test_the_echo_follows_the_voice_and_dies_away() -> None:
    room, speech = Room(2), tone(0.3)
    placed = room.place(speech, "Bob")
    assert len(placed) > len(speech) + 0.1 * RATE
    tail = placed[len(speech) :]
    assert level(tail[: RATE // 50]) > level(tail[-RATE // 50 :]) + 20
    onset = int(np.flatnonzero(np.abs(placed) > 300)[0])
    assert onset <= int(np.flatnonzero(np.abs(speech) > 300)[0]) + 1  # nothing is delayed


def test_a_room_is_the_same_for_the_same_seed() -> None:
    speech = tone(0.2)
    assert np.array_equal(Room(7).place(speech, "Bob"), Room(7).place(speech, "Bob"))
    assert np.array_equal(Room(7).bed(1000, 500), Room(7).bed(1000, 500))
    assert not np.array_equal(Room(7).bed(1000), Room(8).bed(1000))


def test_the_bed_is_seamless_where_it_starts_over() -> None:
    room = Room(3)
    whole = room.bed(41 * RATE)
    assert np.array_equal(whole[40 * RATE :], room.bed(RATE))
    steps = np.abs(np.diff(whole.astype(int)))
    seam = steps[40 * RATE - 2 : 40 * RATE + 2]
    assert seam.max() <= steps.max()
    assert np.array_equal(whole[12_345 : 12_345 + 700], room.bed(700, 12_345))


# ---- world


def test_sounds_are_heard_at_their_sample_and_add_up() -> None:
    world = AudioWorld()
    world.schedule(0.5, np.full(1600, 100, np.int16))
    world.schedule(0.55, np.full(1600, 1000, np.int16))
    heard = world.render(0.0, 1.0)
    assert np.flatnonzero(heard == 100).tolist() == list(range(8000, 8800))
    assert np.flatnonzero(heard == 1100).tolist() == list(range(8800, 9600))
    assert np.flatnonzero(heard == 1000).tolist() == list(range(9600, 10_400))


def test_blocks_are_the_whole() -> None:
    def world() -> AudioWorld:
        made = AudioWorld(Room(1))
        for at in (0.03, 0.111, 0.98):
            made.schedule(at, tone(0.25))
        return made

    blocks, blockwise = world(), []
    for n in range(15):
        blockwise.append(blocks.render(n / 10, (n + 1) / 10))
    assert np.array_equal(np.concatenate(blockwise), world().render(0.0, 1.5))


def test_too_loud_is_clipped_not_wrapped() -> None:
    world = AudioWorld()
    for _ in range(3):
        world.schedule(0.0, np.full(100, 30_000, np.int16))
    assert world.render(0.0, 0.01).max() == 32767


def test_what_has_not_begun_can_be_cancelled() -> None:
    world = AudioWorld()
    world.schedule(0.1, np.full(1600, 5, np.int16))
    world.schedule(0.4, np.full(1600, 7, np.int16))
    assert world.last == pytest.approx(0.5)
    world.cancel(after=0.2)
    assert world.last == pytest.approx(0.2)
    assert set(world.render(0.0, 1.0)) == {0, 5}


def test_an_hour_of_an_evening_is_rendered_in_seconds() -> None:
    world, started = AudioWorld(Room(1)), time.process_time()
    for minute in range(60):
        world.schedule(minute * 60.0, tone(1.0))
        for block in range(600):
            world.render(minute * 60 + block / 10, minute * 60 + (block + 1) / 10)
    assert time.process_time() - started < 30.0
    assert world.last == 0.0  # nothing is kept
