"""Which sockets a process has, as /proc tells it; what Python is asked for is told by offline.py."""

from __future__ import annotations

import os
from pathlib import Path

OFFLINE = str(Path(__file__).with_name("offline.py"))
LISTENS = "0A"  # the state of a socket, in /proc/net/tcp


def internet_sockets(pid: int) -> list[str]:
    """The rows of /proc/net that belong to this process."""
    own = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(link)
        except OSError:
            continue
        if target.startswith("socket:["):
            own.add(target[8:-1])
    rows = []
    for kind in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        table = Path(f"/proc/{pid}/net/{kind}")
        lines = table.read_text().splitlines()[1:] if table.exists() else []
        rows += [f"{kind} {line}" for line in lines if line.split()[9] in own]
    return rows


def listening(rows: list[str]) -> list[str]:
    """The local addresses (hexadecimal, as the kernel writes them) of those that listen."""
    return [row.split()[2] for row in rows if row.split()[4] == LISTENS]


def kernel_address(host: str, port: int) -> str:
    """An IPv4 address as /proc/net/tcp has it."""
    return "".join(f"{int(part):02X}" for part in reversed(host.split("."))) + f":{port:04X}"
