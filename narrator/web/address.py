"""Where the page of an evening is found: what `--web [HOST:]PORT` and `--lan` mean, and its QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
from dataclasses import dataclass, replace

import segno
from rich.style import Style
from rich.text import Text

from narrator.core.errors import NarratorError

PORT = 8420  # by default
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
_ON_PAPER = Style(color="black", bgcolor="white")


@dataclass(frozen=True, slots=True)
class Address:
    """`host` is listened on; `name` is what a viewer writes for it."""

    host: str
    port: int
    name: str

    @property
    def lan(self) -> bool:
        """Whether other machines can reach it."""
        return not _is_loopback(self.name)

    @property
    def bound(self) -> str:
        return f"{_bracketed(self.host)}:{self.port}"

    def opened(self, port: int) -> Address:
        return replace(self, port=port)

    def url(self, token: str) -> str:
        return f"http://{_bracketed(self.name)}:{self.port}/{token}/"

    def svg(self, token: str) -> str:
        """A QR code as a picture of its own, without any link to elsewhere."""
        out = io.BytesIO()
        segno.make(self.url(token), error="m", micro=False).save(
            out, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False
        )
        return out.getvalue().decode()

    def qr(self, token: str) -> Text:
        """The same for a terminal: two modules in one character, black on white whatever the theme."""
        rows = [[bool(cell) for cell in row] for row in segno.make(self.url(token), error="l", micro=False).matrix]
        width = len(rows[0]) + 4
        blank = [False] * width
        paper = [blank, blank, *([False, False, *row, False, False] for row in rows), blank, blank]
        if len(paper) % 2:
            paper.append(blank)
        text = Text()
        for upper, lower in zip(paper[::2], paper[1::2], strict=True):
            line = "".join(" ▀▄█"[up + 2 * low] for up, low in zip(upper, lower, strict=True))
            text.append(line, _ON_PAPER)
            text.append("\n")
        return text


def address_of(wish: str, *, lan: bool) -> Address:
    """`wish`: "8420", "192.168.1.5:8420", "[::1]:8420" or "". Raises NarratorError for what is none of these."""
    host, _, port = wish.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if (port and not port.isdigit()) or int(port or PORT) > 65535:
        raise NarratorError(f"--web {wish}: write a port, or host:port, such as 8420 or 192.168.1.5:8420")
    host = host or (EVERYWHERE if lan else LOOPBACK)
    return Address(host, int(port or PORT), lan_name(host))


def lan_name(host: str) -> str:
    """What others call this machine if it listens on `host`. No packet leaves it."""
    if host not in (EVERYWHERE, "::", "0"):
        return host
    family = socket.AF_INET6 if host == "::" else socket.AF_INET
    far = "2001:db8::1" if host == "::" else "192.0.2.1"  # addresses of documentation, never reached
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # chooses the way out, sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        return "::1" if host == "::" else LOOPBACK


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
