"""Downloads a file with a progress bar; what came before an interruption is kept, the next try goes on from there.

Beside it stands how the server names that very file (its ETag, or its date): another one is fetched from the beginning.
"""

from __future__ import annotations

import errno
import http.client
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from narrator.core.errors import DeviceError, ModelError

_BLOCK = 1 << 16
PATIENCE = 20.0  # seconds without a byte
FULL = (errno.ENOSPC, errno.EDQUOT)


def download(url: str, target: Path) -> None:
    """`url` (http, https) into `target`. Raises ModelError, one sentence, if there is no network or no such file;
    DeviceError if the disk is full.
    """
    if not url.startswith(("http://", "https://")):
        raise ModelError(f"{url} is not an address to download from: give http(s)://…, a folder or a zip file")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    name = part.with_name(part.name + ".is")
    have = part.stat().st_size if part.exists() else 0
    wanted = {"Range": f"bytes={have}-"} if have else {}
    if have and name.exists():
        wanted["If-Range"] = name.read_text(encoding="latin-1")
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=wanted), timeout=PATIENCE) as answer:
            goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
            if not goes_on:
                _remember(name, answer.headers)
            _receive(answer, part, have if goes_on else 0)
    except urllib.error.HTTPError as error:
        if not have or error.code != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise ModelError(f"{url} cannot be had ({error.code} {error.reason}): is the address right?") from error
        if error.headers.get("Content-Range", f"bytes */{have}") != f"bytes */{have}":  # else: all of it was there
            part.unlink()
            download(url, target)
            return
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, OSError) and error.errno in FULL:
            raise DeviceError(f"there is no room for {url}: free some disk space, then try again") from error
        why = getattr(error, "reason", error)
        raise ModelError(f"{url} cannot be reached ({why}): go online, then run the same command again") from error
    name.unlink(missing_ok=True)
    os.replace(part, target)


def _remember(file: Path, headers: Any) -> None:
    """How this very file is named: by a strong ETag, or by its date."""
    etag = headers.get("ETag", "")
    named = etag if etag.startswith('"') else headers.get("Last-Modified", "")
    file.unlink(missing_ok=True)
    if named:
        file.write_text(named, encoding="latin-1")


def _receive(answer: Any, part: Path, have: int) -> None:
    length = answer.headers.get("Content-Length")
    total = have + int(length) if length else None
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns) as progress, part.open("ab" if have else "wb") as sink:
        task = progress.add_task(part.stem, total=total, completed=have)
        while block := answer.read(_BLOCK):
            sink.write(block)
            progress.advance(task, len(block))
    if total is not None and part.stat().st_size < total:
        raise http.client.IncompleteRead(b"", total - part.stat().st_size)
