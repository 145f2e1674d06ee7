"""The graph of a table: the bytes vosk reads, and what can be said through it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from narrator.ear import models
from narrator.ear.fst import Fst
from narrator.ear.graph import sounds, token, words, write_graph
from narrator.ear.lexicon import Lexicon
from narrator.ear.models import SILENCE, enter, stay

MODEL = models.load("fr")


def read(data: bytes) -> tuple[int, dict[int, tuple[float, list[tuple[int, int, float, int]]]]]:
    """A slow and independent reader of OpenFst's vector format: start, state -> final cost and arcs."""
    magic, at = struct.unpack_from("<i", data)[0], 4
    assert magic == 2125659606
    for name in (b"vector", b"standard"):
        (size,) = struct.unpack_from("<i", data, at)
        assert data[at + 4 : at + 4 + size] == name
        at += 4 + size
    version, flags, _properties, start, states, arcs = struct.unpack_from("<iiQqqq", data, at)
    assert (version, flags) == (2, 0)
    at += struct.calcsize("<iiQqqq")
    machine, seen = {}, 0
    for state in range(states):
        final, count = struct.unpack_from("<fq", data, at)
        at += 12
        machine[state] = final, [struct.unpack_from("<iifi", data, at + 16 * k) for k in range(count)]
        at, seen = at + 16 * count, seen + count
    assert (at, seen) == (len(data), arcs)
    return start, machine


def accepted(data: bytes, row: list[int]) -> set[tuple[int, ...]]:
    """Every row of labels that the machine writes for a row of transition ids."""
    start, machine = read(data)
    places = {(start, ())}
    for read_label in [*row, None]:
        waiting = list(places)
        while waiting:  # arcs that read nothing
            state, said = waiting.pop()
            for label, wrote, _cost, target in machine[state][1]:
                after = (target, (*said, wrote) if wrote else said)
                if label == 0 and after not in places:
                    places.add(after)
                    waiting.append(after)
        if read_label is not None:
            places = {
                (target, (*said, wrote) if wrote else said)
                for state, said in places
                for label, wrote, _cost, target in machine[state][1]
                if label == read_label
            }
    return {said for state, said in places if machine[state][0] != float("inf")}


def spoken(*outputs: int) -> list[int]:
    """Transition ids of phones that last two frames each."""
    return [t for o in outputs for t in (enter(o), stay(o))]


def test_the_bytes_are_openfst():
    machine = Fst()
    a, b = machine.state(), machine.state()
    machine.arc(a, b, 7, 2, 0.5)
    machine.arc(a, a, 3, 9, 1.5)
    machine.final[b] = 0.25
    expected = {0: (float("inf"), [(3, 9, 1.5, 0), (7, 2, 0.5, 1)]), 1: (0.25, [])}
    assert read(machine.to_bytes("read")) == (0, expected)
    expected[0][1].reverse()
    assert read(machine.to_bytes("write")) == (0, expected)


@pytest.fixture(scope="module")
def three() -> bytes:
    return sounds(MODEL, [(1, 2), (3, 0, -4, 5), (6, -7)]).to_bytes("write")


UNKNOWN, HUSHED = 4, 5


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (spoken(1, 2), {(1,), (UNKNOWN,)}),
        (spoken(SILENCE, 1, 2, SILENCE), {(1,), (UNKNOWN,)}),
        (spoken(3, 4, 5), {(2,), (UNKNOWN,)}),  # what may be said is said
        (spoken(3, 5), {(2,), (UNKNOWN,)}),  # … or not
        (spoken(3, SILENCE, 5), {(2,), (UNKNOWN,)}),  # a pause between words
        (spoken(6), {(3,), (UNKNOWN,)}),
        (spoken(6, 7), {(3,), (UNKNOWN,)}),
        (spoken(1), {(UNKNOWN,)}),  # half a sentence is none
        (spoken(1, SILENCE, 2), {(UNKNOWN,)}),  # no pause within a word
        (spoken(1, 2, 6), {(UNKNOWN,)}),  # two sentences are not stitched
        (spoken(9, 1, 2), {(UNKNOWN,)}),  # nor is talk before one forgiven
        (spoken(SILENCE), {(HUSHED,)}),
        ([], set()),
    ],
)
def test_one_utterance_is_one_token(three: bytes, row: list[int], written: set[tuple[int, ...]]):
    assert accepted(three, row) == written


HESITATED = 6
BEGUN = 8


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (spoken(9, 1, 2), {(1,), (UNKNOWN,)}),
        (spoken(SILENCE, 9, SILENCE, 1, 2), {(1,), (UNKNOWN,)}),  # "euh … je propose"
        (spoken(9, 8, 10, 3, 5), {(2,), (UNKNOWN,)}),  # "euh bon …"
        (spoken(9, 9, 9, 1, 2), {(UNKNOWN,)}),  # not three
        (spoken(1, 2), {(1,), (UNKNOWN,)}),
        (spoken(8, 10), {(HESITATED,), (UNKNOWN,)}),  # alone it is nobody's sentence
        (spoken(9, 1), {(UNKNOWN,)}),
        (spoken(1, 9, 2), {(UNKNOWN,)}),  # only before
        ([], set()),
    ],
)
def test_hesitation_before_a_sentence_is_forgiven(row: list[int], written: set[tuple[int, ...]]):
    machine = sounds(MODEL, [(1, 2), (3, 0, -4, 5), (6, -7)], [(9,), (8, 10)]).to_bytes("write")
    assert accepted(machine, row) == written


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (spoken(1, 2, 8, 10, 11), {(1,), (UNKNOWN,)}),
        (spoken(1, 2, SILENCE, 8, 10, 11, SILENCE), {(1,), (UNKNOWN,)}),  # "…, voilà"
        (spoken(1, 2, 9), {(UNKNOWN,)}),  # too short to be known
        (spoken(1, 2, 8, 10, 11, 8, 10, 11), {(UNKNOWN,)}),  # not twice
        (spoken(9, 1, 2, 8, 10, 11), {(1,), (UNKNOWN,)}),
        (spoken(1, 2, 8, 10), {(UNKNOWN,)}),
    ],
)
def test_a_long_hesitation_behind_a_sentence_is_forgiven(row: list[int], written: set[tuple[int, ...]]):
    machine = sounds(MODEL, [(1, 2), (3, 0, -4, 5), (6, -7)], [(9,), (8, 10, 11)]).to_bytes("write")
    assert accepted(machine, row) == written


HALF = 7


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (spoken(1, 2, 3, 4, 6), {(1,), (UNKNOWN + 4,), (HALF + 4,)}),
        (spoken(1, 2, 3, 4, SILENCE, 30, 31), {(UNKNOWN + 4,), (HALF + 4,)}),
        (spoken(1, 2, 3, 4), {(UNKNOWN + 4,), (HALF + 4,)}),
        (spoken(1, 6), {(UNKNOWN + 4,)}),
        (spoken(9, 10), {(4,), (UNKNOWN + 4,)}),  # only where several sentences begin so
        (spoken(9, 11), {(UNKNOWN + 4,)}),
        (spoken(12, 11), {(UNKNOWN + 4,)}),  # and what is short is the beginning of anything
    ],
)
def test_the_beginning_of_several_sentences_is_none(row: list[int], written: set[tuple[int, ...]]):
    rows = [(1, 2, 3, 4, 0, 6), (1, 2, 3, 4, 0, 7), (1, 2, 3, 4, 0, 8), (9, 0, 10), (12, 0, 6), (12, 0, 7), (12, 0, 8)]
    assert accepted(sounds(MODEL, rows).to_bytes("write"), row) == written


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (spoken(1, 2, 3, 4), {(BEGUN,), (UNKNOWN,)}),
        (spoken(1, 2, 3, 4, SILENCE), {(BEGUN,), (UNKNOWN,)}),  # whoever breathes here goes on
        (spoken(1, 2, 3, 4, 5), {(BEGUN,), (UNKNOWN,)}),
        (spoken(1, 2, 3, 4, 5, 6), {(1,), (UNKNOWN,)}),
        (spoken(1, 2, 3), {(UNKNOWN,)}),  # half a word
        (spoken(10, 11), {(UNKNOWN,)}),  # what is short is the beginning of anything
        (spoken(21, 22, 23, 24), {(3,), (UNKNOWN,)}),  # a sentence of its own, though another begins so
    ],
)
def test_the_beginning_of_one_sentence_is_none_either(row: list[int], written: set[tuple[int, ...]]):
    rows = [(1, 2, 3, 4, 0, 5, 0, 6), (10, 11, 0, 12), (21, 22, 23, 24), (21, 22, 23, 24, 0, 25)]
    plus = len(rows) - 3  # the labels above are those of three sentences
    expected = {(label + plus if label > 3 else label,) for (label,) in written}
    assert accepted(sounds(MODEL, rows).to_bytes("write"), row) == expected


def test_the_files_name_every_sentence(tmp_path: Path):
    write_graph(tmp_path, MODEL, [(1, 2), (3,)])
    table = dict(line.split() for line in (tmp_path / "words.txt").read_text().splitlines())
    assert table == {
        "<eps>": "0",
        token(0): "1",
        token(1): "2",
        "[unk]": "3",
        "[silence]": "4",
        "[hesitation]": "5",
        "[half]": "6",
        "[begun]": "7",
    }
    assert (tmp_path / "disambig_tid.int").read_text() == f"{MODEL.transitions + 1}\n"
    assert (tmp_path / "HCLr.fst").read_bytes() == sounds(MODEL, [(1, 2), (3,)]).to_bytes("write")
    assert (tmp_path / "Gr.fst").read_bytes() == words(2).to_bytes("read")


def test_no_transition_is_unknown_to_the_model():
    _, machine = read(sounds(MODEL, [Lexicon("fr").spell("je propose chloé")]).to_bytes("write"))
    labels = {label for _, arcs in machine.values() for label, *_ in arcs}
    assert max(labels) <= MODEL.transitions
    assert labels >= {enter(SILENCE), stay(SILENCE), 0}


def test_a_graph_grows_with_what_is_said_and_no_faster():
    names = [f"{a}{b}" for a in ("bou", "ma", "lo", "ti", "fré", "gou") for b in ("ni", "la", "ro", "du", "ché")]
    lexicon = Lexicon("fr")
    few, many = ([lexicon.spell(f"je nomme {a} et {b}") for a in names[:n] for b in names[:n]] for n in (10, 30))
    size = [len(sounds(MODEL, spellings).to_bytes("write")) for spellings in ([], few, many)]
    each = [(size[1] - size[0]) / sum(map(len, few)), (size[2] - size[0]) / sum(map(len, many))]
    assert each[1] == pytest.approx(each[0], rel=0.1)  # bytes a phone
