"""An independent interpreter of the rows of a ruleset, against which the engine is compared.

It shares with the engine only the rows and the representation of cards. A new field of a row has to be interpreted
here too (`test_rows.py` requires it); every law about rows then covers it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from ledger.game.cards import BLACK, RED, Card, Cards, Rank, Suit, bits, union
from ledger.game.patterns import Bomb, Combinations, Pattern, SpecialSet, SuitRule, Target, Ties, Trump
from ledger.game.rulesets.model import InstantWin, Ruleset

KNOWN: dict[type, str] = {
    Pattern: "width length loose suits",
    Target: "shape rank plain below",
    Bomb: "shape beats rank plain alike",
    Trump: "card beats",
    SpecialSet: "target points suits",
    InstantWin: (
        "name pairs triples fours bombs block bomb_with one_colour in_one_suit one_colour_pairs opening_only points"
    ),
    Combinations: (
        "same_rank sequence_from pair_sequences top_of_sequences top_of_pair_sequences triple_sequences fours "
        "fours_consecutive one_suit one_colour one_colour_throughout suit_lock follow_suits ties equal_length"
    ),
}
"""The fields of each kind of row that are interpreted here."""

Key = tuple[int, int, int]


@dataclass(frozen=True)
class PilePlay:
    """A combination, as interpreted here."""

    cards: Cards
    shape: Pattern
    rank: Rank
    """The rank of the highest card."""
    key: Key
    """Orders plays of one kind."""
    suits: frozenset[Suit]
    rows: tuple[Bomb, ...]
    """The rows of bombs that it belongs to."""
    trump: int | None = None
    """Its index among the trumps."""

    @property
    def bomb(self) -> bool:
        return any(not row.plain for row in self.rows)

    @property
    def alike(self) -> bool:
        return any(row.alike for row in self.rows)

    @property
    def stricter(self) -> Pattern | None:
        """The pattern of its first bomb row with a rule for suits."""
        return next((row.shape for row in self.rows if row.shape.suits and not row.plain), None)

    @property
    def sequence(self) -> bool:
        """Whether it is a sequence of single cards."""
        return self.shape.width == 1 < self.shape.length

    @property
    def locks(self) -> bool:
        """Whether it is a sequence of one suit, which may lock the pile."""
        return self.sequence and len(self.suits) == 1

    @property
    def breaks_lock(self) -> bool:
        """Whether it is a sequence of several suits that is not a bomb."""
        return self.sequence and len(self.suits) > 1 and not self.bomb


class Reading:
    """The interpretation of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.deck = ruleset.deck
        self.rules = ruleset.combinations
        self.read: Callable[[Cards], PilePlay | None] = cache(self._read)

    # Combinations

    def _read(self, cards: Cards) -> PilePlay | None:
        held = self.deck.cards(cards)
        for place, trump in enumerate(self.ruleset.trumps):
            if held == (trump.card,):
                return self._pile_play(cards, Pattern(1), (), trump=place)
        shape = next(filter(self._is_playable(held), shapes(held)), None)
        if shape is None or not suits_agree(self.rules, shape, held):
            return None
        return self._pile_play(cards, shape, tuple(self._rows(shape, held)))

    def _pile_play(
        self, cards: Cards, shape: Pattern, rows: tuple[Bomb, ...], *, trump: int | None = None
    ) -> PilePlay:
        held = self.deck.cards(cards)
        top = max(held)
        key = (top.rank, top.suit, top.back)
        return PilePlay(cards, shape, top.rank, key, frozenset(card.suit for card in held), rows, trump)

    def _is_playable(self, held: tuple[Card, ...]) -> Callable[[Pattern], bool]:
        top, rules = max(held).rank, self.rules

        def is_playable(shape: Pattern) -> bool:
            if shape.loose:
                return shape.width == 4 and shape.length in rules.fours
            if shape.length == 1:
                return shape.width in rules.same_rank
            if shape.width == 1:
                return shape.length >= rules.sequence_from and top <= rules.top_of_sequences
            lengths = {2: rules.pair_sequences, 3: rules.triple_sequences, 4: rules.fours_consecutive}
            return shape.length in lengths.get(shape.width, ()) and top <= rules.top_of_pair_sequences

        return is_playable

    def _rows(self, shape: Pattern, held: tuple[Card, ...]) -> Iterator[Bomb]:
        for row in self.ruleset.bombs:
            if is_of(row.shape, shape, held) and row.rank in (None, max(held).rank):
                yield row

    # Beating

    def beats(self, one: PilePlay, other: PilePlay) -> bool:
        """Whether one combination beats another, regardless of locks."""
        if other.trump is not None:
            return one.trump is not None and one.trump > other.trump
        if one.trump is not None:
            return any(self._names(target, other) for target in self.ruleset.trumps[one.trump].beats)
        if any(self._names(target, other) for row in one.rows for target in row.beats):
            return True
        if self.rules.follow_suits and one.shape.length == 1 and one.rank is Rank.TWO:
            # 2s need not follow suit.
            return one.shape == other.shape and (other.rank < Rank.TWO or self.is_higher(one, other))
        return self._is_like(one, other) and self.is_higher(one, other)

    def _names(self, target: Target, play: PilePlay) -> bool:
        return (
            (target.shape is None or is_of(target.shape, play.shape, self.deck.cards(play.cards)))
            and target.rank in (None, play.rank)
            and (target.below is None or play.rank < target.below)
            and not (target.plain and play.bomb)
        )

    def _is_like(self, one: PilePlay, other: PilePlay) -> bool:
        """Whether the two are of a kind, so that the higher card decides."""
        if one.alike or other.alike:
            return one.alike and other.alike
        if other.stricter is not None:
            return one.stricter == other.stricter
        if one.stricter is not None and one.shape == other.shape:
            return not self.rules.follow_suits or other.bomb or one.suits <= other.suits
        if one.bomb is not other.bomb and (
            self.rules.follow_suits or (other.bomb and one.shape == other.shape)
        ):
            return False
        any_length = not self.rules.equal_length and one.sequence and other.sequence
        if one.shape != other.shape and not any_length:
            return False
        must_follow = self.rules.follow_suits and other.rank is not Rank.TWO and not other.bomb
        return not must_follow or one.suits <= other.suits

    def is_higher(self, one: PilePlay, other: PilePlay) -> bool:
        return one.key > other.key or (one.key == other.key and self.rules.ties is not Ties.HIGHER_ONLY)

    # Instant wins

    def instant_win(self, hand: Cards, *, opening: bool) -> str | None:
        """The name of the first instant win in the list that matches a hand."""
        for win in self.ruleset.instant_wins.hands:
            if (opening or not win.opening_only) and self._is_win(win, hand):
                return win.name
        return None

    def _is_win(self, win: InstantWin, hand: Cards) -> bool:
        held = self.deck.cards(hand)
        counts = Counter(card.rank for card in held)
        colours = Counter(card.suit in RED for card in held)
        return (
            self._pairs(win, held) >= win.pairs
            and sum(count >= 3 for count in counts.values()) >= win.triples
            and sum(count // 4 for count in counts.values()) >= win.fours
            and (not win.bombs or self._bombs_in(hand) >= win.bombs)
            and max(colours.values()) >= win.one_colour
            and (win.block is None or any(self._wanted(win, win.block, hand)))
            and (win.bomb_with is None or self._holds_bomb(win.bomb_with, hand))
        )

    def _pairs(self, win: InstantWin, held: tuple[Card, ...]) -> int:
        """The number of disjoint pairs, of one colour where the rules require it."""
        coloured = win.one_colour_pairs or self.rules.one_colour
        free = (Rank.TWO,) if self.rules.follow_suits else ()
        alike = Counter(
            (card.rank, card.suit in RED if coloured and card.rank not in free else None) for card in held
        )
        return sum(count // 2 for count in alike.values())

    def _wanted(self, win: InstantWin, block: Target, hand: Cards) -> Iterator[Cards]:
        """The blocks of a hand that match an instant win."""
        assert block.shape is not None
        for part in self.parts(hand, block.shape):
            held = self.deck.cards(part)
            top, suits = max(held).rank, {card.suit for card in held}
            colours = {suit in RED for suit in suits}
            if top > (Rank.ACE if block.shape.length > 1 and block.rank is None else Rank.TWO):
                continue
            if block.rank not in (None, top) or (block.below is not None and top >= block.below):
                continue
            if block.shape.width == 2 and not suits_agree(self.rules, block.shape, held):
                continue
            if not is_of(block.shape, block.shape, held):
                continue
            if (win.in_one_suit and len(suits) > 1) or (win.one_colour_pairs and len(colours) > 1):
                continue
            yield part

    def _holds_bomb(self, card: Card, hand: Cards) -> bool:
        wanted = self.deck.every(card)
        shapes = {row.shape for row in self.ruleset.bombs if not row.plain}
        return any(play.bomb and play.cards & wanted for play in self.plays(hand, shapes))

    def _bombs_in(self, hand: Cards) -> int:
        """The largest number of disjoint bombs in a hand."""
        shapes = {row.shape for row in self.ruleset.bombs if not row.plain}
        bombs = [play.cards for play in self.plays(hand, shapes) if play.bomb]

        @cache
        def most(cards: Cards) -> int:
            if not cards:
                return 0
            highest = 1 << cards.bit_length() - 1
            with_it = (1 + most(cards & ~bomb) for bomb in bombs if bomb & highest and not bomb & ~cards)
            return max(most(cards & ~highest), *with_it, 0)

        return most(hand)

    # Generating combinations

    def parts(self, stock: Cards, shape: Pattern) -> Iterator[Cards]:
        """Every block of one shape among some cards."""
        held = [list(bits(stock & self.deck.rank(rank))) for rank in Rank]
        if shape.loose:
            wide = [rank for rank in held if len(rank) >= shape.width]
            spans: Iterable[Sequence[list[Cards]]] = combinations(wide, shape.length)
        else:
            spans = (held[low : low + shape.length] for low in range(14 - shape.length))
        for span in spans:
            if all(len(rank) >= shape.width for rank in span):
                yield from map(
                    union, product(*(map(union, combinations(rank, shape.width)) for rank in span))
                )

    def plays(self, stock: Cards, shapes: Iterable[Pattern] | None = None) -> Iterator[PilePlay]:
        """Every combination among some cards, of some shapes or of any."""
        for shape in _ANY if shapes is None else shapes:
            if shape.size <= stock.bit_count() and shape.width <= self.deck.rank_bits:
                for part in self.parts(stock, shape):
                    play = self.read(part)
                    if play is not None and is_of(shape, play.shape, self.deck.cards(part)):
                        yield play

    def some_of(self, shape: Pattern, tops: Iterable[int], stock: Cards) -> Iterator[PilePlay]:
        """Combinations of one shape among some cards, with one of some ranks on top: of any suits, of each colour
        and of each suit, with the highest possible top card."""
        low = 1 - shape.length
        for top, suits in product(tops, _GROUPS):
            some = stock & self.deck.suits(suits)
            held = [list(bits(some & self.deck.rank(rank))) for rank in range(max(top + low, 0), top + 1)]
            if shape.loose:
                held = [rank for rank in held if len(rank) >= shape.width]
            if len(held) == shape.length and all(len(rank) >= shape.width for rank in held):
                body = union(union(rank[: shape.width]) for rank in held[:-1])
                picked = combinations(held[-1], shape.width) if shape.size < 4 else [held[-1][-shape.width :]]
                for high in picked:
                    play = self.read(body | union(high))
                    if play is not None:
                        yield play


def is_of(pattern: Pattern, shape: Pattern, held: tuple[Card, ...]) -> bool:
    """Whether cards of a shape match a pattern."""
    if (pattern.width, pattern.length, pattern.loose) != (shape.width, shape.length, shape.loose):
        return False
    match pattern.suits:
        case SuitRule.ANY:
            return True
        case SuitRule.ONE_SUIT:
            return len({card.suit for card in held}) == 1
        case SuitRule.ONE_COLOUR:
            return len({card.suit in RED for card in held}) == 1
    twos = pattern.suits is SuitRule.PAIRS_BUT_TWOS and all(card.rank is Rank.TWO for card in held)
    return shape.width != 2 or twos or pairs_of_one_colour(held)


def shapes(held: tuple[Card, ...]) -> list[Pattern]:
    """The possible shapes of some cards: equally many of each rank, consecutive or loose."""
    ranks = _ranks(held)
    counts = Counter(ranks)
    width = counts[ranks[0]]
    if set(counts.values()) != {width}:
        return []
    in_a_row = max(ranks) - min(ranks) + 1 == len(counts)
    return [Pattern(width, len(counts))] * in_a_row + [Pattern(width, len(counts), loose=True)]


def pairs_of_one_colour(held: tuple[Card, ...]) -> bool:
    """Whether the two cards of each rank are of one colour."""
    return len({(card.rank, card.suit in RED) for card in held}) == len(set(_ranks(held)))


def _ranks(held: tuple[Card, ...]) -> list[Rank]:
    return [card.rank for card in held]


_ANY = (
    *(Pattern(width, length) for width in range(1, 9) for length in range(1, 14)),
    *(Pattern(4, length, loose=True) for length in range(2, 14)),
)
"""All possible shapes."""

_GROUPS: tuple[tuple[Suit, ...], ...] = (tuple(Suit), BLACK, RED, *((suit,) for suit in Suit))


# Values of cards


def suits_agree(rules: Combinations, shape: Pattern, held: tuple[Card, ...]) -> bool:
    """Whether cards of a shape keep the ruleset's rules about suits."""
    if shape.width == 1 and shape.length > 1:
        return not rules.one_suit or len({card.suit for card in held}) == 1
    if shape.width != 2 or (rules.follow_suits and all(card.rank is Rank.TWO for card in held)):
        return True
    if rules.one_colour_throughout and shape.length > 1:
        return len({card.suit in RED for card in held}) == 1
    return not rules.one_colour or pairs_of_one_colour(held)


def is_special(ruleset: Ruleset, special: SpecialSet, cards: Cards) -> bool:
    """Whether cards are exactly one special set of this kind."""
    held = ruleset.deck.cards(cards)
    return (
        bool(held)
        and any(is_of(special.shape, shape, held) for shape in shapes(held))
        and _reaches(ruleset, special, max(held).rank)
        and all(not special.suits or card.suit in special.suits for card in held)
        and (special.shape.width != 2 or suits_agree(ruleset.combinations, special.shape, held))
    )


def _reaches(ruleset: Ruleset, special: SpecialSet, top: Rank) -> bool:
    rules, shape = ruleset.combinations, special.shape
    if special.target.rank is not None:
        return top is special.target.rank
    highest = rules.top_of_sequences if shape.width == 1 else rules.top_of_pair_sequences
    return shape.length == 1 or shape.loose or top <= highest


def worth(ruleset: Ruleset, sets: tuple[SpecialSet, ...], *, whole: bool = False) -> Callable[[Cards], int]:
    """A function that returns the value of cards: the maximum over all ways to split them into special sets."""
    singles = [special for special in sets if special.shape.size == 1]
    larger = [special for special in sets if special.shape.size > 1]

    @cache
    def most(cards: Cards) -> int:
        if not cards:
            return 0
        highest = 1 << cards.bit_length() - 1
        alone = (one.points for one in singles if is_special(ruleset, one, highest))
        best = most(cards & ~highest) + max(alone, default=0)
        for special in larger:
            if not special.shape.loose:
                for block in _blocks_below(special, ruleset, cards):
                    if block & highest and is_special(ruleset, special, block):
                        best = max(best, special.points + most(cards & ~block))
        return best

    def of(cards: Cards) -> int:
        as_one = [special.points for special in larger if whole and is_special(ruleset, special, cards)]
        return max(as_one) if as_one else most(cards)

    return of


def _blocks_below(special: SpecialSet, ruleset: Ruleset, cards: Cards) -> Iterator[Cards]:
    """Every block of this shape among some cards whose top is the rank of the highest card."""
    deck, shape = ruleset.deck, special.shape
    top = (cards.bit_length() - 1) // deck.rank_bits
    ranks = (cards & deck.rank(rank) for rank in range(top - shape.length + 1, top + 1))
    if top >= shape.length - 1:
        yield from map(union, product(*(map(union, combinations(bits(rank), shape.width)) for rank in ranks)))


# Examples and near misses


def samples(ruleset: Ruleset, *, sets: tuple[SpecialSet, ...] = ()) -> list[Cards]:
    """Blocks and near misses for each shape in the rows: of several suits, one card off suit, one card short, one
    rank short or long, with 2s on top, and one rank above the highest allowed."""
    found: dict[Cards, None] = {}
    for shape, rank in _named(ruleset, sets):
        found |= dict.fromkeys(of_row(ruleset, shape, rank))
    return list(found)


def of_row(ruleset: Ruleset, shape: Pattern, rank: Rank | None) -> Iterator[Cards]:
    """Blocks and near misses of one row; the first two are the lowest, or those of the row's rank."""
    tops = _tops(ruleset, shape, rank)
    for top in sorted(tops, key=lambda top: (top != rank, top)):
        yield from filter(None, _of_shape(ruleset, shape, top))


def _named(ruleset: Ruleset, sets: tuple[SpecialSet, ...]) -> set[tuple[Pattern, Rank | None]]:
    """The shapes in the rows of a ruleset, each with its rank."""
    targets: list[Target] = [special.target for special in sets]
    targets += [win.block for win in ruleset.instant_wins.hands if win.block is not None]
    targets += [target for bomb in ruleset.bombs for target in bomb.beats]
    targets += [target for trump in ruleset.trumps for target in trump.beats]
    named = {(target.shape, target.rank) for target in targets if target.shape is not None}
    return (
        named | {(row.shape, row.rank) for row in ruleset.bombs} | {(Pattern(1), None), (Pattern(1, 3), None)}
    )


def _tops(ruleset: Ruleset, shape: Pattern, rank: Rank | None) -> set[int]:
    """Top ranks to try: the lowest, the highest allowed, the next, and 2s; or the row's rank and the one below."""
    rules, lowest = ruleset.combinations, shape.length - 1
    if rank is not None:
        return {int(rank), max(rank - 1, lowest)}
    highest = rules.top_of_sequences if shape.width == 1 else rules.top_of_pair_sequences
    return {top for top in (lowest, int(highest), highest + 1, int(Rank.TWO)) if lowest <= top <= Rank.TWO}


def _of_shape(ruleset: Ruleset, shape: Pattern, top: int) -> Iterator[Cards]:
    deck, low = ruleset.deck, top - shape.length + 1
    by_rank = [list(bits(deck.rank(rank))) for rank in Rank]
    if shape.width > deck.rank_bits:
        return
    if shape.loose:
        low = max(low - 1, 0)
    for style in _STYLES:
        block = 0
        for rank in range(low, low + shape.length):
            # Loose blocks: the highest rank stands apart.
            place = top if shape.loose and rank == low + shape.length - 1 else rank
            ordered = sorted(by_rank[place], key=style(deck.packs, rank - low, shape.length))
            block |= union(ordered[: shape.width])
        yield block
        yield block & ~(1 << block.bit_length() - 1)
        if style is not _STYLES[0]:
            continue
        lowest = union(by_rank[low])
        yield block & ~lowest
        for rank in (low - 1, top + 1):
            if 0 <= rank <= Rank.TWO:
                yield block | union(by_rank[rank][: shape.width])
        if shape.width < deck.rank_bits:
            yield block | lowest & -(lowest & ~block & -(lowest & ~block))


def hands(ruleset: Ruleset) -> Iterator[Cards]:
    """Full hands that are an instant win or nearly one, filled up with high or scattered cards."""
    deck, sizes = ruleset.deck, {ruleset.deal.hand_of(players) for players in ruleset.deal.players}
    starts = dict.fromkeys([*samples(ruleset), *_several_of_a_rank(ruleset), *_of_one_colour(ruleset)])
    for place, (size, start) in enumerate(product(sizes, starts)):
        rest = list(bits(deck.all & ~start))
        ordered = rest[::3] + rest[1::3] + rest[2::3] if place % 2 else rest[::-1]
        if size >= start.bit_count():
            yield start | union(ordered[: size - start.bit_count()])


def _several_of_a_rank(ruleset: Ruleset) -> Iterator[Cards]:
    """As many pairs, triples and fours of a kind as an instant win needs, and one fewer, in separate ranks."""
    ranks = [rank for start in (0, 1) for rank in range(start, 13, 2)]
    for win in ruleset.instant_wins.hands:
        for width, count in ((2, win.pairs), (3, win.triples), (4, win.fours)):
            for number, style in product((count, count - 1), _STYLES):
                yield union(
                    union(
                        sorted(bits(ruleset.deck.rank(rank)), key=style(ruleset.deck.packs, place, number))[
                            :width
                        ]
                    )
                    for place, rank in enumerate(ranks[: max(number, 0)])
                )


def _of_one_colour(ruleset: Ruleset) -> Iterator[Cards]:
    for win in ruleset.instant_wins.hands:
        for count, colour in product((win.one_colour, win.one_colour - 1), (BLACK, RED)):
            yield union(list(bits(ruleset.deck.suits(colour)))[: max(count, 0)])


Style = Callable[[int, int, int], Callable[[Cards], tuple[int, ...]]]
"""Packs, index of the rank in its block, length of the block -> sort key by which cards of the rank are taken."""


def _suit(packs: int, card: Cards) -> int:
    return (card.bit_length() - 1) // packs % 4


_STYLES: tuple[Style, ...] = (
    # One suit; pairs of black cards. And the same of the highest cards.
    lambda packs, place, length: lambda card: (card,),
    lambda packs, place, length: lambda card: (-card,),
    # Another suit in each rank; pairs of both colours.
    lambda packs, place, length: lambda card: ((_suit(packs, card) + place) % 4, card),
    # A spade and a heart in each pair.
    lambda packs, place, length: lambda card: ((0, 2, 3, 1)[_suit(packs, card)], card),
    # Each pair of one colour, black and red in turn.
    lambda packs, place, length: lambda card: (card if place % 2 else -card,),
    # One suit except for the top card, or for the bottom card.
    lambda packs, place, length: lambda card: (-_suit(packs, card), card) if place == length - 1 else (card,),
    lambda packs, place, length: lambda card: (0 if place else (_suit(packs, card) + 3) % 4, card),
)
