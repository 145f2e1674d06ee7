"""Piper, a neural voice (extra `piper`): one worker process that holds the model, like the one of pyttsx3.

Rules. A model is a .onnx file with its .onnx.json beside it. Models are looked for in the user's folder of voices and
in installed packages that carry one; their language is the start of their name (fr_FR-siwis-medium.onnx).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_data_path

from narrator.core.errors import DeviceError
from narrator.voice.profile import Profile
from narrator.voice.synth import Synth

INSTALL = "pip install 'narrator[piper]', then put a Piper voice (.onnx and .onnx.json) into {folder}"
_LANGUAGE = re.compile(r"([a-z]{2,3})_[A-Z]{2}-")


def models_folder() -> Path:
    """Where a user's own Piper models are put."""
    return user_data_path("narrator", appauthor=False) / "piper"


def has_piper() -> bool:
    """Whether the extra is installed."""
    return find_spec("piper") is not None and find_spec("onnxruntime") is not None


def piper_models(language: str) -> tuple[Path, ...]:
    """The models of a language on this machine, the user's own first."""
    found = [path for path in (*sorted(models_folder().glob("*.onnx")), *_packaged()) if whole(path)]
    return tuple(path for path in found if model_language(path) == language)


def model_language(path: Path) -> str:
    """The language that a model's name begins with, "" when it does not."""
    match = _LANGUAGE.match(path.name)
    return match[1] if match else ""


def whole(path: Path) -> bool:
    """A model and its configuration are both there."""
    return path.is_file() and path.with_name(path.name + ".json").is_file()


def _packaged() -> Iterator[Path]:
    for package in distributions():
        if "piper" not in (package.name or "").lower():
            continue
        for file in package.files or ():
            if file.name.endswith(".onnx") and _LANGUAGE.match(file.name):
                yield Path(str(package.locate_file(file)))


class Piper(Synth):
    """One Piper model. Starts its worker at once; loading a model may take seconds on a small machine."""

    script = "piper_worker.py"
    start_limit = 60.0

    def __init__(self, profile: Profile, model: Path) -> None:
        """Raises DeviceError when the model is not whole."""
        if not whole(model):
            raise DeviceError(f"{model} is no Piper voice: a .onnx file is needed, with its .onnx.json beside it")
        super().__init__(profile, str(model))
        self._model = model

    @property
    def engine(self) -> str:
        """Known without waiting for the model."""
        return f"piper {self._model.stem}"

    def limit(self, characters: int) -> float:
        """A Raspberry Pi speaks about as fast as it sounds."""
        return 10.0 + 0.15 * characters
