"""What thresholds are chosen on: sounds that the figures are not measured with. See tune.py.

- voices of espeak-ng that are trained on, MBROLA's where it is installed (measured with, never trained on), and
  Kokoro's speakers where they are, mixed by chance;
- names of its own; the words of the speakers trained on, spoken faster or slower (a warped tape is another throat);
- talk: words of the dictionary, one and in rows, lines people say at a table, music and knocks by other seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np

from bench.ear import speech
from bench.ear.chatter import CHATTER
from bench.ear.sets import Said, Set, Sources, phases
from bench.ear.words import WORDS
from narrator.ear.mic import Resampler
from training import guard, kokoro, recordings
from training.language import dictionary

_NAMES = """
Margot Valère Kaïs Sidonie Ursula Anselme Mounir Capucine Désiré Wendy Ludovic Chantal Ahmed Giselle Robin Maëva
Kamel Prune Alban Tess Bertrand Fleur Igor Salima
"""
NAMES = _NAMES.split()
MBROLA = {"fr": "mb-fr4", "en": "mb-us1"}
VARIANTS = (
    *("m6", "steph", "marcelo", "zac", "pedro", "antonio"),
    *("announcer", "shelby", "michel", "robert", "Marco", "m7"),
)
ACCENTS = {"fr": ("fr", "fr", "fr-be", "fr-ch"), "en": ("en-us", "en", "en-gb-x-rp")}
ROOMS = ((35, 0.0), (25, 0.2), (15, 0.35))  # dB over the noise, seconds of echo
WARPS = (0.85, 0.93, 1.08, 1.18)  # speed of the tape


def voices(language: str) -> list[str]:
    """A dozen of espeak-ng's, and four times MBROLA's if it is installed: the same on every machine that has it."""
    natural = MBROLA[language]
    there = (Path("/usr/share/mbrola") / natural.removeprefix("mb-")).is_dir()
    spoken = [f"{a}+{guard.voice(v)}" for v, a in zip(VARIANTS, cycle(ACCENTS[language]), strict=False)]
    return [*[natural] * (4 if there else 0), *spoken]


def right(language: str, sources: Sources, share: float) -> Iterator[Set]:
    """Sentences that must be heard."""
    every = voices(language)
    for phase, legal in phases(language, NAMES[:12]).items():
        r, said = Random(f"dev {phase}"), []
        for count in range(round(240 * share)):
            text = r.choice(legal)
            audio = speech.say(text, every[count % len(every)], r.randint(125, 190), r.randint(30, 70))
            said.append((text, speech.scene(audio, 9000 + count, *ROOMS[count % len(ROOMS)])))
        yield Set(f"dev {phase}", legal, said)
    if sources.people:
        yield from _people(language, sources, share)
    for phase, legal in phases(language, NAMES[:12]).items():
        r = Random(f"dev neural {phase}")
        texts = [r.choice(legal) for _ in range(round(120 * share))]
        if said := _neural(language, sources, texts, 5000):
            yield Set(f"dev neural, {phase}", legal, said)


def false(language: str, sources: Sources, share: float) -> Iterator[Set]:
    """Talk of which nothing may be heard."""
    r, every = Random("dev talk"), voices(language)
    for legal in phases(language, NAMES[12:]).values():
        words = [w for w in dictionary(language) if w not in " ".join(legal)]
        single = [r.choice(words) for _ in range(round(400 * share))]
        rows = [" ".join(r.choice(words) for _ in range(r.randint(2, 8))) for _ in range(round(100 * share))]
        lines = CHATTER[language][:: max(1, round(1 / share))]
        for title, texts in ("single words", single), ("talk", [*rows, *lines]):
            said = [speech.say(t, every[i % len(every)], r.randint(125, 190), r.randint(30, 70)) for i, t in
                    enumerate(texts)]  # fmt: skip
            sounds = [("", speech.scene(x, 7000 + i, *ROOMS[i % len(ROOMS)])) for i, x in enumerate(said)]
            yield Set(f"dev {title}", legal, sounds)
        for title, texts in ("single words", single[::3]), ("talk", rows[::3]):
            if neural := _neural(language, sources, texts, 4000):
                yield Set(f"dev neural, {title}", legal, [("", sound) for _, sound in neural])
    yield _strangers(language, share)
    rng = np.random.default_rng(77)
    noise = [make(10, rng) for make in (speech.music, speech.bursts) for _ in range(round(20 * share))]
    legal = phases(language, NAMES[12:])["proposing"]
    yield Set("dev noise", legal, [("", np.clip(x, -32000, 32000).astype(np.int16)) for x in noise])
    if sources.people:
        for people in _people(language, sources, share):
            texts = {text for text, _ in people.said}
            yield Set("dev single words of people", [s for s in legal if s not in texts], [
                ("", audio) for _, audio in people.said])  # fmt: skip


def _neural(language: str, sources: Sources, texts: list[str], seed: int) -> list[Said]:
    """The texts said by as many speakers in the rooms; none where there are no speakers."""
    if not kokoro.there(sources.prompts):
        return []
    r, said = Random(seed), []
    for count, text in enumerate(texts):
        audio = kokoro.speak(text, language, kokoro.speaker(language, sources.prompts, r), r.uniform(0.85, 1.2))
        said.append((text, speech.scene(audio, seed + count, *ROOMS[count % len(ROOMS)])))
    return said


def _strangers(language: str, share: float) -> Set:
    """Names of people who do not play, in sentences that are legal with others."""
    legal, r, every = phases(language, NAMES[:12])["proposing"], Random("dev strangers"), voices(language)
    said = []
    for count in range(round(120 * share)):
        text = f"{r.choice(WORDS[language].verbs)} {r.choice(NAMES[12:])}"
        audio = speech.say(text, every[count % len(every)], r.randint(125, 190), r.randint(30, 70))
        said.append(("", speech.scene(audio, 6000 + count, *ROOMS[count % len(ROOMS)])))
    return Set("dev strangers", legal, said)


def _people(language: str, sources: Sources, share: float) -> Iterator[Set]:
    """Those trained on, warped: words among sixty others."""
    assert sources.people is not None
    for name, every in recordings.speakers(language, sources.people, sources.prompts or Path("nowhere")).items():
        if name in guard.SPEAKERS:
            continue
        r = Random(f"dev {name}")
        chosen = r.sample(guard.trained(every), min(round(240 * share), len(guard.trained(every))))
        texts = [one.text.lower().strip(" .") for one in chosen]
        for at in range(0, len(chosen), 60):
            said = []
            for index, one in enumerate(chosen[at : at + 60]):
                rate = round(16000 * WARPS[index % len(WARPS)] / 50) * 50
                warped = Resampler(rate).feed(np.clip(speech.decode(one.file), -32000, 32000).astype(np.int16))
                audio = speech.scene(warped.astype(np.float64), 8000 + at + index, *ROOMS[index % 2])
                said.append((texts[at + index], audio))
            yield Set(f"dev {name}, warped", texts[at : at + 60], said)
