"""Shortcuts for tests of Le Bourreau: a table whose prisoners have acted, strokes, and what purses have gained."""

from __future__ import annotations

from typing import Any

from evening import NAMES, Evening, table

SAY = {
    "pardon": "grâce royale",
    "hat": "joli chapeau",
    "chalice": "calice d'or",
    "cheese": "fromage",
    "dummy": "mannequin",
    "shield": "bouclier",
    "parasite": "parasite",
    "mimic": "mimique",
}
AM = {
    "L": "je suis loyaliste",
    "S": "je suis saboteur",
    "P": "je suis la princesse",
    "F": "je suis le bouffon",
}


def begun(players: int = 5, first: str = "Alice", **options: Any) -> Evening:
    """At the first gallows card; nobody told which cards are active unless `options` do."""
    return Evening(table(players, first=first, game="bourreau", **options))


def at_scaffold(players: int = 5, **options: Any) -> Evening:
    """Everybody has acted; Alice may execute."""
    evening = begun(players, **options)
    evening.all("sans effet")
    evening.all(*(f"{name} regarde" for name in NAMES[1:players]), "sans effet")
    assert evening.phase == "executions"
    return evening


def stroke(evening: Evening, who: str, item: str, role: str = "", *, centre: str = "") -> None:
    """Alice (or a shield) executes; `role`: P or F, else “non” where it is asked; what ends the game is confirmed."""
    evening.all(f"j'exécute {who}", "c'est fait", SAY[item])
    if centre and evening.phase == "centre":
        evening.all(SAY[centre])
    if evening.phase == "pardon_sure":
        evening.all("oui")
    tell_role(evening, role)


def tell_role(evening: Evening, role: str = "") -> None:
    if evening.phase == "role_ask":
        evening.all(AM[role] if role else "non")
        if role == "P":
            evening.all("oui")


def finish(evening: Evening, roles: str, parasite: str = "", cheese: bool = False) -> None:
    """The executioner stops (where the game goes on), the parasite is placed, the living tell their roles in order."""
    if evening.phase == "executions":
        evening.all("j'arrête")
    if evening.phase == "who_parasite":
        evening.all(f"{parasite} a le parasite" if parasite else "personne")
        tell_role(evening)
    if evening.phase == "who_mimic":
        evening.all("personne")
    for role in roles:
        assert evening.phase == "ask_role", (evening.phase, role)
        evening.all(AM[role])
        if evening.phase == "ask_cheese":
            evening.all("oui" if cheese else "non")


def gains(evening: Evening) -> dict[str, int]:
    """What each purse has more than at the start of the first game; nobody who is even."""
    return {player: crowns - 5 for player, crowns in evening.state["purses"].items() if crowns != 5}


def total(evening: Evening) -> int:
    return int(evening.state["treasury"]) + sum(evening.state["purses"].values())


def refused(evening: Evening, sentence: str, line: str) -> None:
    """The sentence is refused with this line, and nothing changes."""
    before = evening.course
    assert not evening.say(sentence)
    assert line in evening.lines, evening.lines
    assert evening.course == before
