"""The decoding graph of a table, built in pure numpy at run time: vosk can only answer with what is in it.

- Every sentence is ONE token with a number for a name (s0, s1, …), written on its first phone, so that a grammar of a
  few tokens prunes the rest of the table at once (the ear lists them all, to know what is not for now: it costs no
  time). That is why sentences share no beginnings in here: whichever is listed would not be known before they part.
- People begin with "euh", "bon", "alors": one or two such hesitations, at a price, may come before any sentence and
  before `[unk]`, lest talk that begins so be cheaper as a sentence. They are one small part of the graph all share.
  Alone they are a token of their own, `[hesitation]`, so that "bon" is not taken for "non". One that is long enough to
  be known may come behind ("je propose Bob, voilà").
- One utterance is one token: silence, one sentence or `[unk]` (any phones, at the price talk pays for them), silence.
  There is no way back to the start, so nothing can be stitched together and talk around a sentence makes it something
  else (what stands between pauses is tried by the listener: pieces.py).
- Half of a sentence is most of its sounds: "je propose euh" would pass for "je propose Emma". So where sentences differ
  in their last word alone, all before it and then any phones is a token too, `[half]`: whoever judges such a sentence
  compares it with that.
- Whoever breathes in the middle of a sentence has not said it: what sentences begin with, word by word, is the token
  `[begun]`, so that the listener waits for the rest.
- Silence alone is a token too, `[silence]`: an answer without a token makes vosk write warnings.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from narrator.ear.fst import Fst
from narrator.ear.lexicon import PAUSE, must
from narrator.ear.models import SILENCE, EarModel, enter, stay

Spelling = tuple[int, ...]  # see lexicon.py
UNKNOWN, HUSHED, HESITATED, HALF, BEGUN = "[unk]", "[silence]", "[hesitation]", "[half]", "[begun]"
NO_SENTENCE = (UNKNOWN, HUSHED, HESITATED, HALF, BEGUN)
STEP = 0.35  # cost of a frame, in a phone or into one
HUSH = 0.69  # cost of beginning a silence
_HESITATIONS = 2  # at most
HESITATION = 1.0  # cost of a word of hesitation before a sentence; an "euh" is free, its phone costs enough
_SHARED, _LONG = 3, 4  # sentences that begin so, and phones that must be said there, make a half worth knowing
_KNOWN = 3  # phones of a hesitation that may come behind a sentence; "oui, euh" is too near to other words


def token(index: int) -> str:
    """The name of sentence number `index` in the graph."""
    return f"s{index}"


def write_graph(
    folder: Path,
    model: EarModel,
    spellings: Sequence[Spelling],
    hesitations: Sequence[Spelling] = (),
    others: Sequence[tuple[int, Spelling]] = (),
) -> None:
    """Writes the files of vosk's graph/ folder, sentence i being `token(i)`; see `sounds`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    sounds(model, spellings, hesitations, others).write(folder / "HCLr.fst", sort="write")
    words(len(spellings)).write(folder / "Gr.fst", sort="read")
    names = [*map(token, range(len(spellings))), *NO_SENTENCE]
    table = "".join(f"{name} {label}\n" for label, name in enumerate(names, 1))
    (folder / "words.txt").write_text("<eps> 0\n" + table, encoding="utf-8")
    (folder / "disambig_tid.int").write_text(f"{model.transitions + 1}\n", encoding="utf-8")


def sounds(
    model: EarModel,
    spellings: Sequence[Spelling],
    hesitations: Sequence[Spelling] = (),
    others: Sequence[tuple[int, Spelling]] = (),
) -> Fst:
    """Transition ids -> tokens; token labels are 1, 2, … in the order given, then those of `NO_SENTENCE`.

    `others` are more ways to say a sentence, with its label.
    """
    graph = Fst()
    unknown, hushed, hesitated, half, begun = (len(spellings) + n for n in (1, 2, 3, 4, 5))
    start, begin, hub, before, after, only = (graph.state() for _ in range(6))
    graph.arc(start, begin, 0)
    graph.arc(start, before, enter(SILENCE), 0, HUSH)
    graph.arc(before, begin, 0)
    graph.arc(begin, hub, 0)
    graph.arc(start, only, enter(SILENCE), hushed, HUSH)
    for silence in (before, after, only):
        graph.arc(silence, silence, stay(SILENCE), 0, STEP)
    graph.final[after] = graph.final[only] = 0.0
    behind = _hesitations(graph, begin, hub, hesitations)
    for said in behind:
        alone = graph.state()
        graph.arc(said, alone, 0, hesitated)
        _ending(graph, alone, after)
    behind_it = _tail(graph, after, [h for h in hesitations if len(must(h)) >= _KNOWN])
    for label, spelling in (*enumerate(spellings, 1), *others):
        for state in _chain(graph, hub, label, spelling):
            _ending(graph, state, after)
            if behind_it:
                graph.arc(state, behind_it, 0)
    loop = _filler(graph, (begin, *behind), after, unknown, model.talk)
    shared = beginnings(spellings)
    for beginning in shared:
        pause = graph.state()
        graph.arc(pause, pause, stay(SILENCE), 0, STEP)
        graph.arc(pause, loop, 0)
        for state in _chain(graph, hub, half, beginning):
            _ending(graph, state, after)
            graph.arc(state, loop, 0)
            graph.arc(state, pause, enter(SILENCE), 0, HUSH)
    for beginning in breathed(spellings, shared):
        for state in _chain(graph, hub, begun, beginning):
            _ending(graph, state, after)
    return graph


def before_last(spelling: Spelling) -> Spelling:
    """A sentence without its last word; () if it has one word only."""
    return spelling[: len(spelling) - spelling[::-1].index(PAUSE) - 1] if PAUSE in spelling else ()


def beginnings(spellings: Sequence[Spelling]) -> list[Spelling]:
    """What several sentences begin with before their last word."""
    shared = Counter(before_last(spelling) for spelling in spellings if PAUSE in spelling)
    return [beginning for beginning, count in shared.items() if count >= _SHARED and len(must(beginning)) >= _LONG]


def breathed(spellings: Sequence[Spelling], shared: Sequence[Spelling]) -> list[Spelling]:
    """What sentences begin with, word by word, but for what `beginnings` are and what is a sentence itself."""
    known = {must(row) for row in (*spellings, *shared)}
    begun = dict.fromkeys(row[:at] for row in spellings for at, item in enumerate(row) if item == PAUSE)
    found = {must(row): row for row in begun}
    return [row for said, row in found.items() if len(said) >= _LONG and said not in known]


def words(count: int) -> Fst:
    """The grammar vosk uses when it is given none: any one token."""
    grammar = Fst()
    only = grammar.state()
    for label in range(1, count + 1 + len(NO_SENTENCE)):
        grammar.arc(only, only, label, label, math.log(count + len(NO_SENTENCE)))
    grammar.final[only] = 0.0
    return grammar


def _chain(graph: Fst, begin: int, label: int, spelling: Spelling, price: float = 0.0) -> list[int]:
    """One state a phone; arcs skip what may be left out. The states in which it may end."""
    open_ends = [(begin, label, price)]  # states from which the next phone may be entered
    for item in spelling:
        state, output = graph.state(), abs(item)
        cost = HUSH if item == PAUSE else STEP
        for source, write, more in open_ends:
            graph.arc(source, state, enter(output), write, cost + more)
        graph.arc(state, state, stay(output), 0, STEP)
        open_ends = [(state, 0, 0.0)] if item > 0 else [*open_ends, (state, 0, 0.0)]
    return [state for state, *_ in open_ends]


def _hesitations(graph: Fst, begin: int, hub: int, hesitations: Sequence[Spelling]) -> list[int]:
    """From `begin` to `hub` through one or two of them, perhaps with pauses; the states behind each."""
    behind = [begin]
    for _ in range(_HESITATIONS if hesitations else 0):
        source, said, pause = behind[-1], graph.state(), graph.state()
        for spelling in hesitations:
            price = HESITATION if len(spelling) > 1 else 0.0
            for state in _chain(graph, source, 0, spelling, price):
                graph.arc(state, said, 0)
                graph.arc(state, pause, enter(SILENCE), 0, HUSH)
        graph.arc(pause, pause, stay(SILENCE), 0, STEP)
        graph.arc(pause, said, 0)
        graph.arc(said, hub, 0)
        behind.append(said)
    return behind[1:]


def _tail(graph: Fst, after: int, hesitations: Sequence[Spelling]) -> int:
    """The state from which one of these leads to the end, perhaps after a pause; 0 if there is none."""
    if not hesitations:
        return 0
    begin, pause, said = graph.state(), graph.state(), graph.state()
    graph.arc(begin, pause, enter(SILENCE), 0, HUSH)
    graph.arc(pause, pause, stay(SILENCE), 0, STEP)
    for source, spelling in itertools.product((begin, pause), hesitations):
        for state in _chain(graph, source, 0, spelling, HESITATION):
            graph.arc(state, said, 0)
    _ending(graph, said, after)
    return begin


def _filler(graph: Fst, sources: Sequence[int], after: int, label: int, costs: tuple[tuple[float, ...], ...]) -> int:
    """Any phones, each at its cost after the one before; `states[0]` is a pause within the talk. Where they begin."""
    states = [graph.state() for _ in costs]
    begin = graph.state()
    for source in sources:
        graph.arc(source, begin, 0, label)
    for output, cost in enumerate(costs[SILENCE]):
        if output != SILENCE:
            graph.arc(begin, states[output], enter(output), 0, cost)
    for before, row in enumerate(costs):
        graph.arc(states[before], states[before], stay(before), 0, STEP)
        for output, cost in enumerate(row):
            if output != before:
                graph.arc(states[before], states[output], enter(output), 0, cost)
        if before != SILENCE:
            _ending(graph, states[before], after)
    return begin


def _ending(graph: Fst, state: int, after: int) -> None:
    graph.final[state] = 0.0
    graph.arc(state, after, enter(SILENCE), 0, HUSH)
