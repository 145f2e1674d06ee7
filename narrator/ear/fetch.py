"""Downloads a file with a progress bar; what came before an interruption is kept, the next try goes on from there."""

from __future__ import annotations

import http.client
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from narrator.core.errors import ModelError

_BLOCK = 1 << 16
PATIENCE = 20.0  # seconds without a byte


def download(url: str, target: Path) -> None:
    """`url` (http, https) into `target`. Raises ModelError, one sentence, if there is no network or no such file."""
    if not url.startswith(("http://", "https://")):
        raise ModelError(f"{url} is not an address to download from: give http(s)://…, a folder or a zip file")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            _receive(answer, part, have if answer.status == http.HTTPStatus.PARTIAL_CONTENT else 0)
    except urllib.error.HTTPError as error:
        if error.code != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:  # else: all of it was there already
            raise ModelError(f"{url} cannot be had ({error.code} {error.reason}): is the address right?") from error
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "reason", error)
        raise ModelError(f"{url} cannot be reached ({why}): go online, then run the same command again") from error
    os.replace(part, target)


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
