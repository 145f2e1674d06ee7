"""The journal: events on the disk before anything is said, read back whole, and resumed after a kill at any event."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.core.errors import ScriptError
from narrator.core.events import Elapsed, Heard, Ordered, Rolled
from narrator.core.game import fold
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.stage.journal import Journal, mend, read_journal, unfinished

SETTING = Setting("sultan", "fr", ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"), "Alice")
EVENTS = [
    Ordered("start"),
    Heard("propose", {"player": "Chloé"}),
    Heard("count", {"yes": 4, "no": 3}),
    Elapsed("step"),
    Heard("tale", {"tale": "pacifist"}),
    Rolled("first", "Alice"),
]


def journal_with_events(path: Path) -> Journal:
    journal = Journal.begin(SETTING, 7, skip_setup=True, path=path)
    for n, event in enumerate(EVENTS):
        journal.write(event, float(n))
    return journal


def test_reads_back_what_was_written(tmp_path: Path) -> None:
    journal_with_events(tmp_path / "j.jsonl")
    record = read_journal(tmp_path / "j.jsonl")
    assert record.events == tuple(EVENTS)
    assert (record.setting, record.seed, record.skip_setup, record.closed) == (SETTING, 7, True, False)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_cut_by_a_power_failure_is_dropped_and_gone_on_from(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "j.jsonl"
    journal_with_events(path)
    whole = path.read_bytes()
    last = len(whole) - whole.rstrip(b"\n").rfind(b"\n") - 1
    path.write_bytes(whole[:-cut] if cut < last else whole[: -last + 1])
    assert read_journal(path).events == tuple(EVENTS[: -1 if cut > 1 else None])
    mend(path)
    Journal(path, None).write(Heard("status"), 9.0)
    assert read_journal(path).events[-1] == Heard("status")


def test_a_damaged_line_in_the_middle_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal_with_events(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2][:10]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ScriptError, match=r"j\.jsonl:3: .*damaged"):
        read_journal(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a journal"),
        ("{}\n", "not a journal"),
        ("[1]\n[2]\n", "damaged"),
        ('{"narrator": 1, "game": "sultan"}\n', "first line does not tell"),
        ('{"narrator": 99}\n', "not a journal"),
    ],
)
def test_what_is_no_journal_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError, match=said) as error:
        read_journal(path)
    assert "\n" not in str(error.value)


def test_an_unknown_event_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal_with_events(path)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"event": "dreamt"}\n')
    with pytest.raises(ScriptError, match=r"j\.jsonl:8: "):
        read_journal(path)


def test_a_full_disk_loses_nothing_once_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.jsonl"
    journal = Journal.begin(SETTING, 7, skip_setup=True, path=path)
    real = os.fsync

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for event in EVENTS[:3]:
        journal.write(event, 0.0)
    assert journal.trouble is not None
    monkeypatch.setattr(os, "fsync", real)
    journal.write(EVENTS[3], 1.0)
    assert journal.trouble is None
    assert read_journal(path).events == tuple(EVENTS[:4])


@pytest.mark.parametrize("cut", ["{", '{"n": 12, "at"', '{"note": "ow', '{"event": "clo'])
def test_an_evening_whose_last_line_was_cut_is_found(tmp_path: Path, cut: str) -> None:
    path = tmp_path / "2026-01-01-1.jsonl"
    journal_with_events(path)
    with path.open("a", encoding="utf-8") as file:
        file.write(cut)
    assert unfinished(tmp_path) == path


def test_the_newest_unfinished_evening_is_found(tmp_path: Path) -> None:
    journal_with_events(tmp_path / "2026-01-01-1.jsonl")
    journal_with_events(tmp_path / "2026-01-02-1.jsonl").close()
    assert unfinished(tmp_path) == tmp_path / "2026-01-01-1.jsonl"
    assert unfinished(tmp_path / "none") is None


SENTENCES = [
    "je propose Chloé",
    "quatre oui, trois non",
    "conte pacifiste",
    "je propose David",
    "deux oui",
    "annule",
    "cinq oui, deux non",
    "conte pacifiste",
    "je choisis Alice",
    "c'est fait",
]


@pytest.mark.parametrize("killed_after", range(len(SENTENCES) + 1))
def test_resume_after_a_kill_at_any_sentence_is_the_uncut_state(tmp_path: Path, killed_after: int) -> None:
    """kill -9 in the middle of scripted play; resuming speaks a recap and goes on from the same state."""
    table = tmp_path / "t.toml"
    table.write_text(
        'game = "sultan"\nfirst = "Alice"\nplayers = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]\n'
    )
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "narrator", "play", "--typed", "--fast", "--state"]
    playing = subprocess.Popen(
        [*command, "--table", str(table), "--skip-setup"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert playing.stdin
    assert playing.stdout
    before = None
    for sentence in SENTENCES[:killed_after]:
        playing.stdin.write(sentence + "\n")
        playing.stdin.flush()
        while not (line := playing.stdout.readline()).startswith("{"):
            assert line
        before = json.loads(line)
    if killed_after == 0:
        assert playing.stdout.readline()
    playing.send_signal(signal.SIGKILL)
    playing.wait()
    resumed = subprocess.run(
        [*command, "--resume"], env=env, input="où en est-on\n", capture_output=True, text=True, check=True
    )
    spoken = resumed.stdout.splitlines()
    assert spoken[0] == "Reprise de la partie."
    assert spoken[1].startswith("Tour ")
    after = json.loads(spoken[-1])
    if before is not None:
        assert {**after, "accepted": None, "reason": None} == {**before, "accepted": None, "reason": None}
    journal = next((tmp_path / "narrator" / "evenings").glob("*.jsonl"))
    record = read_journal(journal)
    evening = fold(stage(record.setting).game, record.events, record.skip_setup)
    assert evening.state.turn == after["turn"]
