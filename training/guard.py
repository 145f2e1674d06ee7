"""What no model may be trained on, so that figures mean something: voices, speakers, names; asking for one raises.

- espeak-ng variants, one flite voice and four speakers of Kokoro are kept for tests, in both languages;
- of the human recordings: four French speakers (others.json), the second English speaker (Julia Wycherley), Armelle's
  prompts entirely, and every thirtieth recording of each speaker that is trained on;
- first names of `NAMES`: said in no training sentence of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

VARIANTS = frozenset(["f5", "m8", "steph3", "max", "caleb", "linda", "klatt5", "travis", "Alicia", "Hugo"])
FLITE = frozenset({"rms"})
KOKORO = frozenset({"im_nicola", "pf_dora", "am_puck", "bf_lily"})
SPEAKERS = frozenset({"others", "julia", "armelle"})
SHIPPED = Path(__file__).resolve().parent.parent / "voices"
EVERY = 30  # of a speaker's recordings in their order, the first of so many is left out

_NAMES = """
Aaliyah Abdel Adèle Adrien Agathe Aïcha Aïssatou Akira Alba Albane Aleksander Alessandro Alix Alma
Aminata Anaïs Anastasia André Andrea Angèle Anouk Apolline Ariane Arnaud Astrid Aude Augustin Awa
Axel Aya Ayoub Baptiste Barbara Basile Bastien Béatrice Benoît Bérénice Bilal Björn Blanche Boubacar
Brigitte Bruno Carmen Caroline Cassandre Cécile Célestin Charlotte Cheikh Christophe Clara Clément
Clotilde Colette Corentin Cyril Dalila Daphné Delphine Dimitri Djamila Dounia Edgar Edmond Élise
Éloïse Émile Émilie Enzo Esteban Esther Étienne Eugénie Fabrice Farid Faustine Félix Fernand Firmin
Flavie Florence Franck Gaël Gaspard Gaëtan Geneviève Ghislain Giulia Guillaume Gustave Hadrien Hamza
Hannah Hector Héloïse Henri Hiroshi Honoré Hortense Ibrahim Idriss Ilyès Imane Ingrid Irène Isaac
Ismaël Iván Jacqueline Jasmine Jérôme Joachim Joséphine Joris Judith Justine Kenza Khadija Khaled
Kofi Lamine Lancelot Laurène Leïla Léopold Lilou Lionel Loïc Lola Lorenzo Lucie Ludivine Magali
Malik Malo Mansour Marguerite Marius Marwan Matéo Mathurin Maud Mélanie Mohamed Moussa Myriam Nadia
Naïm Nina Noëlle Noor Océane Octave Odile Olga Ondine Oscar Oumar Ousmane Pablo Pascale Perrine
Priya Rachid Régis Rokhaya Roxane Ruben Sacha Salomé Samuel Sarah Sébastien Selma Séverine Siméon
Sofiane Souleymane Suzanne Svetlana Sylvain Tanguy Théodore Thibault Tiago Timothée Titouan Tristan
Ulysse Valentin Vera Véronique Vikram Violette Wassim Xavier Yannick Youssef Yuki Yvette Zineb
"""
NAMES = tuple(_NAMES.split())
_NAMED = frozenset(name.casefold() for name in NAMES)


class HeldOutError(ValueError):
    """Something kept for tests was about to be trained on."""


def voice(name: str) -> str:
    """The name of an espeak-ng voice ("fr+Hugo") or of flite, unchanged. Raises HeldOutError if kept for tests."""
    if name in FLITE or name.partition("+")[2] in VARIANTS:
        raise HeldOutError(f"{name} is kept for tests: train on another voice")
    return name


def speaker(name: str) -> str:
    """The name of a speaker, unchanged. Raises HeldOutError if the speaker is kept for tests."""
    if name in SPEAKERS:
        raise HeldOutError(f"{name}'s recordings are kept for tests")
    return name


def sentence(text: str) -> str:
    """A sentence, unchanged. Raises HeldOutError if it says a name that is kept for tests."""
    if words := _NAMED.intersection(re.findall(r"[^\W\d_]+", text.casefold())):
        raise HeldOutError(f"{text!r} says {min(words)!r}, which is kept for tests")
    return text


def not_shipped(out: Path) -> None:
    """Raises HeldOutError for a folder of voices/: what heard MBROLA's voices is not for everyone."""
    if SHIPPED in (out.resolve(), *out.resolve().parents):
        raise HeldOutError(f"{out}: a model that heard MBROLA's voices is not for shipping: give --out another folder")


def says_none(text: str) -> bool:
    """True if the text says no name that is kept for tests."""
    return not _NAMED.intersection(re.findall(r"[^\W\d_]+", text.casefold()))


def trained(recordings: Sequence[T]) -> list[T]:
    """What may be trained on of a speaker's recordings, given in their order."""
    return [r for i, r in enumerate(recordings) if i % EVERY]


def left_out(recordings: Sequence[T]) -> list[T]:
    """The rest, for tests."""
    return list(recordings[::EVERY])
