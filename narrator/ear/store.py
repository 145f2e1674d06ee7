"""The ears of this machine: models that were added, and which one each language listens with.

Each has a folder under the user's data folder, with `ear.json` (where it came from, its hash); the choice is one file.
The ear that came with narrator is called "narrator" and needs no entry.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from narrator.core.errors import DeviceError, ModelError
from narrator.ear.fetch import download
from narrator.ear.models import ear_languages
from narrator.ear.probe import tried
from narrator.ear.stock import StockModel, inspect
from narrator.ear.unpack import unpack

OWN = "narrator"  # the ear we bring
_SITE = "https://alphacephei.com/vosk/models/"
KNOWN = {
    "vosk-model-small-fr-0.22": _SITE + "vosk-model-small-fr-0.22.zip",
    "vosk-model-small-en-us-0.15": _SITE + "vosk-model-small-en-us-0.15.zip",
}
_LANGUAGE = re.compile(r"^vosk-model-(?:small-)?([a-z]{2})\b")


@dataclass(frozen=True, slots=True)
class Ear:
    """One installed model. `sha256` is of the zip it came in, or of its acoustic model."""

    name: str
    model: StockModel
    sha256: str
    source: str


def ears_folder() -> Path:
    return user_data_path("narrator", appauthor=False) / "ears"


def installed() -> list[Ear]:
    """What was added, by name. A folder that is no model any more is left out."""
    ears = []
    for note in sorted(ears_folder().glob("*/ear.json")):
        try:
            facts = json.loads(note.read_text(encoding="utf-8"))
            ears.append(Ear(note.parent.name, inspect(note.parent / "model"), facts["sha256"], facts["source"]))
        except (OSError, ValueError, KeyError, ModelError):
            continue
    return ears


def add(source: str) -> Ear:
    """A model from a folder, a zip, an address or one of the names in `KNOWN`. Raises ModelError, or DeviceError if the
    disk is full; a download is kept then, and dropped if it is no model."""
    place = KNOWN.get(source, source)
    if place.startswith(("http://", "https://")):
        return _from_address(place)
    path = Path(place).expanduser()
    if path.is_dir():
        tried(path)
        return _keep(path.resolve().name, path, _hash(path / "am/final.mdl"), str(path.resolve()), move=False)
    if path.is_file():
        return _from_zip(path, str(path.resolve()))
    raise ModelError(f"{source} is neither a folder, a zip, an address nor one of {', '.join(KNOWN)}")


def use(name: str, language: str | None = None) -> str:
    """Listen with this ear from now on, in that language or in the one its name tells; returns the language.

    Raises ModelError for an ear that is not here, no language, or one that our own ear does not have.
    """
    if name != OWN and name not in {ear.name for ear in installed()}:
        raise ModelError(f"there is no ear “{name}” here: see “narrator ears list”, or “narrator ears add” it")
    told = _LANGUAGE.match(name)
    language = language or (told[1] if told else None)
    if language is None:
        raise ModelError(f"the name “{name}” does not tell a language: give --lang fr or --lang en")
    if name == OWN and language not in (*ear_languages(), *_choices()):  # a choice can always be taken back
        own = ", ".join(ear_languages())
        raise ModelError(f"narrator has no ear of its own for the language “{language}”: it has one for {own}")
    choices = {k: v for k, v in _choices().items() if k != language} | ({} if name == OWN else {language: name})
    file = _choice_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(choices, indent=1) + "\n", encoding="utf-8")
        os.replace(new, file)
    except OSError as error:
        raise ModelError(f"{file} cannot be written ({error.strerror})") from error
    return language


def chosen(language: str) -> str:
    """The name of the ear that this language listens with: `OWN` unless another was chosen."""
    return str(_choices().get(language, OWN))


def chosen_model(language: str) -> StockModel | None:
    """The stock model chosen for a language; None for our own. Raises ModelError if it has gone."""
    name = chosen(language)
    return None if name == OWN else inspect(ears_folder() / name / "model")


def _choice_file() -> Path:
    return ears_folder() / "chosen.json"


def _choices() -> dict[str, Any]:
    try:
        choices = json.loads(_choice_file().read_text(encoding="utf-8"))
        return choices if isinstance(choices, dict) else {}
    except (OSError, ValueError):
        return {}


def _from_address(url: str) -> Ear:
    file = urllib.parse.unquote(urllib.parse.urlsplit(url).path).rstrip("/").rsplit("/", 1)[-1] or "model.zip"
    archive = ears_folder() / "downloads" / hashlib.sha256(url.encode()).hexdigest()[:12] / file
    if not archive.exists():
        download(url, archive)
    try:
        ear = _from_zip(archive, url)
    except ModelError:
        archive.unlink()  # or every other try would meet it again
        raise
    archive.unlink()
    return ear


def _from_zip(archive: Path, source: str) -> Ear:
    ears_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ears_folder(), prefix=".unpacking-") as folder:
        model = unpack(archive, Path(folder) / "zip")
        try:
            tried(model)
        except ModelError as error:
            raise ModelError(f"{source} holds no vosk model that can be used: get it again, or give another") from error
        name = model.name if model.name != "zip" else archive.stem
        return _keep(name, model, _hash(archive), source, move=True)


def _keep(name: str, model: Path, sha256: str, source: str, *, move: bool) -> Ear:
    folder = ears_folder() / re.sub(r"[^\w.-]", "_", name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir()
        if move:
            shutil.move(model, folder / "model")
        else:
            shutil.copytree(model, folder / "model")
        note = {"sha256": sha256, "source": source}
        (folder / "ear.json").write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise DeviceError(f"{folder} cannot be written ({error}): free some disk space") from error
    return Ear(folder.name, inspect(folder / "model"), sha256, source)


def _hash(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
