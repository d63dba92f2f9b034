"""Special sets: cards that are worth points when they are captured or hoarded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from ledger.game.blocks import Block, find_blocks
from ledger.game.caches import BoundedCache
from ledger.game.cards import Card, Cards, Deck, Rank, Suit, bits, shown, union
from ledger.game.patterns import SINGLE, Combinations, Pattern, SpecialSet


class Worth(NamedTuple):
    """A special set among some cards, and its points."""

    cards: Cards
    points: int

    def __repr__(self) -> str:
        return shown(self)


class _Sought(NamedTuple):
    """A special set of several cards, as it is looked for."""

    points: int
    pattern: Pattern
    """With the ruleset's rule about the suits of pairs."""
    suited: Cards
    """The cards of its suits."""
    highest: Rank
    rank: Rank | None
    """Its top rank, or the highest of any."""


class Appraiser:
    """Values cards by one list of special sets (clause SPECIAL), which must be playable.

    `whole`: cards that form one special set are worth just that, whatever smaller sets they hold. Loose sets (two
    fours of a kind of any ranks) count only in this way.

    >>> from ledger.game.patterns import THREE_PAIRS, TWO, Target
    >>> deck, playable = Deck(), Combinations((1, 2), 3, (3,), Rank.ACE)
    >>> values = Appraiser(deck, playable, (SpecialSet(TWO, 1), SpecialSet(Target(THREE_PAIRS), 2)))
    >>> cards, _ = deck.gather(map(Card.read, "3s 3c 4s 4d 5c 5h 6d 2s".split()))
    >>> values.breakdown(cards)
    (Worth(cards=<3s 3c 4s 4d 5c 5h of one pack>, points=2), Worth(cards=<2s of one pack>, points=1))
    >>> values.total(cards), values.is_special_set(cards), values.steps(cards, most=100)
    (3, False, 3)
    >>> values.blocks_in(cards), deck.write(values.could_hold(cards, count=2))
    ([Worth(cards=<3s 3c 4s 4d 5c 5h of one pack>, points=2)], ('2s',))
    """

    def __init__(
        self,
        deck: Deck,
        combinations: Combinations,
        special_sets: tuple[SpecialSet, ...],
        *,
        whole: bool = False,
    ) -> None:
        self.deck = deck
        self._whole = whole
        paid = [special for special in special_sets if special.points]
        singles = [special for special in paid if special.shape == SINGLE]
        sought = [
            _Sought(
                special.points,
                special.shape.strict(combinations.pairs_of(special.shape)),
                deck.suits(special.suits or tuple(Suit)),
                combinations.highest(special.shape),
                special.target.rank,
            )
            for special in paid
            if special not in singles
        ]
        self._blocks = [one for one in sought if not one.pattern.loose]
        self._loose = [one for one in sought if one.pattern.loose]
        self._alone: dict[Cards, int] = {}
        """Card -> what it is worth alone, if it is worth anything: the most, if several of the sets name it."""
        for points in dict.fromkeys(special.points for special in singles):
            alike = union(self._cards_of(special) for special in singles if special.points == points)
            dearer = union(self._cards_of(special) for special in singles if special.points > points)
            self._alone |= dict.fromkeys(bits(alike & ~dearer), points)
        self.singles: Cards = union(self._alone)
        """Every card that is a special set by itself."""
        self._breakdowns = BoundedCache(self._chosen)

    def total(self, cards: Cards) -> int:
        """The largest total of special sets among the cards that share no card."""
        return sum([worth.points for worth in self._breakdowns[cards]])

    def breakdown(self, cards: Cards) -> tuple[Worth, ...]:
        """The special sets that make up the total; among equal choices, always the same one."""
        return self._breakdowns[cards]

    def _chosen(self, cards: Cards) -> tuple[Worth, ...]:
        """The special sets of several cards that are chosen, then each other card that is one by itself."""
        if self._whole and (one := self._as_one(cards)):
            return (one,)
        chosen = divisions.best() if (divisions := self._divisions(cards)) is not None else []
        left = cards & ~union(worth.cards for worth in chosen)
        return (*chosen, *[Worth(card, points) for card, points in self._alone.items() if card & left])

    def steps(self, cards: Cards, most: int) -> int:
        """How many sets of cards are compared to value some cards; OverflowError for more than `most`."""
        divisions = self._divisions(cards, most)
        return len(divisions) if divisions is not None and divisions.best() else 0

    def _divisions(self, cards: Cards, most: int | None = None) -> "_Divisions | None":
        """The choices among some cards; None if they hold no special set of several."""
        count = cards.bit_count()
        blocks = [
            (index, sought.points, block)
            for index, sought in enumerate(self._blocks)
            if sought.pattern.size <= count
            for block in self._found(cards, sought)
        ]
        return _Divisions(self.deck, blocks, self._alone, most) if blocks else None

    def blocks_in(self, cards: Cards) -> list[Worth]:
        """Every special set of several cards, overlapping or not; of a block, the cards worth least alone."""
        return [
            Worth(self._cheapest(block), sought.points)
            for sought in self._blocks
            for block in self._found(cards, sought)
        ]

    def is_special_set(self, cards: Cards) -> bool:
        """Whether the cards are exactly one special set."""
        return bool(cards & self.singles) if cards.bit_count() == 1 else self._as_one(cards) is not None

    def could_hold(self, cards: Cards, count: int) -> Cards:
        """Of these unseen cards, those that could be in a special set of a player who holds `count` cards."""
        useful = cards & self.singles if count else 0
        for sought in self._blocks:
            if sought.pattern.size <= count:
                useful |= union(block.cards for block in self._found(cards, sought))
        return useful

    def _cards_of(self, special: SpecialSet) -> Cards:
        """Every card that is this set by itself."""
        ranks = tuple(Rank) if special.target.rank is None else (special.target.rank,)
        found = 0
        for suit in special.suits or tuple(Suit):
            for rank in ranks:
                found |= self.deck.every(Card(rank, suit))
        return found

    def _as_one(self, cards: Cards) -> Worth | None:
        """The cards as exactly one block, the most valuable of several; None if they form none."""
        size = cards.bit_count()
        points = [
            sought.points
            for sought in (*self._blocks, *self._loose)
            if sought.pattern.size == size and any(self._found(cards, sought))
        ]
        return Worth(cards, max(points)) if points else None

    def _found(self, cards: Cards, sought: _Sought) -> list[Block]:
        """All such sets that can be made from some cards."""
        return find_blocks(self.deck, sought.pattern, cards & sought.suited, sought.highest, rank=sought.rank)

    def _cheapest(self, block: Block) -> Cards:
        """The cards of a block that are worth least by themselves."""
        return union(
            union(sorted(bits(stock), key=self._worth_alone)[: block.pattern.width]) for stock in block.stocks
        )

    def _worth_alone(self, card: Cards) -> int:
        """What a card is worth as a special set by itself."""
        return self._alone.get(card, 0)


class _Choice(NamedTuple):
    """Some special sets among some cards."""

    points: int
    """What all the cards are worth then."""
    unused: int
    """Minus the number of cards in the sets, so that of equal points fewer cards are the greater choice."""
    sets: tuple[tuple[int, Worth], ...]
    """Each after its index in the list."""


class _Divisions(dict[Cards, _Choice]):
    """Cards -> the choice of special sets of several cards that makes them worth the most.

    Of equal choices, that of the fewest cards, then of the lowest.

    >>> deck, pairs = Deck(), Pattern(2)
    >>> blocks = [(0, 5, block) for block in find_blocks(deck, pairs, 0b0001_0111)]
    >>> _Divisions(deck, blocks, alone={1 << 4: 1}, most=None).best()
    [Worth(cards=<3s 3c of one pack>, points=5)]
    """

    def __init__(
        self,
        deck: Deck,
        blocks: Iterable[tuple[int, int, Block]],
        alone: Mapping[Cards, int],
        most: int | None,
    ) -> None:
        """`blocks` are all that can be made, each after its index in the list and its points; `alone` holds what
        cards are worth by themselves. More than `most` choices raise OverflowError."""
        super().__init__()
        self._alone, self._most = alone, most
        self._blocks: dict[Cards, list[tuple[int, int, Block]]] = {}
        """Card -> the blocks of whose lowest rank it is."""
        self._deck = deck
        uses: dict[Cards, list[tuple[int, int]]] = {}
        for number, (index, points, block) in enumerate(blocks):
            for card in bits(block.stocks[0]):
                self._blocks.setdefault(card, []).append((index, points, block))
            cards = block.cards
            for group, suits in enumerate(block.suits):
                for card in bits(cards & deck.suits(suits)):
                    uses.setdefault(card, []).append((number, group))
        rank_bits, alike = deck.rank_bits, dict[tuple[object, ...], Cards]()
        keys = {card: ((card.bit_length() - 1) // rank_bits, alone.get(card), *uses[card]) for card in uses}
        for card, key in keys.items():
            alike[key] = alike.get(key, 0) | card
        self._alike = {card: alike[key] for card, key in keys.items()}
        """Card -> the cards of its rank that are worth the same alone and fit into the same blocks."""

    def best(self) -> list[Worth]:
        """The special sets of the best choice, in the order of the list."""
        return [worth for _, worth in sorted(self[union(self._alike)].sets)]

    def __missing__(self, cards: Cards) -> _Choice:
        """The lowest card is in one of the sets that hold it, or worth what it is alone, as are all like it."""
        if not cards:
            return _Choice(0, 0, ())
        if len(self) == self._most:
            raise OverflowError(self._most)
        lowest = cards & -cards
        alike = cards & self._alike[lowest]
        rest = self[cards ^ alike]
        points = rest.points + alike.bit_count() * self._alone.get(lowest, 0)
        best = _Choice(points, rest.unused, rest.sets)
        for index, points, block in self._blocks.get(lowest, ()):
            for some in self._sets_with(lowest, block, cards):
                rest = self[cards & ~some]
                total, unused = rest.points + points, rest.unused - block.pattern.size
                if (total, unused) >= best[:2]:
                    best = _Choice(total, unused, ((index, Worth(some, points)), *rest.sets))
        self[cards] = best
        return best

    def _sets_with(self, lowest: Cards, block: Block, cards: Cards) -> Iterator[Cards]:
        """The sets of a block with the lowest of these cards: of those that leave cards alike, the lowest."""
        left = block._replace(stocks=tuple([stock & cards for stock in block.stocks]))
        if held := left.holding(self._deck, lowest):
            yield from map(sum, product(*map(self._unlike, held.choices(self._deck))))

    def _unlike(self, choices: Sequence[Cards]) -> Iterable[Cards]:
        """The first of all choices that leave cards alike."""
        if len(choices) == 1:
            return choices
        found: dict[tuple[Cards, ...], Cards] = {}
        for cards in choices:
            found.setdefault(tuple(sorted(map(self._alike.__getitem__, bits(cards)))), cards)
        return found.values()
