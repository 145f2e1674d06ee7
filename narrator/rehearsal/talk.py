"""How a simulated table speaks: sentences of the table's language, hesitation, chatter, who talks when.

Sentences come from the same phrases that the narrator listens for; only chatter is written elsewhere (chatter.toml).
Every draw of chance here is independent of the hidden roles, so that equal public courses sound alike.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from narrator.core.elision import elided
from narrator.core.errors import ScriptError
from narrator.core.lines import number_words
from narrator.core.phrases import Meaning, Phrases

CHATTER = Path(__file__).with_name("chatter.toml")
HESITATES = 0.12
SHOUTS = 0.2  # of all chatter, a word or two
FIRST_FORM = 0.7  # of several sentences with one meaning, people mostly say the first

Kind = Literal["answer", "illegal", "chatter", "objection", "half"]


@dataclass(frozen=True)
class Act:
    """Something that a player says. `delay`: seconds after the floor opened. `meant`: what the narrator should
    understand by it; None for what is not for the narrator."""

    delay: float
    speaker: str
    text: str
    meant: Meaning | None
    kind: Kind


class Talk:
    """The tongues of one table."""

    def __init__(self, phrases: Phrases, players: Sequence[str], rng: random.Random, chatter: Path = CHATTER) -> None:
        """`chatter`: what this game's tables say to themselves. Raises ScriptError if that lacks the language."""
        self.phrases, self.players, self.rng = phrases, tuple(players), rng
        table: Mapping[str, Any] = tomllib.loads(chatter.read_text(encoding="utf-8"))
        if phrases.language not in table:
            raise ScriptError(f"nobody can chatter in “{phrases.language}”: add its table", str(chatter))
        words = table[phrases.language]
        self.lines: tuple[str, ...] = tuple(words["lines"])
        self.shouts: tuple[str, ...] = tuple(words["shouts"])
        self.hesitations: tuple[str, ...] = tuple(words["hesitations"])

    def knows(self, meaning: Meaning) -> bool:
        """Whether this language has a sentence for it."""
        return bool(self.phrases.sentences_for(meaning))

    def act(
        self,
        speaker: str,
        meaning: Meaning,
        between: tuple[float, float] = (0.6, 2.5),
        kind: Kind = "answer",
    ) -> Act:
        """One of the sentences that mean this, perhaps hesitant, after a delay in seconds."""
        sentences = self.phrases.sentences_for(meaning)
        if not sentences:
            raise ScriptError(
                f"no heard sentence means “{meaning.intent}” {dict(meaning.slots)} ({self.phrases.language})"
            )
        text = sentences[0] if self.rng.random() < FIRST_FORM else self.rng.choice(sentences)
        hesitation = self.rng.choice(self.hesitations)
        if self.rng.random() < HESITATES:
            text = f"{hesitation} {text}"
        return Act(self.rng.uniform(*between), speaker, text, meaning, kind)

    def chatter(self, speakers: Sequence[str], delay: float, accepts: Collection[str]) -> Act:
        """A remark that is not for the narrator and that is no sentence of `accepts`."""
        speaker = self.rng.choice(list(speakers))
        if self.rng.random() < SHOUTS:
            shout = self.rng.choice(self.shouts)
            understood = self.phrases.parse(shout, accepts)
            if understood is None or understood.intent not in accepts:
                return Act(delay, speaker, shout, None, "chatter")
        return Act(delay, speaker, self._remark(speaker), None, "chatter")

    def table_talk(self, speakers: Sequence[str], seconds: float, accepts: Collection[str]) -> list[Act]:
        """Remarks every four to eight seconds, some over one another."""
        acts, at = [], self.rng.uniform(0.5, 3.0)
        while at < seconds and speakers:
            acts.append(self.chatter(speakers, at, accepts))
            if self.rng.random() < 0.15:
                acts.append(self.chatter(speakers, at + self.rng.uniform(0.1, 0.8), accepts))
            at += self.rng.uniform(4.0, 8.0)
        return acts

    def _remark(self, speaker: str) -> str:
        name, other = self.rng.sample([p for p in self.players if p != speaker], 2)
        number = number_words(self.rng.randint(2, 9), self.phrases.language)
        return remark(self.rng.choice(self.lines), name, other, number)


def remark(line: str, name: str, other: str, number: str) -> str:
    """A line of chatter with its holes filled."""
    line = line.replace("{number}", number)
    for hole, player in (("name", name), ("other", other)):
        line = line.replace(f"{{{hole}}}", player)
        for word in ("de", "que"):
            line = line.replace(f"{{{hole}:{word}}}", elided(word, player))
    return line
