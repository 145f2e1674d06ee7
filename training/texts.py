"""The sentences that synthetic voices say: names, numbers, commands, and words of a dictionary in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Words:
    """`before` a name ("je nomme"), `between` two, `after` a number."""

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    commands: tuple[str, ...]
    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]


def sentence(words: Words, dictionary: Sequence[str], r: Random) -> str:
    """One of them by chance. A third is words of the dictionary: no sentence shall be known by heart."""
    kind = r.random()
    if kind < 0.15:
        return f"{r.choice(words.before)} {_name(words, dictionary, r)}"
    if kind < 0.22:
        return f"{_name(words, dictionary, r)} {r.choice(words.between)} {_name(words, dictionary, r)}"
    if kind < 0.37:
        return f"{r.choice(words.numbers)} {r.choice(('', *words.after))}".strip()
    if kind < 0.44:
        return f"{r.choice(words.numbers)} {r.choice(words.after)} {r.choice(words.numbers)} {r.choice(words.after)}"
    if kind < 0.48:
        return " ".join(r.choices(words.numbers, k=r.randint(2, 3)))
    if kind < 0.63:
        return r.choice(words.commands)
    if kind < 0.67:
        return f"{_name(words, dictionary, r)} {r.choice(dictionary)}"
    return " ".join(r.choice(dictionary) for _ in range(r.randint(1, 4)))


def _name(words: Words, dictionary: Sequence[str], r: Random) -> str:
    return r.choice(words.names) if r.random() < 0.7 else r.choice(dictionary)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _lines(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", "|").split("|") if part.strip())


FRENCH = Words(
    _names("""
Pierre Sophie Camille Lucas Chloé Antoine Manon Léa Bernard Marie Paul Jules Alice Louis Emma
Gabriel Jade Raphaël Louise Arthur Zoé Nathan Inès Adam Lina Léo Mila Théo Anna Tom Rose Juliette
Julien Nicolas Thomas Mathilde Claire Céline Sylvie Gérard Michel Alain Philippe Isabelle Nathalie
Valérie Stéphane Laurent Olivier François Yves Guy Anne Jeanne Marc Luc Éric Denis Rémi Fanny Élodie
Audrey Aurélie Damien Romain Florian Kévin Maxime Quentin Simon Victor Gwenaël Solène Maëlle Yann
Erwan Fatou Mamadou Karim Samira Mehdi Yasmine Bob Sally David Hugo Olivia William Igor Hélène
Pauline Sandrine Pascal Didier Christian Monique Denise Roger René Lucien Agnès Bernadette Ginette
Josette Noémie Ophélie Coralie Margaux Anouchka Dinarzade Giafar Shéhérazade
"""),
    _names("""
zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
dix-sept dix-huit dix-neuf vingt vingt-et-un vingt-deux vingt-cinq trente trente-deux quarante
"""),
    _lines("""
oui|non|oui|non|stop|pause|reprends|répète|continue|suivant|annule|aide|pour|contre|accepté|refusé
abstention|passe|c'est fait|c'est bon|terminé|on vote|au vote|erreur|encore une minute|où en est-on
combien de temps|combien de temps reste-t-il|plus lentement|plus vite|moins fort|plus fort
conte pacifiste|conte interventionniste|pacifiste|interventionniste|personne|personne n'a voté
dernier appel|les nominations sont closes|nous sommes prêts|je nomme|je choisis|je propose|j'exile
je vote|je passe|veto|je demande le veto|j'accepte le veto|je refuse le veto|égalité
je suis dinarzade|je suis giafar|je suis l'amoureuse|tirage au sort|étape suivante
qu'est-ce qu'on peut dire|d'accord|voilà|exact|pas du tout|attends|prêt
"""),
    _lines("""
je propose|je nomme|je choisis|j'exile|on exécute|j'accuse|je désigne|je vote pour|je suis|c'est
j'échange|je soupçonne
"""),
    _lines("nomme|et|choisit|accuse|propose|avec|contre|vote pour"),
    _lines("oui|non|voix|votes|pour|contre|joueurs|minutes|secondes"),
)

ENGLISH = Words(
    _names("""
James Mary John Patricia Robert Jennifer Michael Linda William Elizabeth David Susan Richard Jessica
Joseph Thomas Charles Christopher Daniel Lisa Matthew Betty Anthony Margaret Mark Sandra Donald
Ashley Steven Kimberly Paul Emily Andrew Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian
Dorothy George Melissa Edward Deborah Ronald Stephanie Timothy Rebecca Jason Sharon Jeffrey Laura
Ryan Cynthia Jacob Kathleen Gary Amy Nicholas Angela Eric Shirley Jonathan Anna Stephen Brenda Larry
Pamela Emma Scott Nicole Helen Brandon Samantha Benjamin Katherine Gregory Christine Frank Alexander
Rachel Raymond Patrick Carolyn Jack Janet Dennis Jerry Alice Bob Sally Arthur Ann Zoe Chloe Liam
Noah Oliver Lucas Mia Harper Evelyn Abigail Ella Grace Lily Aria Layla Rose Tom Kate Joe Max Luke
Owen Leo Ruby Freya Isla Poppy Harry Alfie Charlie Karim Fatima Ahmed Chen Wei Raj Anita Carlos
Maria Diego Ivan Natasha Dinarzade Giafar Scheherazade
"""),
    _names("""
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-five thirty thirty-two forty
"""),
    _lines("""
yes|no|yes|no|stop|pause|resume|repeat|say that again|continue|next|next step|undo|undo that
cancel that|help|for|against|accepted|refused|skip|pass|done|it's done|that's right|that's wrong
let's vote|time to vote|we vote|mistake|objection|one more minute|where are we|where do we stand
how much time|how much time is left|how long|slower|slow down|faster|softer|louder|pacifist tale
interventionist tale|pacifist|interventionist|nobody|nobody voted|last call|nominations are closed
we are ready|I nominate|I choose|I propose|I exile|I vote|I pass|veto|I ask for the veto
I accept the veto|I refuse the veto|I am Dinarzade|I am Giafar|I am the Lover|draw lots|a tie|go on
carry on|hold on|wait|ready|finished|what can we say|okay
"""),
    _lines("""
I propose|I nominate|I choose|I exile|we execute|I accuse|I point at|I vote for|I am|it is|I swap
I suspect
"""),
    _lines("nominates|and|chooses|accuses|proposes|with|against|votes for"),
    _lines("yes|no|votes|for|against|players|minutes|seconds|in favour"),
)
