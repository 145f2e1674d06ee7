"""It never hears itself: a microphone that hears the loudspeaker at −6 dB in a room, for a whole evening."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from narrator.core.phrases import Meaning
from narrator.ear.recognizer import TableEar
from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.leak import Leak
from narrator.rehearsal.room import Room
from narrator.rehearsal.tape import Tape
from narrator.rehearsal.voices import RATE
from narrator.setup import sample_setting
from narrator.voice.clip import Clip, to_float
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

pytestmark = pytest.mark.sound


class Listening(Rehearsal):
    """Notes what was caught while nobody at the table spoke, and what while somebody did."""

    def __init__(self, seed: int, game: str = "sultan", seats: int = 7, **options: Any) -> None:
        usual = sample_setting(game, seats)
        setting = replace(usual, players=("Louis", *usual.players[1:]))  # his name ends like “oui”
        super().__init__(stage(setting), seed, typed=False, **options)
        self.ours: list[tuple[float, str]] = []
        self.theirs = 0

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        if not typed and self.table.speaking(self.ear.last if self.ear else None, typed=False) is None:
            self.ours.append((self.clock.now(), text))
        self.theirs += not typed
        super().caught(text, meaning, typed=typed)


@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [
        *(("sultan", 7, 1), ("sultan", 7, 2), ("clocktower", 6, 1)),
        *(("bourreau", 4, 1), ("village", 6, 1), ("pyramide", 8, 1)),
    ],
)
def test_a_whole_evening_has_no_event_of_its_own_making(
    game: str, seats: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Votes by ear among them, in which the gate does not wait for the room."""
    evening = Listening(seed, game, seats, echo=True)
    ending = evening.run()
    assert ending is not None
    assert evening.ours == []
    assert evening.theirs > 15
    minutes = f"{evening.tally.audio_seconds / 60:.0f} min"
    record_property(f"{game}, evening {seed} ({minutes}), echo at −6 dB: events of its own", len(evening.ours))
    assert evening.tally.false_actions <= 1


def test_an_ear_that_were_open_would_hear_the_narrator() -> None:
    """The proof that the test above could fail: the echo of a sentence is understood where no gate is."""
    sentences = ("je propose Chloé", "je propose Bob", "annule", "pause")
    room = Room(1)
    tape = Tape(1, room)
    with Synth(load_profile("fr")) as synth:
        tape.clip(1.0, synth.render("Je propose Chloé."))
    leak, listener = Leak(tape, room), TableEar("fr", sentences).open(sentences)
    heard = []
    for at in range(0, 5 * RATE, 1600):
        block = leak.render(at, at + 1600).astype(np.int32) + room.bed(1600, at)
        if utterance := listener.accept(np.clip(block, -32768, 32767).astype(np.int16)):
            heard.append(utterance.text)
    assert heard == ["je propose Chloé"]


def test_the_leak_is_six_decibels_down_and_rings_on() -> None:
    room = Room(1)
    tape = Tape(1, room)
    tone = np.random.default_rng(0).normal(0, 3000, RATE).astype(np.int16)
    tape.clip(0.5, Clip(tone, RATE))
    leak = Leak(tape, room)
    heard = np.concatenate([leak.render(at, at + 1600) for at in range(0, 2 * RATE, 1600)])
    level = np.sqrt(np.mean(to_float(heard[round(0.9 * RATE) : round(1.4 * RATE)]) ** 2))
    assert 20 * np.log10(level / np.sqrt(np.mean(to_float(tone) ** 2))) == pytest.approx(-6, abs=0.5)
    assert np.abs(heard[: round(0.49 * RATE)]).max() == 0
    ringing = np.abs(heard[round(1.51 * RATE) : round(1.56 * RATE)].astype(int)).max()
    assert ringing > 50
    assert np.abs(heard[-RATE // 20 :]).max() <= 2
