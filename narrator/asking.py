"""Questions on a terminal: arrow keys, defaults, and never more than so many of them.

Whoever asks gives the default, which is the answer where nobody can be asked or all questions are used up. What is
wrong is told below the question, which stays: no second question comes of it. Ctrl-C leaves (KeyboardInterrupt).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import questionary
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from narrator.core.spelling import normal
from narrator.words import words

T = TypeVar("T")


def shown(text: str) -> str:
    """For prompt_toolkit, which underlines every no-break space but the narrow one."""
    return text.replace("\u00a0", "\u202f")


Judge = Callable[[str], str]  # what is wrong with an answer, "" for nothing
Choices = Sequence[tuple[str, T]]  # (what is shown, what it means)


def on_a_terminal() -> bool:
    """Whether somebody sits at a keyboard and sees a screen."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


class Questions:
    """`left`: how many may still be asked; none where `ask` is false or there is no terminal."""

    def __init__(self, *, ask: bool, most: int) -> None:
        self.left = most if ask and on_a_terminal() else 0

    def choose(self, question: str, choices: Choices[T], usual: T) -> T:
        """One of `choices`. A single one is no question."""
        values = [value for _, value in choices]
        usual = usual if usual in values else values[0]
        if len(choices) == 1 or not self._spend():
            return usual
        offered = [questionary.Choice(shown(title), value) for title, value in choices]
        first = next(choice for choice in offered if choice.value == usual)
        answer: T = questionary.select(
            shown(question), offered, default=first, instruction=words("q_keys")
        ).unsafe_ask()
        return answer

    def tick(
        self, question: str, choices: Choices[str], ticked: Iterable[str], judge: Callable[[Sequence[str]], str]
    ) -> tuple[str, ...]:
        """Any number of `choices`."""
        before = tuple(ticked)
        if not choices or not self._spend():
            return before
        offered = [questionary.Choice(shown(title), value, checked=value in before) for title, value in choices]
        asked = questionary.checkbox(
            shown(question),
            offered,
            instruction=words("q_tick"),
            validate=lambda answer: shown(judge(list(answer))) or True,
            erase_when_done=True,  # questionary sums up in English
        )
        answer = tuple(asked.unsafe_ask())
        questionary.print(f"? {question} ", style="bold", end="")
        print(", ".join(title for title, value in choices if value in answer) or "–")
        return answer

    def write(self, question: str, usual: str = "", judge: Judge = lambda text: "", **looks: Any) -> str:
        """A line of text. `looks`: what prompt_toolkit's session takes besides (a completer, a toolbar)."""
        if not self._spend():
            return usual
        asked = questionary.text(
            shown(question), default=usual, validate=lambda text: shown(judge(text)) or True, **looks
        )
        return str(asked.unsafe_ask()).strip()

    def agree(self, question: str) -> bool:
        """Yes or no; no where nobody can be asked."""
        return self.left > 0 and self.choose(question, [(words("q_yes"), True), (words("q_no"), False)], True)

    def _spend(self) -> bool:
        """Whether one more question may be asked; it counts."""
        if not self.left:
            return False
        self.left -= 1
        return True


def split_names(text: str) -> list[str]:
    """ "Alice, Bob" as names, as they were typed."""
    return [name.strip() for name in text.split(",") if name.strip()]


class NameCompleter(Completer):
    """Completes the name under the cursor, of several separated by commas, with names that are not there yet."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before, _, begun = document.text_before_cursor.rpartition(",")
        begun = begun.lstrip()
        taken = {normal(name) for name in (*before.split(","), *document.text_after_cursor.split(","))}
        if not begun and not complete_event.completion_requested:
            return
        for name in self._names:
            if normal(name).startswith(normal(begun)) and normal(name) not in taken:
                yield Completion(name, start_position=-len(begun))
