"""A ruleset compiled for use: what beats what, what cards are worth, which hands win at once."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache

from ledger.game.blocks import find_blocks
from ledger.game.caches import BoundedCache
from ledger.game.cards import BLACK, RED, Card, Cards, Deck, Rank, bits, union
from ledger.game.combinations import CombinationIndex
from ledger.game.patterns import SpecialSet, SuitRule, Target
from ledger.game.rulesets.model import InstantWin, Ruleset
from ledger.game.rulesets.paying import Chain
from ledger.game.special_sets import Appraiser

MOST_SETS, MOST_STEPS = 24, 1_000
"""The most special sets in one list, and the most steps that valuing the cards of a hand or a pile may take."""
MOST_COUNTED, FEWER_COUNTED = 24, (20, 16, 12)
"""The most cards of a pile where each bomb doubles a payment, or where more would take too many steps: a 2, and
four bombs on it; and the numbers that are tried after it, where so many would, too."""


def dense(deck: Deck, count: int) -> Iterator[Cards]:
    """Some sets of `count` cards that divide into special sets in many ways: the lowest of the deck, all or without
    every third, fourth or fifth."""
    yield union([*bits(deck.all)][:count])
    for left_out in (3, 4, 5):
        cards = [card for index, card in enumerate(bits(deck.all)) if index % left_out]
        yield union(cards[:count])


@lru_cache(maxsize=64)
def compiled(ruleset: Ruleset) -> "CompiledRules":
    """The compiled form of a ruleset, shared by all rounds of equal rulesets, with its caches.

    >>> from ledger.game.rulesets import PRESETS
    >>> rules, fours, two_of_hearts = compiled(PRESETS["southern-classic"]), 0b1111, 1 << 51
    >>> rules.hand_values.total(two_of_hearts), rules.capture_values.total(fours | two_of_hearts)
    (2, 5)
    >>> rules.bombs_of_pile(fours | two_of_hearts), rules.first_of_pile(fours | two_of_hearts) == (two_of_hearts, 1)
    (2, True)
    >>> rules.instant_win(fours << 48, opening=False).name, rules.can_be_counted
    ('four-twos', True)
    """
    return CompiledRules(ruleset)


class CompiledRules:
    """Everything derived from a ruleset, computed on first use."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def index(self) -> CombinationIndex:
        """Its combinations, and what beats what."""
        passing, opening = self.ruleset.passing, self.ruleset.opening
        named = [*passing.late, *passing.any_time, *opening.intruders]
        named += [row.shape for row in passing.late_on]
        spared = [target for row in passing.late_on for target in (*row.on, *row.chopped)]
        spared += opening.intruders_spare
        named += [target.shape for target in spared if target.shape is not None]
        return CombinationIndex(
            self.ruleset.deck, self.ruleset.combinations, self.ruleset.bombs, self.ruleset.trumps, named
        )

    @cached_property
    def hand_values(self) -> Appraiser:
        """The values of cards left in a hand."""
        return Appraiser(self.ruleset.deck, self.ruleset.combinations, self.ruleset.payments.special_sets)

    @cached_property
    def capture_values(self) -> Appraiser:
        """The values of cards captured by a bomb."""
        paid = self.ruleset.payments
        if not paid.captured and not paid.captured_whole:
            return self.hand_values
        sets = paid.captured or paid.special_sets
        return Appraiser(self.ruleset.deck, self.ruleset.combinations, sets, whole=paid.captured_whole)

    def bombs_of_pile(self, taken: Cards) -> int:
        """The number of bombs in a pile whose last bomb took these cards: the most that can be found among them,
        plus one. 0 if no bomb beats the rest of the cards."""
        bombs, rest = self._divided(taken)
        beaten = self.index.read(rest)
        bombed = beaten is not None and self.index.can_be_bombed(beaten)
        return len(bombs) + 1 if bombed or not rest else 0

    def first_of_pile(self, taken: Cards) -> tuple[Cards, int]:
        """What the first bomb of a pile beat, and the number of bombs on that one, if the last took these cards.
        If they are nothing but bombs, the lowest was led."""
        bombs, rest = self._divided(taken)
        if rest:
            return rest, len(bombs)
        return min(bombs, key=lambda cards: self._beaten_among(cards, bombs)), len(bombs) - 1

    def _divided(self, taken: Cards) -> tuple[list[Cards], Cards]:
        """The bombs among these cards, and the rest of them."""
        bombs = [bomb.cards for bomb in self._bombs.breakdown(taken)]
        return bombs, taken & ~union(bombs)

    def _beaten_among(self, cards: Cards, bombs: Iterable[Cards]) -> int:
        """How many of some bombs this one beats."""
        one, others = self.index.read(cards), map(self.index.read, bombs)
        return sum(one.beats(other) for other in others if one is not None and other is not None)

    @cached_property
    def most_captured(self) -> int:
        """The most cards that the bomb of a result may take: fewer where each bomb among them doubles a payment, or
        where they would divide into special sets in too many ways. 0: even a few would."""
        return next(filter(self._can_be_captured, self._counts_of_captured()), 0)

    def _counts_of_captured(self) -> list[int]:
        """The numbers of cards that `most_captured` is one of, the greatest first."""
        paid, rules = self.ruleset.payments, self.ruleset.combinations
        runs = (rules.as_played(bomb.shape) for bomb in self.ruleset.playable_bombs if bomb.shape.is_run)
        counts = [MOST_COUNTED, *FEWER_COUNTED]
        if paid.chain is Chain.LAST_DOUBLING or (paid.chain.counts and any(run.suits for run in runs)):
            return counts
        return [self.ruleset.deck.all.bit_count(), 52, 32, *counts]

    def _can_be_captured(self, count: int) -> bool:
        """Whether a bomb may take so many cards: bombs are counted, or the cards are soon valued."""
        return self.ruleset.payments.chain.counts or _are_soon_counted(self.capture_values, count)

    @cached_property
    def _bombs(self) -> Appraiser:
        """Finds bombs: as many of the cards as possible, then as many bombs."""
        return self._finds_bombs(card=100, whole=True)

    @cached_property
    def _most_bombs(self) -> Appraiser:
        """Finds as many bombs as possible; their total value is their number."""
        return self._finds_bombs(card=0, whole=False)

    def _finds_bombs(self, *, card: int, whole: bool) -> Appraiser:
        """An appraiser that values each bomb at 1, plus `card` for each of its cards."""
        rules = self.ruleset.combinations
        rows = dict.fromkeys((bomb.shape, bomb.rank) for bomb in self.ruleset.playable_bombs)
        counted = (
            SpecialSet(Target(rules.as_played(shape), rank), card * shape.size + 1)
            for shape, rank in sorted(rows, key=lambda row: (row[0], row[1] or 0))
            if not shape.loose
        )
        return Appraiser(self.ruleset.deck, rules, tuple(counted), whole=whole)

    @cached_property
    def excess_values(self) -> Appraiser:
        """The values of special sets less those of their cards, where cards are counted; only those above 0."""
        card = self.ruleset.payments.card
        above = (
            replace(special, points=special.points - card * special.shape.size)
            for special in self.ruleset.payments.special_sets
        )
        dearer = tuple(special for special in above if special.points > 0)
        return Appraiser(self.ruleset.deck, self.ruleset.combinations, dearer)

    @property
    def can_be_counted(self) -> bool:
        """Whether valuing cards, and counting the bombs among them, takes few enough steps."""
        paid, deal = self.ruleset.payments, self.ruleset.deal
        if max(len(paid.special_sets), len(paid.captured), len(self.ruleset.bombs)) > MOST_SETS:
            return False
        held = max(map(deal.most_held, deal.players))
        valued = [self.hand_values, *([self.excess_values] if paid.card else [])]
        return all(_are_soon_counted(values, held) for values in valued) and any(
            map(self._can_be_captured, reversed(self._counts_of_captured()))
        )

    def instant_win(self, hand: Cards, *, opening: bool) -> InstantWin | None:
        """The first instant win of the list that a whole hand fulfils, or None."""
        return self._winning_hands[hand, opening]

    @cached_property
    def _winning_hands(self) -> BoundedCache[tuple[Cards, bool], InstantWin | None]:
        """Hand, and whether the lowest card opens its round -> its instant win."""
        return BoundedCache(lambda asked: self._first_met(*asked))

    def _first_met(self, hand: Cards, opening: bool) -> InstantWin | None:
        for win in self.ruleset.instant_wins.hands:
            if (opening or not win.opening_only) and self._meets(win, hand):
                return win
        return None

    def _meets(self, win: InstantWin, hand: Cards) -> bool:
        return (
            (not win.pairs or self._pairs(win, hand) >= win.pairs)
            and (not win.triples or sum(n >= 3 for n in self._counts(hand)) >= win.triples)
            and (not win.fours or sum(n // 4 for n in self._counts(hand)) >= win.fours)
            and (not win.bombs or self._most_bombs.total(hand) >= win.bombs)
            and (not win.one_colour or max(map(int.bit_count, self._colours(hand))) >= win.one_colour)
            and (win.block is None or any(self._blocks(win, hand)))
            and (win.bomb_with is None or self._holds_bomb_with(win.bomb_with, hand))
        )

    def _counts(self, hand: Cards) -> list[int]:
        """The number of cards of each rank."""
        return [(hand & self.ruleset.deck.rank(rank)).bit_count() for rank in range(13)]

    def _pairs(self, win: InstantWin, hand: Cards) -> int:
        if win.one_colour_pairs or self.ruleset.combinations.one_colour:
            return self._one_colour_pairs(hand)
        return sum(n // 2 for n in self._counts(hand))

    def _one_colour_pairs(self, hand: Cards) -> int:
        twos = hand & self._free_twos
        coloured = (n for stock in self._colours(hand & ~twos) for n in self._counts(stock))
        return twos.bit_count() // 2 + sum(n // 2 for n in coloured)

    @property
    def _free_twos(self) -> Cards:
        """The 2s, where any two of them are a pair whatever their colours; else none."""
        return self.ruleset.deck.rank(Rank.TWO) if self.ruleset.combinations.follow_suits else 0

    def _colours(self, hand: Cards) -> tuple[Cards, Cards]:
        return hand & self.ruleset.deck.suits(BLACK), hand & self.ruleset.deck.suits(RED)

    def winning_cards(self, win: InstantWin, hand: Cards) -> Cards:
        """The cards of a hand that make it this instant win, all of it for a bomb with a certain card; of two hands
        of one kind, the one with the highest of these cards is the stronger."""
        if win.block is not None:
            return max(self._blocks(win, hand))
        if win.bombs:
            return union(bomb.cards for bomb in self._most_bombs.breakdown(hand))
        if win.one_colour:
            return max(self._colours(hand), key=int.bit_count)
        if win.pairs and (win.one_colour_pairs or self.ruleset.combinations.one_colour):
            twos = hand & self._free_twos
            return self.ruleset.deck.paired(hand & ~twos) | self._ranks_of(2, twos)
        return self._ranks_of(2 if win.pairs else 3 if win.triples else 4 if win.fours else 1, hand)

    def _ranks_of(self, count: int, hand: Cards) -> Cards:
        """The cards of those ranks of which a hand holds at least `count`."""
        return union(
            held for rank in Rank if (held := hand & self.ruleset.deck.rank(rank)).bit_count() >= count
        )

    def _blocks(self, win: InstantWin, hand: Cards) -> list[Cards]:
        """Every block of a hand that fulfils an instant win, each with all cards that it could be made of."""
        assert win.block is not None
        assert win.block.shape is not None
        rank, pattern = win.block.rank, win.block.shape
        pattern = pattern.strict(self.ruleset.combinations.pairs_of(pattern))
        if win.in_one_suit or win.one_colour_pairs:
            pattern = pattern.strict(SuitRule.ONE_SUIT if win.in_one_suit else SuitRule.ONE_COLOUR)
        return [block.cards for block in find_blocks(self.ruleset.deck, pattern, hand, rank=rank)]

    def _holds_bomb_with(self, card: Card, hand: Cards) -> bool:
        held, deck, rules = hand & self.ruleset.deck.every(card), self.ruleset.deck, self.ruleset.combinations
        return any(
            block.cards & held
            for bomb in self.ruleset.playable_bombs
            for block in find_blocks(
                deck, rules.as_played(bomb.shape), hand, rules.highest(bomb.shape), rank=bomb.rank
            )
        )


def _are_soon_counted(values: Appraiser, count: int) -> bool:
    """Whether valuing so many cards, or fewer, takes few enough steps."""
    try:
        for some in (count, count // 2):
            for cards in dense(values.deck, some):
                values.steps(cards, MOST_STEPS)
    except OverflowError:
        return False
    return True
