"""Names that would be taken for one another: told at once, with what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from narrator.asking import Questions
from narrator.core.errors import NarratorError
from narrator.ear.alike import alike, unsayable
from narrator.faults import told
from narrator.stage.tables import clean_names
from narrator.words import words

Names = tuple[str, ...]
_KEEP = ("keep", "")


def told_apart(
    language: str, players: Names, says: Mapping[str, str], questions: Questions
) -> tuple[Names, dict[str, str], dict[str, str]]:
    """The names and how they are said, once somebody had the choice; and who is called otherwise now: old -> new.

    A choice takes two questions; pairs for which none are left are warned of, as where nobody can be asked.
    """
    says, renamed, kept = _made_sayable(language, players, says, questions), dict[str, str](), set[tuple[str, str]]()
    while pairs := [pair for pair in alike(language, players, says) if pair not in kept]:
        one, other = pairs[0]
        if questions.left < 2:
            break
        what, name = questions.choose(words("q_alike", one=one, other=other), _offers(one, other), ("rename", other))
        if what == "rename":
            others = [player for player in players if player != name]
            new = clean_names([questions.write(words("q_nickname", name=name), "", partial(_unfit, others))])[0]
            players = tuple(new if player == name else player for player in players)
            renamed = {**{old: new if last == name else last for old, last in renamed.items()}, name: new}
        elif what == "says":
            says[name] = questions.write(words("q_says", name=name), says.get(name, name)) or name
        else:
            kept.add((one, other))
    for one, other in alike(language, players, says):
        if (one, other) not in kept:
            print(words("alike", one=one, other=other))
    return players, says, renamed


def _made_sayable(language: str, players: Names, says: Mapping[str, str], questions: Questions) -> dict[str, str]:
    """How names are said, those too whose letters nobody here can read: one of them and the table's ear is deaf."""
    said = dict(says)
    for name in unsayable(language, players, said):
        told_so = questions.write(words("q_says", name=name), "") if questions.left else ""
        if told_so and not unsayable(language, [name], {name: told_so}):
            said[name] = told_so
        else:
            print(words("unsayable", name=name))
    return said


def _offers(one: str, other: str) -> list[tuple[str, tuple[str, str]]]:
    return [
        (words("alike_rename", name=other), ("rename", other)),
        (words("alike_rename", name=one), ("rename", one)),
        (words("alike_says", name=other), ("says", other)),
        (words("alike_says", name=one), ("says", one)),
        (words("alike_keep"), _KEEP),
    ]


def _unfit(others: Sequence[str], typed: str) -> str:
    """What is wrong with a nickname, "" for nothing."""
    try:
        clean_names([*others, typed])
    except NarratorError as error:
        return told(error)
    return ""
