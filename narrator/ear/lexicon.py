"""How the sentences of a table sound: sentence -> outputs of the acoustic model.

- espeak-ng says whole sentences, so that liaisons are right and any name is a word ("gwenaël", "xyloh").
- A spelling is a row of ints: n > 0 an output that must be heard, -n one that may be ("j(e) propose"), 0 a place
  where one may pause (between words).
- May be left out or added: a mute vowel, a liaison (what a word ends with here and not alone), a liquid after a stop
  ("quat' oui"), a vowel after the last consonant ("Bob-euh"), one of two equal consonants ("propo' Zoé"). habits.toml
  knows the rest ("cinq non", "ch'propose", "Dani-el").
- Words that espeak-ng would read as another language's are written for it otherwise (reading.py).
- `says` corrects words: {"Zoé": "zo-é"}; hyphens only help the eye.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from narrator.core.errors import ModelError
from narrator.ear import espeak, models
from narrator.ear.habits import habits
from narrator.ear.reading import LETTERS, Reader, unmarked

PAUSE = 0
_HESITATION = ("ə", "œ", "ø", "ɜ", "ʌ")
_FOREIGN = 3  # phones that the reading of another language must have: "Arthur" is no more than "ase" in it
_MOST_WAYS = 5  # rows for the names of one sentence
_MARKS = re.compile(r"\([a-z-]+\)|[ˈˌː\-‿̆ʲ\d]")  # changes of language, stress, length, linking


def must(spelling: Iterable[int]) -> tuple[int, ...]:
    """The outputs that nobody leaves out, of the row that a spelling is."""
    return tuple(output for output in spelling if output > 0)


class Lexicon:
    """Pronunciations of one language, or of a model given. Raises ModelError if there is none or no espeak-ng."""

    def __init__(
        self, language: str, says: Mapping[str, str] | None = None, model: models.EarModel | None = None
    ) -> None:
        self._model, self._habits = model or models.load(language), habits(language)
        output = {phone: i for i, phone in enumerate(self._model.phones, 1)}
        self._outputs: dict[str, tuple[int, ...]] = {phone: (i,) for phone, i in output.items()}
        self._outputs |= {other: _row(as_phones, output) for other, as_phones in self._model.same.items()}
        self._vowels = {output[v] for v in self._model.vowels}
        self._mute = output.get(self._model.mute, 0)
        self._liquids = {output[p] for p in self._model.liquids}
        self._stops = {output[p] for p in self._model.stops}
        self._voiceless = {output[p] for p in self._habits.voiceless}
        glides = {output[vowel]: output[glide] for vowel, glide in self._habits.glides.items()}
        self._swaps = (glides, {glide: vowel for vowel, glide in glides.items()}) if glides else ()
        self._closed = {(output[glide], output[vowel]) for glide, vowel in self._habits.closed}
        tables = (self._habits.words, self._habits.joined, self._habits.hardened)
        self._words, self._joined, self._hardened = (
            {word: _row(phones, output) for word, phones in table.items()} for table in tables
        )
        self._says = {word.casefold(): said.replace("-", "") for word, said in (says or {}).items()}
        words = sorted(map(re.escape, self._says), key=len, reverse=True)
        self._corrected = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)") if words else None
        self._reader = Reader(self._model.espeak, self._habits.respelt)
        self._spelt_ways: dict[str, tuple[int, ...]] = {}
        self._spelt: dict[str, tuple[int, ...]] = {}
        self._alone: dict[str, list[int]] = {}

    def spell(self, sentence: str) -> tuple[int, ...]:
        """The ways to say the sentence, as one row (see above). Raises ModelError if nothing can be said."""
        if sentence not in self._spelt:
            self._spelt[sentence] = self._spell(self._reader.sentence(self._written(sentence)), sentence)
        return self._spelt[sentence]

    def sounds(self, sentence: str) -> bool:
        """Whether anything can be said of it: false for a name of signs, or of letters that nobody here reads."""
        try:
            return bool(self.spell(sentence))
        except ModelError:
            return False

    def variants(self, sentence: str) -> list[tuple[int, ...]]:
        """Rows for what does not fit into the first one: "ch'propose", a name said as where it comes from."""
        written, usual = self._written(sentence), self.spell(sentence)
        rows = [self._hard(usual, written.split()), _melted(usual), *self._glided(usual)]
        ways = {word: others for word in dict.fromkeys(LETTERS.findall(written)) if (others := self._other_ways(word))}
        chosen = itertools.product(*(["", *others] for others in ways.values()))
        for said in itertools.islice(chosen, 1, 1 + _MOST_WAYS):
            swaps = {word: way for word, way in zip(ways, said, strict=True) if way}
            rows.append(self._with_ways(usual, sentence, written, swaps))
        return [row for row in dict.fromkeys(rows) if row and row != usual]

    def _with_ways(self, usual: Sequence[int], sentence: str, written: str, ways: Mapping[str, str]) -> tuple[int, ...]:
        """The row with some words written otherwise for espeak-ng, which is asked for the whole where words melt only:
        a table of foreigners would take a second."""
        words, groups = written.split(), _parted(usual)
        if len(words) == len(groups) and set(ways) <= set(words):
            said = [self._way(ways[w], w) if w in ways else group for w, group in zip(words, groups, strict=True)]
            return _joined(said)
        return self._spell(LETTERS.sub(lambda m: ways.get(m[0]) or self._reader.word(m[0]), written), sentence)

    def _way(self, said: str, word: str) -> tuple[int, ...]:
        if said not in self._spelt_ways:
            self._spelt_ways[said] = self._spell(said, word)
        return self._spelt_ways[said]

    def _other_ways(self, word: str) -> list[str]:
        """What else espeak-ng may be given for a word."""
        known = self._habits.names
        ways = [*known.get(word, known.get(unmarked(word), ()))]
        if not ways and self._reader.is_respelt(word):
            phones = [o for group in self._groups(word) for o in group if o != self._mute]
            ways = [word] if len(phones) >= _FOREIGN else []
        return ways

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

    def hesitations(self, fillers: Iterable[str]) -> tuple[tuple[int, ...], ...]:
        """Spellings of what people say before a sentence, with the bare vowels of hesitation; none without fillers."""
        spelt = [self.spell(filler) for filler in fillers]
        vowels = [self.outputs(vowel) for vowel in _HESITATION if self.outputs(vowel)]
        return tuple(dict.fromkeys([*spelt, *vowels])) if spelt else ()

    def pronounce(self, sentence: str) -> tuple[tuple[int, ...], ...]:
        """One to three rows of outputs without pauses: everything said, only what must be, and between."""
        row = [o for o in self.spell(sentence) if o != PAUSE]
        full, short = tuple(abs(o) for o in row), must(row)
        inner = tuple(abs(o) for o in row[:-1]) + must(row[-1:])
        return tuple(dict.fromkeys((inner, short, full)))

    def outputs(self, phoneme: str) -> tuple[int, ...]:
        """The outputs that a phoneme of espeak-ng is, as in a spelling; none for one that the model does not know.

        Of another language's diphthong ("ɔɪ" in French) its halves.
        """
        symbol = _MARKS.sub("", phoneme)
        halves = (self._outputs.get(half, ()) for half in symbol)
        return self._outputs[symbol] if symbol in self._outputs else tuple(o for half in halves for o in half)

    def _written(self, sentence: str) -> str:
        """The sentence as the table says it. Raises ModelError for letters that espeak-ng would only name."""
        written = unicodedata.normalize("NFC", sentence).casefold()
        if self._corrected:
            written = self._corrected.sub(lambda m: self._says[m[0]], written)
        strange = [c for c in written if c.isalpha() and not unicodedata.name(c, "").startswith("LATIN")]
        if strange:
            raise ModelError(f"no sound is known for {sentence!r} ({strange[0]}): write it as it is said under [says]")
        return self._habits.elided.sub(r"\1e ", written)

    def _spell(self, written: str, sentence: str) -> tuple[int, ...]:
        groups = self._groups(written)
        if not groups:
            raise ModelError(f"no sound is known for {sentence!r}: write it as it is said under [says]")
        words = written.split()
        if len(words) != len(groups):  # some melt in speech; then only the last is known
            words = [""] * (len(groups) - 1) + words[-1:]
        said = [list(self._joined.get(w, ())) or self._said(g, w) for g, w in zip(groups[:-1], words, strict=False)]
        row = [*_joined((*said, self._said(groups[-1], words[-1])))]
        if self._mute and row[-1] > 0 and row[-1] not in self._vowels:
            row.append(-self._mute)
        return tuple(row) if must(row) else tuple(abs(o) for o in row)

    def _groups(self, written: str) -> list[list[int]]:
        words = espeak.phonemes(written, self._model.espeak)
        return [group for word in words if (group := [o for phoneme in word for o in self.outputs(phoneme)])]

    def _said(self, group: list[int], word: str) -> list[int]:
        """A word with what speakers leave out or add; `word` is "" where its letters are not known."""
        if word in self._words:
            return list(self._words[word])
        said = [-o if o == self._mute else o for o in group]
        if word and group[:-1] == self._by_itself(word):
            return [*said[:-1], -group[-1]]  # a liaison
        if len(group) > 2 and group[-1] in self._liquids and group[-2] in self._stops:
            said[-1] = -group[-1]
        if self._mute and word.rstrip("s").endswith(self._model.mute_ending) and group[-1] not in self._vowels:
            said.append(-self._mute)
        return said

    def _by_itself(self, word: str) -> list[int]:
        if word not in self._alone:
            self._alone[word] = [o for group in self._groups(word) for o in group]
        return self._alone[word]

    def _hard(self, row: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
        """The row with each `hardened` word so; () if there is none, or no voiceless sound follows it."""
        groups = _parted(row)
        if len(groups) != len(words):
            return ()
        hard = [
            self._hardened[word]
            if word in self._hardened and following[:1] and following[0] in self._voiceless
            else group
            for word, group, following in zip(words, groups, [*groups[1:], ()], strict=True)
        ]
        joined = _joined(hard)
        return joined if joined != tuple(row) else ()

    def _glided(self, row: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """The row with glides for close vowels ("Louane" in one syllable), and that with vowels for glides ("Daniel" in
        three), where a consonant comes before and a vowel behind; after two consonants ("crier") it is a vowel."""
        for other in self._swaps:
            said = list(row)
            for at in range(1, len(row) - 1):
                before, here, behind = row[at - 1 : at + 2]
                if here not in other or before <= 0 or before in self._vowels or behind not in self._vowels:
                    continue
                crowded = before in self._liquids and at > 1 and row[at - 2] in self._stops
                if not crowded and not {(here, behind), (other[here], behind)} & self._closed:
                    said[at] = other[here]
            yield tuple(said)

    def _named(self, phones: str) -> tuple[int, ...]:
        known = {phone: output for output, phone in enumerate(self._model.phones, 1)}
        for phone in phones.split():
            if phone not in known:
                raise ModelError(f"“{phone}” is no phone of this ear: teach the name again with “narrator names”")
        return tuple(known[phone] for phone in phones.split())


def _melted(row: Sequence[int]) -> tuple[int, ...]:
    """The row with one consonant instead of two equal ones that meet between words; () if none meet."""
    groups = _parted(row)
    for at, (group, following) in enumerate(itertools.pairwise(groups)):
        last = max((i for i, o in enumerate(group) if o > 0), default=0)
        if last and following and group[last] == following[0]:
            groups[at] = group[:last]
    joined = _joined(groups)
    return joined if joined != tuple(row) else ()


def _row(phones: str, output: Mapping[str, int]) -> tuple[int, ...]:
    """ "ə -ɹ" as a part of a spelling."""
    return tuple(-output[phone[1:]] if phone.startswith("-") else output[phone] for phone in phones.split())


def _joined(groups: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Words in a row, with a place between them where one may pause."""
    return tuple(o for group in groups for o in (PAUSE, *group))[1:]


def _parted(row: Sequence[int]) -> list[tuple[int, ...]]:
    groups: list[list[int]] = [[]]
    for item in row:
        if item == PAUSE:
            groups.append([])
        else:
            groups[-1].append(item)
    return [tuple(group) for group in groups]
