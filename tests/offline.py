"""Narrator's command line, ended with status 97 as soon as Python is asked for a socket of any kind.

With SOCKETS_TOLD=FILE it goes on, and every such wish is a line of that file.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

TOLD = os.environ.get("SOCKETS_TOLD", "")


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith("socket."):
        return
    if TOLD:
        asked = arguments[1:] if event in ("socket.__new__", "socket.bind", "socket.connect") else arguments
        with open(TOLD, "a", encoding="utf-8") as file:
            file.write(f"{event.removeprefix('socket.')} {' '.join(map(str, asked))}\n")
    else:
        os.write(2, f"a socket: {event} {arguments!r}\n".encode())
        os._exit(97)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    sys.addaudithook(watch)
    if sys.argv[1:] == ["--prove"]:  # that the watch sees one
        import socket

        socket.socket()
    from narrator.cli import main

    main()
