"""Rounds made up from a seed: players who know their own hands, and play greedily or at random.

What the engine is asked here is only whether a move is legal; what could be laid is worked out by itself, from
the cards in a hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from ledger.game.cards import Cards
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.rounds import apply, begin
from ledger.game.rulesets.types import Ruleset
from ledger.game.state import NOBODY, Header, Round
from ledger.game.verdicts import judge

Chooser: TypeAlias = Callable[[Random, Sequence[Move]], Move]
"""What a player does of what is legal; passing, where it is allowed, comes last."""


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
    """What each player was dealt."""

    def left(self, player: int) -> Cards:
        """What the player still holds."""
        return self.hands[player] & ~self.round.played[player]


def deal(chance: Random, players: Sequence[int], hand: int = 13, *, bombs: bool = False) -> dict[int, Cards]:
    """Hands of so many cards for each player; with `bombs`, from a deck in which equal ranks lie together."""
    deck = list(range(52))
    chance.shuffle(deck)
    if bombs:
        # Cards of near ranks come to the same hand, as after a round of sequences and a careless shuffle.
        deck.sort(key=lambda index: index // 4 + chance.gauss(0, 2.5))
        start = chance.randrange(52)
        deck = deck[start:] + deck[:start]
    return {
        player: sum(1 << index for index in deck[seat * hand : (seat + 1) * hand])
        for seat, player in enumerate(players)
    }


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
    hands = deal(chance, header.seats, bombs=bombs)
    dealt = Dealt(begin(ruleset, header), hands)
    yield dealt
    if claims:
        for player in header.seats:
            if judge(dealt.round, Claim(player, hands[player])) is None:
                dealt = Dealt(apply(dealt.round, Claim(player, hands[player])), hands)
                yield dealt
    while not dealt.round.over:
        dealt = Dealt(apply(dealt.round, choose(chance, legal_moves(dealt))), hands)
        yield dealt
    if not dealt.round.claims:
        for player in header.seats:
            if dealt.left(player) and (move := truthful(chance, dealt, player)):
                dealt = Dealt(apply(dealt.round, move), hands)
                yield dealt


def legal_moves(dealt: Dealt) -> list[Move]:
    """What the player to act may do, and the late bombs that anyone could throw in; never empty."""
    round = dealt.round
    players = opener(dealt) if round.turn == NOBODY else [round.turn]
    moves: list[Move] = [move for player in players for move in plays(dealt, player)]
    late = [player for player in round.seats_in(round.active) if round.locked(player)]
    moves += [move for player in late for move in plays(dealt, player, at_least=8)]
    if not round.leading:
        moves.append(Pass(round.turn))
    return moves


def opener(dealt: Dealt) -> list[int]:
    """Who holds the lowest card dealt."""
    return [min(dealt.hands, key=lambda player: dealt.hands[player] & -dealt.hands[player])]


def plays(dealt: Dealt, player: int, *, at_least: int = 1) -> list[Move]:
    """The legal plays of a player's hand; where the lowest card opens, those with that player's lowest card."""
    held = dealt.left(player)
    opening = held & -held if dealt.round.must_open else 0
    return [
        Play(player, cards)
        for cards in layable(held)
        if cards.bit_count() >= at_least
        and cards & opening == opening
        and judge(dealt.round, Play(player, cards)) is None
    ]


def layable(held: Cards) -> Iterator[Cards]:
    """Every combination that can be made of some cards; of long sequences one for each top card."""
    suits = [[1 << 4 * rank + suit for suit in range(4) if held >> 4 * rank + suit & 1] for rank in range(13)]
    for rank in suits:
        for size in range(1, len(rank) + 1):
            yield from map(sum, combinations(rank, size))
    for low in range(12):
        body = 0
        for high in range(low, 12):
            if not suits[high]:
                break
            if high - low >= 2:
                yield from (body | top for top in suits[high])
            body |= suits[high][0]
    for length, low in ((3, low) for low in range(10)):
        yield from _pair_sequences(suits[low : low + length])
    for low in range(9):
        yield from _pair_sequences(suits[low : low + 4])


def _pair_sequences(ranks: list[list[Cards]]) -> Iterator[Cards]:
    pairs = [[one | other for one, other in combinations(rank, 2)] for rank in ranks]
    yield from map(sum, product(*pairs))


def truthful(chance: Random, dealt: Dealt, player: int) -> Move | None:
    """What a player shows or declares of the cards left, or nothing where the hand is known already."""
    held = dealt.left(player)
    if player in dealt.round.shown or chance.random() < 0.2:
        return None
    if chance.random() < 0.5:
        return Show(player, held)
    return Declare(player, declaration(dealt.round.ruleset, held))


def declaration(ruleset: Ruleset, held: Cards) -> tuple[Cards, ...]:
    """The special sets of some cards that are worth most together: every two, and disjoint bombs."""
    value = ruleset.values.of
    best: tuple[Cards, ...] = tuple(1 << index for index in range(48, 52) if held >> index & 1)
    for block in layable(held):
        if block.bit_count() >= 4 and ruleset.values.is_special_set(block) and not block >> 48:
            sets = (block, *declaration(ruleset, held & ~block))
            if sum(map(value, sets)) > sum(map(value, best)):
                best = sets
    return best
