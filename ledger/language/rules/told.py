"""What a clause consists of, and what several of them say."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ledger.game.cards import Card, Cards, Rank, Suit
from ledger.game.patterns import Bomb
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.language.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Told: TypeAlias = Iterator[str | Table]
"""The paragraphs of a clause, and at most one table; nothing at all if the clause does not apply."""

Teller: TypeAlias = Callable[[Ruleset, Speaker], Told]
"""Tells one clause of a ruleset."""


def head(speaker: Speaker, *columns: str) -> tuple[str, ...]:
    """The head of a table."""
    return tuple(speaker.say(f"head {column}") for column in columns)


def lowest_card(speaker: Speaker) -> str:
    """The lowest card of the deck."""
    return speaker.card(str(Card(min(Rank), min(Suit))))


def hand_sizes(ruleset: Ruleset, speaker: Speaker) -> str:
    """How many cards a player is dealt: `13`; `20, 17, 14 or 13` where it depends on how many play."""
    return speaker.any_of(dict.fromkeys(ruleset.deal.hand_of(players) for players in ruleset.deal.players))


def dealt_out(ruleset: Ruleset) -> list[int]:
    """With how many players every card is dealt."""
    return [players for players in ruleset.deal.players if ruleset.deals_all(players)]


def playable_rows(ruleset: Ruleset, *, plain: bool) -> list[Bomb]:
    """What beats more than a lower one of its kind, and can be played: a bomb is a combination too."""
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
    """Whether there is any payment under a ruleset."""
    payments, wins = ruleset.payments, ruleset.instant_wins
    return bool(
        payments.places
        or payments.left
        or payments.full_hand
        or payments.card
        or payments.unplayed
        or payments.last_twos
        or payments.got_to_get_in
        or payments.lowest_last
        or payments.lowest_last_doubles
        or payments.lowest_left
        or bombs_are_paid(ruleset)
        or payments.for_hands
        or ruleset.contracts
        or any(win.points or (win.points is None and wins.points) for win in wins.hands)
    )


def read(ruleset: Ruleset, cards: str) -> Cards:
    """The set of some cards of an example."""
    return ruleset.deck.gather(map(Card.read, cards.split()))[0]


def beats(ruleset: Ruleset, higher: str, lower: str) -> bool:
    """Whether the engine lets one play of an example lie on the other."""
    above, below = (compiled(ruleset).index.read(read(ruleset, cards)) for cards in (higher, lower))
    return above is not None and below is not None and above.beats(below)
