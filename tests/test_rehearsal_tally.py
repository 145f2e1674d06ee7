"""The figures of a rehearsal, from what was said and what was understood."""

from __future__ import annotations

from narrator.core.phrases import Meaning
from narrator.rehearsal.devices import Said, Span
from narrator.rehearsal.people import Act
from narrator.rehearsal.tally import Tally

PROPOSE, VOTE, UNDO = Meaning("propose", {"player": "Bob"}), Meaning("call_vote", {}), Meaning("undo", {})


def said(meant: Meaning | None, again: bool = False) -> Said:
    return Said(Act(0.0, "Alice", "…", meant, "answer" if meant else "chatter"), again, Span(0.0, 1.0))


def tally(*heard: tuple[Said | None, Meaning | None]) -> Tally:
    kept = Tally()
    for one, meaning in heard:
        if one is not None:
            kept.said(one)
        kept.judge(one, meaning, accepted=True)
    return kept


def figures(kept: Tally) -> tuple[int, ...]:
    now = kept.figures()
    return tuple(now[k] for k in ("utterances", "first_try", "reasked", "false_actions", "wrong_actions"))


def test_understood_at_once() -> None:
    assert figures(tally((said(PROPOSE), PROPOSE))) == (1, 1, 0, 0, 0)


def test_not_understood_and_said_again_is_one_utterance() -> None:
    assert figures(tally((said(PROPOSE), None), (said(PROPOSE, again=True), PROPOSE))) == (1, 0, 1, 0, 0)


def test_something_else_happened_and_stood() -> None:
    assert figures(tally((said(PROPOSE), VOTE))) == (1, 0, 1, 0, 1)


def test_something_else_happened_and_was_taken_back() -> None:
    assert figures(tally((said(PROPOSE), VOTE), (said(UNDO), UNDO))) == (2, 1, 1, 0, 0)


def test_chatter_that_does_something_is_uncalled_for() -> None:
    assert figures(tally((said(None), VOTE), (None, VOTE))) == (0, 0, 0, 2, 0)
    assert figures(tally((said(None), None))) == (0, 0, 0, 0, 0)
