"""What all clauses use."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ledger.game.agreed import Need
from ledger.game.cards import Card, Cards, Rank, Suit
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.needs import bombs_earn, is_set, require_something
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


def sentences(*rows: tuple[str, str]) -> Teller:
    """Writes a clause of sentences without facts. Each row is a key and the fields that it needs, with a value or
    just set: all that are apart by spaces, and any of those with bars between them; an error if there is no such
    field or value."""
    wanted = [(key, [[*map(Need.read, ways.split("|"))] for ways in needs.split()]) for key, needs in rows]
    for need in (need for _, needs in wanted for ways in needs for need in ways):
        require_something(need)

    def tell(ruleset: Ruleset, speaker: Speaker) -> Content:
        for key, needs in wanted:
            if all(any(is_set(ruleset, need) for need in ways) for ways in needs):
                yield speaker.say(key)

    return tell


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


def bombs_are_paid(ruleset: Ruleset) -> bool:
    """Whether a bomb can be played, and earn anything."""
    return bool(ruleset.playable_bombs) and bombs_earn(ruleset)


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


def times(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    """The factor of a doubling, where it is not the usual 2."""
    if ruleset.payments.doubles_by != 2:
        yield speaker.say("rules times", times=ruleset.payments.doubles_by)
