"""Which voice speaks: those of this machine, best first; the one that was chosen; how to get the next better one.

Rules. The system's voice (pyttsx3) is always there and steps in when another fails on a line. Names: "system",
"mbrola:fr4", "pico", "piper:<model or path>", "kokoro:<speaker>", "pack:<name>" (recordings, completed by the best
voice) or "pack:<name>+<voice>". What was chosen is kept per language in the user's voice.toml; NARRATOR_VOICE=<name>
goes before it for one run. A choice that is no longer there is passed over, never a reason not to speak.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tomli_w
from platformdirs import user_config_path

from narrator.core.errors import DeviceError, NarratorError, ScriptError
from narrator.library import read_source
from narrator.voice import kokoro, mbrola, pico, piper
from narrator.voice.cache import Studio
from narrator.voice.engine import Voice
from narrator.voice.pack import FILE, Pack, packs_folder
from narrator.voice.profile import Profile
from narrator.voice.synth import Synth

BEST = "best"  # the name that forgets a choice
VARIABLE = "NARRATOR_VOICE"  # of the environment
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Offer:
    """A voice by the name that chooses it. `make` starts it; None where pyttsx3 speaks."""

    name: str
    make: Callable[[Profile], Voice]


def choice_file() -> Path:
    """Where the choice is remembered."""
    return user_config_path("narrator", appauthor=False) / "voice.toml"


def offers(language: str) -> tuple[Offer, ...]:
    """The voices of this machine for a language, best first; the system's is always the last."""
    found: list[Offer] = []
    if kokoro.has_kokoro():
        found += [_kokoro(speaker) for speaker in kokoro.kokoro_speakers(language)]
    if piper.has_piper():
        found += [_piper(model) for model in piper.piper_models(language)]
    if pico.has_pico(language):
        found.append(Offer("pico", pico.Pico))
    found += [_mbrola(name) for name in mbrola.mbrola_voices(language)]
    return (*found, Offer("system", Synth))


def packs(language: str) -> tuple[str, ...]:
    """The names of the recorded voices of a language."""
    names = []
    for file in sorted(packs_folder().glob(f"*/{FILE}")):
        try:
            if Pack(file.parent).language == language:
                names.append(f"pack:{file.parent.name}")
        except ScriptError as error:
            _log.warning("%s", error)
    return tuple(names)


def find(name: str, language: str) -> Offer:
    """The offer of that name. Raises DeviceError, in one sentence, for a voice that is not there."""
    if name in ("", BEST):
        return offers(language)[0]
    kind, _, rest = name.partition(":")
    known = {offer.name: offer for offer in offers(language)}
    if name in known:
        return known[name]
    if kind == "piper" and rest.endswith(".onnx") and piper.has_piper():
        return _piper(Path(rest).expanduser().resolve())
    same = [offer for offer in known.values() if name in (offer.name.partition(":")[0], offer.name.partition(":")[2])]
    if same:
        return same[0]
    if kind == "kokoro" and not kokoro.has_kokoro():
        raise DeviceError(f"the voice Kokoro is not installed: {kokoro.INSTALL}")
    raise DeviceError(
        f"there is no voice “{name}” for “{language}” here: choose {', '.join((*known, *packs(language)))}"
    )


def find_pack(name: str, language: str) -> Pack:
    """The recorded voice called `name` (or in that folder). Raises DeviceError if there is none."""
    folder = Path(name).expanduser() if os.sep in name else packs_folder() / name
    if not (folder / FILE).is_file():
        raise DeviceError(f"there is no recorded voice {name!r}: make one with “narrator voices record {name}”")
    pack = Pack(folder)
    if pack.language != language:
        raise DeviceError(f"the recorded voice {name!r} speaks {pack.language!r}, not {language!r}")
    return pack


def open_voice(profile: Profile, name: str, folder: Path | None = None) -> Studio:
    """The studio of a voice by name. Raises DeviceError or ScriptError if it is not there. `folder`: of its cache."""
    pack = None
    if name.startswith("pack:"):
        wanted, _, name = name.removeprefix("pack:").partition("+")
        pack = find_pack(wanted, profile.language)
    offer = find(name, profile.language)
    spare = None if offer.name == "system" else lambda: Synth(profile)
    return Studio(profile, offer.make(profile), folder, pack=pack, spare=spare, owned=True)


def open_chosen(profile: Profile, folder: Path | None = None) -> Studio:
    """The studio of the voice that was chosen, else of the best one that starts."""
    for name in (chosen(profile.language), BEST):
        try:
            return open_voice(profile, name, folder)
        except (DeviceError, ScriptError) as error:
            _log.warning("another voice will speak: %s", error)
    return Studio(profile, Synth(profile), folder, owned=True)


def chosen(language: str) -> str:
    """The name in the environment, else the one that was remembered, BEST when there is none."""
    if wanted := os.environ.get(VARIABLE):
        return wanted
    try:
        table = read_source(choice_file()).data.get(language, {})
    except ScriptError:
        return BEST
    name = table.get("voice", BEST) if isinstance(table, dict) else BEST
    return name if isinstance(name, str) and name else BEST


def choose(name: str, language: str) -> str:
    """Remembers a voice that is there; returns its full name. Raises DeviceError, NarratorError."""
    if name.startswith("pack:"):
        wanted, _, rest = name.removeprefix("pack:").partition("+")
        find_pack(wanted, language)
        if rest:
            find(rest, language)
    elif name != BEST:
        name = find(name, language).name
    _remember(name, language)
    return name


def next_better(language: str) -> str:
    """How to get the next better voice, as a command; "" when the best kind is there."""
    have = {offer.name.partition(":")[0] for offer in offers(language)}
    if have & {"kokoro", "piper"}:
        return ""
    small = "pico" not in have and language in pico.LANGUAGES and sys.platform == "linux"
    if kokoro.kokoro_speakers(language):
        return kokoro.INSTALL_OR.format(other=pico.INSTALL) if small else kokoro.INSTALL
    return pico.INSTALL if small else piper.INSTALL.format(folder=piper.models_folder())


def _remember(name: str, language: str) -> None:
    path = choice_file()
    try:
        data = dict(read_source(path).data) if path.exists() else {}
    except ScriptError:
        data = {}  # unreadable: written anew
    if name == BEST:
        data.pop(language, None)
    else:
        data[language] = {"voice": name}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(tomli_w.dumps(data), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise NarratorError(f"{path}: the choice cannot be written ({error.strerror})") from None


def _piper(model: Path) -> Offer:
    known = model in piper.piper_models(piper.model_language(model))
    return Offer(f"piper:{model.stem if known else model}", lambda profile: piper.Piper(profile, model))


def _kokoro(speaker: Path) -> Offer:
    return Offer(f"kokoro:{speaker.stem}", lambda profile: kokoro.Kokoro(profile, speaker))


def _mbrola(name: str) -> Offer:
    return Offer(f"mbrola:{name}", lambda profile: mbrola.Mbrola(profile, name))
