"""After a power cut nobody hears twice what was said to its end, and nothing that was not said is lost."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from test_clocktower_conductor import Village, gone_on
from test_clocktower_conductor import begun as town_begun
from test_conductor import TABLE, FakeEar, FakeMouth

from narrator.conductor import Conductor
from narrator.core.errors import ScriptError
from narrator.core.game import fold
from narrator.library import stage
from narrator.ports import Stop, Typed
from narrator.stage.clock import VirtualClock
from narrator.stage.journal import Journal, read_journal
from narrator.stage.tables import write_table

PATIENCE = 60.0  # seconds until a line must have come: the machine is shared
VOTE = (
    "Quatre oui, trois non.",
    "Le gouvernement est accepté.",
    "Alice, tire trois contes.",
    "Jusqu’à la lecture",
)


def begins(lines: list[str], beginnings: Sequence[str]) -> bool:
    """Whether these are the lines, by how they begin."""
    return len(lines) == len(beginnings) and all(map(str.startswith, lines, beginnings))


@dataclass
class Playing:
    """A real `narrator play --typed`, at the speed of reading."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    _coming: queue.Queue[str] = field(default_factory=queue.Queue)

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._coming.put(line.strip())

    def type(self, sentence: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(sentence + "\n")
        self.process.stdin.flush()

    def wait_for(self, text: str) -> None:
        """Until a line that begins with it is being said."""
        until = time.monotonic() + PATIENCE
        while not (self.lines and self.lines[-1].startswith(text)):
            self.lines.append(self._coming.get(timeout=max(0.1, until - time.monotonic())))


@contextmanager
def playing(folder: Path, *arguments: str) -> Iterator[Playing]:
    own = {f"XDG_{name}_HOME": str(folder) for name in ("STATE", "CONFIG")}
    with subprocess.Popen(
        [sys.executable, "-m", "narrator", "play", "--typed", *arguments],
        env={**os.environ, **own, "PYTHONUNBUFFERED": "1", "LANG": "fr_FR.UTF-8", "PULSE_SERVER": "unix:/nowhere"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        play = Playing(process)
        threading.Thread(target=play.read, daemon=True).start()
        try:
            yield play
        finally:
            process.kill()


def noted(journal: Path) -> int | None:
    """How many lines are still to be said, by the last whole note on the disk."""
    whole = journal.read_text(encoding="utf-8").split("\n")[:-1]
    rows = [json.loads(line) for line in whole if '"owed"' in line]
    return rows[-1]["left"] if rows else None


def wait_until_noted(journal: Path, left: int) -> None:
    """Until no more than so many are."""
    until = time.monotonic() + PATIENCE
    while (last := noted(journal)) is None or last > left:
        assert time.monotonic() < until, journal.read_text(encoding="utf-8")
        time.sleep(0.01)


def resumed(folder: Path, journal: Path, last: str) -> list[str]:
    """What is said behind the recap of the evening that goes on, up to a line that begins with `last`."""
    with playing(folder, "--resume", "--journal", str(journal)) as play:
        play.wait_for("Reprise de la partie.")
        play.wait_for("Tour ")  # where the evening stands
        told = len(play.lines)
        play.wait_for(last)
        return play.lines[told:]


def test_killed_while_it_waits_for_an_answer_it_asks_once_again(tmp_path: Path) -> None:
    table, journal = tmp_path / "t.toml", tmp_path / "j.jsonl"
    write_table(TABLE, table)
    with playing(tmp_path, "--table", str(table), "--journal", str(journal), "--skip-setup", "--seed", "1") as play:
        play.wait_for("Alice, qui proposes-tu")
        wait_until_noted(journal, 0)
        play.process.kill()
    assert begins(resumed(tmp_path, journal, "Alice, qui proposes-tu"), ["Alice, qui proposes-tu"])


@pytest.mark.parametrize("cut", [1, 3])
def test_killed_in_an_announcement_only_the_sentence_that_was_cut_is_said_again(tmp_path: Path, cut: int) -> None:
    """kill -9 while the sentence number `cut` of four is being said, or a later one where the machine is slow."""
    table, journal = tmp_path / "t.toml", tmp_path / "j.jsonl"
    write_table(TABLE, table)
    with playing(tmp_path, "--table", str(table), "--journal", str(journal), "--skip-setup", "--seed", "1") as play:
        play.wait_for("Tour un.")
        play.type("je propose Chloé")
        play.wait_for("Alice propose Chloé")
        play.type("quatre oui, trois non")
        play.wait_for(VOTE[cut])
        wait_until_noted(journal, len(VOTE) - cut)
        play.process.kill()
        play.process.wait()
    left = noted(journal)
    assert left, "the machine stood still for longer than the announcement takes"
    assert begins(resumed(tmp_path, journal, VOTE[-1]), VOTE[-left:])


def evening(journal: Journal, until: float, *things: tuple[float, object], again: bool = False) -> list[str]:
    """What an evening on a virtual clock says until it is cut; `again`: the one that `journal` has goes on."""
    clock, production = VirtualClock(), stage(TABLE)
    mouth = FakeMouth(clock)
    conductor = Conductor(production, clock, mouth, FakeEar(clock), (), journal, 1)
    for when, item in (*things, (until, Stop())):
        clock.at(when, item)
    record = read_journal(journal.path)
    conductor.run(fold(production.game, record.events, record.skip_setup), resumed=again)
    return [text for _, text in mouth.said]


def begun(folder: Path) -> Journal:
    return Journal.begin(TABLE, 1, skip_setup=True, path=folder / "j.jsonl")


def test_a_question_that_was_said_is_asked_once_again(tmp_path: Path) -> None:
    said = evening(begun(tmp_path), 30)
    again = evening(Journal(tmp_path / "j.jsonl", None), 20, again=True)
    assert again[0] == "Reprise de la partie."
    assert again[2:] == [said[-1]]
    assert said[-1].startswith("Alice, qui proposes-tu")


def test_a_second_cut_loses_nothing_that_the_first_one_left(tmp_path: Path) -> None:
    """The recap is cut, and the one after it; what was owed at the first cut still is, and no recap of before."""
    things = ((15, Typed("je propose Chloé")), (50, Typed("quatre oui, trois non")))
    said = evening(begun(tmp_path), 53, *things)
    assert said[-1] == "Le gouvernement est accepté."
    for until in (1, 2, 5):
        again = evening(Journal(tmp_path / "j.jsonl", None), until, again=True)
        assert "tire trois contes" not in "".join(again)
    again = evening(Journal(tmp_path / "j.jsonl", None), 60, again=True)
    assert again.count("Reprise de la partie.") == 1
    assert begins(again[2:5], VOTE[1:])


def test_what_the_table_skipped_is_not_owed(tmp_path: Path) -> None:
    evening(begun(tmp_path), 1.5, (1.0, Typed("je propose Chloé")))
    again = evening(Journal(tmp_path / "j.jsonl", None), 30, again=True)
    assert again[2].startswith("Alice propose Chloé")
    assert not any("qui proposes-tu" in text for text in again)


def test_what_a_pause_holds_back_is_owed(tmp_path: Path) -> None:
    things = ((15, Typed("je propose Chloé")), (16, Typed("pause")))
    evening(begun(tmp_path), 40, *things)
    again = evening(Journal(tmp_path / "j.jsonl", None), 40, again=True)
    assert again[2].startswith("Alice propose Chloé")
    assert again[3].startswith("Discutez")


def test_what_a_pause_holds_back_is_owed_behind_an_answer(tmp_path: Path) -> None:
    """Who asks in a pause is answered at once; that is not owed, and costs nothing of what is."""
    things = ((15, Typed("je propose Chloé")), (16, Typed("pause")), (20, Typed("où en est-on")))
    evening(begun(tmp_path), 40, *things)
    again = evening(Journal(tmp_path / "j.jsonl", None), 40, again=True)
    assert begins(again[2:], ["Alice propose Chloé", "Discutez"])


def test_a_discussion_that_was_opened_is_not_opened_again(tmp_path: Path) -> None:
    said = evening(begun(tmp_path), 60, (15, Typed("je propose Chloé")))
    again = evening(Journal(tmp_path / "j.jsonl", None), 40, again=True)
    assert len(again) == 2  # the recap
    assert said[-1].startswith("Discutez")


DAWN = ("Le jour se lève", "Jour un.")


@pytest.mark.parametrize("cut", range(3))
def test_what_the_masters_key_let_be_said_is_not_said_twice(tmp_path: Path, cut: int) -> None:
    """A key in the private journal opens the day; the notes are in the public one, and tell no more than was heard."""
    key = (30, Typed("suivant", private=True))
    whole = Village()
    whole.at(*key)
    whole.run(60)
    until = [*(whole.when(text) + 1.0 for text in DAWN), whole.over(DAWN[-1]) + 1.0][cut]
    village = Village(journal=town_begun(tmp_path))
    village.at(*key)
    village.run(until)
    said = [text for _, text in gone_on(tmp_path, 40).mouth.said]
    assert said[0] == "Reprise de la partie."
    assert begins(said[2:], DAWN[cut:])


def test_what_was_said_before_the_masters_silence_is_owed_and_that_begins_again(tmp_path: Path) -> None:
    """A roll call by eye is one of the phases that begin again; the words that opened the vote come before it."""
    things = ((30, Typed("suivant", private=True)), (60, Typed("Alice nomme Bob")), (70, Typed("on vote")))
    village = Village(journal=town_begun(tmp_path, vote="eye"), vote="eye")
    for thing in things:
        village.at(*thing)
    said = village.run(72)
    assert said[-1].startswith("On vote sur le sort")
    assert village.conductor.floor.phase == "roll_call"
    again = [text for _, text in gone_on(tmp_path, 30, vote="eye").mouth.said]
    assert again[:2] == ["Reprise de la partie.", said[-1]]
    assert again[2].startswith("Chloé")


def test_who_was_called_to_vote_is_called_again(tmp_path: Path) -> None:
    """Silence is a no: nobody may lose a vote because the plug was pulled within the beat."""
    village = Village(journal=town_begun(tmp_path))
    for when, said in ((60, "Alice nomme Bob"), (70, "on vote")):
        village.at(when, Typed(said))
    village.at(30, Typed("suivant", private=True))
    assert village.run(87)[-1].startswith("David")  # and he has been called to the end
    again = [text for _, text in gone_on(tmp_path, 40).mouth.said]
    assert begins(again[2:4], ("David", "Emma"))


def test_an_old_journal_without_notes_is_told_from_the_last_pause_on(tmp_path: Path) -> None:
    said = evening(begun(tmp_path), 60, (15, Typed("je propose Chloé")))
    path = tmp_path / "j.jsonl"
    rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(row for row in rows if '"owed"' not in row), encoding="utf-8")
    again = evening(Journal(path, None), 40, again=True)
    assert again[2:] == said[-1:]


def test_an_old_journal_that_is_cut_twice_in_the_night_tells_nothing_of_the_day_before(tmp_path: Path) -> None:
    """Nothing is owed to closed eyes, and so the first note of all says: it is about nothing that came before it."""
    path = tmp_path / "j.jsonl"
    journal = Journal.begin(TABLE, 1, skip_setup=False, path=path)
    said = evening(journal, 150, *((when, Typed("suivant")) for when in range(20, 150, 15)))
    assert said[-1].startswith("La nuit tombe")
    rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(row for row in rows if '"owed"' not in row), encoding="utf-8")
    for _ in range(2):
        again = evening(Journal(path, None), 20, again=True)
        assert begins(again[:2], ["Reprise de la partie.", "La nuit tombe"])


@pytest.mark.parametrize("note", ['{"note": "owed"}', '{"note": "owed", "n": 1, "left": "a"}'])
def test_a_damaged_note_is_refused_with_its_line(tmp_path: Path, note: str) -> None:
    journal = begun(tmp_path)
    evening(journal, 5)
    with journal.path.open("a", encoding="utf-8") as file:
        file.write(note + "\n")
    with pytest.raises(ScriptError, match=r"j\.jsonl:\d+: "):
        read_journal(journal.path)
