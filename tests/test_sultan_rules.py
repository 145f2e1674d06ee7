"""A turn of Au chevet du Sultan: proposal, eligibility, vote, refusals, tales, deck, veto. § = the game's text,
RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import pytest
from evening import NAMES, Evening, table

from narrator.core.effects import Manner

PLAIN = {"pacifist_board": "AAAAAZ"}  # no powers


def refused(evening: Evening, sentence: str, line: str) -> None:
    """The sentence is refused with this reason, aloud, and changes nothing."""
    before = evening.state
    assert not evening.say(sentence), sentence
    assert line in evening.lines
    assert evening.state == before


# ---- the Grande Vizir passes clockwise (§5)


@pytest.mark.parametrize("players", range(5, 11))
def test_vizir_passes_clockwise(players: int) -> None:
    """§5: the sign goes to the left, once round the table and on."""
    evening = Evening(table(players, **PLAIN))
    for turn in range(players + 2):
        assert evening.state["grand_vizir"] == NAMES[turn % players]
        assert evening.state["turn"] == turn + 1
        if evening.state["counter"] < 2:
            evening.refuse(evening.eligible()[0])
        else:
            evening.read("i" if turn < 6 else "p")


def test_narratrice_may_be_vizir_next() -> None:
    """§7c: the restrictions only concern the Narratrice to be elected."""
    evening = Evening(table(7, **PLAIN))
    evening.govern("Bob", "pacifiste")
    assert evening.state["grand_vizir"] == "Bob"
    assert evening.state["barred"] == ["Alice", "Bob"]


def test_exiled_and_departed_are_passed_over() -> None:
    """§7b: an exiled player enters no government any more."""
    evening = Evening(table(7, **PLAIN))
    evening.all("Bob est en exil")
    evening.refuse("Chloé")
    assert evening.state["grand_vizir"] == "Chloé"


# ---- eligibility (§7c)


def test_cannot_propose_herself() -> None:
    """RULINGS."""
    refused(Evening(table(7)), "je propose Alice", "refuse_self")


def test_last_government_is_barred() -> None:
    """§7c: with six active players or more, Grande Vizir and Narratrice of the last tale."""
    evening = Evening(table(7, **PLAIN))
    evening.govern("David", "pacifiste")
    refused(evening, "je propose Alice", "refuse_vizir")
    refused(evening, "je propose David", "refuse_narratrice")
    assert "David" in evening.words
    evening.all("je propose Chloé")
    assert evening.state["proposed"] == "Chloé"


@pytest.mark.parametrize(
    ("players", "exiled", "barred"),
    [
        (5, [], ["David"]),
        (6, [], ["Alice", "David"]),
        (6, ["Emma"], ["David"]),
        (7, ["Emma"], ["Alice", "David"]),
        (7, ["Emma", "Farid"], ["David"]),
        (10, ["Emma", "Farid", "Gaëlle", "Hugo"], ["Alice", "David"]),
    ],
)
def test_small_court_bars_only_the_narratrice(players: int, exiled: list[str], barred: list[str]) -> None:
    """§7c: five active players or fewer; active means not exiled."""
    evening = Evening(table(players, **PLAIN))
    evening.govern("David", "pacifiste")
    evening.all(*(f"{name} est en exil" for name in exiled))
    assert evening.state["barred"] == barred
    assert ("Alice" in evening.eligible()) is ("Alice" not in barred)


def test_threshold_follows_an_exile_by_power() -> None:
    """§7b X, §7c: the exile that leaves five frees the last Grande Vizir."""
    evening = Evening(table(6, pacifist_board="XAAAAZ"))
    evening.govern("David", "pacifiste")
    assert evening.state["barred"] == ["Alice", "David"]
    evening.all("j'exile Farid", "oui", "non")
    assert evening.state["barred"] == ["David"]
    evening.all("je propose Alice")


def test_departed_lover_counts_as_active() -> None:
    """RULINGS: she counts for the threshold, though she neither votes nor governs."""
    evening = Evening(table(7, amoureuse=True, **PLAIN))
    evening.all("Farid est en exil")
    evening.read("iiiippppp")
    evening.all("je suis l'Amoureuse", "c'est Gaëlle", "oui")
    assert evening.state["departed"] == ["Gaëlle"]
    assert evening.state["voters"] == 5
    assert len(evening.state["barred"]) == 2
    refused(evening, "je propose Gaëlle", "refuse_departed")


def test_exiled_cannot_be_proposed() -> None:
    """§7b, RULINGS."""
    evening = Evening(table(7))
    evening.all("Chloé est en exil")
    refused(evening, "je propose Chloé", "refuse_exiled")


def test_refused_government_bars_nobody_and_frees_nobody() -> None:
    """§7c: a rejected government stays eligible; that of the last tale stays barred."""
    evening = Evening(table(7, **PLAIN))
    evening.govern("David", "pacifiste")
    evening.refuse("Emma")
    assert evening.state["barred"] == ["Alice", "David"]
    evening.all("je propose Emma")


def test_vizir_may_think_better_of_it() -> None:
    """The proposal is hers until the vote, under the same restrictions."""
    evening = Evening(table(7))
    evening.all("je propose Bob")
    refused(evening, "je propose Alice", "refuse_self")
    evening.all("je propose Chloé")
    assert evening.lines[0] == "proposed_instead"
    assert evening.state["proposed"] == "Chloé"


# ---- discussion and count (§5)


def test_discussion_has_a_clock() -> None:
    """Discussion time, a warning, more time, then a countdown to the reveal."""
    evening = Evening(table(7, discussion=120))
    evening.all("je propose Bob")
    assert evening.floor is not None
    assert evening.floor.talk
    assert {"count", "count_yes", "yes", "no"}.isdisjoint(evening.floor.hears)
    assert evening.timers["time_up"] == 120
    evening.elapse("warn")
    assert evening.lines == ["half_a_minute"]
    evening.all("encore une minute")
    evening.elapse("time_up")
    assert evening.lines == ["choose_card", "reveal", "how_many_votes"]
    assert evening.phase == "vote"


@pytest.mark.parametrize("sentence", ["on vote", "c'est fait", "suivant", "passe", "passons au vote"])
def test_the_vote_may_be_called(sentence: str) -> None:
    evening = Evening(table(7))
    evening.all("je propose Bob", sentence)
    assert evening.phase == "vote"


@pytest.mark.parametrize(
    ("sentence", "said", "accepted"),
    [
        ("quatre oui, trois non", "Quatre oui, trois non.", True),
        ("trois non et quatre oui", "Quatre oui, trois non.", True),
        ("quatre pour, trois contre", "Quatre oui, trois non.", True),
        ("4 oui 3 non", "Quatre oui, trois non.", True),
        ("quatre oui", "Quatre oui, trois non.", True),
        ("trois non", "Quatre oui, trois non.", True),
        ("sept oui", "Sept oui, zéro non.", True),
        ("sept non", "Zéro oui, sept non.", False),
        ("aucun oui", "Zéro oui, sept non.", False),
        ("une oui", "Un oui, six non.", False),
        ("trois oui, quatre non", "Trois oui, quatre non.", False),
    ],
)
def test_counts(sentence: str, said: str, accepted: bool) -> None:
    """§5: the majority decides; half a count is completed after a breath, and both numbers are said back."""
    evening = Evening(table(7))
    evening.all("je propose Bob", sentence)
    assert said in evening.words
    assert ("government_accepted" in evening.lines) is accepted
    assert evening.state["counter"] == (0 if accepted else 1)


@pytest.mark.parametrize(
    "sentence",
    ["quatre oui, deux non", "cinq oui, trois non", "huit oui", "neuf non", "dix oui, trois non"],
)
def test_counts_that_do_not_add_up_are_asked_again(sentence: str) -> None:
    evening = Evening(table(7))
    evening.all("je propose Bob", "on vote")
    refused(evening, sentence, "count_mismatch")
    assert "vous êtes sept à voter" in evening.words
    evening.all("quatre oui, trois non")
    assert evening.phase == "draw"


@pytest.mark.parametrize(("yes", "accepted"), [(2, False), (3, False), (4, True)])
def test_tie_refuses(yes: int, accepted: bool) -> None:
    """§5: a tie or a majority of no refuses."""
    evening = Evening(table(6))
    evening.all("je propose Bob", f"{yes} oui, {6 - yes} non")
    assert (evening.phase == "draw") is accepted


@pytest.mark.parametrize(
    "halves", [("quatre oui", "trois non"), ("trois non", "quatre oui"), ("deux oui", "quatre oui", "trois non")]
)
def test_half_counts_within_a_breath(halves: tuple[str, ...]) -> None:
    """“quatre oui”, a breath, “trois non”: one count, and one decision to undo."""
    evening = Evening(table(7))
    evening.all("je propose Bob", "on vote")
    before = evening.course
    for half in halves:
        assert evening.say(half, at_once=True)
    assert (evening.court.ballot.yes, evening.court.ballot.no) == (4, 3)
    assert evening.phase == "draw"
    evening.all("annule")
    assert evening.course == before


def test_halves_that_contradict() -> None:
    evening = Evening(table(7))
    evening.all("je propose Bob", "on vote")
    evening.say("quatre oui", at_once=True)
    assert evening.phase == "half_count"
    refused(evening, "quatre non", "count_mismatch")


def test_rest_of_a_count_said_late() -> None:
    """The rest may come after the count was completed: it changes nothing, or is contradicted."""
    evening = Evening(table(7))
    evening.all("je propose Bob", "quatre oui")
    assert evening.phase == "draw"
    before = evening.course
    evening.all("trois non", "quatre oui, trois non")
    assert evening.course == before
    refused(evening, "deux non", "count_contradicts")


def test_no_count_is_known_before_a_vote() -> None:
    refused(Evening(table(7)), "quatre oui", "not_now")
    evening = Evening(table(7, **PLAIN))
    evening.govern("Bob", "pacifiste")
    refused(evening, "sept oui", "not_now")


def test_exiled_do_not_vote() -> None:
    """§7b: no vote any more."""
    evening = Evening(table(7))
    evening.all("Farid est en exil", "je propose Chloé")
    refused(evening, "sept oui", "count_mismatch")
    evening.all("six oui")
    assert evening.phase == "draw"


# ---- refusals and the slave (§5, §7c)


def test_three_refusals_in_a_row() -> None:
    """§5, §7c: counter, then the slave reads the top tale: no power, counter and eligibility reset."""
    evening = Evening(table(7, pacifist_board="ABAAAZ"))
    evening.govern("David", "pacifiste")
    for counter in (1, 2):
        evening.refuse("Emma")
        assert evening.state["counter"] == counter
        assert evening.phase == "proposal"
    evening.refuse("Emma")
    assert evening.phase == "slave"
    assert evening.state["counter"] == 3
    before = evening.state
    evening.all("conte pacifiste")
    after = evening.state
    assert after["boards"] == {"interventionist": 0, "pacifist": 2}
    assert (after["pile"], after["discard"]) == (before["pile"] - 1, before["discard"])
    assert (after["counter"], after["barred"], after["power"]) == (0, [], None)
    assert "slave_has_read" in evening.lines
    assert evening.phase == "proposal"
    assert set(evening.eligible()) == set(NAMES[:7]) - {after["grand_vizir"]}


def test_the_turn_goes_on_after_the_slave() -> None:
    evening = Evening(table(7, **PLAIN))
    for _ in range(3):
        evening.refuse(evening.eligible()[0])
    evening.all("conte interventionniste")
    assert evening.state["grand_vizir"] == "David"


def test_counter_is_reset_by_a_tale_only() -> None:
    """RULINGS: acceptance alone resets nothing."""
    evening = Evening(table(7, **PLAIN))
    evening.refuse("Bob")
    evening.accept("Chloé")
    assert evening.state["counter"] == 1
    evening.all("conte pacifiste")
    assert evening.state["counter"] == 0


# ---- is she Dinarzade? (§4, §5)


@pytest.mark.parametrize(("read", "asked"), [("", False), ("pp", False), ("ppp", True), ("pppp", True)])
def test_dinarzade_is_asked_with_three_tales_already_read(read: str, asked: bool) -> None:
    """§5: “avaient déjà été lus”: the third one itself asks nobody."""
    evening = Evening(table(7, **PLAIN))
    evening.read(read)
    evening.all(f"je propose {evening.eligible()[0]}", "sept oui")
    assert (evening.phase == "ask_dinarzade") is asked


def test_dinarzade_answers() -> None:
    """RULINGS: what ends the game is a full sentence, confirmed once; a bare “non” is an answer."""
    evening = Evening(table(7, **PLAIN))
    evening.read("ppp")
    evening.all("je propose Gaëlle", "sept oui")
    refused(evening, "oui", "say_dinarzade")
    evening.all("je suis Dinarzade")
    assert evening.lines == ["confirm_dinarzade"]
    assert evening.state["end"] is None
    evening.all("non")
    assert evening.phase == "ask_dinarzade"
    evening.all("non")
    assert evening.lines[0] == "not_dinarzade"
    assert evening.phase == "draw"


# ---- the draw and the tale (§5, §6a)


def test_draw_is_led_step_by_step() -> None:
    """§5, §6a: three drawn, one discarded, two handed on, silence between the two, one read."""
    evening = Evening(table(7))
    evening.all("je propose Chloé", "sept oui")
    assert evening.lines[-3:] == ["draw_three", "silence_between", "narratrice_chooses"]
    assert "Alice et Chloé ne se disent rien" in evening.words
    assert evening.floor is not None
    assert {"tale", "undo", "status"} <= set(evening.floor.hears)  # RULINGS: commands are heard all the time


@pytest.mark.parametrize("prepare", [("sept oui",), ("sept oui", "c'est fait")])
def test_nobody_is_asked_for_a_tale_that_cannot_have_been_read_yet(prepare: tuple[str, ...]) -> None:
    evening = Evening(table(7))
    evening.all("je propose Chloé", *prepare, "où en est-on")
    assert evening.lines[-2:] == ["recap", "tale_awaited"]
    evening.elapse("remind")
    assert evening.lines == ["tale_awaited"]


def test_tale_read_by_a_government() -> None:
    """§5: three leave the pile, two of them for the discard; counter zero; its government is barred."""
    evening = Evening(table(7, **PLAIN))
    evening.refuse("Bob")
    evening.govern("David", "interventionniste")
    assert evening.state["boards"] == {"interventionist": 1, "pacifist": 0}
    assert (evening.state["pile"], evening.state["discard"]) == (14, 2)
    assert (evening.state["counter"], evening.state["barred"]) == (0, ["Bob", "David"])


def test_nothing_of_the_draw_can_be_passed() -> None:
    evening = Evening(table(7))
    evening.all("je propose Chloé", "sept oui")
    refused(evening, "passe", "cannot_skip")


# ---- the reshuffle (§5, RULINGS)


@pytest.mark.parametrize(("pile", "shuffled"), [(0, True), (1, True), (2, True), (3, False), (4, False)])
def test_reshuffle_at_the_start_of_a_turn(pile: int, shuffled: bool) -> None:
    """§5: with two or fewer in the pile; RULINGS: never at three."""
    evening = Evening(table(7, pacifist_board="AAAXAZ"))
    evening.read("ppp")
    evening.govern("Gaëlle", "pacifiste")
    evening.all(f"la pioche a {pile} contes", "j'exile Farid", "oui", "non")
    total = 17 - 4
    assert ("reshuffle" in evening.lines) is shuffled
    assert (evening.state["pile"], evening.state["discard"]) == ((total, 0) if shuffled else (pile, total - pile))


def test_five_draws_empty_the_pile_then_it_is_shuffled() -> None:
    """17 tales: five governments leave two; the sixth turn begins with a shuffle of twelve."""
    evening = Evening(table(7, **PLAIN))
    evening.read("pipi")
    assert evening.state["pile"] == 5
    evening.govern(evening.eligible()[0], "pacifiste")
    assert "reshuffle" in evening.lines
    assert "douze contes" in evening.words
    assert (evening.state["pile"], evening.state["discard"]) == (12, 0)


def test_who_proposes_while_the_pile_is_shuffled_is_told_with_the_turn() -> None:
    evening = Evening(table(7, **PLAIN))
    evening.read("pipi")
    evening.accept(evening.eligible()[0])
    assert evening.say("conte pacifiste", at_once=True)
    assert evening.lines[-1] == "reshuffle"
    evening.all(f"je propose {evening.eligible()[0]}")
    turn, gv = evening.state["turn"], evening.state["grand_vizir"]
    assert f"La pancarte est à {gv}. {gv} propose" in evening.words
    assert turn == 6
    assert evening.words.count("Tour six") == 1


# ---- the veto (§7a)


def veto_table(**options: object) -> Evening:
    """Five pacifist tales read; Farid is Grande Vizir."""
    evening = Evening(table(7, **{**PLAIN, **options}))
    evening.read("ppppp")
    assert evening.state["veto"]
    return evening


def test_veto_is_locked_before_five() -> None:
    """§7a."""
    evening = Evening(table(7, **PLAIN))
    evening.read("pppp")
    evening.accept(evening.eligible()[0])
    refused(evening, "je demande le veto", "veto_locked")
    assert not evening.state["veto"]
    evening.all("conte pacifiste")
    assert "veto_open" in evening.lines
    evening.accept(evening.eligible()[0])
    assert "veto_possible" in evening.lines
    evening.all("je demande le veto")


@pytest.mark.parametrize("answer", ["j'accepte le veto", "oui"])
def test_veto_accepted(answer: str) -> None:
    """§7a: three tales discarded, the counter moves on, nobody is barred or freed (RULINGS)."""
    evening = veto_table()
    before = evening.state
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto")
    assert evening.lines == ["veto_asked"]
    evening.all(answer)
    after = evening.state
    assert after["boards"] == before["boards"]
    assert after["counter"] == before["counter"] + 1
    assert after["barred"] == before["barred"]
    assert after["pile"] + after["discard"] == before["pile"] + before["discard"]
    assert (after["pile"], after["discard"]) == (before["pile"] - 3, before["discard"] + 3)
    assert after["turn"] == before["turn"] + 1


@pytest.mark.parametrize("answer", ["je refuse le veto", "non"])
def test_veto_refused_and_asked_once(answer: str) -> None:
    """§7a; RULINGS: once per government."""
    evening = veto_table()
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto", answer)
    assert evening.lines == ["tale_must_be_read"]
    refused(evening, "je demande un veto", "veto_once")
    evening.all("conte interventionniste")
    assert evening.state["boards"]["interventionist"] == 1
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto")  # the next government may


def test_tale_read_instead_of_an_answer() -> None:
    evening = veto_table()
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto", "conte interventionniste")
    assert evening.state["boards"]["interventionist"] == 1


def test_veto_is_an_advance_like_a_refusal() -> None:
    """§7c: two refusals and a veto make the slave read."""
    evening = veto_table()
    evening.refuse(evening.eligible()[0])
    evening.refuse(evening.eligible()[0])
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto", "j'accepte le veto")
    assert evening.phase == "slave"
    assert evening.state["counter"] == 3
    assert "reshuffle" not in evening.lines


def test_veto_empties_the_pile_then_the_slave() -> None:
    """RULINGS: a third advance by a veto that finds an empty pile: reshuffle, then the slave reads."""
    evening = veto_table()
    evening.refuse(evening.eligible()[0])
    evening.refuse(evening.eligible()[0])
    evening.all("la pioche a trois contes")
    evening.accept(evening.eligible()[0])
    evening.all("je demande le veto", "j'accepte le veto")
    assert evening.lines.index("reshuffle") < evening.lines.index("slave_reads")
    assert (evening.state["pile"], evening.state["discard"]) == (12, 0)
    evening.all("conte interventionniste")
    assert (evening.state["pile"], evening.state["discard"]) == (11, 0)


# ---- manners


def test_refusals_are_marked_as_such() -> None:
    evening = Evening(table(7))
    evening.say("je propose Alice")
    assert evening.manners[-1] is Manner.REFUSE


def test_what_is_not_a_sentence_is_nothing() -> None:
    evening = Evening(table(7))
    before = evening.course
    assert not evening.say("je propose Zoé")
    assert not evening.say("blablabla")
    assert evening.course == before
