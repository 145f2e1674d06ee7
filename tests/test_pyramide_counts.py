"""La Grande Pyramide: what a count needs, whose votes it has, and how it is taken back; small tables, late roles."""

from __future__ import annotations

from pathlib import Path

import pytest
from evening import production
from meereen import Evening, meereen, plain

from narrator.core.events import Elapsed
from narrator.library import Production
from narrator.slips.content import slip_lines, slips


def meereen_production(**options: object) -> Production:
    return production(meereen(plot=False, **options))


def voting(vote: str = "ear", **options: object) -> Evening:
    evening = Evening(meereen(vote=vote, **options))
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all("on vote")
    return evening


# ---- how much is needed


def test_after_justice_a_third_of_those_who_are_left_is_needed() -> None:
    """The Queen's favourite was killed: a fifth of 50 condemned; then it is a third of the 49 who are left."""
    evening = Evening(meereen(vote="typed"))
    evening.to_night()
    evening.strike("Chloé, David contre Oscar")
    evening.accuse("Rosa", "Simon", "Paula")
    evening.all("combien faut-il")
    assert plain(evening.words).endswith("Pour condamner, il en faut dix.")
    evening.all("on vote", "mj> Alice vote Rosa", "mj> suivant", "mj> suivant")
    assert "Il fallait dix points." in plain(" ".join(text for _, text in evening.spoken))
    evening.all("combien faut-il")
    assert plain(evening.words) == "Il y a quarante-neuf points d’influence. Pour condamner, il en faut seize."


def test_one_point_is_one_point() -> None:
    evening = Evening(meereen(7, vote="typed", plot=False))
    evening.all("c'est fait", "mj> suivant", *(f"mj> {name} meurt" for name in ("Bob", "Chloé", "David")))
    evening.all("mj> Alice est une bête", "mj> Emma est conseillère")
    evening.all("mj> Alice meurt", "mj> Emma est une bête", "combien faut-il")
    assert plain(evening.words).endswith("Pour condamner, il en faut un.")
    evening = Evening(meereen(7, vote="typed", plot=False))
    text = plain(evening.production.lines.text("executed", {"condemned_by": 1, "executed": ("Bob",)}))
    assert text.startswith("Il fallait un point.")


# ---- whose votes are counted


def test_a_vote_that_was_typed_before_the_seat_is_called_stands_when_it_is_silent() -> None:
    evening = voting()
    evening.all("mj> Bob vote Simon", "je vote Rosa")
    assert evening.state["vote"]["seat"] == "Bob"
    evening.elapse()
    assert evening.state["vote"]["totals"] == {"Rosa": 10, "Simon": 10}
    evening.all("mj> Chloé vote Simon", "je vote Rosa")  # what is said when called is the last word
    assert evening.state["vote"]["totals"] == {"Rosa": 14, "Simon": 10}


def test_hands_are_counted_by_rank_and_nobody_by_name_beside_them() -> None:
    evening = voting("eye")
    assert not evening.say("mj> Alice vote Rosa")
    evening.all("mj> 2 conseillers", "mj> suivant", "mj> suivant")
    assert evening.phase == "readback"
    assert not evening.say("Alice vote Rosa")
    assert not evening.say("mj> Alice vote Rosa")
    assert evening.state["vote"]["totals"] == {"Rosa": 20, "Simon": 0}


# ---- a count that is taken back


@pytest.mark.parametrize(
    ("vote", "entries"), [("eye", ["2 conseillers"]), ("typed", ["Alice vote Rosa", "Bob vote Rosa"])]
)
def test_a_word_of_the_table_does_not_undo_what_the_master_counted(vote: str, entries: list[str]) -> None:
    evening = voting(vote)
    evening.all(*(f"mj> {entry}" for entry in entries))
    assert not evening.say("annule")
    evening.all(*["mj> suivant"] * (2 if vote == "eye" else 1))
    assert evening.phase == "readback"
    assert evening.lines[-1] == "readback_by_hand"
    assert "annule" not in evening.words
    assert evening.whispered[-1] == "mj_readback"
    assert not evening.say("annule")
    assert evening.state["vote"]["totals"] == {"Rosa": 20, "Simon": 0}
    evening.all("mj> annule")
    assert evening.phase == ("hands" if vote == "eye" else "ballots")
    assert evening.state["vote"]["totals"] == {"Rosa": 20, "Simon": 0}


def test_a_seat_that_an_undo_goes_back_to_is_called_again() -> None:
    evening = voting()
    evening.all("je vote Rosa", *["passe"] * 17, "je vote Rosa")
    assert evening.phase == "readback"
    evening.all("annule")
    assert evening.phase == "seat"
    assert evening.lines[-1] == "seat"
    assert plain(evening.words).endswith("Simon ?")
    assert "time_up" in evening.timers
    evening.all("mj> suivant", "mj> annule")
    assert plain(evening.words).endswith("Simon ?")


def test_the_master_is_told_in_words_what_an_undo_lost() -> None:
    evening = Evening()
    evening.all("les bêtes au dédale", "mj> Inès interroge Rosa")
    evening.all("Hugo à la Plaza", "c'est fait")
    text = plain(evening.production.lines.text("mj_lost", {"n": 1}))
    assert text == "Depuis, une de vos entrées n’a pas pu être refaite : vérifiez, et entrez de nouveau ce qui manque."
    assert "deux de vos entrées n’ont pas" in plain(evening.production.lines.text("mj_lost", {"n": 2}))


# ---- a deal that cannot be


@pytest.mark.parametrize(
    ("sentence", "line", "text"),
    [
        ("Bob est sbire de Gaëlle", "mj_fault_deal_council", "Bob siège au Conseil"),
        ("Malik est Quaithe", "mj_fault_deal_son", "Malik est un Fils de la Harpie, et ne peut pas être aussi Quaithe"),
        ("Rosa est Belwas", "mj_fault_deal_twice", "Belwas le Fort : Simon et Rosa"),
        ("Karim n'a aucun rôle", "mj_fault_deal", "Serpent : personne"),
    ],
)
def test_what_is_wrong_with_a_typed_deal_is_told(sentence: str, line: str, text: str) -> None:
    evening = Evening(meereen(deal="master", plot=False), begin=False)
    assert not evening.say("mj> suivant")
    assert "Harpie : personne. Aucun Lieutenant. Serpent : personne." in plain(evening.whispers[-1][1])
    evening.all("mj> Chloé est la Harpie", "mj> David est lieutenant", "mj> Gaëlle est lieutenante")
    evening.all("mj> Farid est sbire de David", "mj> Karim est sbire de David", "mj> Karim est le serpent")
    evening.all("mj> Léa est sbire de Gaëlle", "mj> Malik est sbire de Gaëlle", "mj> Simon est Belwas")
    evening.all(f"mj> {sentence}")
    assert not evening.say("mj> suivant")
    assert evening.whispered[-1] == line
    assert text in plain(evening.whispers[-1][1])


# ---- few people, late roles


def test_without_a_council_nobody_is_told_to_sit_there() -> None:
    evening = Evening()
    evening.through(wanted="interlude")
    evening.all("mj> Alice meurt", "mj> Bob meurt")
    evening.all("suivant")
    assert "council_goes_round" not in evening.lines
    assert "Personne" not in evening.words


@pytest.mark.parametrize(
    ("lieutenants", "henchmen", "said"),
    [
        (("Emma",), (), "Son Lieutenant : Emma. Et le Serpent"),
        (("Emma", "Bob"), ("Chloé",), "Ses Lieutenants : Emma et Bob. Parmi les Sbires : Chloé. Et le Serpent"),
    ],
)
def test_the_sons_of_a_small_table_are_told_in_the_singular(
    lieutenants: tuple[str, ...], henchmen: tuple[str, ...], said: str
) -> None:
    facts = {"harpy_was": "Alice", "lieutenants_were": lieutenants, "serpent_was": "David"}
    facts |= {"henchmen_were": henchmen, "henchmen_any": bool(henchmen)}
    assert said in plain(Evening().production.lines.text("sons_were", facts))


def test_who_comes_back_as_quaithe_has_prophecies_that_the_master_is_told() -> None:
    roles = {"Chloé": "harpy", "David": "lieutenant", "Gaëlle": "lieutenant", "Farid": "henchman", "Karim": "serpent"}
    roles |= {"Léa": "henchman", "Malik": "henchman"}
    cells = {"Farid": "David", "Karim": "David", "Léa": "Gaëlle", "Malik": "Gaëlle"}
    draws = {"fate:offered:Rosa:": 0.0, "fate:joins:Rosa:": 0.99, "fate:gains:Rosa:": 0.0}
    for share in range(100):
        draws["fate:role:Rosa:"] = share / 100
        evening = Evening(meereen(vote="typed", roles=roles, cells=cells, prophecies={}), draws=draws)
        evening.to_night()
        evening.strike("Chloé, David contre Rosa")
        evening.all("mj> suivant", "mj> suivant", "mj> Rosa accepte", "mj> suivant")
        told = dict(evening.whispers)["mj_back"]
        if "Quaithe" in told:
            break
    foretold = evening.private["prophecies"]
    expected = f"vie {foretold['life']}, mort {foretold['death']}, gloire {foretold['glory']}."
    assert told.endswith(expected), told


def test_slips_of_a_later_turn_tell_the_living_and_no_place_of_the_first(tmp_path: Path) -> None:
    evening = Evening(meereen(vote="typed"))
    state = evening.course.state
    lines = slip_lines("fr")
    first = {slip.player: " ".join(slip.paragraphs) for slip in slips(state.pyramid, state.deal, lines)}
    assert "Au premier tour, vous serez au Dédale" in first["Alice"]
    evening.to_night()
    evening.strike("Chloé, David contre Rosa")
    while evening.phase != "interlude":
        evening.all("mj> suivant")
    evening.perform(Elapsed("time_up"))
    state = evening.course.state
    assert state.turn == 2
    later = {slip.player: " ".join(slip.paragraphs) for slip in slips(state.pyramid, state.deal, lines, state.turn)}
    assert "premier tour" not in later["Alice"]
    assert "Rosa" not in later
    assert len(later) == 18


# ---- before the founding


def test_nothing_is_shown_of_what_is_still_to_be_drawn() -> None:
    """The screens showed offices, and with `draw_ranks` ranks, that the founding then gave to others."""
    drawn = meereen_production(draw_ranks=True)
    start = drawn.game.opening().state
    shown, told = drawn.game.rules.view(start), drawn.rules_module.public_state(start)
    assert start.phase == "gather"
    assert not any(
        shown[name] for name in ("councillors", "masters", "graces", "seneschal", "green_grace", "shavepate")
    )
    assert told["ranks"] == {} == told["districts"]
    assert set(told["offices"].values()) == {None}
    chosen = meereen_production(offices={"seneschal": "David"})
    shown = chosen.game.rules.view(chosen.game.opening().state)
    assert (shown["seneschal"], shown["shavepate"], shown["councillors"]) == ("David", "", ("Alice", "Bob"))
