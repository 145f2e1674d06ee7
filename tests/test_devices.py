"""Which device is taken, and what is remembered of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.stage.devices import Device, Manners, candidates, manners, manners_for, matching, remember, remembered

USB = Device(3, "ALSA", "USB PnP Sound Device: Audio (hw:1,0)", 2, 48000)
BUILT_IN = Device(0, "ALSA", "HDA Intel PCH: ALC257 Analog (hw:0,0)", 2, 44100)
DEFAULT = Device(5, "ALSA", "default", 32, 44100, default=True)
MONITOR = Device(6, "PulseAudio", "Monitor of HDA Intel", 2, 48000)
KERNEL = Device(9, "Windows WDM-KS", "USB PnP Sound Device: Audio (hw:1,0)", 2, 48000)
EVERY = [BUILT_IN, USB, DEFAULT, MONITOR, KERNEL]


def test_without_a_wish_the_system_chooses_and_then_any_other_will_do() -> None:
    assert candidates(EVERY, None) == [DEFAULT, BUILT_IN, USB, MONITOR, KERNEL]


@pytest.mark.parametrize("wish", [3, "3", "ALSA: USB PnP Sound Device: Audio (hw:1,0)", "usb pnp", "Sound device"])
def test_a_wish_is_a_number_a_title_or_a_part_of_a_name(wish: str | int) -> None:
    assert matching(EVERY, wish)[0] == USB
    assert candidates(EVERY, wish)[0] == USB


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    assert matching([Device(0, "ALSA", "default mic", 1, 1), DEFAULT], "default") == [
        DEFAULT,
        Device(0, "ALSA", "default mic", 1, 1),
    ]


def test_after_a_loss_the_same_device_comes_first_whatever_its_number_is_now() -> None:
    moved = Device(7, USB.api, USB.name, 2, 48000)
    assert candidates([BUILT_IN, DEFAULT, moved], None, USB)[0] == moved
    assert candidates([BUILT_IN, DEFAULT], None, USB) == [DEFAULT, BUILT_IN]


def test_the_same_device_through_another_api_goes_before_the_default() -> None:
    cut = Device(8, "MME", USB.name[:31], 2, 44100)
    assert candidates([BUILT_IN, DEFAULT, cut], None, USB)[0] == cut


def test_what_is_unknown_matches_nothing() -> None:
    assert matching(EVERY, "no such thing") == []
    assert matching(EVERY, 42) == []


def test_what_was_chosen_and_measured_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "devices.toml"
    remember({"output": USB.title}, file)
    remember({USB.title: {"hidden": 0.18}}, file)
    remember({USB.title: {"lead": 0.5}}, file)
    assert remembered("output", file) == USB.title
    assert remembered("input", file) is None
    assert manners(USB, file) == Manners(lead=0.5, awake=1, hidden=0.18)


def test_a_radio_speaker_gets_time_to_wake_and_is_kept_awake() -> None:
    assert manners_for("bluez_output.JBL_Flip_5.a2dp-sink").lead >= 0.3
    assert manners_for("JBL Flip 5").awake > manners_for("HDA Intel").awake
    assert manners_for("HDA Intel PCH").lead == 0


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_a_damaged_file_is_as_good_as_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("d") / "devices.toml"
    file.write_bytes(content)
    remembered("input", file)
    assert isinstance(manners(USB, file), Manners)


@pytest.mark.parametrize("value", ['"loud"', "true", "-1", "1e9", "nan", "[]", "{}"])
def test_settings_of_a_wrong_kind_are_ignored(tmp_path: Path, value: str) -> None:
    file = tmp_path / "devices.toml"
    file.write_text(f'input = 3\n["{USB.title}"]\nlead = {value}\nawake = {value}\nhidden = {value}\n')
    assert remembered("input", file) is None
    assert manners(USB, file) == Manners()
