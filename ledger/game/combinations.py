"""Combinations: reading cards as a combination, and comparing combinations.

A combination beats lower ones of its class. What else it beats is in one table from bombs to targets.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ledger.game.blocks import is_block
from ledger.game.caches import BoundedCache
from ledger.game.cards import Cards, Deck, Rank, Suit, bits, shown, union
from ledger.game.patterns import Bomb, Combinations, Kind, Pattern, Target, Ties, Trump


class Combination(NamedTuple):
    """Cards read as a combination. `top` is the index of the highest card's bit, and decides within a class.

    >>> from ledger.game.rulesets.northern import NORTHERN
    >>> index = CombinationIndex(NORTHERN.deck, NORTHERN.combinations, NORTHERN.bombs)
    >>> low, high = index.read(0b0001_0001_0001), index.read(0b0001_0001_0001_0000)
    >>> high.beats(low), low.beats(high), low.is_one_of([Pattern(1, 3)]), low.breaks_lock
    (True, False, True, False)
    """

    cards: Cards
    shape: Pattern
    patterns: tuple[Pattern, ...]
    """The shape, and the stricter patterns that the cards also form."""
    must_match: Pattern
    """The pattern that a higher play must form: the shape, or a bomb's own stricter pattern."""
    own_class: int = 0
    """The class in which a higher combination beats it: one bit."""
    beaten_classes: int = 0
    """The classes in which it beats lower combinations: one bit each."""
    top: int = -1
    beats_tops_below: int = -1
    """It beats tops below this: its own top, or one more where a tie may be played."""
    bomb: bool = False
    suited: bool = False
    """A sequence of one suit."""
    suits: int = 0
    """Its suits, one bit each."""
    followed: int = 0
    """The suits that the cards of an answer of its class must be of, one bit each; 0 means any."""
    is_targets: int = 0
    """The targets that include it: one bit for each target of the index."""
    beats_targets: int = 0
    """The targets that it beats, as the same bits."""

    @property
    def breaks_lock(self) -> bool:
        """Whether a suit lock forbids it: only a sequence of mixed suits that is not a bomb."""
        return Kind.of(self.shape) is Kind.SEQUENCE and not (self.suited or self.bomb)

    def is_one_of(self, patterns: Iterable[Pattern]) -> bool:
        """Whether it forms one of these patterns."""
        return not set(self.patterns).isdisjoint(patterns)

    def beats(self, other: "Combination") -> bool:
        """Whether this may be played on the other."""
        higher = self.beaten_classes & other.own_class and self.beats_tops_below > other.top
        return (
            bool(higher and (not other.followed or not self.suits & ~other.followed))
            or self.beats_targets & other.is_targets != 0
        )

    def __repr__(self) -> str:
        return shown(self)


class Reply(NamedTuple):
    """A pattern that can beat a combination."""

    shape: Pattern
    higher: bool
    """Whether its blocks compare with the combination by their highest card."""
    chopping: frozenset[Rank | None]
    """The top ranks with which its blocks beat the combination, however high that is; None means any rank."""


class _Row(NamedTuple):
    """A bomb; `beats` holds its targets as bits of the index."""

    shape: Pattern
    rank: Rank | None
    beats: int
    bomb: bool
    alike: bool


class CombinationIndex:
    """Reads cards as combinations of one ruleset, and caches them.

    All rounds of a ruleset share an index; its answers depend on the ruleset alone.

    >>> from ledger.game.rulesets.southern import CLASSIC
    >>> index = CombinationIndex(CLASSIC.deck, CLASSIC.combinations, CLASSIC.bombs)
    >>> two, fours = index.read(1 << 48), index.read(0b1111)
    >>> print(str(fours).partition(", shape")[0])
    Combination(cards=<3s 3c 3d 3h of one pack>
    >>> fours.beats(two), two.beats(fours), index.can_be_bombed(two), index.read(0b10001)
    (True, False, True, None)
    >>> [Kind.of(reply.shape).value for reply in index.replies(two)], index.can_be_beaten(two)
    (['single', 'four-of-a-kind', 'pair-sequence', 'pair-sequence'], True)
    >>> index.is_bomb(fours.shape), index.is_target(two, CLASSIC.bombs[0].beats)
    (True, True)
    >>> index.is_trump(two), index.trumps_over(two)
    (False, 0)
    """

    def __init__(
        self,
        deck: Deck,
        combinations: Combinations,
        bombs: tuple[Bomb, ...],
        trumps: tuple[Trump, ...] = (),
        named: Iterable[Pattern] = (),
    ) -> None:
        """`named`: patterns that a ruleset mentions in addition to its bombs and their targets."""
        self.deck = deck
        self.combinations = combinations
        if combinations.follow_suits:
            bombs = (*twos_over_all(combinations.same_rank), *bombs)
        targets = [target for row in bombs for target in row.beats]
        targets += [target for trump in trumps for target in trump.beats]
        self._targets = {target: 1 << bit for bit, target in enumerate(dict.fromkeys(targets))}
        self._rows: dict[Pattern, list[_Row]] = {}
        for bomb in bombs:
            row = _Row(bomb.shape, bomb.rank, self._bits_of(bomb.beats), not bomb.plain, bomb.alike)
            self._rows.setdefault(bomb.shape, []).append(row)
        self.played: dict[Pattern, Pattern] = {
            shape: combinations.as_played(shape) for shape in combinations.shapes()
        }
        """Every pattern that may be played -> the same with its suit rule."""
        named = [*self._rows, *(target.shape for target in targets if target.shape is not None), *named]
        self._stricter: dict[Pattern, list[Pattern]] = {}
        """Shape -> its named patterns with a suit rule, which may be the one that play requires."""
        for pattern in sorted(set(named)):
            if pattern.suits and pattern.shape in self.played:
                self._stricter.setdefault(pattern.shape, []).append(pattern)
                self.played[pattern] = self.played[pattern.shape].strict(pattern.suits)
        self.shapes = tuple(self.played)
        self._by_size: dict[int, list[tuple[Pattern, Pattern, Rank]]] = {}
        """Number of cards -> its shapes, each with the pattern that is played and the highest rank."""
        for shape in combinations.shapes():
            played = self.played[shape], combinations.highest(shape)
            self._by_size.setdefault(shape.size, []).append((shape, *played))
        self._trumps = {
            bit: (index, trump)
            for index, trump in enumerate(trumps)
            for bit in bits(deck.every(trump.card) if deck.has_twins else deck.bit(trump.card))
        }
        self.trumps: Cards = union(self._trumps)
        """Every trump."""
        self._classes = self._classes_of_patterns()
        self.read: Callable[[Cards], Combination | None] = BoundedCache(self._classify).__getitem__
        """Returns the combination that the cards form, or None."""
        self._forms = BoundedCache(self._form)
        self._replies = BoundedCache(self._replies_to)

    def _classes_of_patterns(self) -> dict[Pattern, int]:
        """Pattern -> the class of its blocks, one bit each."""
        classes = {shape: 1 << bit for bit, shape in enumerate((*self.shapes, _TRUMPS, _ALIKE))}
        if not self.combinations.equal_length:
            # Bombs need not follow suit: they form another class than sequences that must.
            first: dict[bool, int] = {}
            for shape in filter(lambda shape: shape.is_run and not shape.suits, self.shapes):
                apart = self.combinations.follow_suits and self.is_bomb(shape)
                classes[shape] = first.setdefault(apart, classes[shape])
        return classes

    def is_bomb(self, shape: Pattern, rank: int | None = None) -> bool:
        """Whether all blocks of this pattern are bombs; with a `rank`, all that have it as their top rank."""
        played = self.played.get(shape, shape)
        return any(
            row.bomb and row.rank in (None, rank)
            for pattern, rows in self._rows.items()
            if pattern.covers(played)
            for row in rows
        )

    def can_be_bombed(self, top: Combination) -> bool:
        """Whether a bomb of another pattern beats a combination."""
        return any(
            row.bomb
            and (
                row.beats & top.is_targets
                or (row.alike and top.own_class == self._classes[_ALIKE] and self._highest(shape) > top.top)
            )
            for shape, rows in self._rows.items()
            if shape not in top.patterns
            for row in rows
        )

    def can_be_beaten(self, top: Combination) -> bool:
        """Whether any play but a bomb of another pattern beats a combination, ignoring who could hold it."""
        if self.trumps_over(top):
            return True
        if self.is_trump(top):
            return False
        of_rank = self.deck.rank_bits
        ties = self.deck.has_twins and self.combinations.ties is not Ties.HIGHER_ONLY
        highest = self._highest(top.shape) + ties
        if top.followed:
            highest -= (len(Suit) - top.followed.bit_length()) * self.deck.packs
        narrow = top.shape.width * 2 <= of_rank
        higher = highest > top.top if narrow else highest // of_rank > top.top // of_rank
        return higher or any(
            row.beats & top.is_targets for rows in self._rows.values() for row in rows if not row.bomb
        )

    def replies(self, top: Combination) -> tuple[Reply, ...]:
        """The patterns that can beat a combination, in the order of `shapes`."""
        return self._replies[top.own_class, top.is_targets]

    def is_target(self, top: Combination, targets: Iterable[Target]) -> bool:
        """Whether a combination is one of these targets, bomb or not."""
        rank = Rank(top.top // self.deck.rank_bits)
        formed = [Target(pattern, rank, plain=True) for pattern in top.patterns]
        return any(target.includes(one) for target in targets for one in formed)

    def is_trump(self, top: Combination) -> bool:
        """Whether this is a trump, which only a later trump beats."""
        return top.own_class == self._classes[_TRUMPS]

    def trumps_over(self, top: Combination) -> Cards:
        """The trumps that beat a combination."""
        found: Cards = 0
        for card in self._trumps:
            trump = self.read(card)
            found |= card if trump is not None and trump.beats(top) else 0
        return found

    def _highest(self, shape: Pattern) -> int:
        """The index of the highest card that a pattern may reach; -1 if the pattern is not played."""
        ranks = self.combinations.highest(shape) + 1 if shape in self.played else 0
        return ranks * self.deck.rank_bits - 1

    def _replies_to(self, class_and_targets: tuple[int, int]) -> tuple[Reply, ...]:
        """The replies to combinations of this class and set of targets."""
        own_class, targets = class_and_targets
        replies: list[Reply] = []
        for other in self.shapes:
            stricter = self._stricter.get(other.shape, ())
            formed = (other.shape, *(one for one in stricter if one.covers(other)))
            rows = [row for one in formed for row in self._rows.get(one, ())]
            higher = bool(self._own_and_beaten(_narrowest(formed, rows), rows)[1] & own_class)
            chopping = frozenset(row.rank for row in rows if row.beats & targets)
            if higher or chopping:
                replies.append(Reply(other, higher, chopping))
        return tuple(replies)

    def _own_and_beaten(self, shape: Pattern, rows: Iterable[_Row]) -> tuple[int, int]:
        """The class of a pattern's blocks, given its rows, and the classes in which they beat lower blocks: a bomb
        with a stricter suit rule than its shape also beats lower blocks of the shape."""
        own = self._classes[_ALIKE if any(row.alike for row in rows) else shape]
        return own, own | self._classes[shape.shape] if shape.suits else own

    def _bits_of(self, targets: Iterable[Target]) -> int:
        """A set of targets: one bit for each, as the index numbers them."""
        return union(self._targets[target] for target in targets)

    def _classify(self, cards: Cards) -> Combination | None:
        """The combination that the cards form, or None."""
        if trump := self._trumps.get(cards):
            return self._trump(cards, *trump)
        for shape, played, highest in self._by_size.get(cards.bit_count(), ()):
            if is_block(self.deck, played, cards, highest):
                return self._formed(shape, cards)
        return None

    def _formed(self, shape: Pattern, cards: Cards) -> Combination:
        """The combination of some cards that form this shape."""
        top = self.deck.order(cards.bit_length() - 1)
        patterns = self._patterns(shape, cards) if shape in self._stricter else (shape,)
        rank, suits = top // self.deck.rank_bits, self.deck.suits_in(cards)
        form = self._forms[patterns, rank]
        follow = self.combinations.follow_suits and rank != Rank.TWO and not form.bomb
        return form._replace(
            cards=cards,
            top=top,
            beats_tops_below=top + (self.combinations.ties is not Ties.HIGHER_ONLY),
            suited=shape.is_run and suits.bit_count() == 1,
            suits=suits,
            followed=suits if follow else 0,
        )

    def _form(self, formed: tuple[tuple[Pattern, ...], int]) -> Combination:
        """What combinations of some patterns, the shape first, and one top rank have in common, without cards."""
        patterns, rank = formed[0], Rank(formed[1])
        rows = [row for one in patterns for row in self._rows.get(one, ()) if row.rank in (None, rank)]
        bomb, narrowest = any(row.bomb for row in rows), _narrowest(patterns, rows)
        own_class, beaten_classes = self._own_and_beaten(narrowest, rows)
        return Combination(
            cards=0,
            shape=patterns[0],
            patterns=patterns,
            must_match=narrowest,
            own_class=own_class,
            beaten_classes=beaten_classes,
            bomb=bomb,
            is_targets=union(
                bit
                for target, bit in self._targets.items()
                if any(target.includes(Target(one, rank, plain=not bomb)) for one in patterns)
            ),
            beats_targets=union(row.beats for row in rows),
        )

    def _patterns(self, shape: Pattern, cards: Cards) -> tuple[Pattern, ...]:
        """The shape of some cards, and the stricter patterns that they form."""
        stricter, highest = self._stricter.get(shape, ()), self.combinations.highest(shape)
        return shape, *[one for one in stricter if is_block(self.deck, self.played[one], cards, highest)]

    def _trump(self, cards: Cards, index: int, trump: Trump) -> Combination:
        """A trump beats its targets and lower trumps; no target includes a trump."""
        return Combination(
            cards=cards,
            shape=Pattern(1),
            patterns=self._patterns(Pattern(1), cards),
            must_match=Pattern(1),
            own_class=self._classes[_TRUMPS],
            beaten_classes=self._classes[_TRUMPS],
            top=index,
            beats_tops_below=index,
            suits=self.deck.suits_in(cards),
            beats_targets=self._bits_of(trump.beats),
        )


_TRUMPS, _ALIKE = Pattern(0), Pattern(0, 2)
"""Keys of the classes that are not of one pattern: trumps, and `alike` bombs."""


def _narrowest(patterns: tuple[Pattern, ...], rows: list[_Row]) -> Pattern:
    """The strictest of the patterns that some cards form with which they are a bomb; else their shape."""
    return next((row.shape for row in reversed(rows) if row.bomb), patterns[0])


def twos_over_all(widths: Iterable[int]) -> Iterator[Bomb]:
    """2s need not follow suit: a single 2 beats any single card, two 2s any pair, and so on for these widths.

    >>> [(bomb.shape.width, bomb.rank.name, bomb.beats[0].below.name) for bomb in twos_over_all((1, 2))]
    [(1, 'TWO', 'TWO'), (2, 'TWO', 'TWO')]
    """
    for shape in map(Pattern, widths):
        yield Bomb(shape, (Target(shape, below=Rank.TWO),), rank=Rank.TWO, plain=True)
