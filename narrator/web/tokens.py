"""The secret part of the page's addresses. An evening that is resumed has the one it had: phones find it again by
themselves after a power cut.

A token is drawn from a key that never leaves this user's folder and from the name of the evening's journal; nobody who
has one learns another. Without a journal, or where the key cannot be kept, it is chance.
"""

from __future__ import annotations

import base64
import hmac
import os
import secrets
from pathlib import Path

from narrator.stage.journal import evenings_folder

KEY = 32  # bytes
TABLE, MASTER = "table", "master"


def token(evening: Path | None, audience: str) -> str:
    """22 letters of 128 bits for TABLE or MASTER of this evening, the same every time it is asked for."""
    key = _key() if evening else b""
    if not (evening and key):
        return secrets.token_urlsafe(16)
    digest = hmac.digest(key, f"{audience}:{evening.resolve()}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def _key() -> bytes:
    """This user's key, made at first use; b"" where it can be neither read nor kept for its owner alone."""
    file = evenings_folder().parent / "web.key"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(secrets.token_bytes(KEY))
    except FileExistsError:
        pass
    except OSError:
        return b""
    try:
        key = file.read_bytes()
    except OSError:
        return b""
    return key if len(key) == KEY else b""
