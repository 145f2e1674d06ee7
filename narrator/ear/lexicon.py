"""How the sentences of a table sound: sentence -> outputs of the acoustic model.

- espeak-ng says whole sentences, so that liaisons are right and any name is a word ("gwenaël", "xyloh").
- A spelling is a row of ints: n > 0 an output that must be heard, -n one that may be ("j(e) propose"), 0 a place
  where one may pause (between words).
- `says` corrects words: {"Zoé": "zo-é"}; hyphens only help the eye.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from narrator.core.errors import ModelError
from narrator.ear import espeak, models

PAUSE = 0
_HESITATION = ("ə", "œ", "ø", "ɜ", "ʌ")
_MARKS = re.compile(r"\([a-z-]+\)|[ˈˌː\-‿̆ʲ\d]")  # changes of language, stress, length, linking


class Lexicon:
    """Pronunciations of one language, or of a model given. Raises ModelError if there is none or no espeak-ng."""

    def __init__(
        self, language: str, says: Mapping[str, str] | None = None, model: models.EarModel | None = None
    ) -> None:
        self._model = model or models.load(language)
        output = {phone: i for i, phone in enumerate(self._model.phones, 1)}
        self._outputs: dict[str, tuple[int, ...]] = {phone: (i,) for phone, i in output.items()}
        self._outputs |= {other: _row(as_phones, output) for other, as_phones in self._model.same.items()}
        self._vowels = {output[v] for v in self._model.vowels}
        self._mute = output.get(self._model.mute, 0)
        self._liquids = {output[p] for p in self._model.liquids}
        self._stops = {output[p] for p in self._model.stops}
        self._says = {word.casefold(): said.replace("-", "") for word, said in (says or {}).items()}
        words = sorted(map(re.escape, self._says), key=len, reverse=True)
        self._corrected = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)") if words else None
        self._spelt: dict[str, tuple[int, ...]] = {}

    def spell(self, sentence: str) -> tuple[int, ...]:
        """Every way to say the sentence, as one row (see above). Raises ModelError if nothing can be said."""
        if sentence not in self._spelt:
            written = sentence.casefold()
            if self._corrected:
                written = self._corrected.sub(lambda m: self._says[m[0]], written)
            words = espeak.phonemes(written, self._model.espeak)
            groups = [group for word in words if (group := [o for phoneme in word for o in self.outputs(phoneme)])]
            if not groups:
                raise ModelError(f"no sound is known for {sentence!r}: write it as it is said under [says]")
            self._spelt[sentence] = self._habits(groups, written.split())
        return self._spelt[sentence]

    def otherwise(self, sentence: str, heard: Mapping[str, Iterable[str]]) -> list[tuple[int, ...]]:
        """The sentence with each way in which one of its names was heard. Raises ModelError for an unknown phone."""
        rows = []
        for name, said in heard.items():
            parts = re.split(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", sentence.casefold())
            if len(parts) != 2:
                continue
            before, after = ((*self.spell(part.strip()),) if part.strip() else () for part in parts)
            for phones in said:
                rows.append(
                    (*before, *((PAUSE,) if before else ()), *self._named(phones), *((PAUSE,) if after else ()), *after)
                )
        return rows

    def _named(self, phones: str) -> tuple[int, ...]:
        known = {phone: output for output, phone in enumerate(self._model.phones, 1)}
        for phone in phones.split():
            if phone not in known:
                raise ModelError(f"“{phone}” is no phone of this ear: teach the name again with “narrator names”")
        return tuple(known[phone] for phone in phones.split())

    def hesitations(self, fillers: Iterable[str]) -> tuple[tuple[int, ...], ...]:
        """Spellings of what people say before a sentence, with the bare vowels of hesitation; none without fillers."""
        spelt = [self.spell(filler) for filler in fillers]
        vowels = [self.outputs(vowel) for vowel in _HESITATION if self.outputs(vowel)]
        return tuple(dict.fromkeys([*spelt, *vowels])) if spelt else ()

    def pronounce(self, sentence: str) -> tuple[tuple[int, ...], ...]:
        """One to three rows of outputs without pauses: everything said, only what must be, and between."""
        row = [o for o in self.spell(sentence) if o != PAUSE]
        full, short = tuple(abs(o) for o in row), tuple(o for o in row if o > 0)
        inner = tuple(abs(o) for o in row[:-1]) + tuple(o for o in row[-1:] if o > 0)
        return tuple(dict.fromkeys((inner, short, full)))

    def outputs(self, phoneme: str) -> tuple[int, ...]:
        """The outputs that a phoneme of espeak-ng is, as in a spelling; none for one that the model does not know."""
        return self._outputs.get(_MARKS.sub("", phoneme), ())

    def _habits(self, groups: list[list[int]], words: list[str]) -> tuple[int, ...]:
        """Marks what speakers leave out or add; `words` help only where espeak-ng kept them apart."""
        if len(words) != len(groups):
            words = [""] * (len(groups) - 1) + words[-1:]
        row: list[int] = []
        for group, word in zip(groups, words, strict=True):
            said = [-o if o == self._mute else o for o in group]
            if len(group) > 2 and group[-1] in self._liquids and group[-2] in self._stops:
                said[-1] = -group[-1]
            if self._mute and word.rstrip("s").endswith(self._model.mute_ending) and group[-1] not in self._vowels:
                said.append(-self._mute)
            row += [PAUSE, *said] if row else said
        return tuple(row) if any(o > 0 for o in row) else tuple(abs(o) for o in row)


def _row(phones: str, output: Mapping[str, int]) -> tuple[int, ...]:
    """ "ə -ɹ" as a part of a spelling."""
    return tuple(-output[phone[1:]] if phone.startswith("-") else output[phone] for phone in phones.split())
