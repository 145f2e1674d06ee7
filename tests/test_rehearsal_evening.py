"""Whole evenings through the real conductor, voice and ear; and what secrets may not change."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import wave
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from narrator.core.effects import End
from narrator.core.errors import NarratorError
from narrator.library import stage
from narrator.rehearsal import command as rehearsed
from narrator.rehearsal.ends import end_title
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.people import SimulatedTable
from narrator.setup import sample_setting
from narrator.voice.cache import Studio
from narrator.voice.choice import choose, open_voice
from narrator.voice.profile import load_profile

KEYS = [
    *("game", "players", "seed", "end", "spoken_lines", "utterances", "first_try", "reasked"),
    *("false_actions", "wrong_actions", "audio_seconds", "wall_seconds"),
]


@pytest.mark.sound
def test_an_evening_is_spoken_and_heard_from_end_to_end(tmp_path: Path) -> None:
    """The command of the README: real pyttsx3, real vosk, a simulated room; its figures and its recording."""
    report, sound, transcript = tmp_path / "r.json", tmp_path / "s.wav", tmp_path / "t.txt"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "narrator", "rehearse", "sultan", "--players", "7", "--seed", "3"),
            *("--report", str(report), "--wav", str(sound), "--transcript", str(transcript)),
        ],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert list(figures) == KEYS
    assert figures["end"]["winners"]
    assert figures["utterances"] >= 40
    assert figures["first_try"] >= 0.75 * figures["utterances"]
    assert figures["false_actions"] <= 1
    assert figures["wrong_actions"] <= 2
    assert "Que tout le monde ferme les yeux." in transcript.read_text(encoding="utf-8")
    with wave.open(str(sound)) as file:
        assert file.getnframes() / file.getframerate() == pytest.approx(figures["audio_seconds"], abs=1)


@pytest.mark.sound
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_typed_evening_ends_and_the_cards_agree(language: str) -> None:
    rehearsal = Rehearsal(stage(sample_setting("sultan", 8, language)), 5, typed=True)
    ending = rehearsal.run()
    assert ending is not None
    assert rehearsal.difference == ""
    assert rehearsal.tally.first_try == rehearsal.tally.utterances > 20


@pytest.mark.sound
def test_a_rehearsal_speaks_with_the_voice_that_an_evening_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was chosen, the best one where none was, or the one asked for."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("NARRATOR_VOICE", raising=False)
    voices = []

    def listened(*_: Any, studio: Studio, **__: Any) -> None:
        voices.append(studio.voice)
        studio.close()
        raise NarratorError("that is enough")

    monkeypatch.setattr(rehearsed, "Rehearsal", listened)
    plan = rehearsed.Plan("sultan", 5, 1, None, "fr", None, None, None, True, ())
    for choice, asked in (("", ""), ("system", ""), ("", "system")):
        choose(choice or "best", "fr")
        with pytest.raises(NarratorError, match="that is enough"):
            rehearsed.rehearse_evening(replace(plan, voice=asked))
    with closing(open_voice(load_profile("fr"), "best")) as best:
        assert voices == [best.voice, "espeak", "espeak"]
    with pytest.raises(NarratorError, match="there is no voice “darth”"):
        rehearsed.rehearse_evening(replace(plan, voice="darth"))


@pytest.mark.sound
def test_names_are_pronounced_in_a_rehearsal_as_the_table_says() -> None:
    setting = sample_setting("sultan", 5)
    seconds = []
    for says in ({}, {setting.players[0]: "Maximilienne-Antoinette"}):
        rehearsal = Rehearsal(stage(replace(setting, says=says)), 1, typed=True)
        assert rehearsal.studio
        seconds.append(rehearsal.studio.seconds(setting.players[0]))
        rehearsal.studio.close()
    assert seconds[1] > seconds[0] + 0.5


def test_a_silent_rehearsal_plays_the_same_evening() -> None:
    rehearsal = Rehearsal(stage(sample_setting("sultan", 6)), 2, typed=True, silent=True)
    assert rehearsal.run() is not None
    assert rehearsal.difference == ""
    assert rehearsal.studio is None


def permuted(people: SimulatedTable, seed: int) -> dict[str, str] | None:
    """Other roles for the same players under which the same public course would have been truthful, if any."""
    chance, players = random.Random(seed), list(people.roles)
    for _ in range(300):
        roles = dict(zip(players, chance.sample(list(people.roles.values()), len(players)), strict=True))
        if roles != people.roles and people.fits(roles):
            return roles
    return None


@pytest.mark.sound
@pytest.mark.parametrize(("players", "seed"), [(7, 1), (8, 2), (9, 3), (10, 4)])
def test_hidden_roles_never_change_what_is_said_or_when(players: int, seed: int) -> None:
    """One seed and one public course, other secrets: the spoken timelines are equal to the sample."""
    setting = sample_setting("sultan", players, giafar=True, amoureuse=True)
    production = stage(setting)
    first = Rehearsal(production, seed, typed=True)
    first.run()
    for attempt in range(3):
        roles = permuted(first.people, attempt)
        if roles is None:
            break
        people = SimulatedTable(production, seed, roles=roles, course=first.people.course)
        other = Rehearsal(production, seed, typed=True, people=people)
        other.run()
        assert other.timeline == first.timeline
    assert roles is not None or attempt > 0, "no other roles fit this course: choose another seed"


@pytest.mark.parametrize(
    ("game", "ending", "title"),
    [
        ("sultan", End("dinarzade_narratrice", ("pacifist",)), "Dinarzade est Narratrice"),
        ("village", End("pack", ("wolves",)), "les loups l’emportent"),
        ("village", End("unnamed", ("wolves",)), "les loups"),
    ],
)
def test_an_end_is_told_by_its_title(game: str, ending: End, title: str) -> None:
    assert end_title(stage(sample_setting(game, 8, "fr")), ending) == title
