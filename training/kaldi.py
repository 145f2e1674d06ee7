"""Kaldi's binary nnet3 form, read and written without Kaldi (vosk's am/final.mdl).

`read(path)` gives a Network: config text, components (name -> fields) and the bytes of each, to copy it unchanged.
The functions below it write single values as Kaldi does.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_MATRICES = {
    "<LinearParams>",
    "<BiasParams>",
    "<Params>",
    "<StatsMean>",
    "<StatsVar>",
    "<ValueAvg>",
    "<DerivAvg>",
    "<OderivRms>",
}
_BOOLS = {"<IsGradient>", "<UseNaturalGradient>", "<TestMode>", "<IsUpdatable>"}
_INTS = {"<Dim>", "<BlockDim>", "<RankIn>", "<RankOut>", "<UpdatePeriod>", "<TimePeriod>"}
_FLOATS = {
    "<LearningRateFactor>", "<LearningRate>", "<MaxChange>", "<L2Regularize>", "<OrthonormalConstraint>",
    "<NumSamplesHistory>", "<Alpha>", "<Epsilon>", "<TargetRms>", "<Count>", "<OderivCount>", "<Scale>",
    "<NumDimsSelfRepaired>", "<NumDimsProcessed>", "<SelfRepairScale>", "<DropoutProportion>", "<BackpropScale>",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Network:
    """`spans` are the places of the components in `data`."""

    config: str
    components: dict[str, dict[str, Any]]
    spans: dict[str, tuple[int, int]]
    data: bytes

    def component(self, name: str) -> bytes:
        """A component as it was written, without its name."""
        begin, end = self.spans[name]
        return self.data[begin:end][len(f"<ComponentName> {name} ") :]

    def replaced(self, name: str, values: dict[str, NDArray[np.float32]]) -> bytes:
        """The same with other numbers in fields of the same shape."""
        data = bytearray(self.component(name))
        for tag, array in values.items():
            at = data.index(tag.encode() + b" F") + len(tag) + 1
            at += 3 + 5 * (2 if data[at : at + 2] == b"FM" else 1)
            raw = np.ascontiguousarray(array, "<f4").tobytes()
            data[at : at + len(raw)] = raw
        return bytes(data)


class _Cursor:
    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def token(self) -> str:
        end = self.data.index(b" ", self.at)
        text = self.data[self.at : end].decode("latin1")
        self.at = end + 1
        return text

    def number(self, code: str) -> float:
        size = self.data[self.at]
        form = {("i", 4): "<i", ("f", 4): "<f", ("f", 8): "<d"}[code, size]
        (value,) = struct.unpack_from(form, self.data, self.at + 1)
        self.at += 1 + size
        return value

    def boolean(self) -> bool:
        value = self.data[self.at : self.at + 1] == b"T"
        self.at += 2 if self.data[self.at + 1 : self.at + 2] == b" " else 1
        return value

    def ints(self) -> NDArray[np.int32]:
        (count,) = struct.unpack_from("<i", self.data, self.at + 1)
        found = np.frombuffer(self.data, "<i4", count, self.at + 5).copy()
        self.at += 5 + found.nbytes
        return found

    def matrix(self) -> NDArray[np.floating]:
        kind = self.token()  # FM, FV: floats, a matrix or a vector; DM, DV: doubles
        shape = [int(self.number("i")) for _ in range(2 if kind[1] == "M" else 1)]
        found = np.frombuffer(self.data, "<f4" if kind[0] == "F" else "<f8", int(np.prod(shape)), self.at).reshape(
            shape
        )
        self.at += found.nbytes
        return found.copy()

    def field(self, tag: str) -> Any:
        if tag in ("<RankInOut>", "<AlphaInOut>"):
            code = "i" if tag == "<RankInOut>" else "f"
            return self.number(code), self.number(code)
        for tags, read_one in ((_MATRICES, self.matrix), ({"<TimeOffsets>"}, self.ints), (_BOOLS, self.boolean)):
            if tag in tags:
                return read_one()
        if tag in _INTS or tag in _FLOATS:
            return self.number("i" if tag in _INTS else "f")
        raise ValueError(f"unknown field {tag!r} of a component")


def read(path: Path) -> Network:
    """Raises ValueError for a component it does not know, OSError."""
    data = path.read_bytes()
    start, count_at = data.index(b"<Nnet3>"), data.index(b"<NumComponents>")
    cursor = _Cursor(data, count_at)
    cursor.token()
    components, spans = {}, {}
    for _ in range(int(cursor.number("i"))):
        begin = cursor.at
        cursor.token()
        name, kind = cursor.token(), cursor.token()
        fields: dict[str, Any] = {"type": kind}
        while (tag := cursor.token()) != "</" + kind[1:]:
            if tag != "<Continuous>":
                fields[tag] = cursor.field(tag)
        components[name], spans[name] = fields, (begin, cursor.at)
    return Network(data[start + len("<Nnet3>") : count_at].decode("latin1"), components, spans, data)


def token(text: str) -> bytes:
    return text.encode() + b" "


def integer(value: int) -> bytes:
    return b"\x04" + struct.pack("<i", value)


def single(value: float) -> bytes:
    return b"\x04" + struct.pack("<f", value)


def double(value: float) -> bytes:
    return b"\x08" + struct.pack("<d", value)


def integers(values: Iterable[int]) -> bytes:
    array = np.array(list(values), "<i4")
    return b"\x04" + struct.pack("<i", len(array)) + array.tobytes()


def vector(values: ArrayLike | Sequence[float]) -> bytes:
    array = np.ascontiguousarray(values, "<f4")
    return token("FV") + integer(len(array)) + array.tobytes()


def matrix(values: ArrayLike) -> bytes:
    array = np.ascontiguousarray(values, "<f4")
    return token("FM") + integer(array.shape[0]) + integer(array.shape[1]) + array.tobytes()
