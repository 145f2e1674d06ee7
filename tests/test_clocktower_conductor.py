"""A mastered game through the conductor: the roll call's timing, the day's clock, the keys, draws, both journals."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_conductor import FakeEar, FakeMouth
from town import town

from narrator.conductor import Conductor
from narrator.core.effects import Manner
from narrator.core.game import fold
from narrator.core.phrases import Meaning
from narrator.library import stage
from narrator.ports import Caught, Stop, Typed
from narrator.setup import sample_setting
from narrator.stage.clock import VirtualClock
from narrator.stage.journal import Journal, private_path, read_journal

BEAT = 2.5


class Watch:
    """What the public screen and the master's show."""

    def __init__(self) -> None:
        self.public: list[str] = []
        self.private: list[str] = []

    def spoke(self, text: str, manner: Manner) -> None:
        self.public.append(text)

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        self.public.append(f"> {text}")

    def shown(self, facts: Any) -> None: ...
    def whispered(self, text: str) -> None:
        self.private.append(text)

    def settled(self, conductor: Conductor) -> None: ...


class Ear(FakeEar):
    speaking = False


class Village:
    """An evening on a virtual clock; `then` does things after so many seconds, measured from the last `until`."""

    def __init__(self, *, keys: bool = False, journal: Journal | None = None, **options: object) -> None:
        self.clock = VirtualClock()
        self.mouth, self.ear, self.watch = FakeMouth(self.clock), Ear(self.clock), Watch()
        self.production = stage(town(7, **options))
        self.conductor = Conductor(self.production, self.clock, self.mouth, self.ear, (self.watch,), journal, 1)
        self.conductor.keys_are_private = keys
        self.script: list[tuple[str, list[tuple[float, object]]]] = []

    def at(self, when: float, item: object) -> None:
        self.clock.at(when, item)

    def run(self, until: float) -> list[str]:
        self.clock.at(until, Stop())
        self.conductor.run(self.production.game.opening(skip_setup=True))
        return [text for _, text in self.mouth.said]

    def when(self, text: str, nth: int = 0) -> float:
        """When the narrator began to say this."""
        return [at for at, said in self.mouth.said if said.startswith(text)][nth]

    def over(self, text: str, nth: int = 0) -> float:
        """When it had said it."""
        began = self.when(text, nth)
        return began + len(next(said for at, said in self.mouth.said if at == began)) / 10


def voting(**options: object) -> Village:
    """The night is over at once; Alice names Bob, and the vote begins at 60 s or so."""
    village = Village(**options)
    village.at(30, Typed("suivant", private=True))
    village.at(60, Typed("Alice nomme Bob"))
    village.at(61, Typed("on vote"))
    return village


def test_the_ear_of_a_roll_call_opens_at_the_last_sample_of_the_name() -> None:
    village = voting()
    village.run(90)
    name = village.over("Chloé")
    delay = next(d for at, d in village.ear.opened if at == pytest.approx(name))
    assert delay == pytest.approx(0.0)
    assert "listen" not in village.mouth.cues  # no earcon between two names


def test_a_seat_has_its_beat_and_silence_is_a_no() -> None:
    village = voting()
    village.run(90)
    assert village.when("David") - village.over("Chloé") == pytest.approx(BEAT, abs=0.11)


def test_a_word_that_has_begun_is_waited_for_and_counts() -> None:
    """ "Oui" begins before the beat is over and is judged after it."""
    village = voting()
    village.run(80)
    end = village.over("Chloé") + BEAT
    village = voting()
    village.at(end - 0.3, lambda: setattr(village.ear, "speaking", True))

    def judged() -> None:
        village.ear.speaking = False
        village.clock.post(Caught("oui"))

    village.at(end + 0.6, judged)
    village.run(end + 5)
    assert "Chloé" in village.conductor.evening.state.vote.hands
    assert village.when("Un.") == pytest.approx(end + 0.6, abs=0.05)


def test_chatter_holds_a_beat_up_only_for_so_long() -> None:
    village = voting()
    village.at(61.5, lambda: setattr(village.ear, "speaking", True))
    village.run(110)
    assert 4.0 < village.when("David") - village.over("Chloé") - BEAT < 4.3


def test_the_clock_of_the_day_stops_while_somebody_is_nominated() -> None:
    village = voting(discussion=300)
    for n in range(7):
        village.at(70 + 2 * n, Typed("oui"))
    village.at(90, Typed("c'est bon"))
    said = village.run(600)
    began, named = village.over("Jour un"), 60.0
    resumed = village.over("La discussion reprend")
    left = 300 - (named - began)
    assert village.when("Encore une minute avant") == pytest.approx(resumed + left - 60, abs=0.5)
    assert village.when("Tout le monde à sa place") == pytest.approx(resumed + left, abs=8)
    assert sum(text.startswith("Encore une minute") for text in said) == 1


def test_the_silence_after_a_death_lasts_as_long_whenever_it_is_answered() -> None:
    lengths = []
    for answered in (None, 1.0, 6.0):
        village = Village()
        village.at(28, Typed("Bob meurt", private=True))
        village.at(30, Typed("suivant", private=True))
        village.run(50)
        silence = village.over("Bob\u00a0: retourne")
        village = Village()
        village.at(28, Typed("Bob meurt", private=True))
        village.at(30, Typed("suivant", private=True))
        if answered is not None:
            village.at(silence + answered, Typed("la partie continue", private=True))
        village.run(120)
        lengths.append(village.when("Jour un") - silence)
    assert lengths == pytest.approx([12.0, 12.0, 12.0])


def test_nothing_of_the_masters_keys_is_seen_or_heard_at_night() -> None:
    village = Village()
    for n, text in enumerate(["Bob meurt", "grimoire", "annule", "répète", "aide", "pause", "plus fort", "xyz", "oui"]):
        village.at(30 + n, Typed(text, private=True))
    village.run(60)
    assert village.mouth.said[-1][0] < 29
    assert village.watch.public == ["Le soleil se couche sur le village. Que tout le monde ferme les yeux."]
    assert village.ear.opened == []
    assert village.mouth.cues == []
    assert len(village.watch.private) >= 9


def test_in_a_mastered_game_every_key_is_the_masters_and_an_empty_line_is_next() -> None:
    village = Village(keys=True)
    village.at(28, Typed("Bob meurt"))
    village.at(30, Typed(""))
    village.at(90, Typed("Alice nomme Chloé"))  # he has heard it: the table's own sentence
    said = village.run(100)
    assert any("la mort a emporté Bob" in text for text in said)
    assert any(text.startswith("Alice a nommé Chloé") for text in said)
    assert not any("Bob meurt" in text for text in village.watch.public if text.startswith(">"))


def test_the_public_keyboard_does_not_know_the_masters_words() -> None:
    village = Village()
    village.at(30, Typed("suivant", private=True))
    village.at(60, Typed("Bob meurt"))
    village.at(62, Caught("bob meurt"))
    said = village.run(80)
    assert "Bob" in village.conductor.evening.state.living
    assert sum(text == "Je n’ai pas compris." for text in said) == 1


def test_help_and_repeat_answer_on_the_masters_screen() -> None:
    village = Village()
    village.at(30, Typed("aide", private=True))
    village.at(31, Typed("fiche", private=True))
    village.at(32, Typed("répète", private=True))
    village.run(40)
    assert any(" meurt" in text for text in village.watch.private)
    assert village.watch.private[-1] == village.watch.private[-2]


def test_a_draw_may_be_forced() -> None:
    village = Village()
    village.conductor.force(0.0)
    village.at(30, Typed("suivant", private=True))
    village.run(60)
    assert village.when("Le jour se lève") == pytest.approx(35.0, abs=0.01)
    with pytest.raises(ValueError, match="from 0 to below 1"):
        village.conductor.force(1.0)


# ---- from outside


TABLE = 'game = "clocktower"\nplayers = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]\n'
SENTENCES = [
    "mj> Bob meurt",
    "mj> suivant",
    "mj> la partie continue",
    "Alice nomme Chloé",
    "on vote",
    "oui",
    "mj> David compte pour 2",
    "oui",
    "annule",
    "mj> annule",
]


def command(folder: Path, *more: str) -> tuple[list[str], dict[str, str]]:
    env = {**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    return [sys.executable, "-m", "narrator", "play", "--typed", "--fast", *more], env


def test_scripted_play_shows_both_channels_apart(tmp_path: Path) -> None:
    table = tmp_path / "t.toml"
    table.write_text(TABLE, encoding="utf-8")
    args, env = command(tmp_path, "--private", "--skip-setup", "--table", str(table))
    text = "dice> 0.0\nmj> Bob meurt\nmj> Bob meurt\nmj> suivant\nmj> la partie continue\nBob meurt\n"
    done = subprocess.run(args, input=text, env=env, capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [row["accepted"] for row in rows] == [True, False, True, True, False]
    assert rows[0]["private"]["dying"] == ["Bob"]
    assert rows[0]["living"][1] == "Bob"
    assert rows[1]["reason"] is None
    assert rows[1]["private"]["reason"].startswith("Bob ne vit déjà plus")
    assert rows[2]["dead"] == ["Bob"]
    assert rows[4]["reason"] == "Je n’ai pas compris."
    assert "[mj] C’est noté\u00a0: Bob mourra à l’aube." in done.stdout.splitlines()
    bad = subprocess.run(args, input="dice> 7\n", env=env, capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert "a draw is a number from 0 to below 1" in bad.stderr


@pytest.mark.parametrize("killed_after", [1, 2, 4, 6, 7, 8, 9, 10])
def test_resume_after_a_kill_is_the_uncut_state_on_both_channels(tmp_path: Path, killed_after: int) -> None:
    table = tmp_path / "t.toml"
    table.write_text(TABLE, encoding="utf-8")
    args, env = command(tmp_path, "--private", "--skip-setup", "--table", str(table))
    playing = subprocess.Popen(args, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert playing.stdin
    assert playing.stdout
    before: dict[str, Any] = {}
    for sentence in SENTENCES[:killed_after]:
        playing.stdin.write(sentence + "\n")
        playing.stdin.flush()
        while not (line := playing.stdout.readline()).startswith("{"):
            assert line
        before = json.loads(line)
    playing.send_signal(signal.SIGKILL)
    playing.wait()
    args, env = command(tmp_path, "--private", "--resume")
    text = "mj> où en est-on\n"
    resumed = subprocess.run(args, env=env, input=text, capture_output=True, text=True, check=True)
    after = json.loads([line for line in resumed.stdout.splitlines() if line.startswith("{")][-1])
    for told in (after, before):
        told.pop("accepted")
        told.pop("reason")
        told["private"].pop("reason")
    assert after == before
    path = next((tmp_path / "narrator" / "evenings").glob("*.jsonl"))
    assert stat.S_IMODE(os.stat(private_path(path)).st_mode) == 0o600
    assert "dies" not in path.read_text(encoding="utf-8")
    numbers = [n for n, _ in enumerate(read_journal(path).events, 1)]
    assert numbers


def begun(folder: Path, **options: object) -> Journal:
    setting = town(7, **options)
    return Journal.begin(setting, 1, skip_setup=True, path=folder / "e.jsonl", secret=("roles",))


def gone_on(folder: Path, seconds: float, **options: object) -> Village:
    """The evening after a power cut, for so many seconds."""
    record = read_journal(folder / "e.jsonl")
    village = Village(journal=Journal(record.path, None), **options)
    village.clock.at(seconds, Stop())
    village.conductor.run(fold(village.production.game, record.events, True), resumed=True)
    return village


def test_the_clock_of_the_day_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    village = Village(journal=begun(tmp_path))
    village.at(30, Typed("suivant", private=True))
    village.run(150)
    left = 300 - (150 - village.over("Jour un"))
    after = gone_on(tmp_path, 400)
    began = after.over("Jour un")  # the recap
    assert after.when("Encore une minute avant") - began == pytest.approx(left - 60, abs=10)
    assert after.when("Tout le monde à sa place") - began == pytest.approx(left, abs=13)


def test_the_clock_of_the_day_goes_on_after_a_vote_that_was_cut(tmp_path: Path) -> None:
    village = Village(journal=begun(tmp_path, defence=60), defence=60)
    village.at(30, Typed("suivant", private=True))
    village.at(150, Typed("Alice nomme Bob"))
    village.run(185)
    left, defended = 300 - (150 - village.over("Jour un")), 185 - village.over("Bob, tu as soixante")
    after = gone_on(tmp_path, 500, defence=60)
    assert after.when("Le temps est écoulé") - after.over("Jour un") == pytest.approx(60 - defended, abs=10)
    assert after.when("Tout le monde à sa place") - after.over("La discussion reprend") == pytest.approx(left, abs=8)


def test_a_later_phase_has_its_whole_time_after_a_power_cut(tmp_path: Path) -> None:
    village = Village(journal=begun(tmp_path, defence=60), defence=60)
    village.at(30, Typed("suivant", private=True))
    village.at(60, Typed("Alice nomme Bob"))
    village.at(100, Typed("on vote"))
    village.at(102, Typed("total 2", private=True))
    village.run(140)
    record = read_journal(tmp_path / "e.jsonl")
    after = Village(journal=Journal(record.path, None), defence=60)
    after.clock.at(20, Typed("Chloé nomme David"))
    after.clock.at(200, Stop())
    after.conductor.run(fold(after.production.game, record.events, True), resumed=True)
    assert after.when("Le temps est écoulé") - after.over("David, tu as") == pytest.approx(60, abs=0.5)


def test_nothing_is_noted_while_eyes_are_closed(tmp_path: Path) -> None:
    village = Village(journal=begun(tmp_path, verdict=90), verdict=90)
    village.at(28, Typed("Bob meurt", private=True))
    village.at(30, Typed("suivant", private=True))
    village.at(60, Typed("la partie continue", private=True))
    village.run(130)
    assert Journal(tmp_path / "e.jsonl", None).clocks() == {}


def test_a_game_without_a_master_has_no_second_channel() -> None:
    """What is entered privately there is the table's own word, or nothing."""
    clock = VirtualClock()
    mouth, watch = FakeMouth(clock), Watch()
    production = stage(sample_setting("sultan"))
    conductor = Conductor(production, clock, mouth, None, (watch,), None, 1)
    clock.at(20, Typed("je propose Bob", private=True))
    clock.at(25, Typed("Bob meurt", private=True))
    clock.at(30, Stop())
    conductor.run(production.game.opening(skip_setup=True))
    assert not conductor.verdict.accepted
    assert conductor.evening.past is not None
    assert not conductor.evening.past.private
    assert watch.public[-2].endswith("propose Bob comme Narratrice.")
