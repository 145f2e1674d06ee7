"""Gallows cards, the prisoners' actions and interrogations of Le Bourreau (§2)."""

from __future__ import annotations

import pytest
from evening import Evening, production, table
from scaffold import begun, refused

from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.events import Heard
from narrator.games.bourreau.deck import EFFECTS, read_deck


def acting(*sentences: str, **options: object) -> Evening:
    evening = begun(**options)
    evening.all("sans effet", *sentences)
    return evening


# ---- actions


def test_every_prisoner_acts_once_in_any_order() -> None:
    """§2: the executioner chooses the order; each swaps two items or looks at one."""
    evening = acting("au tour de Chloé", "Chloé échange", "au tour d'Emma", "je regarde")
    assert evening.state["acted"] == ["Chloé", "Emma"]
    assert evening.state["to_act"] == ["Bob", "David"]
    refused(evening, "au tour de Chloé", "has_acted")
    refused(evening, "au tour d'Alice", "executioner_does_not_act")
    evening.all("David échange", "au tour de Bob", "c'est fait")
    assert evening.phase == "gallows"
    assert "gallows_second" in evening.lines


def test_who_has_not_acted_is_told() -> None:
    evening = acting("Chloé échange")
    evening.all("qui n'a pas joué")
    assert "Bob, David et Emma" in evening.words
    evening.elapse("remind")
    assert evening.lines == ["remind_actions"]


def test_with_whom_or_what_may_be_said_too() -> None:
    """§2: the own item, two others, the centre card; the executioner holds none."""
    evening = acting("Chloé échange son objet avec Bob", "au tour d'Emma", "je regarde la carte centrale")
    assert evening.state["acted"] == ["Chloé", "Emma"]
    refused(evening, "Bob échange avec Alice", "executioner_has_no_card")
    refused(evening, "Bob regarde l'objet d'Alice", "executioner_has_no_card")
    evening.all("au tour de Bob")
    refused(evening, "j'échange avec Alice", "executioner_has_no_card")
    evening.all("j'échange mon objet avec David")
    assert evening.state["to_act"] == ["David"]


def test_the_limits_are_repeated_by_every_reminder() -> None:
    evening = acting()
    evening.elapse("remind")
    assert "sans les regarder" in evening.words
    evening.all("au tour de Bob")
    evening.elapse("remind")
    assert "sans les regarder" in evening.words


def test_the_executioner_may_think_better_of_it() -> None:
    evening = acting("au tour de Chloé", "au tour de Bob", "j'échange")
    assert evening.state["acted"] == ["Bob"]


def test_the_limits_are_said() -> None:
    """§2: without looking; the own item, two others, the centre card."""
    evening = acting()
    assert "sans les regarder" in evening.words
    assert "la carte centrale" in evening.words


def test_after_the_second_card_come_the_executions() -> None:
    evening = acting(*(f"{name} regarde" for name in ("Bob", "Chloé", "David", "Emma")), "sans effet")
    assert evening.phase == "executions"


def test_the_table_goes_on_by_itself() -> None:
    """Nobody told the gallows cards."""
    evening = begun()
    evening.all("au tour de Chloé", "Chloé échange", "Bob regarde", "David regarde", "Emma regarde")
    assert evening.phase == "gallows"
    refused(evening, "Bob regarde", "has_acted")
    evening.all("j'exécute Bob")
    assert evening.phase == "gesture"
    hasty = begun()
    hasty.all("Chloé échange")
    assert hasty.state["acted"] == ["Chloé"]
    assert hasty.phase == "actions"


# ---- gallows cards


CARDS = production(table(5, game="bourreau")).game.rules.configuration.gallows


def test_there_are_fourteen_cards_and_every_effect_has_one() -> None:
    """Contents of the box: 14 gallows cards; titles, texts and effects are the house's own, in game.toml."""
    assert len(CARDS) == 14
    assert {effect for card in CARDS.values() for effect in card.effects} == set(EFFECTS)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_card_has_a_title_a_text_and_a_sentence(language: str) -> None:
    staged = production(table(5, game="bourreau", language=language))
    told = {form.fixed["card"]: form.text for form in staged.phrases.forms if form.intent == "gallows" and form.heard}
    assert set(told) == set(CARDS)
    for card, sentence in told.items():
        text = staged.lines.text("gallows_reads", {"card_title": f"title_{card}", "card_text": f"text_{card}"})
        assert text.lower().replace("’", "'").startswith(sentence.lower().replace("’", "'"))
        assert len(text) > 60
        assert text[-1] in ".!?"


@pytest.mark.parametrize(
    ("language", "said", "card"),
    [
        ("fr", "la clef du geôlier", "key"),
        ("fr", "Clef du geolier", "key"),
        ("fr", "Le pot de vin", "bribe"),
        ("fr", "trou de la serrure", "keyhole"),
        ("fr", "LES FERS !", "chains"),
        ("fr", "corbeaux", "crows"),
        ("en", "The Gaoler’s Key", "key"),
        ("en", "last favour", "favour"),
    ],
)
def test_a_title_names_its_card(language: str, said: str, card: str) -> None:
    staged = production(table(5, game="bourreau", language=language))
    meaning = staged.phrases.parse(said)
    assert meaning is not None
    assert (meaning.intent, meaning.slots) == ("gallows", {"card": card})


OWN = {
    "sword": {"title": "L’Épée [noire]", "text": "Quelqu’un l’a aiguisée", "effects": ["extra action", "forbid"]},
    "rope": {"title": {"fr": "La Corde.", "en": "The Rope"}, "effects": "swap"},
}


def test_a_table_brings_the_cards_of_its_box() -> None:
    """Title, text to read and effects; a card without a text is read by the executioner."""
    evening = begun(gallows=OWN)
    assert not evening.say("la lanterne")
    evening.all("épée noire")
    assert "L’Épée [noire]. Quelqu’un l’a aiguisée." in evening.words
    evening.all("je choisis Bob")
    assert evening.state["forbidden"] == ["swap", "look"]
    assert evening.phase == "gallows"
    evening.all("la corde")
    assert "La Corde. Alice, lis la carte à voix haute." in evening.words
    evening.all("je choisis Chloé", "c'est fait")
    assert evening.state["gallows"] == ["sword", "rope"]
    assert evening.phase == "executions"


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ({"a": {"title": "A", "effects": ["nothing"]}}, "2 cards are turned over"),
        ({"a": "swap", "b": "look"}, "card “a”: give title"),
        ({"a": {"effects": ["swap"]}, "b": {}}, "card “a”: it has no title in “fr”"),
        ({"a": {"title": {"en": "A"}, "effects": ["swap"]}, "b": {}}, "card “a”: it has no title in “fr”"),
        ({"a": {"title": "A"}, "b": {}}, "card “a”: effects is a list out of extra"),
        ({"a": {"title": "A", "effects": ["kill"]}, "b": {}}, "card “a”: effect “kill” is not one of"),
        ({"a": {"title": "A", "effects": ["swap"], "texte": "x"}, "b": {}}, "card “a”: “texte” is not known"),
        ({"a": {"title": 3, "effects": ["swap"]}, "b": {}}, "card “a”: “title” must be a text"),
        (
            {"a": {"title": "Ô A", "effects": ["swap"]}, "b": {"title": "ô a!", "effects": ["look"]}},
            "“a” and “b” have the same title",
        ),
    ],
)
def test_cards_that_cannot_be(cards: dict[str, object], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        read_deck(cards, "fr")


def test_an_extra_action() -> None:
    evening = begun()
    evening.all("action supplémentaire")
    refused(evening, "je choisis Alice", "executioner_not_chosen")  # §2: never the executioner
    evening.all("je choisis Bob")
    evening.all(*(f"{name} regarde" for name in ("Bob", "Chloé", "David", "Emma")))
    assert evening.state["to_act"] == ["Bob"]
    evening.all("Bob échange")
    assert evening.state["acted"] == ["Bob", "Chloé", "David", "Emma"]
    assert evening.phase == "gallows"


def test_an_extra_action_of_the_second_card() -> None:
    """§2, example: the second card lets player 1 act again."""
    evening = acting(*(f"{name} regarde" for name in ("Bob", "Chloé", "David", "Emma")), "le pot-de-vin")
    evening.all("je choisis Bob")
    assert evening.phase == "actions"
    evening.all("Bob échange")
    assert evening.phase == "executions"


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("la lanterne", "hand_look"),
        ("le trou de la serrure", "hand_look"),
        ("le coup de vent", "hand_swap"),
        ("la manche trouée", "hand_swap"),
        ("le crieur public", "hand_reveal"),
        ("la carte tombée", "hand_reveal"),
    ],
)
def test_cards_that_choose_somebody(card: str, line: str) -> None:
    evening = begun()
    evening.all(card)
    assert evening.lines[0] == "gallows_reads"
    refused(evening, "je choisis Alice", "executioner_not_chosen")
    evening.all("je choisis Chloé")
    assert line in evening.lines
    evening.all("c'est fait")
    assert evening.phase == "actions"
    assert evening.state["acted"] == []


def test_hands_may_be_quicker_than_the_voice() -> None:
    """“C'est fait” counts before the narrator has asked for it."""
    evening = begun()
    evening.all("la lanterne")
    evening.say("je choisis Chloé", at_once=True)
    assert evening.phase == "hand_work"
    evening.say("c'est fait", at_once=True)
    assert evening.phase == "actions"


@pytest.mark.parametrize("card", ["la grande roue", "la procession", "tout le monde passe à gauche"])
def test_everybody_passes_left(card: str) -> None:
    evening = begun()
    evening.all(card)
    assert "pass_left" in evening.lines
    evening.all("c'est fait")
    assert evening.phase == "actions"


def test_forbidden_swaps_and_looks() -> None:
    evening = begun()
    evening.all("les fers")
    assert evening.state["forbidden"] == ["swap"]
    refused(evening, "Bob échange", "swap_forbidden")
    evening.all("au tour de Bob")
    assert evening.lines == ["your_turn_no_swap"]
    refused(evening, "j'échange", "swap_forbidden")
    evening.all("je regarde")
    blind = begun()
    blind.all("regards interdits")
    refused(blind, "Bob regarde", "look_forbidden")
    blind.all("Bob échange")


def test_two_effects_on_one_card() -> None:
    evening = begun()
    evening.all("la dernière faveur", "je choisis Bob", "c'est fait", "je choisis Chloé")
    assert evening.court.to_act.count("Chloé") == 2
    assert evening.phase == "actions"


def test_nothing_left_to_do_where_both_are_forbidden() -> None:
    evening = begun()
    evening.all("les fers", "Bob regarde", "Chloé regarde", "David regarde", "Emma regarde", "le bandeau")
    assert evening.phase == "executions"


def test_the_narrator_may_draw_a_card() -> None:
    """Of the house's own; a card comes up once a game."""
    evening = Evening(table(5, game="bourreau"), draw="crows")
    evening.all("tire au sort")
    assert evening.state["gallows"] == ["crows"]
    assert evening.phase == "actions"
    evening.all(*(f"{name} regarde" for name in ("Bob", "Chloé", "David", "Emma")))
    refused(evening, "les corbeaux", "card_is_out")
    assert all("crows" not in effect.choices for effect in draws(evening))


def draws(evening: Evening) -> list[Roll]:
    """What a drawn gallows card is chosen from."""
    _, effects = evening.game.receive(evening.course, Heard("draw_lots"))
    found = [effect for effect in effects if isinstance(effect, Roll)]
    assert found
    return found


# ---- interrogations


@pytest.mark.parametrize("before", [[], ["sans effet"], ["sans effet", "au tour de Bob"]])
def test_an_interrogation_goes_back_to_where_it_came_from(before: list[str]) -> None:
    """§2: “Il peut interrompre la partie à tout moment”; a timer ends it, or a word."""
    evening = begun()
    evening.all(*before)
    phase, state = evening.phase, evening.state
    evening.all("j'interroge Emma")
    assert evening.lines == ["interrogation_of"]
    assert evening.timers["time_up"] == 120
    assert evening.floor is not None
    assert evening.floor.talk
    evening.elapse("time_up")
    assert evening.phase == phase
    evening.all("interrogatoire", "fin de l'interrogatoire")
    assert evening.phase == phase
    assert evening.state == state


def test_the_executioner_asks_the_questions() -> None:
    refused(begun(), "j'interroge Alice", "executioner_asks")


def test_an_interrogation_may_be_prolonged() -> None:
    evening = begun(interrogation=60)
    evening.all("interrogatoire", "encore une minute")
    assert "more_time" in evening.lines
