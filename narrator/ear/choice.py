"""Which ear a language listens with: the one that was chosen with `narrator ears use`, or else our own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path

from narrator.core.errors import ModelError
from narrator.ear import models
from narrator.ear.judge import guard_settings
from narrator.ear.lexicon import Lexicon
from narrator.ear.probe import tried
from narrator.ear.recognizer import TableEar
from narrator.ear.stock_ear import StockEar
from narrator.ear.store import OWN, chosen, chosen_model

Ear = TableEar | StockEar


def can_hear(language: str) -> bool:
    """True if the language can be listened to, with our own ear or a chosen one."""
    return chosen(language) != OWN or models.has_ear(language)


def guard_ear(language: str, sentences: Iterable[str]) -> Ear:
    """An ear for what may interrupt us, which are ways to say one thing: our own model wherever there is one.
    Raises ModelError or DeviceError. In French it takes 0.1 s of computing and 13 MB beside the table's.
    """
    if not models.has_ear(language):
        return table_ear(language, sentences)
    return TableEar(language, sentences, settings=guard_settings(language), meaning=lambda _: None)


def silent(language: str, sentences: Iterable[str], folder: Path | None = None) -> frozenset[str]:
    """Those of which our own ear knows no sound, and which it would refuse; a stock ear refuses none.
    Raises ModelError if the ear cannot be used.
    """
    own = _own(language, folder)
    if own is None:
        return frozenset()
    lexicon = Lexicon(language, model=own)
    lexicon.spell("a")  # raises where nothing has a sound: that is no fault of the sentences
    return frozenset(sentence for sentence in sentences if not lexicon.sounds(sentence))


def table_ear(
    language: str,
    sentences: Iterable[str],
    names: Sequence[str] = (),
    says: Mapping[str, str] | None = None,
    fillers: Iterable[str] = (),
    folder: Path | None = None,
    heard: Mapping[str, Iterable[str]] | None = None,
    meaning: Callable[[str], Hashable] = lambda text: text,
) -> Ear:
    """The ear of one table. `folder`: a model given instead of the chosen one; for the rest see TableEar and StockEar.
    Raises ModelError or DeviceError.
    """
    own = _own(language, folder)
    stock = None if own else tried(folder) if folder else chosen_model(language)
    if stock is None:
        return TableEar(language, sentences, says, fillers=fillers, model=own, heard=heard, meaning=meaning)
    return StockEar(stock, language, sentences, names, says, fillers=fillers)


def _own(language: str, folder: Path | None) -> models.EarModel | None:
    """The model of our own kind that is listened with, in the folder or chosen; None if it is a stock one.
    Raises ModelError.
    """
    if folder is None:
        return models.load(language) if chosen(language) == OWN else None
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a folder: give the folder of a model")
    return models.load_folder(folder.resolve()) if (folder / "ear.toml").is_file() else None
