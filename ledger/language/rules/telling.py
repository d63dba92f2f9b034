"""What all clauses use; and, at the clause concerned, what a ruleset's source leaves open, which is the table's
choice, and which house rules its own text rules out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import TypeAlias

from ledger.game.cards import Card, Cards, Rank, Suit
from ledger.game.errors import Clause
from ledger.game.patterns import Bomb
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.overlays.clashes import WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.house_rules import find, laid_over
from ledger.game.rulesets.serialization import write_field
from ledger.language.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Content: TypeAlias = Iterator[str | Table]
"""The paragraphs of a clause, and at most one table; nothing at all if the clause does not apply."""

Teller: TypeAlias = Callable[[Ruleset, Speaker], Content]
"""Writes one clause of a ruleset."""


def head(speaker: Speaker, *columns: str) -> tuple[str, ...]:
    """The head of a table."""
    return tuple(speaker.say(f"head {column}") for column in columns)


def lowest_card(speaker: Speaker) -> str:
    """The lowest card of the deck."""
    return speaker.card(str(Card(min(Rank), min(Suit))))


def hand_sizes(ruleset: Ruleset, speaker: Speaker) -> str:
    """The number of cards dealt to a player: `13`; `20, 17, 14 or 13` where it depends on the number of players."""
    return speaker.any_of(dict.fromkeys(ruleset.deal.hand_of(players) for players in ruleset.deal.players))


def dealt_out(ruleset: Ruleset) -> list[int]:
    """The numbers of players with which every card is dealt."""
    return [players for players in ruleset.deal.players if ruleset.deals_all(players)]


def playable_rows(ruleset: Ruleset, *, plain: bool) -> list[Bomb]:
    """The bombs, or the `plain` rows that are not called bombs, that can be played."""
    return [
        bomb for bomb in ruleset.bombs if bomb.plain == plain and bomb.shape in compiled(ruleset).index.shapes
    ]


def playable_bombs(ruleset: Ruleset) -> list[Bomb]:
    """The bombs that can be played."""
    return playable_rows(ruleset, plain=False)


def bombs_are_paid(ruleset: Ruleset) -> bool:
    """Whether a bomb can be played, and earn anything."""
    return bool(playable_bombs(ruleset)) and ruleset.payments.for_bombs


def something_is_paid(ruleset: Ruleset) -> bool:
    """Whether a ruleset has any payments."""
    payments, wins = ruleset.payments, ruleset.instant_wins
    return bool(
        payments.for_outcome
        or bombs_are_paid(ruleset)
        or payments.for_hands
        or ruleset.contracts
        or any(win.points or (win.points is None and wins.points) for win in wins.hands)
    )


def read(ruleset: Ruleset, cards: str) -> Cards:
    """The cards of an example as a set."""
    return ruleset.deck.gather(map(Card.read, cards.split()))[0]


def beats(ruleset: Ruleset, higher: str, lower: str) -> bool:
    """Whether, by the engine, one play of an example beats the other."""
    above, below = (compiled(ruleset).index.read(read(ruleset, cards)) for cards in (higher, lower))
    return above is not None and below is not None and above.beats(below)


# Fields left open, and house rules ruled out

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
"""Clause -> the fields that it describes; a group stands for its fields that no other clause describes."""

_HOME = {path: clause for clause, paths in HOMES.items() for path in paths}


def home(path: str) -> Clause:
    """The clause that describes a field, or a group; KeyError if none does."""
    return _HOME[path] if path in _HOME else _HOME[path.partition(".")[0]]


def undecided(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """Which fields of a clause are the table's choice, in a sentence, and how ambiguous house rules are read;
    nothing if the source fixes all."""
    names = [_choice(ruleset, path, speaker) for path in ruleset.open if home(path) is clause]
    if names:
        yield speaker.say("rules open", fields="; ".join(names))
    for rule in laid_over(ruleset):
        if any(home(path) is clause for path in rule.open):
            yield speaker.say(f"reading {rule.name}")


def ruled_out(ruleset: Ruleset, clause: Clause, speaker: Speaker) -> Iterator[str]:
    """The sentences of a preset's own text about a clause that rule out house rules, and which ones."""
    for words in WORDS_OF_PRESETS.get(ruleset.id, ()):
        if home(words.field) is clause:
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
