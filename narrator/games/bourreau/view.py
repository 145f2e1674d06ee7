"""What everyone may know, by the names that lines and the machine-readable state use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from narrator.core.lines import number_words
from narrator.core.table import Table
from narrator.games.bourreau.closing import not_yet, ranks, shares
from narrator.games.bourreau.configuration import Box
from narrator.games.bourreau.executions import neighbours
from narrator.games.bourreau.gallows import owed
from narrator.games.bourreau.rewards import change, counts
from narrator.games.bourreau.state import Scaffold, seen_items

#: Names that sentences bring along (slots) or that refusals add.
SLOTS = ("player", "other", "n", "item", "role", "effect", "intent", "value", "question", "missing")


def view_of(s: Scaffold, box: Box, options: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The public facts. Numbers are ints (lines write them in words), players are names, lists are tuples."""
    return {
        "phase": s.phase,
        "turn": s.turn,
        "players": s.table.seats,
        "seats": box.seats,
        "executioner": s.executioner,
        "prisoners": s.prisoners,
        "prisoner_count": len(s.prisoners),
        "items": counted(s.items),
        "roles": counted(s.roles),
        "items_known": bool(s.items),
        "roles_known": bool(s.roles),
        "items_missing": box.seats - len(s.items),
        "roles_missing": box.seats - len(s.roles),
        "card": s.card,
        "card_title": f"title_{s.card}" if s.card else "",
        "card_text": f"text_{s.card}" if s.card else "",
        "owed": owed(s),
        "owed_any": bool(owed(s)),
        "acted": s.acted,
        "acted_any": bool(s.acted),
        "actor": s.actor,
        "forbidden_any": bool(s.forbidden),
        "no_swap": "swap" in s.forbidden,
        "no_look": "look" in s.forbidden,
        "questioned": s.questioned,
        "minutes": max(round(options["interrogation"] / 60), 1),
        "striker": s.by or s.executioner,
        "target": s.target,
        "shown": s.item,
        "counts_as": s.effective,
        "centre": s.centre,
        "claim": s.claim,
        "neighbours": neighbours(s, s.by, box) if s.by in s.table else (),
        "unharmed": s.unharmed,
        "unharmed_any": bool(s.unharmed) and not s.how,
        "executed_any": bool(s.executed),
        "executed": s.executed,
        "dead": s.dead,
        "dead_any": bool(s.dead),
        "survivors": s.survivors,
        "survivors_any": bool(s.survivors),
        "worth": sum(map(counts, s.executions)),
        "asked": s.asked,
        "declared_fool": s.declared[-1][0] if s.declared else "",
        "treasury": s.treasury,
        "purses": s.purses,
        "purse_list": tuple(
            f"{p} {number_words(n, language, 'f')}" for p, n in zip(s.table.seats, s.purses, strict=True)
        ),
        "not_yet": not_yet(s),
        "not_yet_any": bool(not_yet(s)),
        "contenders": s.contenders,
        **_share(s),
        **_rank(s),
        "winners": s.end.winners if s.end else (),
        "how": s.end.how if s.end else "",
    }


def counted(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Ids for the [names] table: "pardon", "hat_2" for two of a kind (`Lines.called` says "deux" and "hat_many")."""
    numbers = Counter(cards)
    return tuple(card if n == 1 else f"{card}_{n}" for card, n in numbers.items())


def _share(s: Scaffold) -> dict[str, Any]:
    """The ledger's line that is being told."""
    share = shares(s)[s.told] if s.told < len(shares(s)) else None
    return {
        "share_players": share.players if share else (),
        "share_crowns": share.crowns if share else 0,
        "share_other": share.other if share else "",
    }


def _rank(s: Scaffold) -> dict[str, Any]:
    found = ranks(s)
    rank = found[s.told_ranks] if s.told_ranks < len(found) else None
    return {
        "place": rank.place if rank else 0,
        "place_players": rank.players if rank else (),
        "place_crowns": rank.crowns if rank else 0,
        "best_crowns": found[0].crowns if found else 0,
    }


_EMPTY_BOX = Box(4, {}, {}, 20, 20, {})
FACTS = frozenset(
    (
        *SLOTS,
        *view_of(Scaffold("x", table=Table(("A",)), purses=(0,)), _EMPTY_BOX, {"interrogation": 60}, "en"),
    )
)


def public_state(s: Scaffold) -> dict[str, Any]:
    """The state for programs (`play --state`): plain JSON data, in the words of the game. Money is in crowns."""
    coins = change(s.purses, s.gems)
    return {
        "phase": s.phase,
        "turn": s.turn,
        "executioner": s.executioner or None,
        "active": {"roles": list(s.roles), "items": list(s.items)},
        "gallows": list(s.gallows),
        "forbidden": list(s.forbidden),
        "acted": list(dict.fromkeys(s.acted)),  # an extra action adds nobody
        "to_act": list(owed(s)),
        "executed": list(s.executed),
        "executions": [
            {"player": e.player, "by": e.by, "item": e.item, "fate": e.fate, "role": e.role or None}
            for e in s.executions
        ],
        "survivors": list(s.survivors),
        "dead": list(s.dead),
        "centre": s.centre or None,
        "revealed": sorted(seen_items(s).elements()),
        "roles": {**{e.player: e.role for e in s.executions if e.role}, **dict(s.declared)},
        "ledger": [{"from": m.payer, "to": m.payee, "crowns": m.crowns, "reason": m.reason} for m in s.ledger],
        "purses": dict(zip(s.table.seats, s.purses, strict=True)),
        "coins": {p: {"coins": c, "gems": g} for p, (c, g) in zip(s.table.seats, coins, strict=True)},
        "treasury": s.treasury,
        "former": list(s.executioners),
        "result": _result(s),
        "end": {"how": s.end.how, "winners": list(s.end.winners)} if s.end else _result(s),
    }


def _result(s: Scaffold) -> dict[str, Any] | None:
    """How the game on the table was decided, before the evening is."""
    if not s.how:
        return None
    return {"how": s.how, "winners": ["saboteur"] if s.saboteurs_win else []}
