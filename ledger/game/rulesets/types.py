"""The Ruleset: everything that a table agreed on, as plain data in small groups."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from ledger.game.cards import Card, Cards, Deck
from ledger.game.combinations import Bomb, Book, Combinations, Shape, Target
from ledger.game.errors import Clause
from ledger.game.special_sets import SpecialSet, Values

MOST_PACKS = 2


class Direction(StrEnum):
    CLOCKWISE = "clockwise"
    ANTICLOCKWISE = "anticlockwise"


@dataclass(frozen=True, slots=True)
class Deal:
    """Who plays, with how many cards of which deck (clause DEAL)."""

    players: tuple[int, ...]
    hand: int
    packs: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class Opening:
    """Who begins a round and with what (clauses OPEN, LEAD)."""

    after_instant_win: bool
    """Whether the lowest card opens again after an instant win."""


@dataclass(frozen=True, slots=True)
class Passing:
    """What a pass costs, and who may come in all the same (clauses PASS, LATE)."""

    locks: bool
    late: tuple[Shape, ...]
    """What a locked player may still play, if it beats the top."""


@dataclass(frozen=True, slots=True)
class InstantWin:
    """A hand that wins at once: every demand that is made of it holds (clause INSTANT)."""

    name: str
    pairs: int = 0
    """So many pairs; four of a kind is two."""
    block: Target | None = None
    """Contains this block."""
    bomb_with: Card | None = None
    """Contains a bomb with this card in it."""
    opening_only: bool = False
    """Only in a round that the lowest card opens."""


@dataclass(frozen=True, slots=True)
class InstantWins:
    """Which hands win at once, and what every other player then pays the claimant."""

    hands: tuple[InstantWin, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Ending:
    """When a round ends (clauses END, KNOCK)."""

    at_first_out: bool
    knock_out: bool
    """Whether whoever has played nothing when the first player goes out is out of the round, and last."""


@dataclass(frozen=True, slots=True)
class PlacePayment:
    """In a round of so many players, one place pays another; places count from 1 (clause PLACE)."""

    players: int
    payer: int
    payee: int
    points: int


@dataclass(frozen=True, slots=True)
class Payments:
    """What is paid for what."""

    places: tuple[PlacePayment, ...]
    left: int
    """What a player without a place pays the winner (clause PLACE)."""
    full_hand: int
    """What a player who was knocked out, or has played nothing, pays the winner instead (clause FULL)."""
    special_sets: tuple[SpecialSet, ...]
    """What captured and hoarded cards are worth (clauses SPECIAL, CHOP, HOARD)."""


@dataclass(frozen=True)
class Ruleset:
    """What a table agreed on. A value: a preset is one, and a house rule replaces a field of one."""

    id: str
    clauses: str
    """The prefix of its clauses' ids."""
    deal: Deal
    opening: Opening
    passing: Passing
    combinations: Combinations
    bombs: tuple[Bomb, ...]
    instant_wins: InstantWins
    ending: Ending
    payments: Payments

    def __post_init__(self) -> None:
        """ValueError for numbers that no table can play by."""
        deal = self.deal
        if not 1 <= deal.packs <= MOST_PACKS:
            raise ValueError(f"1 to {MOST_PACKS} packs")
        if not 1 <= deal.hand <= self.deck.all.bit_count() // max(deal.players, default=1):
            raise ValueError("a hand of 1 card at least, and enough cards in the deck for every player")
        if self.combinations.sequence_from < 3:
            raise ValueError("3 ranks at least in a sequence")

    def clause(self, topic: Clause) -> str:
        """The id of a clause: `S-PASS`."""
        return self._clause_ids[topic]

    @cached_property
    def _clause_ids(self) -> dict[Clause, str]:
        return {topic: f"{self.clauses}-{topic}" for topic in Clause}

    @cached_property
    def deck(self) -> Deck:
        return Deck(self.deal.packs)

    @cached_property
    def book(self) -> Book:
        """Its combinations, and what beats what."""
        return Book(self.deck, self.combinations, self.bombs)

    @cached_property
    def values(self) -> Values:
        """What cards are worth in it."""
        return Values(self.deck, self.payments.special_sets, self.combinations.top_of_sequences)

    def deals_all(self, players: int) -> bool:
        """Whether the whole deck is dealt to so many players, so that no card is out of the round."""
        return players * self.deal.hand == self.deck.all.bit_count()

    def instant_win(self, hand: Cards, *, opening: bool) -> InstantWin | None:
        """The first instant win of the list that a whole hand is, or None."""
        for win in self.instant_wins.hands:
            if (opening or not win.opening_only) and self._meets(win, hand):
                return win
        return None

    def _meets(self, win: InstantWin, hand: Cards) -> bool:
        if win.pairs and self._pairs(hand) < win.pairs:
            return False
        if win.block is not None and not any(
            win.block.rank is None or win.block.rank == low + win.block.shape.length - 1
            for low in self.book.lows(hand, win.block.shape)
        ):
            return False
        return win.bomb_with is None or self._holds_bomb_with(win.bomb_with, hand)

    def _pairs(self, hand: Cards) -> int:
        return sum((hand & self.deck.rank(rank)).bit_count() // 2 for rank in range(13))

    def _holds_bomb_with(self, card: Card, hand: Cards) -> bool:
        return bool(hand & self.deck.bit(card)) and any(
            low <= card.rank < low + bomb.shape.length
            for bomb in self.bombs
            for low in self.book.lows(hand, bomb.shape)
        )
