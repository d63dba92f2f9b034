"""What the source of a ruleset leaves open, and which house rules its own text rules out.

Either is told at the clause that it belongs to; what is left open is the table's choice.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from operator import attrgetter

from ledger.game.errors import Clause
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.overlays.clashes import SAID
from ledger.game.rulesets.overlays.house_rules import find, laid_over
from ledger.game.rulesets.serialization import write_field
from ledger.language.speaker import Speaker

HOMES: Mapping[Clause, tuple[str, ...]] = {
    Clause.DEAL: ("deal",),
    Clause.DRAW: ("deal.draw_pile",),
    Clause.RANK: ("deal.backs", "combinations.ties"),
    Clause.COMBO: ("combinations",),
    Clause.COMPARE: ("combinations.follow_suits", "combinations.equal_length"),
    Clause.BOMB: ("bombs", "opening.bombs_answer", "opening.led_bombs_alike"),
    Clause.TRUMP: ("trumps",),
    Clause.SUIT_LOCK: ("combinations.suit_lock",),
    Clause.OPEN: ("opening",),
    Clause.PASS: ("passing",),
    Clause.LATE: ("passing.late", "passing.late_on", "passing.any_time"),
    Clause.FORWARD: ("passing.forward",),
    Clause.OUT: ("ending.last_play_stands",),
    Clause.KNOCK: ("ending.knock_out",),
    Clause.END: ("ending", "payments.last_twos"),
    Clause.PLACE: ("payments",),
    Clause.FULL: ("payments.full_hand", "payments.full_from", "payments.full_hand_leaves"),
    Clause.CARDS: (
        *("payments.card", "payments.sets_beside_cards", "payments.doubled_by_twos"),
        *("payments.unplayed", "payments.unplayed_replaces"),
    ),
    Clause.GET_IN: ("payments.got_to_get_in",),
    Clause.LAST_CARD: ("payments.lowest_last", "payments.lowest_last_doubles", "payments.lowest_left"),
    Clause.CONTRACT: ("contracts",),
    Clause.SPECIAL: ("payments.special_sets", "payments.captured", "payments.captured_whole"),
    Clause.CHOP: ("payments.chain", "payments.chop_unit", "payments.doubles_by"),
    Clause.CHOP_OUT: ("payments.chop_free_if_out",),
    Clause.HOARD: ("payments.hoarding", "payments.hoard_payee"),
    Clause.INSTANT: ("instant_wins",),
    Clause.CUSTOM: ("customs", "debts", "kneeling"),
}
"""The fields that a clause tells; a group stands for those of its fields that no other clause tells."""

_HOME = {path: clause for clause, paths in HOMES.items() for path in paths}


def home(path: str) -> Clause:
    """The clause that tells a field, or a group; KeyError if none does."""
    return _HOME[path] if path in _HOME else _HOME[path.partition(".")[0]]


def undecided(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """Which fields of a clause are the table's own choice, in a sentence, and how house rules are read that can
    be read in several ways; nothing if its source fixes all."""
    names = [_choice(ruleset, path, speaker) for path in ruleset.open if home(path) is clause]
    if names:
        yield speaker.say("rules open", fields="; ".join(names))
    for rule in laid_over(ruleset):
        if any(home(path) is clause for path in rule.open):
            yield speaker.say(f"reading {rule.name}")


def ruled_out(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """What the preset's own text says about a clause that leaves no place for some house rules, and which."""
    for words in SAID.get(ruleset.id, ()):
        if home(words.field) is clause:
            names = "; ".join(_house_rule(said, speaker) for said in words.rules)
            yield speaker.say("rules says", words=speaker.say(f"says {words.id}"), rules=names)


def _house_rule(said: str, speaker: Speaker) -> str:
    number, _, choice = said.partition("=")
    name = find(number).name
    return speaker.rule(name, choice) if choice else speaker.field(name)


def _choice(ruleset: Ruleset, path: str, speaker: Speaker) -> str:
    """What a field is called, and its value if it can be said in a word."""
    value = attrgetter(path)(ruleset)
    worded = isinstance(value, bool | StrEnum)
    return speaker.rule(path, write_field(value)) if worded else speaker.field(path)
