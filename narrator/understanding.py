"""From words to what they mean here: what may be said now, what was meant, and what is answered to what was not.

Nothing is changed by any of it; whether the game would take a sentence is asked of a copy of the evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from narrator.commands import COMMANDS
from narrator.core.effects import Listen, Manner, Say
from narrator.core.events import Heard
from narrator.core.phrases import Meaning
from narrator.core.spelling import printed
from narrator.core.states import Evening
from narrator.library import Production


class Understanding:
    """The sentences of one table's game."""

    def __init__(self, production: Production) -> None:
        self._game, self._phrases = production.game, production.phrases
        self._players, self._language = production.setting.players, production.lines.language
        self._lines = production.lines.ids

    def legal(self, floor: Listen, *, typed: bool, paused: bool) -> tuple[str, ...]:
        """The intents that are possible on a floor, by microphone or typed."""
        if paused:
            return ("resume",)
        own = floor.accepts if typed else floor.hears
        if not own:
            return ()
        # "on reprend" sounds like "on vote": what nobody needs now is not listened for.
        return (*own, *(command for command in COMMANDS if typed or command != "resume"))

    def meaning(self, text: str, legal: tuple[str, ...]) -> Meaning | None:
        return self._phrases.parse(text, legal) if text else None

    def is_public(self, text: str, legal: tuple[str, ...]) -> bool:
        """Whether this is a sentence of the whole table's, possible now."""
        meaning = self._phrases.parse(text, legal)
        return meaning is not None and meaning.intent in legal

    def is_aloud(self, meaning: Meaning) -> bool:
        """Whether the table may say it, or nobody but the master."""
        return meaning.intent not in self._game.masters_own

    def answers_at_once(self, meaning: Meaning) -> bool:
        """A question or a command: what is being said goes on behind it."""
        return meaning.intent in COMMANDS or meaning.intent in self._game.script.queries

    def masters(self, evening: Evening) -> tuple[str, ...]:
        """The intents that the master may enter."""
        return self._game.private_intents(evening.state) if self._game.script.mastered else ()

    def of_masters(self, text: str, legal: tuple[str, ...]) -> Meaning | None:
        """What the master entered; an empty line is his "suivant"."""
        return self._phrases.parse(text, (*legal, *COMMANDS)) if text.strip() else Meaning("next", {})

    def as_entered(self, text: str, meaning: Meaning) -> str:
        """What the master entered, as it is shown to him: his empty line by its name."""
        return printed(text.strip() or next(iter(self._phrases.sentences_for(meaning)), ""))

    def guess(
        self, text: str, legal: tuple[str, ...], evening: Evening, floor: Listen
    ) -> tuple[str, Mapping[str, Any]] | None:
        """The line that helps with typed words that mean nothing: a name nobody has, a sentence like a possible one."""
        if stranger := self._phrases.unknown_name(text, legal):
            return "unknown_name", {"stranger": stranger, "names": self._players}
        possible = (near for near in self._phrases.near(text, legal) if self._possible(evening, floor, near))
        near = next(possible, "")
        return ("near", {"near": printed(near)}) if near else None

    def _possible(self, evening: Evening, floor: Listen, sentence: str) -> bool:
        """Whether the game would take this sentence now."""
        meaning = self._phrases.parse(sentence, floor.accepts)
        return meaning is not None and self._takes(evening, meaning)

    def _takes(self, evening: Evening, meaning: Meaning) -> bool:
        """Whether the game would do what is meant."""
        if meaning.intent in COMMANDS:
            return True
        _, effects = self._game.receive(evening, Heard(meaning.intent, meaning.slots))
        return not any(isinstance(effect, Say) and effect.manner is Manner.REFUSE for effect in effects)

    def unlikely(self, evening: Evening, legal: tuple[str, ...]) -> frozenset[str]:
        """Sentences with a number that the game would refuse now: counts that do not add up. Names are taken at their
        word. The game is asked once for all that mean one thing.
        """
        meanings = {text: m for text, m in self._phrases.meanings(legal).items() if _counts(m)}
        different = {repr(meaning): meaning for meaning in meanings.values()}
        refused = {key for key, meaning in different.items() if not self._takes(evening, meaning)}
        return frozenset(text for text, meaning in meanings.items() if repr(meaning) in refused)

    def examples(self, evening: Evening, floor: Listen) -> tuple[str, ...]:
        """Sentences that are possible now, in quotation marks."""
        quote = ("«\u00a0", "\u00a0»") if self._language == "fr" else ("“", "”")
        own = [intent for intent in floor.hears if intent not in self._game.general]
        usual = [intent for intent in floor.hears if intent in self._game.script.queries]
        examples = self._phrases.examples(own or usual, possible=partial(self._possible, evening, floor))
        return tuple(quote[0] + printed(text) + quote[1] for text in examples)

    def guess_of_masters(self, text: str, legal: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
        """The line that answers what the master entered and means nothing: which name nobody has, which word of the
        table's own (a character) there is none of, if it is that."""
        if stranger := self._phrases.unknown_among(text, legal):
            return "unknown_name", {"stranger": stranger, "names": self._players}
        if strange := self._phrases.unknown_word(text, legal):
            slot, stranger, known = strange
            line = f"mj_unknown_{slot}" if known else f"mj_none_{slot}"
            if line in self._lines:
                return line, {"stranger": stranger, "names": known}
        return "not_understood", {}

    def masters_examples(self, legal: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(printed, self._phrases.examples(legal, most=len(legal), heard=False)))


def _counts(meaning: Meaning) -> bool:
    """Whether a number was said in it."""
    return any(type(value) is int for value in meaning.slots.values())
