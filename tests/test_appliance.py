"""The appliance without a terminal, on a virtual sound card: hello, a voice, a button, a power cut, and on again."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_play import TABLE, LiveEvening
from soundcard import SoundCard, virtual_sound_card

from narrator.appliance.porch import Speech
from narrator.appliance.unit import unit
from narrator.core.errors import NarratorError


@pytest.fixture(scope="module")
def card() -> Iterator[SoundCard]:
    with virtual_sound_card() as one:
        yield one


def prepare(folder: Path) -> None:
    (folder / "config" / "narrator").mkdir(parents=True, exist_ok=True)
    (folder / "config" / "narrator" / "table.toml").write_text(TABLE, encoding="utf-8")


def appliance(card: SoundCard, tape: object, folder: Path, *, typing: bool = False) -> LiveEvening:
    return LiveEvening(card, tape, folder, typing=typing, command=("appliance",))  # type: ignore[arg-type]


@pytest.mark.sound
def test_begins_by_voice_and_goes_on_after_a_power_cut(card: SoundCard, tmp_path: Path) -> None:
    prepare(tmp_path)
    with card.record() as tape:
        first = appliance(card, tape, tmp_path)
        try:
            hello = first.wait_for("Bonsoir. La dernière table")
            assert "Au chevet du Sultan, avec Alice, Bob, Chloé" in hello
            first.wait_for_sound()
            first.wait_for_silence()
            first.say("on commence")
            first.wait_for("◂ on commence")
            first.wait_for("C’est parti.")
            first.wait_for("Bonsoir, et bienvenue au palais")
        finally:
            first.process.send_signal(signal.SIGKILL)  # the plug
            first.process.wait(60)
        second = appliance(card, tape, tmp_path)
        try:
            second.wait_for("Une soirée n’est pas finie : Au chevet du Sultan")
            second.wait_for_sound()
            second.wait_for_silence()
            second.say("oui")
            second.wait_for("◂ oui")
            second.wait_for("Reprise de la partie")
        finally:
            second.end()
        assert second.process.returncode == 0
    assert len(list((tmp_path / "state" / "narrator" / "evenings").glob("*.jsonl"))) == 1


@pytest.mark.sound
def test_the_button_begins_and_says_next(card: SoundCard, tmp_path: Path) -> None:
    prepare(tmp_path)
    one = appliance(card, None, tmp_path, typing=True)
    try:
        one.wait_for("Bonsoir. La dernière table")
        one.type("")
        one.wait_for("C’est parti.")
        one.wait_for("Bonsoir, et bienvenue au palais")
        one.type("")
        one.wait_for("Le plateau des contes")
    finally:
        one.end()


@pytest.mark.sound
def test_no_table_is_told_and_waited_for(card: SoundCard, tmp_path: Path) -> None:
    one = appliance(card, None, tmp_path, typing=True)
    try:
        one.wait_for("Aucune table n’est encore préparée")
        table = tmp_path / "config" / "narrator" / "table.toml"
        table.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(TABLE.replace('"Gaëlle"]', '"Gaëlle"]\nfirst = "Zorro"').replace('first = "Alice"', ""))
        one.wait_for("ne peut pas se jouer")
        prepare(tmp_path)
        one.wait_for("Bonsoir. La dernière table")
        one.process.terminate()  # as systemd stops it
        assert one.process.wait(60) == 0
    finally:
        one.end()


@pytest.mark.sound
def test_a_missing_loudspeaker_is_waited_for(tmp_path: Path) -> None:
    prepare(tmp_path)
    with virtual_sound_card() as card:
        card.unplug("speaker", "microphone")
        one = appliance(card, None, tmp_path, typing=True)
        try:
            one.wait_for("haut-parleur")  # in the journal of the system: nobody can hear it
            one.wait_for("Bonsoir. La dernière table")
            card.plug("speaker", "microphone")
            with card.record() as tape:
                one.tape = tape
                one.wait_for_sound()  # it is said as soon as it can be
                one.type("")
                one.wait_for("Bonsoir, et bienvenue au palais")
        finally:
            one.end()


def test_both_languages_say_and_hear_the_same() -> None:
    french, english = Speech.of("fr"), Speech.of("en")
    assert french.lines.keys() == english.lines.keys()
    assert french.hears.keys() == english.hears.keys()
    assert Speech.of("ko") == english
    assert french.meaning("C’est parti", ("begin",)) == "begin"
    assert french.meaning("oui", ("begin",)) == ""  # chatter does not begin an evening


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    command = tmp_path / "narrator"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    text = unit("root", command)
    assert "@" not in text.replace("getty@", "")
    assert f"ExecStart={command} appliance\n" in text
    assert "Restart=always" in text
    written = tmp_path / "narrator.service"
    written.write_text(text)
    if shutil.which("systemd-analyze"):
        done = subprocess.run(["systemd-analyze", "verify", str(written)], capture_output=True, text=True, check=False)
        about_it = [line for line in (done.stdout + done.stderr).splitlines() if "narrator.service" in line]
        assert about_it == []
        spoilt = tmp_path / "spoilt.service"
        spoilt.write_text(text.replace("Restart=always", "Restart=perhaps"))
        done = subprocess.run(["systemd-analyze", "verify", str(spoilt)], capture_output=True, text=True, check=False)
        assert "perhaps" in done.stdout + done.stderr  # it does look
    with pytest.raises(NarratorError, match="no name of a user"):
        unit("a b")
