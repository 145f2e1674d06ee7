"""The loop between the pure game and its devices, on a virtual clock with tiny devices."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from test_golden import Scribe

from narrator.conductor import Conductor
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.ports import Caught, Ended, Overdue, Stop, Typed
from narrator.stage.clock import ExhaustedError, VirtualClock
from narrator.stage.journal import Journal
from narrator.stage.scripted import Prompter, SilentMouth

TABLE = Setting("sultan", "fr", ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"), "Alice")


class FakeMouth:
    """Speaks at ten letters a second and remembers what, when and how."""

    looks_ahead = False

    def __init__(self, clock: VirtualClock) -> None:
        self.clock, self.said, self.cues, self.hushed = clock, [], [], 0
        self.scenes, self.masks = [], []

    def say(self, number: int, text: str, pace: float) -> None:
        self.said.append((self.clock.now(), text))
        self.clock.at(self.clock.now() + len(text) / 10, Ended(number))

    def cue(self, sound: str) -> float:
        self.cues.append(sound)
        return 0.2

    def scene(self, name: str) -> None:
        self.scenes.append((self.clock.now(), name))

    def mask(self, on: bool) -> None:
        self.masks.append((self.clock.now(), on))

    def mute(self, on: bool) -> None:
        self.cues.append(f"mute {on}")

    def hush(self) -> None:
        self.hushed += 1

    def volume(self, steps: int) -> None:
        self.cues.append(f"volume {steps:+d}")

    def prepare(self, texts: Iterable[str], pace: float) -> None: ...


class FakeEar:
    def __init__(self, clock: VirtualClock) -> None:
        self.clock, self.sentences, self.opened, self.closed = clock, (), [], 0

    def open(self, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None:
        self.sentences, self.wanted, self.unlikely = sentences, sentences, unlikely
        self.opened.append((self.clock.now(), delay))

    def close(self) -> None:
        self.sentences = ()
        self.closed += 1


class Stage:
    """An evening in which things happen at given times; run() until `until` seconds."""

    def __init__(self, *things: tuple[float, object], skip_setup: bool = True, journal: Journal | None = None) -> None:
        self.clock = VirtualClock()
        self.mouth, self.ear = FakeMouth(self.clock), FakeEar(self.clock)
        self.production = stage(TABLE)
        self.conductor = Conductor(self.production, self.clock, self.mouth, self.ear, (), journal, 1)
        self.skip_setup = skip_setup
        for when, item in things:
            self.clock.at(when, item)

    def run(self, until: float) -> list[str]:
        self.clock.at(until, Stop())
        self.conductor.run(self.production.game.opening(self.skip_setup))
        return [text for _, text in self.mouth.said]


def test_the_ear_is_shut_while_anything_is_said_and_opens_behind_the_earcon() -> None:
    stage_ = Stage()
    stage_.run(30)
    last, text = stage_.mouth.said[-1]
    opened, delay = stage_.ear.opened[0]
    assert opened == pytest.approx(last + len(text) / 10)
    assert stage_.mouth.cues == ["listen"]
    assert delay == pytest.approx(0.2 + 0.25)  # the earcon, then the room's tail


def test_what_was_caught_while_speaking_is_nothing() -> None:
    said = Stage((0.5, Caught("je propose chloé"))).run(30)
    assert not any("propose Chloé" in text for text in said)


def test_the_ear_knows_which_counts_the_game_would_refuse() -> None:
    """Of seven each has one vote; names are taken at their word, even hers who proposes herself."""
    stage_ = Stage((20.0, Caught("je propose chloé")), (40.0, Caught("on vote")))
    stage_.run(80)
    counts = {one for one in stage_.ear.wanted if re.fullmatch("[^ ]+ oui [^ ]+ non", one)}
    numbers = ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept")
    assert len(counts) >= len(numbers) ** 2
    assert counts - stage_.ear.unlikely == {
        f"{yes} oui {no} non" for yes, no in zip(numbers, reversed(numbers), strict=True)
    }


def test_two_misses_give_examples_and_a_third_is_left_alone() -> None:
    stage_ = Stage((15.0, Caught("")), (20.0, Caught("")), (40.0, Caught("")), (45.0, Caught("")))
    said = stage_.run(50)
    assert sum("par exemple" in text for text in said) == 1
    assert stage_.mouth.cues.count("not_understood") == 2


def test_table_talk_is_never_a_miss() -> None:
    stage_ = Stage((15.0, Caught("je propose chloé")), (40.0, Caught("")), (41.0, Caught("")), (42.0, Caught("")))
    said = stage_.run(50)
    assert not any("par exemple" in text for text in said)
    assert stage_.mouth.cues.count("not_understood") == 0


def test_a_silent_room_is_reminded_twice_then_left_in_peace() -> None:
    said = Stage().run(2000)
    assert said.count("Alice, qui proposes-tu comme Narratrice\u202f?") == 3


@pytest.mark.parametrize("item", [Caught("répète"), Caught("plus fort"), Overdue("microphone")])
def test_the_ear_opens_again_behind_whatever_is_said(item: object) -> None:
    stage = Stage((20.0, item))
    stage.run(60.0)
    heard = [text for at, text in stage.mouth.said if at >= 20.0]
    assert heard
    assert any(at > 20.0 for at, _ in stage.ear.opened)


def test_repeat_says_again_what_was_said_since_the_last_answer() -> None:
    stage_ = Stage((15.0, Caught("répète")))
    said = stage_.run(30)
    assert said[:2] == said[2:4]


def test_nobody_is_told_again_to_show_the_cards() -> None:
    """What hands had to do, and had time for, is over; only what is waited for is said again."""
    said = Stage((15.0, Caught("je propose chloé")), (40.0, Caught("on vote")), (70.0, Caught("répète"))).run(80)
    assert said[-2:] == ["Combien de oui, combien de non\u202f?"] * 2
    assert sum("montrez" in text for text in said) == 1


def test_a_pause_freezes_the_timers() -> None:
    stage_ = Stage((15.0, Caught("je propose chloé")), (40.0, Caught("pause")), (540.0, Caught("reprends")))
    stage_.run(700)
    warned = next(when for when, text in stage_.mouth.said if text.startswith("Encore trente"))
    spoken = next(when for when, text in stage_.mouth.said if text.startswith("Discutez"))
    assert warned == pytest.approx(spoken + 90 + 500, abs=12)


def test_paused_hears_only_the_end_of_the_pause() -> None:
    stage_ = Stage((15.0, Caught("pause")), (25.0, Caught("je propose chloé")))
    said = stage_.run(40)
    assert not any("propose Chloé" in text for text in said)
    assert stage_.ear.sentences == ()  # closed at the end
    assert stage_.conductor.paused


def test_a_pause_typed_in_mid_sentence_says_the_sentence_again() -> None:
    stage_ = Stage((1.0, Typed("pause")), (20.0, Typed("reprends")))
    said = stage_.run(40)
    assert said[0].startswith("Tour un")
    assert said[1].startswith("Pause")
    assert said[3] == said[0]
    assert said[4].startswith("Alice, qui")
    assert stage_.mouth.hushed >= 1


def test_the_keyboard_does_not_wait_for_the_voice() -> None:
    stage_ = Stage((0.5, Typed("je propose Chloé")))
    said = stage_.run(10)
    assert said[1].startswith("Alice propose Chloé")


def test_one_more_minute_and_how_long() -> None:
    stage_ = Stage(
        (15.0, Caught("je propose chloé")), (40.0, Caught("encore une minute")), (50.0, Caught("combien de temps"))
    )
    said = stage_.run(60)
    assert any(text.startswith("Il reste deux minutes et") for text in said)


def test_pace_changes_dwell_times() -> None:
    def length(*things: tuple[float, object]) -> float:
        stage_ = Stage(*things, (30.0, Typed("passe")), (31.0, Typed("oui")), skip_setup=False)
        stage_.run(200)
        times = {text[:20]: when for when, text in stage_.mouth.said}
        return times["Le jour se lève. Que"] - times["La nuit tombe sur le"]

    assert length((20.0, Typed("plus lentement"))) > length() > length((20.0, Typed("plus vite")))


def test_closed_eyes_keep_the_ear_shut() -> None:
    stage_ = Stage((30.0, Typed("passe")), (31.0, Typed("oui")), skip_setup=False)
    stage_.run(200)
    night = next(when for when, text in stage_.mouth.said if text.startswith("La nuit tombe"))
    day = next(when for when, text in stage_.mouth.said if text.startswith("Le jour se lève"))
    assert not [when for when, _ in stage_.ear.opened if night <= when <= day]


def test_a_full_disk_is_told_once_and_its_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.begin(TABLE, 1, skip_setup=True, path=tmp_path / "j.jsonl")
    monkeypatch.setattr(journal, "_add", lambda data, **_: setattr(journal, "trouble", OSError(28, "full")))
    stage_ = Stage((20.0, Caught("où en est-on")), (60.0, Caught("où en est-on")), journal=journal)
    said = stage_.run(90)
    assert sum("je ne peux plus noter" in text.lower() for text in said) == 1


def test_the_end_waits_for_an_objection_and_then_leaves() -> None:
    """Dinarzade in exile, taken back, then confirmed."""
    stage_ = Stage()
    conductor, production = stage_.conductor, stage_.production
    sentences = iter(
        [
            *("il y a quatre contes pacifistes", "je propose Chloé", "quatre oui, trois non", "non"),
            *(
                "conte pacifiste",
                "j'exile Bob",
                "oui",
                "je suis Dinarzade",
                "oui",
                "annule",
                "je suis Dinarzade",
                "oui",
            ),
        ]
    )
    clock = VirtualClock(idle=lambda: Typed(s) if (s := next(sentences, None)) else _exhaust())
    conductor.clock = stage_.mouth.clock = stage_.ear.clock = clock
    stage_.mouth.say = lambda number, text, pace: clock.post(Ended(number))  # type: ignore[method-assign]
    ending = conductor.run(production.game.opening(skip_setup=True))
    assert ending is not None
    assert (ending.how, ending.winners) == ("dinarzade_exiled", ("interventionist",))


def _exhaust() -> None:
    raise ExhaustedError


def test_a_night_is_not_repeated_to_open_eyes() -> None:
    production = stage(TABLE)
    prompter = Prompter(production, [*["suivant"] * 9, "répète"], io.StringIO(), state=False)
    scribe = Scribe(production.rules_module.public_state)
    prompter.conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (scribe,), None, 1)
    prompter.conductor.run(production.game.opening())
    said = " ".join(scribe.lines)
    night, _, again = said.rpartition("> répète")
    assert "Que tout le monde ferme les yeux." in night
    assert "Alice, qui proposes-tu" in again
    assert "mains sur la table" not in again
    assert "ferme" not in again
