"""Whole turns of La Grande Pyramide by typed sentences: places, assassinations, justice, elections, return, ends."""

from __future__ import annotations

import pytest
import town
from meereen import BEASTS, COUNCIL, GRACES, MASTERS, NINETEEN, OFFICES, PLOT, SONS, Evening, meereen, plain

from narrator.core.events import Rolled

# ---- before the first turn


def test_the_game_master_is_told_the_deal_and_the_table_the_pyramid() -> None:
    evening = Evening(begin=False)
    assert evening.phase == "deal_told"
    assert evening.lines[:2] == ["pyramid_is", "offices_are"]
    assert evening.whispered == ["mj_deal", "mj_when_told"]
    assert evening.private["harpy"] == "Chloé"
    assert evening.private["serpent"] == "Karim"
    assert evening.state["offices"] == OFFICES
    assert evening.state["roles"] == {}


def test_the_narrator_deals_in_secret() -> None:
    evening = Evening(meereen(38, plot=False), begin=False)
    sons = {evening.private["harpy"], *evening.private["lieutenants"]}
    sons |= {player for cell in evening.private["cells"] for player in cell}
    assert len(sons) == 13
    assert not sons & set(evening.state["seats"][:3])
    assert [len(cell) for cell in evening.private["cells"]] == [3, 3, 3]
    assert evening.log[-1].private  # type: ignore[union-attr]


def test_the_game_master_types_the_deal() -> None:
    evening = Evening(meereen(deal="master", plot=False), begin=False)
    assert evening.phase == "deal_typed"
    evening.all("mj> Chloé est la Harpie", "mj> David est lieutenant", "mj> Gaëlle est lieutenante")
    assert not evening.say("mj> suivant")
    assert "mj_fault_deal" in evening.whispered
    assert not evening.say("mj> Karim est le serpent")
    assert not evening.say("mj> Farid est sbire de Chloé")
    evening.all("mj> Farid est sbire de David", "mj> Karim est sbire de David", "mj> Karim est le serpent")
    evening.all("mj> Léa est sbire de David", "mj> Léa est sbire de Gaëlle", "mj> Malik est sbire de Gaëlle")
    evening.all("mj> Léa est courtisane", "mj> Hugo est Quaithe", "mj> Rosa est Belwas", "mj> Rosa n'a aucun rôle")
    evening.all("mj> suivant")
    assert evening.phase == "deal_told"
    assert evening.private["cells"] == [["Farid", "Karim"], ["Léa", "Malik"]]
    assert evening.private["specials"] == {"Léa": "courtesan", "Hugo": "quaithe"}
    assert all(evening.private["prophecies"].values())
    assert evening.public == Evening(meereen(deal="master", plot=False), begin=False).public[:3] + evening.public[3:]


def test_who_is_no_son_at_the_council_cannot_be_typed() -> None:
    evening = Evening(meereen(deal="master", plot=False), begin=False)
    evening.all("mj> Alice est la Harpie", "mj> David est lieutenant", "mj> Gaëlle est lieutenant")
    leaders = PLOT["cells"].items()
    evening.all(*(f"mj> {son} est sbire de {leader}" for son, leader in leaders), "mj> Karim est le serpent")
    assert not evening.say("mj> suivant")


# ---- places


def test_offices_place_and_the_lot_places_the_others() -> None:
    evening = Evening()
    assert evening.phase == "placement"
    assert evening.state["districts"] == {"Alice": "maze", "Bob": "pits"}
    evening.all("les grâces aux arènes", "Hugo à la Plaza", "Rosa, Simon et Paula au Dédale", "Chloé sur la Plaza")
    assert evening.lines == ["placed_one"]
    evening.all("c'est fait")
    state = evening.state
    assert {state["districts"][p] for p in GRACES if p != "Hugo"} == {"pits"}
    assert [state["districts"][p] for p in ("Hugo", "Rosa", "Simon", "Paula", "Chloé")] == [
        "plaza",
        "maze",
        "maze",
        "maze",
        "plaza",
    ]
    assert set(state["districts"]) == set(NINETEEN)
    assert evening.lines == ["places_drawn", "places_are", "night_falls"]


def test_places_are_said_as_people_say_them() -> None:
    evening = Evening()
    evening.all(
        "je place Hugo aux Arènes", "Rosa va à la Plaza", "je place les grâces au Dédale", "Simon dans le Dédale"
    )
    evening.all("c'est fait")
    assert [evening.state["districts"][player] for player in ("Rosa", "Simon")] == ["plaza", "maze"]
    assert {evening.state["districts"][player] for player in GRACES} == {"maze"}
    assert "je place hugo aux arènes" in evening.production.phrases.sentences(["place"])


def test_a_seat_can_be_meant_by_its_number() -> None:
    evening = Evening()
    evening.all("numéro dix-neuf aux arènes")
    assert evening.state["districts"]["Simon"] == "pits"
    assert not evening.say("numéro deux aux arènes")
    assert not evening.say("numéro vingt aux arènes")
    assert evening.lines == ["refuse_no_seat"]
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all("on vote", "je vote le numéro dix-neuf")
    assert not evening.say("je vote le numéro vingt")
    assert evening.state["vote"]["totals"] == {"Rosa": 0, "Simon": 10}


def test_placing_ends_with_its_time() -> None:
    evening = Evening()
    assert evening.timers["time_up"].seconds == 120
    assert evening.timers["time_up"].clock == "placement"  # goes on after every name that is placed
    evening.elapse("warn:30")
    assert evening.lines == ["thirty_seconds"]
    evening.elapse()
    assert evening.phase == "night"
    assert "Personne n’a été placé" in evening.words


def test_a_councillor_moves_by_himself_and_the_dead_stay_where_they_are() -> None:
    evening = Evening()
    assert not evening.say("Alice à la Plaza")
    assert evening.lines == ["refuse_councillor_moves"]
    evening.to_night()
    evening.strike("Chloé, David contre Rosa")
    evening.through()
    assert evening.state["districts"] == {"Alice": "pits", "Bob": "plaza"}
    assert not evening.say("Rosa à la Plaza")
    assert evening.lines == ["refuse_dead"]


def test_as_last_turn() -> None:
    evening = Evening(meereen(placements={"Rosa": "maze", "Simon": "pits"}))
    assert evening.state["districts"]["Rosa"] == "maze"
    evening.all("c'est fait")
    before = evening.state["districts"]
    evening.through()
    evening.all("Rosa à la Plaza", "comme avant", "c'est fait")
    after = evening.state["districts"]
    assert {p: after[p] for p in NINETEEN[2:]} == {**{p: before[p] for p in NINETEEN[2:]}, "Rosa": "plaza"}
    assert "places_drawn" not in evening.lines


def test_as_last_turn_tells_only_whom_it_leaves() -> None:
    evening = Evening()
    evening.say("comme avant")
    assert evening.words == "Comme au tour dernier, donc. Encore dix-sept à placer."
    evening.all("c'est fait")
    evening.through()
    evening.all("comme avant")
    assert evening.words == "Comme au tour dernier, donc."


def test_the_names_of_the_dead_need_no_elision() -> None:
    evening = Evening()
    evening.to_night("au Dédale")
    evening.strike("Chloé, David, Gaëlle, Farid contre Alice")
    assert "Cette nuit, on a assassiné Alice." in evening.words


# ---- assassinations


def test_aloud_only_who_died() -> None:
    evening = Evening()
    evening.to_night()
    heard = len(evening.public)
    evening.all("mj> escouade Chloé, David contre Emma", "mj> escouade Malik contre Paula", "mj> total")
    assert evening.public[heard:] == []
    evening.all("mj> suivant")
    assert evening.state["murdered"] == ["Emma"]
    assert "Emma" in evening.words
    assert not any(name in evening.words for name in ("Chloé", "David", "Malik", "Paula"))
    told = evening.hint
    assert "à dire à Paula : l’escouade qui l’a manqué, c’était Malik" in told
    assert "à dire à David : dans son escouade, il y avait Chloé" in told


@pytest.mark.parametrize(
    ("squad", "line"),
    [
        ("Alice, Chloé contre Rosa", "mj_fault_no_son"),
        ("Chloé, David contre Chloé", "mj_fault_target_inside"),
        ("Karim, Chloé contre Rosa", ""),
    ],
)
def test_squads_that_cannot_be(squad: str, line: str) -> None:
    evening = Evening()
    evening.to_night()
    assert evening.say(f"mj> escouade {squad}") is (line == "")
    assert not line or line in evening.whispered


def test_a_son_serves_once_and_may_be_sent_elsewhere() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> escouade Chloé, David contre Rosa")
    assert not evening.say("mj> escouade Malik, Chloé contre Paula")
    assert "mj_fault_twice" in evening.whispered
    assert not evening.say("mj> pas d'escouade contre Paula")
    evening.all("mj> pas d'escouade contre Rosa", "mj> escouade Malik, Chloé contre Paula", "mj> suivant")
    assert evening.state["murdered"] == ["Paula"]


def test_belwas_protects_himself_or_another() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> escouade Chloé contre Nina")  # four against one, the beasts' and Belwas' two
    assert "quatre" in evening.hint
    assert evening.private["outcomes"] == [{"target": "Nina", "strength": 4, "needed": 4, "success": False}]
    evening.all("mj> Belwas protège Rosa")
    assert evening.private["outcomes"][0]["success"]
    evening.all("mj> suivant")
    assert evening.state["murdered"] == ["Nina"]


def test_hizdahr_at_the_council_is_told_with_his_sign() -> None:
    evening = Evening()
    evening.all("mj> Jules est conseiller")
    evening.to_night()
    evening.all("mj> escouade Chloé, David contre Alice")
    assert "dépasser huit (moins deux : Hizdahr)" in evening.hint
    evening.all("mj> escouade Gaëlle, Farid contre Emma")
    assert "plus deux : Hizdahr) : c’est un échec" in evening.hint


def test_the_hour_passes_and_the_game_master_is_waited_for() -> None:
    evening = Evening()
    evening.to_night()
    evening.elapse()
    assert evening.phase == "curfew"
    evening.strike("Chloé, David contre Rosa")
    assert evening.state["murdered"] == ["Rosa"]


# ---- justice


def test_each_councillor_accuses_one_and_the_same_name_twice_is_asked_again() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    assert evening.lines[-2:] == ["justice_opens", "who_accuses"]
    assert "Alice" in evening.words
    evening.all("j'accuse Rosa")
    assert "Bob, qui accuses-tu" in evening.words
    assert not evening.say("j'accuse Rosa")
    assert evening.lines == ["refuse_accused"]
    assert not evening.say("j'accuse le numéro soixante")
    evening.all("j'accuse le numéro quatre")
    assert evening.state["accused"] == ["Rosa", "David"]
    assert evening.phase == "pleas"
    evening.all("où en est-on")
    assert "Sur le banc des accusés : Rosa et David." in evening.words


def test_a_third_of_the_influence_kills_and_several_can_die() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.ballot(
        {
            "Alice": "Rosa",
            "Bob": "Simon",
            "Chloé": "Rosa",
            "David": "Simon",
            "Emma": "Rosa",
            "Farid": "Simon",
            "Gaëlle": "Simon",
        }
    )
    state = evening.state
    assert state["totals"] == {"Rosa": 18, "Simon": 18}
    assert state["executed"] == ["Rosa", "Simon"]  # a third of 51
    assert "dix-sept" in evening.words


def test_one_point_less_is_not_enough() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.ballot({"Alice": "Rosa", "Chloé": "Rosa", "Farid": "Rosa"})
    assert evening.state["totals"] == {"Rosa": 16, "Simon": 0}
    assert evening.state["executed"] == []


def test_daario_murdered_makes_justice_harder() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike("Chloé, David contre Oscar")
    assert "justice_reinforced" in evening.lines
    evening.all("j'accuse Rosa", "j'accuse Simon")
    assert "one_more_accused" in evening.lines
    evening.accuse("Paula")
    evening.ballot({"Alice": "Rosa", "Bob": "Paula"})
    assert evening.state["executed"] == ["Rosa", "Paula"]  # ten are a fifth of fifty


def test_daario_executed_changes_nothing() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    evening.accuse("Oscar", "Rosa")
    evening.ballot({"Alice": "Oscar", "Bob": "Oscar"})
    evening.through()
    assert not evening.state["reinforced"]


def test_fewer_councillors_accuse_fewer_and_none_nobody() -> None:
    evening = Evening()
    evening.all("mj> Alice meurt")
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa")
    evening = Evening()
    evening.all("mj> Alice meurt", "mj> Bob meurt")
    evening.to_night()
    evening.strike()
    assert "nobody_accused" in evening.lines
    assert evening.phase == "campaign"


def test_a_seat_that_is_silent_abstains_and_a_vote_is_set_right() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all("on vote")
    assert evening.state["vote"]["seat"] == "Alice"
    assert not evening.say("je vote Paula")
    assert evening.lines == ["refuse_no_choice"]
    evening.all("je vote Rosa", "annule", "je vote Simon")
    evening.elapse()
    evening.all(*["passe"] * 17)
    assert evening.lines == ["second_call", "seat"]
    assert evening.state["vote"]["seat"] == "Bob"  # who had said nothing
    evening.elapse()
    assert evening.phase == "readback"
    assert evening.state["vote"]["totals"] == {"Rosa": 0, "Simon": 10}
    evening.all("Bob vote Simon", "Alice s'abstient", "Chloé vote pour Simon")
    assert evening.state["vote"]["totals"] == {"Rosa": 0, "Simon": 14}
    assert evening.words.startswith("Simon : quatorze.")
    assert not evening.say("Chloé vote Paula")
    evening.elapse()
    assert evening.state["totals"] == {"Rosa": 0, "Simon": 14}


def test_votes_by_raised_hands_are_weighted_by_rank() -> None:
    evening = Evening(meereen(vote="eye"))
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all("on vote")
    assert evening.lines[-2:] == ["vote_by_eye", "hands_against"]
    evening.all("mj> 1 conseiller", "mj> 2 grands maîtres", "mj> trois bêtes", "mj> suivant")
    assert evening.state["vote"]["totals"] == {"Rosa": 21, "Simon": 0}
    assert not evening.say("mj> 2 conseillers")  # one of the two has voted
    assert "mj_fault_too_many" in evening.whispered
    evening.all("mj> 5 grâces", "mj> suivant", "c'est bon")
    assert evening.state["executed"] == ["Rosa"]
    assert evening.state["totals"]["Simon"] == 10


def test_what_the_master_passes_over_is_followed_aloud_by_the_next() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike()
    evening.all("mj> suivant")
    assert evening.words.endswith("Bob, qui accuses-tu ?")
    evening.all("j'accuse Rosa", "on vote", "mj> suivant")
    assert evening.words == "Bob ?"
    assert evening.timers["time_up"].seconds == 3
    evening = Evening(meereen(vote="eye"))
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all("on vote", "mj> 1 conseiller", "mj> suivant")
    assert evening.words == "Contre Simon ?"
    assert evening.whispered == ["mj_hands"]


def test_votes_are_typed_in() -> None:
    evening = Evening(meereen(vote="typed"))
    evening.to_night()
    evening.strike()
    evening.accuse("Rosa", "Simon")
    evening.all(
        "on vote", "mj> Alice vote Rosa", "mj> Bob vote Rosa", "mj> Bob s'abstient", "mj> Emma vote contre Simon"
    )
    assert evening.state["vote"]["totals"] == {"Rosa": 10, "Simon": 4}
    evening.all("mj> suivant", "mj> suivant")
    assert evening.phase == "interlude"
    evening.all("suivant")
    assert evening.phase == "placement"


# ---- elections


def to_elections(evening: Evening, *dead: str) -> None:
    evening.all(*(f"mj> {name} meurt" for name in dead))
    evening.to_night()
    evening.strike()
    evening.through(wanted="campaign")


def test_a_council_place_goes_to_the_strongest_and_the_next_is_seneschal() -> None:
    evening = Evening()
    to_elections(evening, "Bob", "David")  # David was seneschal
    assert evening.state["vote"]["kind"] == "councillor"
    assert evening.state["vote"]["choices"] == ["Chloé", "Emma"]
    evening.all("où en est-on")
    assert evening.words.endswith("les élections. Se présentent Chloé et Emma.")
    evening.ballot({"Alice": "Emma", "Farid": "Chloé"})
    assert "elected" in evening.lines
    state = evening.state
    assert state["elected"]["councillor"] == ["Emma"]
    assert state["ranks"]["Emma"] == "councillor"
    assert state["vote"]["kind"] == "master"  # two places below
    assert state["vote"]["choices"] == list(GRACES)
    evening.ballot({"Emma": "Hugo", "Chloé": "Inès", "Rosa": "Jules"})
    assert evening.state["elected"]["master"] == ["Hugo", "Inès"]
    assert evening.state["totals"]["Hugo"] == 10  # promoted, she weighs ten from this vote on
    assert evening.state["named"]["seneschal"] == {"player": "Chloé", "how": "next"}
    assert len(evening.state["graces_drawn"]) == 2
    assert "Sénéchal, au nombre des voix" in evening.words
    lots = [event.value for event in evening.log if isinstance(event, Rolled) and event.what == "election"]
    assert len(set(lots)) == 2  # each election has its own


def test_without_an_election_above_the_seneschal_is_drawn() -> None:
    evening = Evening()
    to_elections(evening, "David")
    assert evening.state["vote"]["kind"] == "master"
    evening.ballot({"Alice": "Farid"})
    named = evening.state["named"]
    assert named["seneschal"]["how"] == "drawn"
    assert evening.state["ranks"][named["seneschal"]["player"]] == "master"
    assert named["green_grace"] == {"player": named["green_grace"]["player"], "how": "drawn"}  # nobody else had a vote
    assert "Sénéchal, par le sort" in evening.words


def test_ties_are_drawn_aloud() -> None:
    evening = Evening(draws={"election": 0.99})
    to_elections(evening, "Emma")
    evening.ballot({"Farid": "Hugo", "Gaëlle": "Inès"})
    assert "lot_decides" in evening.lines
    assert evening.state["elected"]["master"][0] in ("Hugo", "Inès")
    other = ({"Hugo", "Inès"} - set(evening.state["elected"]["master"])).pop()
    assert "Hugo et Inès" in evening.words
    assert other not in evening.state["elected"]["master"]


def test_graces_are_drawn_and_the_council_names_a_new_chief_of_the_guard() -> None:
    evening = Evening()
    evening.all("mj> Karim meurt", "mj> Jules meurt")
    evening.to_night()
    evening.strike()
    evening.through(wanted="shavepate")
    state = evening.state
    (grace,) = state["graces_drawn"]
    assert state["ranks"][grace] == "grace"
    assert "graces_drawn" in evening.lines
    assert evening.lines[-1] == "who_shavepate"
    assert not evening.say("je nomme Alice")
    assert evening.lines == ["refuse_no_beast"]
    chosen = next(p for p in BEASTS if p not in ("Karim", grace))
    evening.all(f"nous nommons {chosen}")
    assert evening.state["offices"]["shavepate"] == chosen
    assert evening.phase == "interlude"


def test_lieutenants_are_replaced_in_secret() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> David meurt")
    heard = len(evening.public)
    assert not evening.say("mj> Alice remplace David")
    assert not evening.say("mj> Malik remplace Gaëlle")
    evening.all("mj> Malik remplace David")
    assert evening.public[heard:] == []
    assert evening.private["lieutenants"] == ["Malik", "Gaëlle"]
    assert evening.private["cells"] == [["Farid", "Karim"], ["Léa"]]
    assert "à dire à Malik : Chloé est la Harpie" in evening.hint
    evening.strike()
    evening.through()
    assert evening.private["fallen"] == []


def test_new_councillors_learn_who_the_serpent_is() -> None:
    evening = Evening()
    to_elections(evening, "Bob")
    evening.ballot({"Alice": "Emma"})
    assert "À dire à Emma : Karim est le Serpent." in evening.hint


# ---- questions


def test_special_roles_ask_once_a_turn() -> None:
    evening = Evening(draws={"fate:revealed:Inès:Rosa": 0.29, "fate:revealed:Léa:Hugo": 0.5})
    heard = len(evening.public)
    evening.all("mj> Hugo interroge Chloé")
    assert "Sbire" in evening.hint  # the harpy's spell
    assert not evening.say("mj> Hugo interroge Rosa")
    assert "mj_fault_asked" in evening.whispered
    evening.all("mj> Inès demande qui est Rosa")
    assert "aucun rôle" in evening.hint
    assert "Inès se trahit" in evening.hint
    assert not evening.say("mj> Léa interroge Hugo")
    evening.all("mj> Léa demande si Hugo est loyal")
    assert "non" in evening.hint
    assert "Léa ne se trahit pas" in evening.hint
    assert not evening.say("mj> Rosa interroge Chloé")
    assert evening.public[heard:] == []
    evening.to_night()
    evening.strike()
    evening.through()
    evening.all("mj> Hugo interroge Rosa")


def test_what_the_game_master_can_look_up() -> None:
    evening = Evening()
    evening.all(
        "mj> qui est Karim", "mj> que sait David", "mj> que sait Rosa", "mj> rôles", "mj> où en est-on", "mj> total"
    )
    told = plain(" ".join(text for _, text in evening.whispers[-6:]))
    assert "Karim, le Serpent : Bête d’Airain, Crâne Ras, influence un" in told
    assert "David sait ceci : Chloé est la Harpie ; Farid est Sbire ; Karim est Sbire." in told
    assert "Rosa ne sait rien" in told


# ---- the return


def returning(*, draws: dict[str, float]) -> Evening:
    evening = Evening(draws=draws)
    evening.to_night()
    evening.strike("Chloé, David contre Rosa", "Gaëlle, Léa, Malik contre Simon")
    evening.through(wanted="return_talk")
    return evening


def test_the_loyal_and_murdered_come_back_as_beasts() -> None:
    evening = returning(draws={"fate:offered:Rosa:": 0.89, "fate:offered:Simon:": 0.9})
    assert "Proposez le retour à Rosa." in evening.hint
    assert not evening.say("mj> Simon accepte")
    heard = len(evening.public)
    evening.all("mj> Rosa accepte")
    assert not evening.say("mj> Rosa refuse")
    assert evening.public[heard:] == []
    evening.all("mj> suivant")
    assert evening.state["returned"] == ["Rosa"]
    assert "Rosa" in evening.state["living"]
    assert "Simon" in evening.state["dead"]
    assert evening.state["ranks"]["Rosa"] == "beast"
    assert evening.state["prestige"]["Rosa"] == 0
    assert "returned" in [line for line, _ in evening.spoken]


def test_one_who_returns_may_join_the_harpy_and_gain_a_role() -> None:
    draws = {"fate:offered:Rosa:": 0.0, "fate:joins:Rosa:": 0.049, "fate:gains:Rosa:": 0.149, "fate:role:Rosa:": 0.0}
    evening = returning(draws=draws)
    evening.all("mj> Rosa accepte", "mj> suivant")
    assert evening.private["cells"][0] == ["Farid", "Karim", "Rosa"] or "Rosa" in evening.private["cells"][1]
    assert evening.private["specials"]["Rosa"] == "courtesan"  # the second, the only one a Son may hold
    assert "Rosa, Sbire ; Courtisane" in evening.hint


def test_who_declines_stays_dead_and_the_second_turn_offers_nothing() -> None:
    evening = returning(draws={"fate:offered:Rosa:": 0.0, "fate:offered:Simon:": 0.95})
    evening.all("mj> Rosa refuse", "mj> suivant")
    assert "nobody_returned" in evening.lines
    evening.all("suivant")
    evening.to_night()
    evening.strike("Chloé, David contre Paula")
    evening.through()
    assert evening.state["turn"] == 3
    assert "return_talk" not in evening.lines


def test_a_table_may_have_the_murdered_back_every_turn() -> None:
    evening = Evening(meereen(return_every_turn=True))
    evening.through()
    evening.to_night()
    evening.strike("Chloé, David contre Paula")
    evening.through(wanted="return_talk")
    assert evening.phase == "return_talk"


# ---- prestige, ends, points


def test_prestige_is_counted_in_tenths_at_the_turn_s_end() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike("Chloé, David contre Rosa")
    evening.through(wanted="return_talk")
    evening.all("mj> suivant")
    prestige = evening.state["prestige"]
    assert (prestige["Alice"], prestige["Bob"], prestige["Emma"], prestige["Rosa"]) == (0.2, 0.3, 0.5, 0)
    evening.all("mj> qui est Alice")
    assert "prestige zéro virgule deux" in evening.hint


def test_a_son_elected_to_the_council_ends_it_at_once() -> None:
    evening = Evening()
    to_elections(evening, "Bob")
    evening.ballot({"Alice": "David"})
    assert evening.state["end"] == {"how": "harpy_wins", "winners": ["harpy"]}
    assert evening.phase == "over"
    assert evening.ends
    assert "victory_harpy" in evening.lines
    assert evening.state["roles"]["Karim"] == ["serpent"]
    assert evening.state["ranking"][0]["place"] == 1
    assert "Chloé" in evening.words


def test_the_serpent_elected_ends_nothing() -> None:
    ranks = dict.fromkeys(COUNCIL, "councillor") | dict.fromkeys(("Karim", "David", "Emma"), "master")
    ranks |= dict.fromkeys(GRACES, "grace") | dict.fromkeys(("Chloé", *BEASTS[1:]), "beast")
    evening = Evening(meereen(ranks=ranks, offices={"green_grace": "Farid"}))
    to_elections(evening, "Bob")
    evening.ballot({"Alice": "Karim"})
    assert evening.state["end"] is None
    assert evening.state["ranks"]["Karim"] == "councillor"


def harpy_executed(evening: Evening) -> None:
    evening.to_night()
    evening.strike()
    evening.accuse("Chloé", "Rosa")
    evening.ballot({"Alice": "Chloé", "Bob": "Chloé"})


def test_the_harpy_dead_is_told_to_nobody_and_the_queen_wins_after_the_next_night() -> None:
    evening = Evening()
    harpy_executed(evening)
    assert evening.state["executed"] == ["Chloé"]
    assert "mj_harpy_day" in [line for line, _ in evening.whispers]
    assert evening.state["end"] is None
    evening.through()
    evening.to_night()
    assert not evening.say("mj> escouade David, Gaëlle contre Rosa")
    assert "mj_fault_no_harpy" in evening.whispered
    evening.all("mj> suivant")
    assert evening.state["end"] == {"how": "queen_wins", "winners": ["queen"]}
    assert "dawn_nobody" in evening.lines
    assert "victory_queen" in evening.lines


def test_a_death_set_right_in_the_night_stops_the_squads_that_were_entered() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> escouade David, Gaëlle contre Rosa", "mj> Chloé est morte", "mj> suivant")
    assert evening.state["murdered"] == []
    assert evening.state["end"] == {"how": "queen_wins", "winners": ["queen"]}


def test_a_son_elected_in_the_turn_of_the_harpy_s_death_wins_for_her() -> None:
    evening = Evening()
    evening.all("mj> Bob meurt")
    evening.to_night()
    evening.strike()
    evening.accuse("Chloé")
    evening.ballot({"Alice": "Chloé", "Emma": "Chloé", "Hugo": "Chloé", "Farid": "Chloé"})
    assert evening.state["executed"] == ["Chloé"]
    assert evening.state["vote"]["kind"] == "councillor"
    evening.ballot({"Alice": "David"})
    assert evening.state["end"] == {"how": "harpy_wins", "winners": ["harpy"]}


def test_points_are_the_house_s_table_times_prestige() -> None:
    evening = Evening()
    harpy_executed(evening)
    evening.through()
    evening.to_night()
    evening.strike()
    ranking = {row["player"]: row for row in evening.state["ranking"]}
    assert ranking["Emma"] == {
        "place": ranking["Emma"]["place"],
        "player": "Emma",
        "points": 10,
        "prestige": 0.5,
        "total": 5,
    }
    assert (ranking["Alice"]["prestige"], ranking["Alice"]["total"]) == (0.2, 2)
    assert ranking["Karim"]["points"] == 10  # the serpent won
    assert ranking["David"]["points"] == 3
    assert (ranking["Chloé"]["points"], ranking["Chloé"]["total"]) == (0, 0)
    assert ranking["Inès"]["points"] == 0  # Pyat Pree, whom the Queen's victory gives nothing
    assert ranking["Jules"]["points"] == 10  # Hizdahr
    assert ranking["Hugo"]["points"] == 7  # Quaithe: Paula lives; Rosa does too, and Farid has not risen
    places = [row["place"] for row in evening.state["ranking"]]
    assert places == sorted(places)
    assert set(SONS) <= {player for player, roles in evening.state["roles"].items() if roles}


# ---- corrections and questions of the table


def test_what_the_game_master_sets_right() -> None:
    evening = Evening()
    evening.all("mj> Rosa meurt", "mj> Rosa revit", "mj> Emma est conseillère", "mj> Hugo est grand maître")
    assert evening.lines == ["is_rank_now"]
    evening.all("mj> Hugo est sénéchal", "mj> Simon est crâne ras")
    assert evening.state["offices"]["seneschal"] == "Hugo"
    assert not evening.say("mj> Rosa est grâce verte")
    assert not evening.say("mj> Rosa revit")
    assert evening.state["ranks"]["Emma"] == "councillor"
    assert "Rosa" in evening.state["living"]


def test_what_the_table_may_ask() -> None:
    evening = Evening()
    evening.all("où en est-on", "combien faut-il", "qui est en vie")
    words = " ".join(text for _, text in evening.spoken[-3:])
    assert "dix-sept" in words
    assert "Alice et Bob" in words
    assert not evening.say("qui est Karim")  # nobody but the game master
    assert not evening.say("escouade Chloé contre Rosa")


def test_english_speaks_and_hears_too() -> None:
    evening = Evening(meereen(language="en"))
    evening.all("the graces on the plaza", "Rosa in the maze", "Simon, Paula and Nina at the pits", "done")
    evening.all(
        "mj> squad Chloé, David against Emma", "mj> next", "I accuse Rosa", "I accuse number four", "let's vote"
    )
    evening.all("I vote Rosa", "I abstain")
    assert evening.state["vote"]["totals"] == {"Rosa": 10, "David": 0}
    assert MASTERS[1] == "David"


@pytest.mark.parametrize("sentence", ["Alice meurt", "Bob est conseiller", "Bob est sénéchal"])
def test_nothing_is_set_right_before_the_pyramid_is_founded(sentence: str) -> None:
    """The founding would undo what had been said aloud."""
    evening = town.Evening(meereen(), skip_setup=False)
    assert evening.phase == "gather"
    assert not evening.say(f"mj> {sentence}")
    assert evening.whispers[-1][0] == "not_now"
