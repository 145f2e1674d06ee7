"""Which microphone and which loudspeaker: told by host API and name, never by a number that changes at the next plug.

Choosing is pure: a list of devices and a wish give the candidates, best first. What was chosen, and how a device wants
to be treated, is remembered in the user's devices.toml; a damaged one is as good as none.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import tomli_w
from platformdirs import user_config_path

from narrator.core.errors import DeviceError

Direction = Literal["input", "output"]
CALLED: Mapping[Direction, str] = {"input": "microphone", "output": "loudspeaker"}
_RADIO = ("bluez", "bluetooth", "headset", "hands-free", "airpods", "buds", "jbl", "bose", "soundlink", "a2dp")
_LAST_APIS = ("Windows WDM-KS",)  # cannot be shared with another program
_SHORTEST_NAME = 31  # letters after which MME cuts names

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Device:
    """One direction of one sound device.

    `rate`: Hz it prefers; `latency`: seconds it asks for; `default`: it is the system's choice.
    """

    number: int
    api: str
    name: str
    channels: int
    rate: int
    latency: float = 0.0
    default: bool = False

    @property
    def title(self) -> str:
        """How devices.toml and the command line call it."""
        return f"{self.api}: {self.name}"


@dataclass(frozen=True, slots=True)
class Manners:
    """How a device wants to be treated.

    `lead`: seconds of silence before the first sound after a rest, while a sleeping speaker wakes. `awake`: amplitude
    of the noise that keeps it awake, in units of int16, 0 for none. `hidden`: seconds by which its sound comes
    later than it says, as measured by `narrator check`.
    """

    lead: float = 0.0
    awake: int = 1
    hidden: float = 0.0


def manners_for(name: str) -> Manners:
    """A good guess from the name: a radio speaker sleeps, wakes slowly, and hears less than a few steps of noise."""
    if any(word in name.casefold() for word in _RADIO):
        return Manners(lead=0.4, awake=12, hidden=0.15)
    return Manners()


def candidates(devices: Iterable[Device], wish: str | int | None, last: Device | None = None) -> list[Device]:
    """Devices worth trying, best first: the one used last, the wish, the system's choice, then any other."""
    every = list(devices)
    wanted = matching(every, wish)
    before = [d for d in every if last and (d.api, d.name) == (last.api, last.name)]
    twins = [d for d in every if last and d.name[:_SHORTEST_NAME] == last.name[:_SHORTEST_NAME]]
    usual = [d for d in every if d.default]
    rest = sorted(every, key=lambda d: (d.api in _LAST_APIS, "monitor" in d.name.casefold(), d.number))
    first = [*before, *wanted] if wish is None else [*wanted, *before]
    return list(dict.fromkeys([*first, *twins, *usual, *rest]))


def matching(devices: Iterable[Device], wish: str | int | None) -> list[Device]:
    """The devices meant by a number, a title ("ALSA: USB Mic"), a name or a part of one; the likest first."""
    if wish is None:
        return []
    if isinstance(wish, int) or wish.strip().isdigit():
        return [d for d in devices if d.number == int(wish)]
    text = wish.strip().casefold()
    ranks = []
    for device in devices:
        name, title = device.name.casefold(), device.title.casefold()
        rank = 0 if text == title else 1 if text == name else 2 if name.startswith(text) else 3 if text in title else 4
        ranks.append((rank, device))
    return [device for rank, device in sorted(ranks, key=lambda row: row[0]) if rank < 4]


def devices_file() -> Path:
    """Where devices are remembered."""
    return user_config_path("narrator", appauthor=False) / "devices.toml"


def remembered(direction: Direction, path: Path | None = None) -> str | None:
    """The title of the device chosen last, None where none was."""
    title = _read(path or devices_file()).get(direction)
    return title if isinstance(title, str) and title.strip() else None


def manners(device: Device, path: Path | None = None) -> Manners:
    """How to treat a device: what devices.toml says of it, over a guess from its name."""
    usual = manners_for(device.name + " " + behind(device))
    row = _read(path or devices_file()).get(device.title)
    if not isinstance(row, dict):
        return usual
    return replace(
        usual,
        lead=_number(row, "lead", 0.0, 3.0, usual.lead),
        awake=round(_number(row, "awake", 0, 300, usual.awake)),
        hidden=_number(row, "hidden", 0.0, 2.0, usual.hidden),
    )


def behind(device: Device) -> str:
    """What a sound server's device stands for ("bluez_output…"), where the server tells; else ""."""
    if device.name not in ("default", "pulse", "pipewire") or shutil.which("pactl") is None:
        return ""
    try:
        run = subprocess.run(["pactl", "get-default-sink"], capture_output=True, text=True, timeout=2, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip()


def remember(values: Mapping[str, Any], path: Path | None = None) -> None:
    """Merge into devices.toml, whole or not at all. Raises DeviceError if the disk refuses."""
    path = path or devices_file()
    data = _read(path)
    for key, value in values.items():
        old = data.get(key)
        data[key] = {**old, **value} if isinstance(value, Mapping) and isinstance(old, dict) else value
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(tomli_w.dumps(data).encode())
        os.replace(new, path)
    except OSError as error:
        raise DeviceError(f"{path}: the devices cannot be remembered ({error.strerror}): free the disk") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("%s is ignored: %s", path, error)
        return {}


def _number(row: Mapping[str, Any], key: str, low: float, high: float, usual: float) -> float:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        return usual
    return float(value)
