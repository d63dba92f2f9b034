"""What can still be played by a player whose hand is unknown: what the page keeps bright, and offers together."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ledger.game.cards import BLACK, RED, Cards, Deck, Rank, Suit, union
from ledger.game.combinations import SINGLE, Combination, Kind, Shape, Ties
from ledger.game.state import NOBODY, Round

Suits = tuple[Suit, ...]
_ALL: tuple[Suits, ...] = (tuple(Suit),)
_COLOURS: tuple[Suits, ...] = (BLACK, RED)


class Way(NamedTuple):
    """Combinations of one shape that might be played: all blocks of unseen cards with these lowest ranks."""

    shape: Shape
    suits: tuple[Suits, ...]
    """The cards of one rank are of one of these groups of suits."""
    stock: Cards
    """The unseen cards of those suits."""
    lows: int
    """The lowest ranks, one bit a rank; of a loose shape, every rank in it."""
    edge: int | None = None
    """One more lowest rank: a block from there on must hold one of the `needed` cards."""
    needed: Cards = 0
    """Some cards of one rank."""

    def but_for(self, lows: int) -> "Way":
        """The same without the blocks with these lowest ranks."""
        if self.edge is not None and lows >> self.edge & 1:
            return self._replace(lows=self.lows & ~lows, edge=None, needed=0)
        return self._replace(lows=self.lows & ~lows) if self.lows & lows else self


def playable(round: Round, player: int) -> Cards:
    """Every card that this player might lay now, alone or with others, as far as anybody can know.

    Seats skipped on the way to this player's turn are taken to pass. Known are the cards seen so far, how many
    cards the player holds, the pile, and the rules; never a hand.
    """
    if round.over or not round.active >> player & 1:
        return 0
    shapes = _answering(round, player)
    if shapes is None and not (round.must_open and round.deals_all):
        return round.unseen
    deck = round.ruleset.deck
    found = union(_cards(deck, way) for way in _ways(round, player, shapes))
    if round.top is not None and shapes and SINGLE in shapes:
        found |= round.book.trumps_over(round.top) & round.unseen
    return found


def together(round: Round, player: int) -> Iterator[Way]:
    """The combinations of several cards among which is every one that this player might lay now.

    Of two packs there would be too many to choose from, and of loose blocks too.
    """
    if round.over or not round.active >> player & 1 or round.ruleset.deck.packs > 1:
        return
    for way in _ways(round, player, _answering(round, player)):
        if way.shape != SINGLE and not way.shape.loose and (way.lows or way.edge is not None):
            yield way


def alone(round: Round) -> Cards:
    """Of a pile of singles, every unseen card that is higher: who may play one of them is `playable`'s to say."""
    top = round.top
    if round.leading or top is None or top.shape != SINGLE or round.book.is_trump(top):
        return 0
    return round.unseen & -1 << _lowest_better(round, top)


def _ways(round: Round, player: int, shapes: Sequence[Shape] | None) -> Iterator[Way]:
    if shapes is None:
        yield from _leads(round, player)
    elif round.top is not None:
        yield from _answers(round, player, round.top, shapes)
    yield from _intrusions(round, player)


def _answering(round: Round, player: int) -> Sequence[Shape] | None:
    """The shapes in which this player may answer the top; None for whoever is to lead."""
    if _may_lead(round, player):
        return None
    passing = round.ruleset.passing
    if round.top is None or round.went_forward:
        return ()
    if round.locked(player) or round.leading or not round.free >> player & 1:
        late = round.ruleset.late_on(round.top) if round.passed(player) else ()
        return tuple(dict.fromkeys((*late, *passing.any_time)))
    return round.book.shapes


def _may_lead(round: Round, player: int) -> bool:
    """Whether this player leads next, if everybody who could still come in before passes."""
    if round.leading:
        return round.turn in (NOBODY, player)
    winner = round.top_player
    if round.active >> winner & 1:
        return player == winner
    return not round.free >> player & 1 and round.next_in(round.active, winner) == player


def _leads(round: Round, player: int) -> Iterator[Way]:
    """What may begin a pile; where every card was dealt, an opening play must hold the lowest of them."""
    lowest = 1
    opens = round.must_open and round.deals_all
    held = round.left[player]
    unseen, twos = _Runs(round, round.unseen), _barred(round)
    plain = _Runs(round, round.unseen & ~twos) if twos else unseen
    for shape in round.book.shapes:
        if shape.size > held or not _may_begin(round, shape):
            continue
        # The last cards may be 2s if they are nothing else.
        for runs in _stocks(
            plain if shape.size == held and shape.length > 1 else unseen, shape, locked=False
        ):
            starts = runs.starts(shape)
            if not opens:
                yield runs.way(shape, starts)
            elif runs.stock & lowest and starts & 1:
                yield runs.way(shape, starts if shape.loose else 0, edge=0, needed=lowest)


def _may_begin(round: Round, shape: Shape) -> bool:
    """Whether a pile may begin with this shape, for it is its player's turn: an intruder needs no turn."""
    kind, opening = Kind.of(shape), round.ruleset.opening
    if opening.bombs_answer and round.book.is_bomb(shape):
        return False
    if round.opening_move:
        return True
    return (
        shape not in opening.intruders
        and kind not in opening.forbidden
        and not (round.must_open and opening.kinds and kind not in opening.kinds)
    )


def _barred(round: Round) -> Cards:
    """The 2s where nobody may go out with one."""
    return round.ruleset.deck.rank(Rank.TWO) if round.ruleset.ending.no_last_two else 0


def _intrusions(round: Round, player: int) -> Iterator[Way]:
    """What anybody may open the round with."""
    intruders = round.ruleset.opening.intruders
    if not intruders or round.opening_move:
        return
    everything = _Runs(round, round.unseen)
    for shape in intruders:
        if shape.size <= round.left[player]:
            for runs in _stocks(everything, shape, locked=False):
                yield runs.way(shape, runs.starts(shape))


def _answers(round: Round, player: int, top: Combination, shapes: Sequence[Shape]) -> Iterator[Way]:
    held = round.left[player]
    unseen, twos = _Runs(round, round.unseen), _barred(round)
    plain = _Runs(round, round.unseen & ~twos) if twos else unseen
    every = shapes is round.book.shapes  # as at most positions: then none need be looked for
    for shape, alike, ranks in round.book.replies(top):
        if shape.size > held or not (every or shape in shapes):
            continue
        locked = round.suit_locked and not round.book.is_bomb(shape)
        for runs in _stocks(plain if shape.size == held else unseen, shape, locked=locked):
            chopping = _chopping(runs, shape, ranks)
            if alike:
                yield _higher(round, runs.following(top), shape, top).but_for(chopping)
            if chopping:
                yield runs.way(shape, chopping)


def _chopping(runs: "_Runs", shape: Shape, ranks: Sequence[Rank | None]) -> int:
    """The lowest ranks of the blocks of this shape that end with one of some ranks, None for any."""
    starts = runs.starts(shape)
    return union(starts if rank is None else _ending(starts, shape, rank) for rank in ranks)


def _ending(starts: int, shape: Shape, rank: Rank) -> int:
    """Of some blocks' lowest ranks, the one of the block that ends with this rank."""
    low = rank - shape.length + 1
    return starts & 1 << low if low >= 0 else 0


def _stocks(everything: "_Runs", shape: Shape, *, locked: bool) -> Iterator["_Runs"]:
    """Of all unseen cards those that blocks of a shape are made of, apart where their suits must agree."""
    combinations, twos = everything.round.ruleset.combinations, everything.rank(Rank.TWO)
    if shape.width == 1 and shape.length > 1 and (combinations.one_suit or locked):
        yield from (everything.of(((suit,),)) for suit in Suit)
    elif shape.width == 2 and shape.length > 1 and combinations.one_colour_throughout:
        yield from (everything.of((colour,)) for colour in _COLOURS)
    elif shape.width == 2 and combinations.one_colour:
        yield everything.paired(twos if combinations.follow_suits else 0)
        if combinations.follow_suits:
            yield _Runs(everything.round, everything.stock & twos)
    else:
        yield everything


def _lowest_better(round: Round, top: Combination) -> int:
    """The index of the lowest card that, on top of its kin, is good enough for a top."""
    ties = round.ruleset.combinations.ties is not Ties.HIGHER_ONLY
    return top.top + 1 - (round.ruleset.deck.packs if ties and round.twins else 0)


def _higher(round: Round, runs: "_Runs", shape: Shape, top: Combination) -> Way:
    """The blocks of the top's own shape that are higher than it."""
    starts = runs.starts(shape)
    rank = top.top // runs.bits
    higher = runs.stock & runs.rank(rank) & -1 << _lowest_better(round, top)
    if shape.loose:
        # One higher rank is enough: the others may be any.
        return runs.way(shape, starts if starts >> rank + (not higher) else 0)
    level = max(rank - shape.length + 1, -1)
    lows = starts >> level + 1 << level + 1
    if level >= 0 and starts >> level & 1 and higher:
        return runs.way(shape, lows, edge=level, needed=higher)
    return runs.way(shape, lows)


def _cards(deck: Deck, way: Way) -> Cards:
    """The cards that these combinations are made of."""
    shape = way.shape
    ranks = way.lows
    for _ in range(0 if shape.loose else shape.length - 1):
        ranks |= ranks << 1
    found = way.stock & deck.ranks[ranks]
    if way.edge is None or shape.loose:
        return found
    span = way.stock & union(deck.rank(rank) for rank in range(way.edge, way.edge + shape.length))
    if shape.width == 1:
        # Beside a needed card none of its rank has room; wider blocks may hold any.
        span &= ~deck.rank((way.needed.bit_length() - 1) // deck.rank_bits) | way.needed
    return found | span


@lru_cache(maxsize=16)  # all seats of a position ask about the same cards
def _wide(stock: Cards, bits: int) -> tuple[int, ...]:
    """How many cards -> the ranks of which there are as many among some cards, one bit a rank."""
    wide, one = [0] * (bits + 1), (1 << bits) - 1
    for rank in range(13):
        wide[(stock >> rank * bits & one).bit_count()] |= 1 << rank
    for width in range(bits, 0, -1):
        wide[width - 1] |= wide[width]
    return tuple(wide)


class _Runs:
    """Where blocks of each shape can be made of some cards."""

    def __init__(self, round: Round, stock: Cards, suits: tuple[Suits, ...] = _ALL) -> None:
        self.round = round
        self.stock = stock
        self.suits = suits
        self.bits = round.ruleset.deck.rank_bits
        self.rank = round.ruleset.deck.rank
        self._combinations = round.ruleset.combinations

    def starts(self, shape: Shape) -> int:
        """The lowest ranks of all blocks of this shape, one bit a rank; of a loose one, every rank in it."""
        wide = _wide(self.stock, self.bits)[shape.width]
        if shape.length == 1:
            return wide
        if shape.loose:
            return wide if wide.bit_count() >= shape.length else 0
        found = wide & (2 << self._combinations.highest(shape)) - 1
        for _ in range(shape.length - 1):
            found &= found >> 1
        return found

    def way(self, shape: Shape, lows: int, *, edge: int | None = None, needed: Cards = 0) -> Way:
        """The blocks of this shape with these lowest ranks."""
        return Way(shape, self.suits, self.stock, lows, edge, needed)

    def of(self, suits: tuple[Suits, ...]) -> "_Runs":
        """The same where the cards of a rank are of one of these groups of suits."""
        deck = self.round.ruleset.deck
        return _Runs(
            self.round, self.stock & union(deck.suit(suit) for some in suits for suit in some), suits
        )

    def paired(self, apart: Cards) -> "_Runs":
        """The cards that pairs of one colour can be made of, but for those that are told apart."""
        return _Runs(self.round, self.round.ruleset.deck.paired(self.stock & ~apart), _COLOURS)

    def following(self, top: Combination) -> "_Runs":
        """The same for what must follow the suits of the top, where it must."""
        follow = self.round.book.suits_to_follow(top)
        if follow is None:
            return self
        return self.of(tuple(tuple(suit for suit in some if suit in follow) for some in self.suits))
