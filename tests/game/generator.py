"""Rounds made up from a seed, of any ruleset: players who know their own hands, and play greedily or at random.

What the engine is asked here is only whether a move is legal; what could be laid is worked out by itself, from
the cards in a hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from ledger.game.cards import Cards, Deck, Rank, Suit, bits
from ledger.game.fold import apply, begin
from ledger.game.hands import paid_alone
from ledger.game.judge import judge
from ledger.game.moves import Bid, Bombed, Claim, Declare, Move, Pass, Play, Result, Show
from ledger.game.patterns import Pattern
from ledger.game.round import NOBODY, Header, Round
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC

Chooser: TypeAlias = Callable[[Random, Sequence[Move]], Move]
"""What a player does of what is legal; passing, where it is allowed, comes last."""

_BLACK, _RED = (Suit.SPADES, Suit.CLUBS), (Suit.DIAMONDS, Suit.HEARTS)


def greedy(chance: Random, moves: Sequence[Move]) -> Move:
    """Sheds as many cards as it may, the lowest first, and never passes unless it must."""
    plays = [move for move in moves if isinstance(move, Play)]
    return max(plays, key=lambda play: (play.cards.bit_count(), -play.cards)) if plays else moves[-1]


def at_random(chance: Random, moves: Sequence[Move]) -> Move:
    """Any legal move, a pass as likely as any one play."""
    return chance.choice(moves)


def patient(chance: Random, moves: Sequence[Move]) -> Move:
    """Passes more often than not, so that piles are won, players are locked and bombs come late."""
    if chance.random() < 0.6:
        return moves[-1]
    return greedy(chance, moves) if chance.random() < 0.5 else chance.choice(moves)


@dataclass(frozen=True)
class Dealt:
    """A round with the cards that nobody but the generator has seen."""

    round: Round
    hands: dict[int, Cards]
    """What each player was dealt or has drawn."""
    pile: tuple[Cards, ...] = ()
    """What is left to draw, the next card first."""

    def left(self, player: int) -> Cards:
        """What the player still holds. Of twins the first is named as long as one is left."""
        hand, played = self.hands[player], self.round.played[player]
        deck = self.round.ruleset.deck
        if not deck.has_twins:
            return hand & ~played
        left = 0
        for place in range(0, 104, 2):
            count = (hand >> place & 0b11).bit_count() - (played >> place & 0b11).bit_count()
            left |= (1 << count) - 1 << place
        return left

    def after(self, move: Move) -> "Dealt":
        """The same after one more move; who passes may draw."""
        round = apply(self.round, move)
        if round.drawn == self.round.drawn:
            return Dealt(round, self.hands, self.pile)
        grown = {move.player: self.hands[move.player] | self.pile[0]}
        return Dealt(round, self.hands | grown, self.pile[1:])


def deal(
    chance: Random, players: Sequence[int], hand: int = 13, *, bombs: bool = False, deck: Deck = CLASSIC.deck
) -> tuple[dict[int, Cards], tuple[Cards, ...]]:
    """Hands of so many cards for each player, and the cards that are left over.

    With `bombs`, from a deck in which equal ranks lie together.
    """
    pack = list(range(deck.all.bit_count()))
    chance.shuffle(pack)
    if bombs:
        # Cards of near ranks come to the same hand, as after a round of sequences and a careless shuffle.
        pack.sort(key=lambda index: index // deck.rank_bits + chance.gauss(0, 2.5))
        start = chance.randrange(len(pack))
        pack = pack[start:] + pack[:start]
    hands = {
        player: sum(1 << index for index in pack[seat * hand : (seat + 1) * hand])
        for seat, player in enumerate(players)
    }
    return hands, tuple(1 << index for index in pack[len(players) * hand :])


def play_round(
    chance: Random,
    ruleset: Ruleset,
    header: Header,
    choose: Chooser,
    *,
    bombs: bool = False,
    claims: bool = False,
) -> Iterator[Dealt]:
    """A round move by move, from the deal until its last hand is known; every position once."""
    hand = ruleset.deal.hand_of(len(header.seats))
    hands, rest = deal(chance, header.seats, hand, bombs=bombs, deck=ruleset.deck)
    dealt = Dealt(begin(ruleset, header), hands, rest)
    yield dealt
    before: list[Move] = [Bid(player, offer.name) for player in header.seats for offer in ruleset.contracts]
    asked = [move for move in before if chance.random() < 0.3]
    claimed: list[Move] = [Claim(player, dealt.left(player)) for player in header.seats if claims]
    for move in (*asked, *claimed):
        if judge(dealt.round, move) is None:
            dealt = dealt.after(move)
            yield dealt
    while not dealt.round.over:
        dealt = dealt.after(choose(chance, legal_moves(dealt)))
        yield dealt
    if not dealt.round.claims:
        for player in header.seats:
            if dealt.left(player) and (shown := truthful(chance, dealt, player)):
                dealt = dealt.after(shown)
                yield dealt


def legal_moves(dealt: Dealt) -> list[Move]:
    """What the player to act may do, and what anyone could throw in out of turn; never empty."""
    round = dealt.round
    passing, opening = round.ruleset.passing, round.ruleset.opening
    players = opener(dealt) if round.turn == NOBODY else [round.turn]
    moves: list[Move] = [
        move for player in players for move in plays(dealt, player, round.rules.index.shapes)
    ]
    thrown_in = [
        shape
        for shape in {*passing.late, *passing.any_time, *opening.intruders}
        if shape in round.rules.index.shapes
    ]
    for player in round.seats_in(round.active):
        if thrown_in and player not in players:
            moves += plays(dealt, player, thrown_in)
    if passing.forward and round.leading and round.turn == round.top_player != NOBODY:
        moves += plays(dealt, round.turn, round.rules.index.shapes, forward=True)
    if not round.leading:
        moves.append(Pass(round.turn))
    return moves


def opener(dealt: Dealt) -> list[int]:
    """Who holds the lowest card dealt; of twins, the first in playing order."""
    return [min(dealt.hands, key=lambda player: dealt.left(player) & -dealt.left(player))]


def plays(dealt: Dealt, player: int, shapes: Sequence[Pattern], *, forward: bool = False) -> list[Move]:
    """The legal plays of a player's hand; where the lowest card opens, those with that player's lowest card."""
    held = dealt.left(player)
    opening = held & -held if dealt.round.must_open and player in opener(dealt) else 0
    moves = [
        Play(player, cards, forward=forward)
        for cards in layable(held, dealt.round.ruleset, shapes)
        if cards & opening == opening
    ]
    return [move for move in moves if judge(dealt.round, move) is None]


def layable(
    held: Cards, ruleset: Ruleset = CLASSIC, shapes: Sequence[Pattern] | None = None
) -> Iterator[Cards]:
    """Every combination that can be made of some cards, but of long ones those with the highest cards on top."""
    deck, found = ruleset.deck, set[Cards]()
    for shape in compiled(ruleset).index.shapes if shapes is None else shapes:
        if shape.size <= held.bit_count():
            for stock in _stocks(held, deck, shape):
                for picked in _blocks(stock, ruleset, shape):
                    cards = as_read(deck, picked)
                    if cards not in found:
                        found.add(cards)
                        yield cards


def as_read(deck: Deck, cards: Cards) -> Cards:
    """Some cards as their names are read: of twins always the first."""
    return deck.gather(deck.cards(cards))[0] if deck.has_twins else cards


def _stocks(held: Cards, deck: Deck, shape: Pattern) -> Iterator[Cards]:
    """Some cards; and those of one suit or colour, where a block may have to be."""
    yield held
    if shape.length > 1 and shape.width == 1:
        yield from (held & deck.suit(suit) for suit in Suit)
    if shape.length > 1 and shape.width == 2:
        yield from (held & (deck.suit(low) | deck.suit(high)) for low, high in (_BLACK, _RED))


def _blocks(held: Cards, ruleset: Ruleset, shape: Pattern) -> Iterator[Cards]:
    deck = ruleset.deck
    ranks = [list(bits(held & deck.rank(rank))) for rank in Rank]
    if shape.length == 1:
        for rank in ranks:
            yield from map(sum, combinations(rank, shape.width))
    elif shape.loose:
        fours = [sum(rank[: shape.width]) for rank in ranks if len(rank) >= shape.width]
        yield from map(sum, combinations(fours, shape.length))
    else:
        highest = ruleset.combinations.highest(shape)
        for low in range(highest - shape.length + 2):
            span = ranks[low : low + shape.length]
            if all(len(rank) >= shape.width for rank in span):
                yield from _block(span, shape)


def _block(span: list[list[Cards]], shape: Pattern) -> Iterator[Cards]:
    """Short blocks of every card, long ones of every top."""
    choices = [[sum(some) for some in combinations(rank, shape.width)] for rank in span]
    if shape.width == 2 and shape.length <= 4 and max(map(len, choices)) <= 6:
        yield from map(sum, product(*choices))
    else:
        body = sum(choice[0] for choice in choices[:-1])
        yield from (body | top for top in choices[-1])


def truthful(chance: Random, dealt: Dealt, player: int) -> Move | None:
    """What a player shows or declares of the cards left, or nothing where the hand is known already."""
    held = dealt.left(player)
    if player in dealt.round.shown or chance.random() < 0.2:
        return None
    if chance.random() < 0.5:
        return Show(player, held)
    alone = (held,) if held & paid_alone(dealt.round, player) else ()
    return Declare(player, alone or declaration(dealt.round.ruleset, held))


def as_result(dealt: Dealt) -> Round:
    """A southern round that was played to its end, entered as its result, with every hand that is left shown."""
    played = dealt.round
    value = compiled(played.ruleset).hand_values.total
    bombs = [
        Bombed(pile[-1].player, pile[-2].player, sum(laid.cards for laid in pile[:-1] if value(laid.cards)))
        for pile in played.chops
        if pile[-1].combination and pile[-1].combination.bomb and not pile[-2].last
    ]
    untouched = tuple(player for player in played.header.seats if not played.played[player])
    places = [player for player in played.places if player not in untouched]
    round = apply(begin(played.ruleset, played.header), Result(tuple(places), untouched, tuple(bombs)))
    for player in played.header.seats:
        if dealt.left(player):
            round = apply(round, Show(player, dealt.left(player)))
    return round


def declaration(ruleset: Ruleset, held: Cards) -> tuple[Cards, ...]:
    """The special sets of some cards that are worth most together: every single one, and disjoint blocks."""
    value, singles = compiled(ruleset).hand_values.total, compiled(ruleset).hand_values.singles
    best: tuple[Cards, ...] = tuple(bits(held & singles))
    shapes = {special.shape for special in ruleset.payments.special_sets if special.shape.size > 1}
    for block in layable(held, replace_tops(ruleset), sorted(shapes)):
        if compiled(ruleset).hand_values.is_special_set(block) and not block & singles:
            sets = (block, *declaration(ruleset, held & ~block))
            if sum(map(value, sets)) > sum(map(value, best)):
                best = sets
    return best


def replace_tops(ruleset: Ruleset) -> Ruleset:
    """The ruleset with 2s in no sequence: special sets have none."""
    rules = replace(ruleset.combinations, top_of_sequences=Rank.ACE, top_of_pair_sequences=Rank.ACE)
    return replace(ruleset, combinations=rules)
