"""The systemd unit of the appliance, filled in for this machine."""

from __future__ import annotations

import getpass
import os
import re
import shlex
import sys
from pathlib import Path

from narrator.core.errors import NarratorError

FILE = Path(__file__).with_name("narrator.service")
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")


def unit(user: str | None = None, command: Path | None = None) -> str:
    """The text of narrator.service. `command`: the narrator that runs now. Raises NarratorError for a bad user name."""
    user = user or os.environ.get("SUDO_USER") or getpass.getuser()
    if not _USER.fullmatch(user):
        raise NarratorError(f"“{user}” is no name of a user: give --user NAME")
    lang = os.environ.get("LC_ALL") or os.environ.get("LANG") or "C.UTF-8"
    text = FILE.read_text(encoding="utf-8")
    return text.replace("@USER@", user).replace("@LANG@", shlex.quote(lang)).replace("@NARRATOR@", _command(command))


def _command(command: Path | None) -> str:
    """How to run this narrator, as systemd wants it: an absolute path, and quotes around blanks."""
    script = command or Path(sys.argv[0])
    if script.name == "narrator" and script.is_file():
        return _quoted(str(script.absolute()))
    return f"{_quoted(sys.executable)} -m narrator"


def _quoted(text: str) -> str:
    text = text.replace("%", "%%")  # systemd's own sign
    return f'"{text}"' if " " in text else text
