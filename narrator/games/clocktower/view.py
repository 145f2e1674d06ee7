"""What everybody may know of a town, and what only its Storyteller may: two views, by the names that lines use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.games.clocktower.characters import DEMON, Grimoire
from narrator.games.clocktower.night import Entry, current, sheet
from narrator.games.clocktower.tally import half, to_pass, to_tie
from narrator.games.clocktower.town import EVIL, GOOD, Town

#: Names that sentences bring along (slots) or that refusals add.
SLOTS = ("player", "other", "n", "minutes", "intent", "value")


#: The whisper that leads through an entry of the sheet.
STEP_LINES = {
    "dusk": "mj_step_dusk",
    "minions": "mj_step_minions",
    "demon": "mj_step_demon",
    "role": "mj_step_role",
    "dawn": "mj_step_dawn",
    "free": "mj_step_free",
}


def view_of(town: Town, options: Mapping[str, Any]) -> dict[str, Any]:
    """The public facts; nothing here looks at `town.hidden` but a weighted count, which the table hears counted."""
    living, vote = town.living, town.vote
    return {
        "phase": town.phase,
        "day": town.turn,
        "night": town.turn + 1,
        "dark": town.dark,
        "players": town.table.seats,
        "seats": len(town.table),
        "living": living,
        "living_count": len(living),
        "dead": town.dead,
        "dead_any": bool(town.gone),
        "travellers": town.travellers,
        "travellers_any": bool(town.travellers),
        "exiled": town.exiled,
        "tokens": town.tokens,
        "tokens_any": bool(town.tokens),
        "nominator": vote.nominator,
        "nominee": vote.nominee,
        "is_exile": vote.exile,
        "seat": vote.seat,
        "votes": town.count,
        "yes_voters": vote.hands,
        "half": half(len(town.table)) if vote.exile else half(len(living)),
        "to_pass": half(len(town.table)) if vote.exile else to_pass(len(living), town.tallies),
        "to_tie": 0 if vote.exile else to_tie(len(living), town.tallies, town.block),
        "tie_counts": not vote.exile and to_tie(len(living), town.tallies, town.block) > 0,
        "block": town.block,
        "block_any": bool(town.block),
        "nominees": tuple(name for name, _ in town.tallies),
        "tallies": tuple(count for _, count in town.tallies),
        "tallies_any": bool(town.tallies),
        "last_nominee": town.tallies[-1][0] if town.tallies else "",
        "last_votes": town.tallies[-1][1] if town.tallies else 0,
        "told": town.told,
        "risen": town.risen,
        "condemned": town.condemned,
        "defence_seconds": round(options["defence"]),
        "discussion_minutes": round(options["discussion"] / 60) or 1,
        "winner": town.end.winners[0] if town.end else "",
        "woken": town.woken,
        "revealed": town.revealed,
        "role": town.shown_role,
        "role_known": bool(town.shown_role),
    }


def private_view_of(town: Town, options: Mapping[str, Any], grimoire: Grimoire) -> dict[str, Any]:
    """What a whisper may use: the public facts and the Storyteller's own."""
    hidden, entry = town.hidden, current(town, grimoire, options)
    return {
        **view_of(town, options),
        "first_night": town.turn == 0,
        "dying": hidden.dying,
        "dying_any": bool(hidden.dying),
        "rising": hidden.rising,
        "spared": hidden.spared,
        **_step(town, entry, grimoire),
        "sheet": tuple(_title(one) for one in sheet(town, grimoire, options)),
        "grimoire": tuple(f"{player} = {_name(grimoire, player)}" for player in town.table.seats),
        "roles_known": bool(grimoire.roles),
        "suggests": suggestion(town, options, grimoire),
        "suggests_any": bool(suggestion(town, options, grimoire)),
        "placed": tuple(
            f"{token} ({grimoire.characters[grimoire.roles[p]].name})"
            for p in town.told
            if p in grimoire.roles
            for token in grimoire.characters[grimoire.roles[p]].reminders
        ),
        "placed_any": any(grimoire.characters[grimoire.roles[p]].reminders for p in town.told if p in grimoire.roles),
        "winner_asked": hidden.decided,
        "script_any": bool(grimoire.characters),
        "new_character": "",  # where a sentence names one
        "dead_voted": tuple(p for p in town.vote.hands if not town.alive(p)),
    }


def _step(town: Town, entry: Entry | None, grimoire: Grimoire) -> dict[str, Any]:
    character = entry.character if entry else None
    text = (character.first_text if town.turn == 0 else character.other_text) if character else ""
    tokens = character.reminders if character else ()
    bluffs = grimoire.bluffs_for_demon()
    return {
        "who": entry.player if entry else "",
        "character": character.name if character else "",
        "text": text,
        "has_text": bool(text),
        "perhaps": bool(character and character.wakes == "perhaps"),
        "unseen": bool(character and character.unseen),
        "reminders": tokens,
        "reminders_any": bool(tokens),
        "minions": grimoire.holders("minion"),
        "demons": grimoire.holders(DEMON),
        "bluffs": bluffs,
        "bluffs_short": len(bluffs) < 3,
        "bluffs_any": bool(bluffs),
        "again": bool(tokens) and town.turn > 0,
    }


def _title(entry: Entry) -> str:
    return f"{entry.player} ({entry.character.name})" if entry.character else f"sheet_{entry.kind}"


def _name(grimoire: Grimoire, player: str) -> str:
    character = grimoire.of(player)
    return character.name if character else "?"


def suggestion(town: Town, options: Mapping[str, Any], grimoire: Grimoire) -> str:
    """Who would have won by the plain rules, as far as the roles are known; the Storyteller decides.

    Guide, The end: good when the last living demon is dead, evil when two live; good when both at once.
    """
    living = [p for p in town.living if p not in town.hidden.dying]
    counted = living if options["travellers_last"] else [p for p in living if p not in town.travellers]
    demons = grimoire.holders(DEMON)
    if demons and not any(p in living for p in demons):
        return GOOD
    return EVIL if len(counted) <= 2 else ""


_EMPTY = Grimoire({}, {})
_OPTIONS = {"defence": 30, "discussion": 300, "travellers_count": False, "travellers_last": False}
FACTS = frozenset((*SLOTS, *view_of(Town("x"), _OPTIONS)))
PRIVATE_FACTS = frozenset(private_view_of(Town("x"), _OPTIONS, _EMPTY)) - FACTS


def public_state(town: Town) -> dict[str, Any]:
    """The state for programs (`play --state`): plain JSON data that everybody may know."""
    tie = to_tie(len(town.living), town.tallies, town.block)
    return {
        "phase": town.phase,
        "day": town.turn,
        "night": town.dark,
        "living": list(town.living),
        "dead": list(town.dead),
        "travellers": list(town.travellers),
        "exiled": list(town.exiled),
        "nominator": town.vote.nominator or None,
        "nominee": town.vote.nominee or None,
        "exile": town.vote.exile,
        "nominators": list(town.nominators),
        "nominees": list(town.nominees),
        "votes": dict(town.tallies),
        "block": town.block or None,
        "to_pass": half(len(town.table)) if town.vote.exile else to_pass(len(town.living), town.tallies),
        "to_tie": tie or None,
        "tokens": list(town.tokens),
        "vote": list(town.vote.hands),
        "count": town.count,
        "seat": town.vote.seat or None,
        "end": {"how": town.end.how, "winners": list(town.end.winners)} if town.end else None,
    }


def private_state(town: Town) -> dict[str, Any]:
    """The Storyteller's own (`play --private`)."""
    hidden = town.hidden
    return {
        "dying": list(hidden.dying),
        "rising": list(hidden.rising),
        "spared": list(hidden.spared),
        "weights": dict(hidden.weights),
        "done": list(hidden.done),
        "became": dict(hidden.became),
        "decided": hidden.decided or None,
    }
