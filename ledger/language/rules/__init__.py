"""The rules of a night as a page, made from the data that the engine reads.

A clause that cannot apply under the data is left out, unless its source leaves open whether it does. No code here
is for a particular ruleset.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from ledger.game.errors import Clause
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.needs import unmet
from ledger.game.rulesets.overlays.clashes import WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.house_rules import find, laid_over
from ledger.game.rulesets.serialization import write_field
from ledger.language.rules import card_clauses, payment_clauses, play
from ledger.language.rules.telling import Table, Teller, lowest_card, sentences, times
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


def _printed(clause: Clause, tell: Teller | None, ruleset: Ruleset, speaker: Speaker) -> PrintedClause | None:
    clauses = [*(tell(ruleset, speaker) if tell else ()), *declared(ruleset, clause, speaker)]
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


def declared(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """What a clause says of the declared fields that are set and have an effect: of each its own sentence, if there
    is one, below all else."""
    for path, about in DECLARED.items():
        value = attrgetter(path)(ruleset)
        if about.clause is not clause or not value or any(unmet(ruleset, path)):
            continue
        if speaker.knows(key := f"rules {path}"):
            yield speaker.say(key, points=speaker.points(value), card=lowest_card(speaker))
            if path in _DOUBLING:
                yield from times(ruleset, speaker)


_DOUBLING = frozenset(
    need.name for ways in DECLARED["payments.doubles_by"].needs for need in ways if need.value is None
)
"""The fields by which something doubles: what is said of them names the factor."""


# Fields left open, and house rules ruled out


def undecided(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """Which fields of a clause are the table's choice, in a sentence, and how ambiguous house rules are read;
    nothing if the source fixes all."""
    names = [_choice(ruleset, path, speaker) for path in ruleset.open if DECLARED[path].clause is clause]
    if names:
        yield speaker.say("rules open", fields="; ".join(names))
    for rule in laid_over(ruleset):
        if any(DECLARED[path].clause is clause for path in rule.open):
            yield speaker.say(f"reading {rule.name}")


def ruled_out(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """The sentences of a preset's own text about a clause that rule out house rules, and which ones."""
    for words in WORDS_OF_PRESETS.get(ruleset.id, ()):
        if DECLARED[words.field].clause is clause:
            names = "; ".join(_house_rule(line, speaker) for line in words.rules)
            yield speaker.say("rules says", words=speaker.say(f"says {words.id}"), rules=names)


def _house_rule(rule: str, speaker: Speaker) -> str:
    number, _, choice = rule.partition("=")
    name = find(number).name
    return speaker.rule(name, choice) if choice else speaker.field(name)


def _choice(ruleset: Ruleset, path: str, speaker: Speaker) -> str:
    """The name of a field, with its value if that is a single word."""
    value = attrgetter(path)(ruleset)
    worded = isinstance(value, bool | StrEnum)
    return speaker.rule(path, write_field(value)) if worded else speaker.field(path)


SECTIONS: Mapping[str, Mapping[Clause, Teller | None]] = {
    "cards": {
        Clause.RANK: card_clauses.rank,
        Clause.DEAL: card_clauses.deal,
        Clause.COMBO: card_clauses.combination,
        Clause.COMPARE: card_clauses.comparing,
        Clause.SUIT_LOCK: sentences(
            ("rules SUIT-LOCK forced", "combinations.suit_lock=forced"),
            ("rules SUIT-LOCK optional", "combinations.suit_lock=optional"),
            ("rules SUIT-LOCK answers", "combinations.suit_lock!=none"),
        ),
        Clause.BOMB: card_clauses.bomb,
        Clause.TRUMP: card_clauses.trump,
    },
    "play": {
        Clause.OPEN: play.opening,
        Clause.LEAD: sentences(
            ("rules LEAD", "opening.every_round=no"),
            ("rules LEAD claimant", "opening.every_round=no instant_wins.hands opening.after_instant_win=no"),
            ("rules LEAD absent", "opening.every_round=no"),
        ),
        Clause.PASS: sentences(
            ("rules PASS", ""),
            ("rules PASS locks", "passing.locks"),
            ("rules PASS free", "passing.locks=no"),
            ("rules PASS lead twos", "passing.twos_pass_lead"),
            ("rules PASS lead", "passing.twos_pass_lead=no"),
        ),
        Clause.DRAW: sentences(("rules DRAW", "deal.draw_pile"), ("rules DRAW unknown", "deal.draw_pile")),
        Clause.PILE: sentences(("rules PILE", ""), ("rules PILE closes", "passing.late|passing.any_time")),
        Clause.FORWARD: None,
        Clause.LATE: play.late,
        Clause.OUT: sentences(("rules OUT", "")),
        Clause.KNOCK: sentences(("rules KNOCK", "ending.knock_out")),
        Clause.END: sentences(
            ("rules END first out", "ending.at_first_out"),
            ("rules END last left", "ending.at_first_out=no"),
            ("rules END knocked", "ending.at_first_out=no ending.knock_out"),
            ("rules END pile", ""),
            ("rules END void", ""),
            ("rules END never two", "ending.no_last_two passing.twos_pass_lead"),
            ("rules END no two", "ending.no_last_two passing.twos_pass_lead=no"),
        ),
    },
    "payments": {
        Clause.PLACE: payment_clauses.placement,
        Clause.FULL: payment_clauses.full_hand,
        Clause.CARDS: payment_clauses.card_count,
        Clause.GET_IN: None,
        Clause.LAST_CARD: None,
        Clause.SPECIAL: payment_clauses.special_sets,
        Clause.CHOP: payment_clauses.bomb_bonus,
        Clause.CHOP_OUT: payment_clauses.bomb_on_the_out,
        Clause.HOARD: payment_clauses.hoarding,
        Clause.COVER: sentences(
            ("rules COVER", "payments.for_outcome|payments.for_hands"),
            ("rules COVER declared", "payments.for_outcome|payments.for_hands"),
        ),
        Clause.INSTANT: payment_clauses.instant_wins,
        Clause.CONTRACT: payment_clauses.contracts,
    },
    "custom": {
        Clause.CUSTOM: play.customs,
    },
    "record": {
        Clause.SEEN: play.known_hands,
        Clause.REST: play.rest,
        Clause.SHOW: sentences(
            ("rules SHOW", "payments.special_sets|payments.lowest_left"),
            ("rules SHOW contradicted", "payments.special_sets|payments.lowest_left"),
        ),
        Clause.MISSED: sentences(("rules MISSED", "instant_wins.hands")),
    },
}
"""Every clause, in the order of the page, and what writes it, unless it says only what is declared."""
