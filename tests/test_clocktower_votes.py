"""Nominations, votes, the block, tokens, exiles. Guide = the section of the game's guide, RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import pytest
from meereen import plain
from town import MORE, Evening, town

from narrator.games.clocktower.tally import half, outcome, to_pass, to_tie


def day(players: int = 7, **options: object) -> Evening:
    evening = Evening(town(players, **options))
    evening.night()
    return evening


def refused(evening: Evening, sentence: str, line: str) -> None:
    before = evening.state
    assert not evening.say(sentence), sentence
    assert line in evening.lines
    assert evening.state == before


# ---- nominations (Guide, Nominations and votes)


def test_a_nomination_is_repeated_aloud() -> None:
    evening = day()
    evening.all("Alice nomme Bob")
    assert evening.words.startswith("Alice a nommé Bob.")
    assert evening.state["nominator"] == "Alice"
    assert evening.state["nominee"] == "Bob"


def test_where_we_are_names_whom_it_is_about() -> None:
    evening = day()
    evening.all("Alice nomme Bob", "où en est-on")
    assert evening.words == "Jour un. Bob se défend."


def test_who_only_says_i_is_asked_for_a_name() -> None:
    evening = day()
    evening.all("je nomme Bob")
    assert "Qui nomme Bob" in evening.words
    evening.all("Alice")
    assert "Alice a nommé Bob." in evening.words
    assert evening.state["nominators"] == ["Alice"]


def test_nobody_says_so_and_the_nomination_is_dropped() -> None:
    evening = day()
    evening.all("je nomme Bob", "non")
    assert evening.phase == "discussion"
    assert evening.state["nominees"] == []


def test_the_dead_do_not_nominate_but_may_be_named() -> None:
    evening = Evening(town(7))
    evening.night("Bob")
    refused(evening, "Bob nomme Alice", "refuse_dead")
    evening.all("Alice nomme Bob")
    assert evening.state["nominee"] == "Bob"


def test_oneself_may_be_named() -> None:
    evening = day()
    evening.all("Alice nomme Alice")
    assert evening.state["nominee"] == "Alice"


def test_once_a_day_each_also_when_the_vote_failed() -> None:
    evening = day()
    evening.nominate("Alice", "Bob")
    refused(evening, "Alice nomme Chloé", "refuse_nominated")
    refused(evening, "David nomme Bob", "refuse_named")
    refused(evening, "je nomme Bob", "refuse_named")
    evening.all("je nomme Chloé")
    refused(evening, "c'est Alice", "refuse_nominated")
    evening.all("c'est David")
    evening.all("on vote")
    evening.vote()
    evening.to_night()
    evening.night()
    evening.all("Alice nomme Bob")  # a new day


def test_one_nomination_at_a_time_and_a_refusal_costs_nothing() -> None:
    evening = day()
    evening.all("Alice nomme Bob")
    refused(evening, "Chloé nomme David", "refuse_open")
    evening.all("on vote")
    refused(evening, "Chloé nomme David", "refuse_open")
    evening.vote()
    evening.all("Chloé nomme David")


def test_about_to_die_one_may_still_nominate() -> None:
    evening = day()
    evening.nominate("Alice", "Bob", *MORE[:5])
    evening.all("Bob nomme Chloé")


def test_a_nomination_that_is_still_read_back_ends_by_the_next_one() -> None:
    evening = day()
    evening.all("Alice nomme Bob", "on vote")
    while evening.phase == "seat":
        evening.all("oui")
    evening.all("Chloé nomme David")
    assert "Bob\u00a0: sept voix. Bob est sur le point de mourir. Chloé a nommé David." in evening.words
    assert evening.state["votes"] == {"Bob": 7}


# ---- the vote


def test_clockwise_from_the_left_of_the_nominee_who_is_last() -> None:
    evening = day()
    evening.all("Alice nomme David", "on vote")
    seats = []
    while evening.phase == "seat":
        seats.append(evening.state["seat"])
        evening.all("oui")
    assert seats == ["Emma", "Farid", "Gaëlle", "Alice", "Bob", "Chloé", "David"]


def test_silence_is_a_no_until_the_names_are_read_back() -> None:
    evening = day()
    evening.all("Alice nomme David", "on vote", "oui")
    while evening.phase == "seat":
        evening.elapse()
    assert "A dit oui\u00a0: Emma." in evening.words
    evening.all("Chloé aussi", "Bob aussi", "pas Emma")
    assert evening.state["vote"] == ["Chloé", "Bob"]
    assert "Chloé et Bob" in evening.words
    evening.elapse()
    assert evening.state["votes"] == {"David": 2}


def test_a_hand_entered_before_its_turn_stays_up_unless_its_seat_says_no() -> None:
    evening = day()
    evening.all("Alice nomme David", "on vote", "mj> main Farid", "mj> main Gaëlle", "non")
    evening.elapse()
    evening.all("non")
    assert evening.state["vote"] == ["Farid"]


def test_the_running_total_is_said() -> None:
    evening = day()
    evening.all("Alice nomme David", "on vote", "oui")
    assert evening.words == "Un. Farid\u202f?"
    evening.all("non")
    assert evening.words == "Gaëlle\u202f?"
    evening.all("oui")
    assert evening.words.startswith("Deux.")


def test_by_eye_hands_or_a_total_then_the_dead() -> None:
    evening = Evening(town(7, vote="eye"))
    evening.night("Bob")
    evening.all("Alice nomme David", "on vote")
    assert evening.phase == "hands"
    evening.all("mj> main Emma", "mj> main Bob")
    assert evening.words == "Deux."
    evening.all("mj> sans main Emma", "mj> main Chloé", "mj> suivant")
    assert "Bob et Chloé" in evening.words
    evening.all("mj> suivant")
    assert evening.state["votes"] == {"David": 2}
    assert evening.state["tokens"] == []
    evening.all("Chloé nomme Emma", "on vote", "mj> total 4")
    assert evening.phase == "readback"  # no dead player has a token left: nothing is asked
    evening.elapse()
    assert evening.state["votes"] == {"David": 2, "Emma": 4}


def test_a_total_asks_which_of_the_dead_voted() -> None:
    evening = Evening(town(7, vote="eye"))
    evening.night("Bob")
    evening.all("Alice nomme David", "on vote", "mj> total 4")
    assert evening.phase == "dead_voters"
    assert not evening.say("mj> main Alice")
    evening.all("mj> main Bob", "mj> suivant", "mj> suivant")
    assert evening.state["tokens"] == []
    assert evening.state["votes"] == {"David": 4}
    assert not evening.say("mj> total 4")


def test_of_those_who_voted_only_the_dead_are_asked_for() -> None:
    evening = Evening(town(7, vote="eye"))
    evening.night("Bob")
    evening.all("Alice nomme David", "on vote", "mj> main Emma", "mj> total 4", "mj> main Bob")
    assert evening.hint == "Morts qui ont voté\u00a0: Bob."


def test_by_eye_every_seat_is_called_at_the_pace_of_the_vote() -> None:
    evening = Evening(town(5, vote="eye", beat=3))
    evening.night()
    evening.all("Alice nomme David", "on vote")
    called = [text for line, text in evening.spoken if line == "seat"]
    assert called == [f"{name}\u202f?" for name in ("Emma", "Alice", "Bob", "Chloé", "David")]
    assert ("wait", ("time_up", 3)) in evening.public
    assert evening.state["seat"] is None
    assert not evening.floor.hears  # type: ignore[union-attr]


def test_a_total_is_set_right_by_the_storyteller_alone() -> None:
    evening = Evening(town(7, vote="eye"))
    evening.night()
    evening.all("Alice nomme David", "on vote", "mj> total 4")
    assert evening.words == "Cela fait quatre voix. Une erreur\u202f? Que le Conteur la corrige."
    for sentence in ("Bob aussi", "pas Bob"):
        refused(evening, sentence, "refuse_total")
    for sentence in ("mj> main Bob", "mj> sans main Bob"):
        assert not evening.say(sentence)
        assert evening.whispered == ["mj_by_total"]
    evening.all("mj> total 5")
    evening.elapse()
    assert evening.state["votes"] == {"David": 5}


@pytest.mark.parametrize("vote", ["ear", "eye"])
def test_who_has_counted_before_anybody_was_called_enters_it_at_once(vote: str) -> None:
    evening = Evening(town(7, vote=vote))
    evening.night()
    evening.all("Alice nomme David", "mj> total 4")
    assert evening.phase == "readback"
    evening.all("Bob nomme Emma", "mj> main Alice", "mj> main Bob")
    assert evening.state["votes"] == {"David": 4}
    assert (evening.phase, evening.words) == ("hands", "Deux.")
    evening.all("mj> suivant", "mj> suivant")
    assert evening.state["votes"] == {"David": 4, "Emma": 2}


def test_a_total_cannot_be_more_than_may_vote() -> None:
    evening = Evening(town(5, vote="eye"))
    evening.night()
    evening.all("Alice nomme David", "on vote")
    evening.all("mj> total 5")


def test_a_dead_player_votes_once_for_the_rest_of_the_game() -> None:
    """Guide, Execution and death: won or lost, one nomination spends the token."""
    evening = Evening(town(7))
    evening.night("Bob")
    assert evening.state["tokens"] == ["Bob"]
    evening.nominate("Alice", "Chloé", "Bob")
    assert evening.state["tokens"] == []
    evening.all("Chloé nomme David", "on vote")
    seats = []
    while evening.phase == "seat":
        seats.append(evening.state["seat"])
        evening.all("non")
    assert "Bob" not in seats
    refused(evening, "Bob aussi", "refuse_spent")


def test_a_token_taken_back_before_the_count_is_not_spent() -> None:
    evening = Evening(town(7))
    evening.night("Bob")
    evening.all("Alice nomme Chloé", "on vote")
    while evening.phase == "seat":
        evening.all("oui" if evening.state["seat"] == "Bob" else "non")
    evening.all("pas Bob", "c'est bon")
    assert evening.state["tokens"] == ["Bob"]


# ---- the arithmetic


def test_the_worked_example_of_the_guide() -> None:
    """Six live, four are dead, Doug has three votes: enough, whoever gave them."""
    evening = Evening(town(10))
    evening.night("Inès", "Jules")
    evening.to_night()
    evening.night("Hugo", "Gaëlle")
    evening.nominate("Alice", "Bob", "Alice", "Inès", "Jules")
    assert evening.state["block"] == "Bob"
    assert evening.state["votes"] == {"Bob": 3}


@pytest.mark.parametrize(("players", "needed"), [(1, 1), (2, 1), (5, 3), (6, 3), (7, 4), (12, 6), (15, 8)])
def test_half_is_rounded_up(players: int, needed: int) -> None:
    assert half(players) == needed


ARITHMETIC = [
    # (living, tallies before, block before, votes, outcome, block after, to pass, to tie before)
    (7, [], "", 3, "low", "same", 4, 0),
    (7, [], "", 4, "block", "new", 4, 0),
    (7, [("a", 4)], "a", 4, "tie", "empty", 5, 4),
    (7, [("a", 4)], "a", 5, "block", "new", 5, 4),
    (7, [("a", 4)], "a", 3, "low", "same", 5, 4),
    (7, [("a", 4), ("b", 4)], "", 4, "low", "same", 5, 0),  # after a tie, strictly more than the tie
    (7, [("a", 4), ("b", 4)], "", 5, "block", "new", 5, 0),
    (7, [("a", 3)], "", 3, "low", "same", 4, 0),  # below half nothing ties
    (5, [("a", 3)], "", 3, "low", "same", 4, 0),  # somebody died at noon: the failed tally still counts
    (9, [("a", 4)], "a", 4, "low", "same", 5, 0),  # half has risen: below it nothing ties
    (7, [], "", 0, "low", "same", 4, 0),
]


@pytest.mark.parametrize(("living", "tallies", "block", "votes", "result", "after", "passing", "tying"), ARITHMETIC)
def test_what_a_count_comes_to(
    living: int,
    tallies: list[tuple[str, int]],
    block: str,
    votes: int,
    result: str,
    after: str,
    passing: int,
    tying: int,
) -> None:
    """Guide, Nominations and votes; RULINGS."""
    assert to_pass(living, tallies) == passing
    assert to_tie(living, tallies, block) == tying
    assert outcome(votes, living, tallies, block) == (result, after)


def test_how_many_says_a_tie_only_where_it_means_something() -> None:
    evening = day()
    evening.all("combien faut-il")
    assert evening.words == "Il faut quatre voix."
    evening.nominate("Alice", "Bob", *MORE[:4])
    evening.all("combien faut-il")
    assert evening.words == "Il faut cinq voix, et quatre pour une égalité."
    evening.nominate("Chloé", "David", *MORE[:4])
    assert evening.state["block"] is None
    evening.all("combien faut-il")
    assert evening.words == "Il faut cinq voix."


def test_half_is_of_those_who_live_at_the_count() -> None:
    evening = day()
    evening.all("Alice nomme Bob", "on vote", "mj> Gaëlle meurt")
    while evening.phase == "seat":
        evening.all("oui" if evening.state["seat"] in ("Alice", "Chloé", "David") else "non")
    evening.all("c'est bon")
    assert evening.state["block"] == "Bob"


def test_a_weight_counts_in_executions_only() -> None:
    evening = day(8, travellers=["Hugo"])
    evening.all("mj> Alice compte pour 3")
    evening.nominate("Alice", "Bob", "Alice", "Chloé")
    assert evening.state["votes"] == {"Bob": 4}
    evening.all("exil de Hugo", "on vote")
    while evening.phase == "seat":
        evening.all("oui" if evening.state["seat"] in ("Alice", "Chloé") else "non")
    evening.all("c'est bon")
    assert evening.state["exiled"] == []


# ---- exiles (RULINGS)


def test_an_exile_takes_half_of_all_and_leaves_the_day_as_it_was() -> None:
    evening = Evening(town(8, travellers=["Hugo"]))
    evening.night("Bob")
    evening.nominate("Alice", "Chloé", *MORE[2:8])
    before = evening.state
    evening.all("exil de Hugo", "on vote")
    seats = []
    while evening.phase == "seat":
        seats.append(evening.state["seat"])
        evening.all("oui" if evening.state["seat"] in ("Alice", "Bob", "Chloé", "David") else "non")
    assert sorted(seats) == sorted(MORE[:8])
    evening.all("c'est bon")
    after = evening.state
    assert after["exiled"] == ["Hugo"]
    for kept in ("block", "votes", "nominators", "nominees", "dead"):
        assert after[kept] == before[kept]
    assert "Bob" in after["tokens"]


def test_travellers_are_exiled_not_nominated_and_nobody_else_is_exiled() -> None:
    evening = day(8, travellers=["Hugo"])
    refused(evening, "Alice nomme Hugo", "refuse_traveller")
    refused(evening, "exil de Bob", "refuse_no_traveller")
    evening.all("Hugo nomme Alice")  # they nominate as everybody does


def test_an_exile_below_half_fails() -> None:
    evening = day(8, travellers=["Hugo"])
    evening.all("exil de Hugo", "on vote")
    while evening.phase == "seat":
        evening.all("oui" if evening.state["seat"] in ("Alice", "Chloé", "David") else "non")
    evening.all("c'est bon")
    assert evening.state["exiled"] == []
    refused_again = evening.say("exil de Hugo")
    assert refused_again  # as often as the table likes


# ---- last call, execution


def test_last_call_is_counted_down_and_can_be_answered() -> None:
    evening = day()
    evening.all("dernier appel")
    assert evening.timers["time_up"].seconds == 2.0
    evening.elapse()
    assert evening.words == "Deux…"
    evening.all("Alice nomme Bob")
    assert evening.phase == "defence"
    evening.all("on vote")
    evening.vote()
    evening.all("dernier appel")
    for _ in range(3):
        evening.elapse()
    assert evening.phase == "night"
    assert "Aujourd’hui, le village n’exécute personne." in evening.words


def test_the_one_on_the_block_dies_and_the_day_is_over() -> None:
    evening = day()
    evening.nominate("Alice", "Bob", *MORE[:5])
    evening.all("fin des nominations")
    assert "Bob meurt." in evening.words
    assert evening.state["dead"] == ["Bob"]
    assert evening.phase == "verdict_eve"
    assert not evening.say("Chloé nomme David")


def test_a_dead_nominee_may_be_executed() -> None:
    evening = Evening(town(7))
    evening.night("Bob")
    evening.nominate("Alice", "Bob", *MORE[2:6])
    evening.all("fin des nominations")
    assert "execution_already" in evening.lines
    assert evening.state["dead"] == ["Bob"]


def test_an_execution_that_does_not_kill() -> None:
    for spared in ("before", "after"):
        evening = day()
        evening.nominate("Alice", "Bob", *MORE[:5])
        if spared == "before":
            evening.all("mj> Bob ne meurt pas")
            assert evening.lines == []
            evening.all("fin des nominations")
            assert "execution_survived" in evening.lines
        else:
            evening.all("fin des nominations", "mj> Bob ne meurt pas")
            assert "lives_on" in evening.lines
        assert evening.state["dead"] == []
        assert evening.phase == "verdict_eve"


def test_an_ability_that_executes_at_noon_ends_the_day() -> None:
    evening = day()
    evening.all("mj> Chloé est exécutée")
    assert evening.state["dead"] == ["Chloé"]
    assert evening.phase == "verdict_eve"


def test_the_history_of_the_day() -> None:
    evening = day()
    evening.all("qui a été nommé")
    assert "on n’a encore voté sur le sort de personne" in evening.words
    evening.nominate("Alice", "Bob", *MORE[:5])
    evening.nominate("Bob", "Chloé", "Alice")
    evening.all("qui a été nommé")
    assert "Bob et Chloé. Voix, dans le même ordre\u00a0: cinq et une. Bob est sur le point de mourir." in evening.words


def test_a_defence_is_timed_and_its_end_is_told() -> None:
    evening = day(defence=20)
    evening.all("Alice nomme Bob")
    assert "Bob, tu as vingt secondes pour te défendre." in evening.words
    assert evening.timers["time_up"].seconds == 20
    evening.elapse()
    assert evening.words.startswith("Le temps est écoulé. On vote sur le sort de Bob")


# ---- what is taken back of a count by eye


@pytest.mark.parametrize("how", ["on vote", "time_up"])
def test_a_word_of_the_table_does_not_undo_the_hands_that_the_storyteller_counted(how: str) -> None:
    evening = day(vote="eye")
    evening.all("Alice nomme Bob")
    assert evening.elapse() if how == "time_up" else evening.say(how)
    evening.all("mj> main Alice", "mj> main Chloé", "mj> suivant")
    assert evening.phase == "readback"
    refused(evening, "annule", "undo_masters")
    assert evening.lines[-1] == "readback"  # which says how a hand is set right
    assert evening.whispered[-1] == "mj_objection"
    evening.all("mj> annule")
    assert evening.phase == "hands"
    assert evening.whispered[-2:] == ["mj_undone", "mj_hands"]
    assert plain(evening.whispers[-2][1]) == "C’est annulé : « suivant »."
    evening.all("mj> annule")
    assert plain(evening.whispers[-2][1]) == "C’est annulé : « main Chloé »."
    assert evening.state["vote"] == ["Alice"]
    refused(evening, "annule", "undo_masters")
    evening.all("mj> annule", "annule")
    assert evening.state["nominee"] == ("Bob" if how == "on vote" else None)


def test_a_total_by_eye_is_the_storytellers_to_take_back() -> None:
    evening = day(vote="eye")
    evening.all("Alice nomme Bob", "on vote", "mj> total 3")
    refused(evening, "annule", "undo_masters")
    evening.all("mj> annule")
    assert "total 3" in evening.whispers[-2][1]
    assert evening.state["count"] == 0


def test_a_secret_entry_does_not_hold_up_the_undo_of_the_table() -> None:
    evening = day(vote="eye")
    evening.all("Alice nomme Bob", "mj> Chloé ne meurt pas", "annule")
    assert evening.state["nominee"] is None
    assert evening.private["spared"] == ["Chloé"]
