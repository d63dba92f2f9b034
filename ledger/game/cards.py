"""Ranks, suits, cards and the deck; reading and writing a card.

A single card is a `Card`; a set of cards is one integer with one bit per card. The lowest card has the lowest bit,
so that the highest card of a set is its highest bit, and sets combine with `|`, `&` and `~`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Annotated, Any, Self, TypeAlias, get_args, get_origin

from ledger.game.caches import BoundedCache

Cards: TypeAlias = Annotated[int, "cards"]
"""A set of cards: one bit per card, in the layout of its `Deck`. Values that hold some print them (`shown`)."""

_RANKS = "3456789TJQKA2"
_SUITS = "scdh"


class Rank(IntEnum):
    """Low to high: the 3 is the lowest rank, the 2 the highest."""

    THREE = 0
    FOUR = 1
    FIVE = 2
    SIX = 3
    SEVEN = 4
    EIGHT = 5
    NINE = 6
    TEN = 7
    JACK = 8
    QUEEN = 9
    KING = 10
    ACE = 11
    TWO = 12

    @property
    def letter(self) -> str:
        return _RANKS[self]


class Suit(IntEnum):
    """Low to high."""

    SPADES = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        return _SUITS[self]


BLACK, RED = (Suit.SPADES, Suit.CLUBS), (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card; cards compare by rank, suit and back. `back` is the pack: 0 or, in a deck of two, 1."""

    rank: Rank
    suit: Suit
    back: int = 0

    @classmethod
    @lru_cache(maxsize=512)
    def read(cls, text: str) -> Self:
        """Parse a card such as `3s`, `10H` or `Q♥`; ValueError for any other text.

        A trailing apostrophe (`3s'`) means the second pack.
        """
        match = _CARD.fullmatch(text)
        if match is None:
            raise ValueError(f"not a card: {text!r}")
        rank, suit, second = match.groups()
        return cls(
            Rank(_RANKS.index("T" if rank == "10" else rank.upper())),
            Suit(_SUIT_OF[suit.lower()]),
            1 if second else 0,
        )

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter + "'" * self.back


_CARD = re.compile("(10|[3-9TJQKA2])([SCDH♠♣♦♥])[\ufe0e\ufe0f]?(['’])?", re.IGNORECASE | re.ASCII)
_SUIT_OF = {letter: index for letters in (_SUITS, "♠♣♦♥") for index, letter in enumerate(letters)}


@dataclass(frozen=True)
class Deck:
    """One or two packs of 52, and the bit layout of sets of its cards.

    If `backs` is true, the two cards of a rank and suit differ, and the second pack's is higher. Otherwise they are
    twins, which cannot be told apart.
    """

    packs: int = 1
    backs: bool = False

    @cached_property
    def rank_bits(self) -> int:
        """The number of bits per rank."""
        return 4 * self.packs

    @cached_property
    def all(self) -> Cards:
        return (1 << 13 * self.rank_bits) - 1

    @cached_property
    def has_twins(self) -> bool:
        """Whether the deck holds twins."""
        return self.packs > 1 and not self.backs

    @cached_property
    def lowest(self) -> Cards:
        """The lowest card; both of them if they are twins."""
        return 3 if self.has_twins else 1

    @cached_property
    def _each(self) -> tuple[Card, ...]:
        """Every card by the index of its bit; cached, because creating cards is slow."""
        return tuple(map(self.card, range(13 * self.rank_bits)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The text of every card, by the index of its bit."""
        return tuple(map(str, self._each))

    def rank(self, rank: int) -> Cards:
        """Every card of one rank."""
        return ((1 << self.rank_bits) - 1) << rank * self.rank_bits

    def rank_of(self, cards: Cards) -> int:
        """The rank of the highest of some cards."""
        return (cards.bit_length() - 1) // self.rank_bits

    @cached_property
    def _suits(self) -> tuple[Cards, ...]:
        one = (1 << self.packs) - 1
        return tuple(sum(one << (rank * 4 + suit) * self.packs for rank in Rank) for suit in Suit)

    def suits(self, suits: Iterable[Suit]) -> Cards:
        """Every card of these suits."""
        return self._of_suits[tuple(suits)]

    @cached_property
    def _of_suits(self) -> BoundedCache[tuple[Suit, ...], Cards]:
        return BoundedCache(lambda suits: union(self._suits[suit] for suit in suits))

    def suits_in(self, cards: Cards) -> int:
        """The suits of some cards, one bit each."""
        return sum([1 << suit for suit, every in enumerate(self._suits) if cards & every])

    def every(self, card: Card) -> Cards:
        """Every card of one rank and suit, from all packs."""
        return self.rank(card.rank) & self._suits[card.suit]

    def paired(self, cards: Cards) -> Cards:
        """Of these cards, those that can be in a pair of one colour."""
        found: Cards = 0
        for colour in (BLACK, RED):
            stock = cards & self.suits(colour)
            for rank in Rank:
                pair = stock & self.rank(rank)
                found |= pair if pair.bit_count() > 1 else 0
        return found

    def bit(self, card: Card) -> Cards:
        """The bit of this card; ValueError if it is of a pack that the deck does not have."""
        if card.back >= (self.packs if self.backs else 1):
            raise ValueError(f"no such pack: {card}")
        return 1 << (card.rank * 4 + card.suit) * self.packs + card.back

    def card(self, index: int) -> Card:
        """The card of the bit at this index."""
        of_pack, back = divmod(index, self.packs)
        rank, suit = divmod(of_pack, 4)
        return Card(Rank(rank), Suit(suit), back if self.backs else 0)

    def order(self, index: int) -> int:
        """The key that decides between two highest cards: the bit's index, the same for twins."""
        return index | self.packs - 1 if self.has_twins else index

    def gather(self, cards: Iterable[Card]) -> tuple[Cards, Cards]:
        """The cards as a set, and the set of those that are named more often than the deck holds them."""
        found = again = 0
        for card in cards:
            bit = self.bit(card)
            if found & bit and self.has_twins:
                bit = self.twin(bit)
            if found & bit:
                again |= bit
            found |= bit
        return found, again

    def twin(self, bit: Cards) -> Cards:
        """The other card of the same rank and suit in a deck of two packs."""
        index = bit.bit_length() - 1
        return 1 << (index ^ 1)

    def unseen_twins(self, cards: Cards, known: Cards) -> Cards:
        """Replace each known card of a set by its twin, unless the twin is known or in the set too."""
        for bit in bits(cards & known):
            twin = self.twin(bit)
            if not twin & (known | cards):
                cards ^= bit | twin
        return cards

    def cards(self, cards: Cards) -> tuple[Card, ...]:
        """The cards of a set, low to high."""
        each = self._each
        return tuple(each[bit.bit_length() - 1] for bit in bits(cards))

    @cached_property
    def write(self) -> Callable[[Cards], tuple[str, ...]]:
        """Returns the cards of a set as texts, low to high."""
        return BoundedCache(self._texts).__getitem__

    def _texts(self, cards: Cards) -> tuple[str, ...]:
        names = self.names
        return tuple([names[bit.bit_length() - 1] for bit in bits(cards)])

    @cached_property
    def read(self) -> Callable[[tuple[str, ...]], tuple[Cards, Cards]]:
        """Returns the cards of some texts, as `gather` does; ValueError if one is no card."""
        return BoundedCache(self._named).__getitem__

    def _named(self, texts: tuple[str, ...]) -> tuple[Cards, Cards]:
        return self.gather(map(Card.read, texts))


def taken_for(card: Card) -> Iterator[Card]:
    """The cards that this one is easily mistaken for: the same rank, or the next rank up or down in its suit."""
    yield from (replace(card, suit=suit) for suit in Suit if suit != card.suit)
    yield from (replace(card, rank=rank) for rank in Rank if abs(rank - card.rank) == 1)


def shown(value: Any) -> str:
    """The `repr` of a value: what is not at its default, and sets of cards as their cards.

    A set does not know its deck. It is read as cards of one pack, and as those of two if one has no such bits; the
    text says which, because the low bits of two packs are those of other cards of one.

    >>> from ledger.game.moves import Declare, Play
    >>> print(Play(0, 0b11), Play(1, 1 << 103), Declare(2, (1, 2)))  # doctest: +NORMALIZE_WHITESPACE
    Play(player=0, cards=<3s 3c of one pack>) Play(player=1, cards=<2h' of two packs>)
    Declare(player=2, sets=(<3s of one pack>, <3c of one pack>))
    """
    defaults = (
        {one.name: one.default for one in fields(value)}
        if is_dataclass(value)
        else {name: value._field_defaults.get(name, MISSING) for name in value._fields}
    )
    parts = [
        f"{name}={_printed(held, type(value).__annotations__[name])}"
        for name, default in defaults.items()
        if (held := getattr(value, name)) != default
    ]
    return f"{type(value).__name__}({', '.join(parts)})"


def _printed(held: Any, wanted: Any) -> str:
    if get_origin(wanted) is tuple:
        return f"({', '.join(_printed(one, get_args(wanted)[0]) for one in held)})"
    if get_origin(wanted) is Mapping:
        texts = (f"{key!r}: {_printed(one, get_args(wanted)[1])}" for key, one in held.items())
        return f"{{{', '.join(texts)}}}"
    if wanted != Cards:
        return repr(held)
    deck, packs = (Deck(2, backs=True), "two packs") if held >> 52 else (Deck(), "one pack")
    return f"<{' '.join(deck.write(held))} of {packs}>" if held else "<no cards>"


def bits(mask: int) -> Iterator[int]:
    """The single bits of a set, low to high."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def union(sets: Iterable[int]) -> int:
    """The union of sets."""
    together = 0
    for one in sets:
        together |= one
    return together
