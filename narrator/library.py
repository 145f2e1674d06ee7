"""Finds and reads what the narrator is made of besides code: scripts/ (games) and voices/ (languages).

In a checkout both folders stand beside the package; in an installed wheel they are inside it (narrator/_data).
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from narrator.core.errors import ScriptError

_PACKAGE = Path(__file__).resolve().parent


def data_folder(kind: Literal["scripts", "voices"]) -> Path:
    """The folder of game scripts or of languages. Raises ScriptError if the installation lacks it."""
    for folder in (_PACKAGE.parent / kind, _PACKAGE / "_data" / kind):
        if folder.is_dir():
            return folder
    raise ScriptError(f"the folder {kind}/ is missing from this installation: install narrator again")
