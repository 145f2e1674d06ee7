"""Narrator's command line, ended with status 97 as soon as Python is asked for a socket of any kind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
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
