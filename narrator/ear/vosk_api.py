"""vosk, imported without a socket.

vosk imports requests for its downloads, and urllib3 tries a socket (bound to ::1) at import to see whether the machine
speaks IPv6. We download nothing through it: it is told that there is none.
"""

from __future__ import annotations

import socket
import sys
from types import ModuleType


def load_vosk() -> ModuleType:
    """The module; whoever needs vosk gets it here."""
    if "urllib3" not in sys.modules:
        known, socket.has_ipv6 = socket.has_ipv6, False
        try:
            import vosk
        finally:
            socket.has_ipv6 = known
    import vosk

    return vosk  # type: ignore[no-any-return]
