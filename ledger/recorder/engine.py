"""The versions of the rules by which events were judged, and the actors who record them."""

from ledger.game.rulesets.model import Direction, Ruleset
from ledger.game.rulesets.paying import Chain
from ledger.store import EventBody

KEEPER, HOST = "keeper", "host"
"""The actors of events recorded by the keeper, and by the host (an import)."""

ENGINE = "3"
"""Incremented whenever a fix of the rules changes what an old round pays; `affected_by_fix` says which rounds."""
ENGINES = tuple(map(str, range(1, int(ENGINE) + 1)))
"""This version and all before it: this program has written no other."""


def affected_by_fix(event: EventBody, ruleset: Ruleset) -> bool:
    """Whether the rules were fixed since an event was written in a way that may change its parts or payments.

    False for events of the current engine, or of an unknown one.
    """
    # Engine 1: a correction reposted unchanged payments; each counted bomb of a result cost 1; the direction never
    # alternated; nobody could come in late where a pass does not lock out; counting cards, it counted some twice,
    # and 2s worth less than a card too low. Engines 1 and 2 knew one trump card only, though two packs have two.
    if event.engine in ("1", "2") and ruleset.trumps and ruleset.deck.has_twins:
        return True
    rules, passing = ruleset.payments, ruleset.passing
    return event.engine == "1" and (
        event.kind == "correct"
        or rules.chain is Chain.COUNTING
        or ruleset.deal.direction is Direction.ALTERNATING
        or bool(passing.late and not passing.locks)
        or bool(rules.card and (rules.hoarding or any(rules.card > one.points for one in rules.special_sets)))
    )
