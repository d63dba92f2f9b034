"""Which cards can still be played by a player whose hand is unknown: what the page keeps bright."""

from collections.abc import Iterator, Sequence

from ledger.game.cards import Cards, Rank, Suit
from ledger.game.combinations import SINGLE, Combination, Kind, Shape, Ties
from ledger.game.state import NOBODY, Round

_COLOURS = ((Suit.SPADES, Suit.CLUBS), (Suit.DIAMONDS, Suit.HEARTS))


def playable(round: Round, player: int) -> Cards:
    """Every card that this player might lay now, alone or with others, as far as anybody can know.

    Seats skipped on the way to this player's turn are taken to pass. Known are the cards seen so far, how many
    cards the player holds, the pile, and the rules; never a hand.
    """
    if round.over or not round.active >> player & 1:
        return 0
    return _in_turn(round, player) | _intrusions(round, player)


def alone(round: Round) -> Cards:
    """Of a pile of singles, every unseen card that is higher: who may play one of them is `playable`'s to say."""
    top = round.top
    if round.leading or top is None or top.shape != SINGLE or round.book.is_trump(top):
        return 0
    return round.unseen & -1 << _lowest_better(round, top)


def _in_turn(round: Round, player: int) -> Cards:
    if _may_lead(round, player):
        return _leads(round, player) if round.must_open and round.deals_all else round.unseen
    passing = round.ruleset.passing
    if round.top is None or (round.leading and not round.locked(player) and not passing.any_time):
        return 0
    if round.locked(player):
        return _answers(round, player, round.top, (*round.ruleset.late_on(round.top), *passing.any_time))
    if round.leading or not round.free >> player & 1:
        return _answers(round, player, round.top, passing.any_time)
    return _answers(round, player, round.top, round.book.shapes)


def _may_lead(round: Round, player: int) -> bool:
    """Whether this player leads next, if everybody who could still come in before passes."""
    if round.leading:
        return round.turn in (NOBODY, player)
    winner = round.top_player
    if round.active >> winner & 1:
        return player == winner
    return not round.free >> player & 1 and round.next_in(round.active, winner) == player


def _leads(round: Round, player: int) -> Cards:
    """Cards of combinations with the lowest card in them."""
    lowest = 1
    everything = _Runs(round, round.unseen)
    found: Cards = 0
    opening = round.ruleset.opening
    for shape in round.book.shapes:
        kind = Kind.of(shape)
        if shape.size > round.left[player] or kind in opening.forbidden:
            continue
        if (opening.kinds and kind not in opening.kinds) or (
            opening.bombs_answer and round.book.is_bomb(shape)
        ):
            continue
        for runs in _stocks(everything, shape):
            starts = runs.starts(shape)
            if runs.stock & lowest and starts & 1:
                span = runs.cards(starts, shape) if shape.loose else runs.stock & runs.span(0, shape.length)
                found |= lowest | (span if shape.width > 1 else span & ~runs.rank(0))
    return found


def _intrusions(round: Round, player: int) -> Cards:
    """Cards of what anybody may open the round with."""
    everything = _Runs(round, round.unseen)
    found: Cards = 0
    for shape in round.ruleset.opening.intruders if round.opened_by is None else ():
        if shape.size <= round.left[player]:
            for runs in _stocks(everything, shape):
                found |= runs.cards(runs.starts(shape), shape)
    return found


def _answers(round: Round, player: int, top: Combination, shapes: Sequence[Shape]) -> Cards:
    held = round.left[player]
    everything = _Runs(round, round.unseen)
    trump = round.book.is_trump(top)
    twos = round.ruleset.deck.rank(Rank.TWO) if round.ruleset.ending.no_last_two else 0
    found: Cards = 0
    for shape in shapes:
        if shape.size > held:
            continue
        barred = twos if shape.size == held else 0
        for runs in _stocks(everything, shape):
            if (shape == top.shape and not trump) or round.book.are_alike(shape, top):
                found |= _higher(round, runs.following(top), shape, top) & ~barred
            for rank, chops in round.book.chops_of(shape):
                if chops & top.marks:
                    starts = runs.starts(shape)
                    starts = starts if rank is None else _ending(starts, shape, rank)
                    found |= runs.cards(starts, shape) & ~barred
    return found | (round.book.trumps_over(top) & round.unseen if SINGLE in shapes else 0)


def _ending(starts: int, shape: Shape, rank: Rank) -> int:
    """Of some blocks' lowest ranks, the one of the block that ends with this rank."""
    low = rank - shape.length + 1
    return starts & 1 << low if low >= 0 else 0


def _stocks(everything: "_Runs", shape: Shape) -> Iterator["_Runs"]:
    """Of all unseen cards those that blocks of a shape are made of, apart where their suits must agree."""
    round, unseen = everything.round, everything.stock
    combinations, deck = round.ruleset.combinations, round.ruleset.deck
    locked = round.suit_locked and not round.book.is_bomb(shape)
    if shape.width == 1 and shape.length > 1 and (combinations.one_suit or locked):
        for suit in Suit:
            yield _Runs(round, unseen & deck.suit(suit))
    elif shape.width == 2 and shape.length > 1 and combinations.one_colour_throughout:
        for low, high in _COLOURS:
            yield _Runs(round, unseen & (deck.suit(low) | deck.suit(high)))
    elif shape.width == 2 and combinations.one_colour:
        paired: Cards = unseen & deck.rank(Rank.TWO) if combinations.follow_suits else 0
        for rank in Rank:
            for low, high in _COLOURS:
                pair = unseen & deck.rank(rank) & (deck.suit(low) | deck.suit(high))
                paired |= pair if pair.bit_count() > 1 else 0
        yield _Runs(round, paired)
    else:
        yield everything


def _lowest_better(round: Round, top: Combination) -> int:
    """The index of the lowest card that, on top of its kin, is good enough for a top."""
    ties = round.ruleset.combinations.ties is not Ties.HIGHER_ONLY
    return top.top + 1 - (round.ruleset.deck.packs if ties and round.twins else 0)


def _higher(round: Round, runs: "_Runs", shape: Shape, top: Combination) -> Cards:
    """Cards of blocks of the top's own shape that are higher than it."""
    starts = runs.starts(shape)
    rank = top.top // runs.bits
    higher = runs.stock & runs.rank(rank) & -1 << _lowest_better(round, top)
    if shape.loose:
        # One higher rank is enough: the others may be any.
        return runs.cards(starts, shape) if starts >> rank + (not higher) else 0
    level = max(rank - shape.length + 1, -1)
    found = runs.cards(starts >> level + 1 << level + 1, shape)
    if level < 0:
        return found
    if starts >> level & 1 and higher:
        span = runs.span(level, shape.length)
        # A higher card makes any two or more of its rank higher; a single card must be higher itself.
        found |= runs.stock & (span if shape.width > 1 else span & ~runs.rank(rank) | higher)
    return found


class _Runs:
    """Where blocks of each shape can be made of some cards."""

    def __init__(self, round: Round, stock: Cards) -> None:
        self.round = round
        self.stock = stock
        self.bits = round.ruleset.deck.rank_bits
        self.rank = round.ruleset.deck.rank
        self._combinations = round.ruleset.combinations
        one = (1 << self.bits) - 1
        self._counts = [(stock >> low & one).bit_count() for low in range(0, 13 * self.bits, self.bits)]
        self._wide: dict[int, int] = {}
        """How many cards of a rank -> the ranks with as many, one bit a rank; as far as it was asked."""

    def starts(self, shape: Shape) -> int:
        """The lowest ranks of all blocks of this shape, one bit a rank; of a loose one, every rank in it."""
        width = shape.width
        wide = self._wide.get(width)
        if wide is None:
            wide = self._wide[width] = sum(
                1 << rank for rank, held in enumerate(self._counts) if held >= width
            )
        if shape.length == 1:
            return wide
        if shape.loose:
            return wide if wide.bit_count() >= shape.length else 0
        found = wide & (2 << self._combinations.highest(shape)) - 1
        for _ in range(shape.length - 1):
            found &= found >> 1
        return found

    def following(self, top: Combination) -> "_Runs":
        """The same for what must follow the suits of the top, where it must."""
        suits = self.round.book.suits_to_follow(top)
        if suits is None:
            return self
        stock: Cards = 0
        for suit in suits:
            stock |= self.stock & self.round.ruleset.deck.suit(suit)
        return _Runs(self.round, stock)

    def span(self, low: int, length: int) -> Cards:
        """Every card of so many ranks from this one on."""
        return ((1 << length * self.bits) - 1) << low * self.bits

    def cards(self, starts: int, shape: Shape) -> Cards:
        """The cards that blocks of this shape with these lowest ranks are made of."""
        ranks = starts
        for _ in range(0 if shape.loose else shape.length - 1):
            ranks |= ranks << 1
        found: Cards = 0
        while ranks:
            low = ranks & -ranks
            found |= self.stock & self.rank(low.bit_length() - 1)
            ranks ^= low
        return found
