"""The rules of a night as a page, made from the data that the engine reads.

A clause that cannot apply under the data is left out, unless its source leaves open whether it does. No code here
is for a particular ruleset.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.game.errors import Clause
from ledger.game.rulesets import Ruleset
from ledger.language.rules import card_clauses, payment_clauses, play
from ledger.language.rules.telling import Table, Teller, ruled_out, undecided
from ledger.language.speaker import Speaker


@dataclass(frozen=True, slots=True)
class PrintedClause:
    """One clause; refusals, payments and findings cite its id."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    table: Table | None = None
    """It stands after the first paragraph, which introduces it."""


@dataclass(frozen=True, slots=True)
class Section:
    """Clauses that belong together."""

    title: str
    clauses: tuple[PrintedClause, ...]


def rules_page(ruleset: Ruleset, speaker: Speaker) -> list[Section]:
    """Every clause that applies under a ruleset, in sections; a section without any is left out."""
    found = [
        Section(
            speaker.say(f"section {name}"),
            tuple(
                printed
                for clause, tell in tellers.items()
                if (printed := _printed(clause, tell, ruleset, speaker)) is not None
            ),
        )
        for name, tellers in SECTIONS.items()
    ]
    return [section for section in found if section.clauses]


def _printed(clause: Clause, tell: Teller, ruleset: Ruleset, speaker: Speaker) -> PrintedClause | None:
    clauses = list(tell(ruleset, speaker))
    more = [*undecided(ruleset, clause, speaker), *ruled_out(ruleset, clause, speaker)]
    if more:
        clauses = [*(clauses or [speaker.say("rules none")]), *more]
    if not clauses:
        return None
    return PrintedClause(
        ruleset.clause(clause),
        speaker.say(f"clause {clause}"),
        tuple(part for part in clauses if isinstance(part, str)),
        next((part for part in clauses if isinstance(part, Table)), None),
    )


SECTIONS: Mapping[str, Mapping[Clause, Teller]] = {
    "cards": {
        Clause.RANK: card_clauses.rank,
        Clause.DEAL: card_clauses.deal,
        Clause.COMBO: card_clauses.combination,
        Clause.COMPARE: card_clauses.comparing,
        Clause.SUIT_LOCK: card_clauses.suit_lock,
        Clause.BOMB: card_clauses.bomb,
        Clause.TRUMP: card_clauses.trump,
    },
    "play": {
        Clause.OPEN: play.opening,
        Clause.LEAD: play.leading,
        Clause.PASS: play.passing,
        Clause.DRAW: play.drawing,
        Clause.PILE: play.pile,
        Clause.FORWARD: play.forward,
        Clause.LATE: play.late,
        Clause.OUT: play.out,
        Clause.KNOCK: play.knock,
        Clause.END: play.end,
    },
    "payments": {
        Clause.PLACE: payment_clauses.placement,
        Clause.FULL: payment_clauses.full_hand,
        Clause.CARDS: payment_clauses.card_count,
        Clause.GET_IN: payment_clauses.got_to_get_in,
        Clause.LAST_CARD: payment_clauses.last_card,
        Clause.SPECIAL: payment_clauses.special_sets,
        Clause.CHOP: payment_clauses.bomb_bonus,
        Clause.CHOP_OUT: payment_clauses.bomb_on_the_out,
        Clause.HOARD: payment_clauses.hoarding,
        Clause.INSTANT: payment_clauses.instant_wins,
        Clause.CONTRACT: payment_clauses.contracts,
    },
    "custom": {
        Clause.CUSTOM: play.customs,
    },
    "record": {
        Clause.SEEN: play.known_hands,
        Clause.REST: play.rest,
        Clause.SHOW: play.showing,
        Clause.MISSED: play.missed,
    },
}
"""Every clause, in the order of the page."""
