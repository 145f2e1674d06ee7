"""python -m bench.ear.tune fr|en [--ear DIR] [--people DIR] [--prompts DIR] [--quick SHARE] [--kept FILE]

Chooses the thresholds of `EarSettings` for an acoustic model: hears the sets of dev.py once (kept in FILE, so that the
second time takes seconds), shows how the margins of right and wrong sentences lie, and prints the settings that hear
most while single words of talk give at most `--ghosts` sentences an hour and sentences are wrong in at most `--wrong`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.ear import dev
from bench.ear.command import arguments, listen_with
from bench.ear.sets import Set, Sources
from narrator.ear.judge import EarSettings, Judge, passed, settings_for
from narrator.ear.recognizer import Listener, TableEar
from narrator.ear.trial import table_fillers

BLOCK = 1600
SINGLE = ("dev single words", "dev single words of people", "dev neural, single words")
TALK = ("dev talk", "dev neural, talk", "dev noise")
ONCE, EACH, NEXT = np.arange(-1, 6.1, 0.5), np.arange(-0.5, 0.81, 0.1), np.arange(0, 3.1, 0.3)
HALF = np.arange(-3, 4.1, 0.5)
STRANGERS = "dev strangers"

Limits = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Heard:
    """One sound: what was said in it, its best sentence ("" for none), and the evidence for it."""

    set: str
    said: str
    text: str
    phones: int
    seconds: float
    over_filler: float
    over_next: float
    over_half: float
    right: bool
    lasts: float  # seconds of the sound
    beaten: bool = False


def hear(language: str, tried: Set) -> Iterator[Heard]:
    """Every sound of a set; its best utterance, if it has several."""
    ear = TableEar(language, tried.legal, fillers=table_fillers(language), meaning=tried.meaning)
    judge = ear.judge(tried.legal)
    found: list[Heard] = []

    def note(answer: Mapping[str, Any], seconds: float) -> tuple[str, float]:
        evidence = judge.evidence(answer, seconds)
        if evidence:
            right = bool(said) and tried.same(evidence.text, said)
            found.append(Heard(tried.title, said, right=right, lasts=0.0, **asdict(evidence)))
        return "", 0.0

    for said, audio in tried.said:
        found.clear()
        listener = Listener(ear.settings, ear.recognizer(ear.tokens(tried.legal)), note, judge.longest)
        for at in range(0, len(audio), BLOCK):
            listener.accept(audio[at : at + BLOCK])
        listener.finish()
        nothing = Heard(tried.title, said, "", 0, 0.0, -99.0, -99.0, -99.0, False, 0.0)
        best = max(found, key=lambda h: h.over_filler, default=nothing)
        yield Heard(**{**asdict(best), "lasts": len(audio) / 16000})
    ear.close()


def collect(language: str, sources: Sources, share: float, kept: Path | None) -> list[Heard]:
    """Hears all the sets, or reads what an earlier call kept."""
    if kept and kept.is_file():
        return [Heard(**row) for row in json.loads(kept.read_text(encoding="utf-8"))]
    rows: list[Heard] = []
    for make in (dev.right, dev.false):
        for tried in make(language, sources, share):
            rows += hear(language, tried)
            print(f"{tried.title}: {len(tried.said)} sounds", flush=True)
    if kept:
        kept.write_text(json.dumps([asdict(row) for row in rows], ensure_ascii=False), encoding="utf-8")
    return rows


class Scores:
    """The margins as arrays, to try many thresholds at once."""

    def __init__(self, rows: list[Heard], settings: EarSettings) -> None:
        self.sets = np.array([row.set for row in rows])
        names = ("phones", "over_filler", "over_next", "over_half")
        self.phones, self.filler, self.next, self.half = (
            np.array([getattr(row, name) for row in rows], float) for name in names
        )
        self.right = np.array([row.right for row in rows])
        self.meant = np.array([bool(row.said) for row in rows])
        self.lasts = np.array([row.lasts for row in rows])
        judge, self.settings = Judge(settings, {}, {}), settings
        self.human = np.array(
            [bool(row.text) and not row.beaten and judge.human(row.phones, row.seconds) for row in rows]
        )

    def passing(self, once: float, each: float, following: float, half: float) -> NDArray[np.bool_]:
        """Which would be heard with these thresholds."""
        wanted = {"over_filler_once": once, "over_filler": each, "over_next": following, "over_half": half}
        limits = replace(self.settings, **wanted)
        heard: NDArray[np.bool_] = self.human & (passed(limits, self.phones, self.filler, self.next, self.half) >= 0)
        return heard

    def share(self, heard: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> float:
        """How many of the chosen are heard."""
        return float((heard & chosen).sum() / max(chosen.sum(), 1))

    def rate(self, heard: NDArray[np.bool_], sets: tuple[str, ...]) -> float:
        """False sentences an hour in these sets."""
        chosen = np.isin(self.sets, sets) & ~self.meant
        return float(3600 * (heard & chosen).sum() / max(self.lasts[chosen].sum(), 1))


@dataclass(frozen=True, slots=True)
class Wishes:
    """At most so many false sentences an hour of single words and of talk, sentences taken for others, and people who
    do not play taken for some who do (shares)."""

    ghosts: float
    talk: float
    wrong: float
    strangers: float

    def granted(self, scores: Scores, heard: NDArray[np.bool_]) -> bool:
        """True if what would be heard is within them."""
        return (
            scores.share(heard & ~scores.right, scores.meant) <= self.wrong
            and scores.rate(heard, SINGLE) <= self.ghosts
            and scores.rate(heard, TALK) <= self.talk
            and scores.share(heard, scores.sets == STRANGERS) <= self.strangers
        )


def propose(scores: Scores, wishes: Wishes) -> Limits | None:
    """The thresholds that hear most within the wishes; the strictest of equals."""
    best: tuple[tuple[float, float], Limits] | None = None
    for limits in product(ONCE, EACH, NEXT, HALF):
        heard = scores.passing(*limits)
        rank = (float((heard & scores.right).sum()), float(sum(limits)))
        if (best is None or rank > best[0]) and wishes.granted(scores, heard):
            best = rank, limits
    return best[1] if best else None


def show(scores: Scores, limits: Limits) -> None:
    """One line a set: right, refused, wrong, or false sentences an hour."""
    heard = scores.passing(*limits)
    for name in dict.fromkeys(scores.sets):
        here = scores.sets == name
        if scores.meant[here].any():
            right, wrong = (heard & here & scores.right).sum(), (heard & here & ~scores.right).sum()
            print(f"    {name}: {right}/{here.sum()} right, {(here & ~heard).sum()} refused, {wrong} wrong")
        elif name == STRANGERS:
            print(f"    {name}: {(heard & here).sum()} of {here.sum()} taken for players")
        else:
            print(f"    {name}: {(heard & here).sum()} false, {scores.rate(heard, (name,)):.0f} an hour")


def margins(scores: Scores) -> None:
    """How the margins lie, a phone and beside the next: tenths of right, wrong and false sentences."""
    kinds = {"right": scores.right, "wrong": scores.meant & ~scores.right, "false": ~scores.meant}
    for name, which in kinds.items():
        which = which & scores.human
        if which.any():
            tenths = [5, 10, 25, 50, 75, 90, 95]
            for what in ("filler", "next", "half"):
                found = np.minimum(getattr(scores, what)[which], scores.settings.unseen)
                row = " ".join(f"{v:6.1f}" for v in np.percentile(found, tenths))
                print(f"{name:6} over_{what:6} at {tenths} %: {row}")


def main() -> None:
    """The command."""
    parser = arguments(__doc__)
    parser.add_argument("--kept", type=Path, help="where the margins are kept, or were by an earlier call (JSON)")
    parser.add_argument("--ghosts", type=float, nargs="*", default=[10, 20, 40], help="an hour of single words")
    parser.add_argument("--talk", type=float, default=1.0, help="false sentences an hour of talk")
    parser.add_argument("--wrong", type=float, default=0.01, help="share of sentences taken for others")
    parser.add_argument("--strangers", type=float, default=0.1, help="share of people not there taken for players")
    parser.add_argument("--doubt", type=float, help="another than the ear's own")
    args = parser.parse_args()
    listen_with(args.ear)
    settings = settings_for(args.language)
    if args.doubt is not None:
        settings = replace(settings, doubt=args.doubt)
    scores = Scores(collect(args.language, Sources(args.people, args.prompts), args.quick, args.kept), settings)
    margins(scores)
    print("as it is:")
    show(scores, (settings.over_filler_once, settings.over_filler, settings.over_next, settings.over_half))
    for ghosts in args.ghosts:
        limits = propose(scores, Wishes(ghosts, args.talk, args.wrong, args.strangers))
        if limits is None:
            print(f"at most {ghosts:g} ghosts an hour: nothing does that")
            continue
        once, each, following, half = limits
        print(f"at most {ghosts:g} ghosts an hour: over_filler_once = {once:.2f}, over_filler = {each:.2f}, ", end="")
        print(f"over_next = {following:.2f}, over_half = {half:.2f}, doubt = {settings.doubt:.2f}")
        show(scores, limits)


if __name__ == "__main__":
    main()
