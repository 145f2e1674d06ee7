"""vosk models made by others: what a folder holds, seen before vosk sees it (vosk ends the process on some faults).

- "Dynamic" models (graph/HCLr.fst and graph/Gr.fst) take a grammar of their words at run time; static ones (HCLG.fst)
  do not, so that they cannot be limited to what may be said now: they are named, and refused as an ear.
- The words are in graph/words.txt, or else in the symbol table within Gr.fst.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from narrator.core.errors import ModelError

_FST_MAGIC, _SYMBOLS_MAGIC = 2125659606, 2125658996
_HAS_SYMBOLS = 1 | 2  # flags: of input, of output
_RATE = re.compile(r"^--sample-frequency=(\d+)", re.MULTILINE)
_USUAL_RATE = 16000  # Hz, of a model that does not say


@dataclass(frozen=True, slots=True)
class StockModel:
    """A folder that vosk can load. `rate` in Hz; `words` are those it knows, in its own order, marks left out."""

    folder: Path
    dynamic: bool
    rate: int
    words: tuple[str, ...]


def inspect(folder: Path) -> StockModel:
    """What a vosk model holds. Raises ModelError, one sentence, if it is none or is damaged."""
    graph = folder / "graph"
    dynamic = (graph / "HCLr.fst").is_file() and (graph / "Gr.fst").is_file()
    if not dynamic and not (graph / "HCLG.fst").is_file():
        raise ModelError(f"{folder} is not a vosk model: it has neither graph/HCLr.fst nor graph/HCLG.fst")
    for name in ("am/final.mdl", "conf/mfcc.conf", "conf/model.conf"):
        file = folder / name
        if not file.is_file() or not file.stat().st_size:
            raise ModelError(f"{file} is missing or empty: the model is damaged, get it again")
    try:
        rate = _RATE.search((folder / "conf/mfcc.conf").read_text(encoding="utf-8"))
        words = tuple(w for w in _words(graph) if not w.startswith(("<", "#", "[", "!")))
    except (OSError, ValueError, struct.error) as error:
        raise ModelError(f"{folder} cannot be read ({error}): the model is damaged, get it again") from error
    return StockModel(folder, dynamic, int(rate[1]) if rate else _USUAL_RATE, words)


def _words(graph: Path) -> Iterator[str]:
    table = graph / "words.txt"
    if table.is_file():
        for line in table.read_text(encoding="utf-8").splitlines():
            yield from line.split()[:1]
    elif (graph / "Gr.fst").is_file():
        yield from _symbols((graph / "Gr.fst").read_bytes())


def _symbols(data: bytes) -> Iterator[str]:
    """The symbol table that stands behind the header of an OpenFst file."""
    (magic,), at = struct.unpack_from("<i", data), 4
    if magic != _FST_MAGIC:
        raise ValueError("Gr.fst is not an OpenFst file")
    for _ in range(2):  # kinds of machine and of cost
        at += 4 + struct.unpack_from("<i", data, at)[0]
    _, flags = struct.unpack_from("<ii", data, at)
    at += struct.calcsize("<iiQqqq")
    if not flags & _HAS_SYMBOLS:
        raise ValueError("Gr.fst names no words and there is no words.txt")
    if struct.unpack_from("<i", data, at)[0] != _SYMBOLS_MAGIC:
        raise ValueError("Gr.fst has no table of words where it should be")
    at += 8 + struct.unpack_from("<i", data, at + 4)[0]
    _, count = struct.unpack_from("<qq", data, at)
    at += 16
    for _ in range(count):
        (size,) = struct.unpack_from("<i", data, at)
        if not 0 <= size <= len(data) - at:
            raise ValueError("the table of words in Gr.fst is cut off")
        yield data[at + 4 : at + 4 + size].decode("utf-8")
        at += 4 + size + 8
