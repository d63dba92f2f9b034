"""Customs: agreements outside of play about who deals, who kneels, who owes cards.

None is enforced. The rules say who is due, and notes record what happened; they are entries of a night, like its
rounds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias, assert_never

from ledger.game.cards import Card, Rank, shown
from ledger.game.hands import hand_of
from ledger.game.round import PilePlay, Round
from ledger.game.rulesets.model import Dealer, OwedCard, OwedCount, Ruleset


class Until(StrEnum):
    """How long a player kneels."""

    FIRST = "until-first"
    """Until coming in first."""
    ROUND_OVER = "until-round-over"


class Clearing(StrEnum):
    """When played cards are cleared away."""

    EACH_PILE = "each-pile"
    AT_END = "at-end"


@dataclass(frozen=True, slots=True)
class Deals:
    """A player deals the next round."""

    player: int


@dataclass(frozen=True, slots=True)
class Kneels:
    """A player kneels from the next round on."""

    player: int
    until: Until = Until.FIRST


@dataclass(frozen=True, slots=True)
class Sits:
    """A player no longer has to kneel."""

    player: int


@dataclass(frozen=True, slots=True)
class Owes:
    """A player owes another this many cards in the next round."""

    debtor: int
    creditor: int
    count: int
    card: OwedCard


@dataclass(frozen=True, slots=True)
class Gives:
    """A player gives another cards before the play: traded, owed, or given back. No cards: unknown ones."""

    __repr__ = shown
    giver: int
    taker: int
    cards: tuple[Card, ...]
    """Low to high."""


@dataclass(frozen=True, slots=True)
class Swaps:
    """A new player takes another player's seat."""

    leaver: int
    newcomer: int


@dataclass(frozen=True, slots=True)
class Clears:
    """The player who may choose says when cards are cleared away in the next round."""

    player: int
    clearing: Clearing


Note: TypeAlias = Deals | Kneels | Sits | Owes | Gives | Swaps | Clears


def dealer(ruleset: Ruleset, seats: Sequence[int], previous: Round | None) -> int | None:
    """The player who is to deal the next round at these seats; None if the rules do not say."""
    if previous is None:
        return None
    match ruleset.deal.dealer:
        case Dealer.OPEN:
            return None
        case Dealer.LAST:
            return last(previous)
        case Dealer.THIRD:
            return third(previous)
        case Dealer.NEWCOMER_ELSE_LAST:
            newcomers = [seat for seat in seats if seat not in previous.header.seats]
            return newcomers[0] if newcomers else last(previous)
        case _:
            assert_never(ruleset.deal.dealer)


class Knelt(NamedTuple):
    """The effect of a round on kneeling: the players who begin to, and the winner, who stops."""

    players: tuple[int, ...]
    winner: int | None


def knelt(round: Round) -> Knelt:
    """The effect of a round on kneeling."""
    rules = round.ruleset.kneeling
    last = losers(round) if rules.last else ()
    chopped = (beaten.player for _, beaten, _ in _last_chops(round)) if rules.chopped else ()
    return Knelt((*last, *chopped), round.winner)


def kneeling(rounds: Iterable[Knelt]) -> tuple[Kneels, ...]:
    """The players who kneel after some rounds, in the order in which they began to."""
    found: dict[int, None] = {}
    for players, winner in rounds:
        found |= dict.fromkeys(players)
        if winner is not None:
            found.pop(winner, None)
    return tuple(map(Kneels, found))


def debts(round: Round) -> tuple[Owes, ...]:
    """The cards owed in the next round, as far as the round has been played and hands are known."""
    rules = round.ruleset.debts
    found: list[Owes] = []
    if rules.chopped:
        found += _owed_for_chops(round)
    if rules.loser:
        found += _owed_for_twos(round)
    return tuple(owes for owes in found if owes.debtor != owes.creditor)


def last(round: Round) -> int | None:
    """The player who came in last; None if several did, or none has yet."""
    behind = losers(round)
    return behind[0] if len(behind) == 1 else None


def third(round: Round) -> int | None:
    """The player who came in third; None if that is unknown."""
    ranking = list(round.places)
    if last(round) not in (None, *ranking):
        ranking += losers(round)
    return ranking[2] if round.counts and len(ranking) > 2 else None


def losers(round: Round) -> tuple[int, ...]:
    """The players without a place when the round has ended; if all have one, the last of them."""
    if not round.counts or round.claims:
        return ()
    without = tuple(seat for seat in round.header.seats if seat not in round.places)
    return without or (round.places[-1],)


def _owed_for_chops(round: Round) -> Iterator[Owes]:
    rules = round.ruleset.debts
    for chopped, beaten, bomb in _last_chops(round):
        first, above = chopped[0], len(chopped) - 1
        count = first.cards.bit_count() if _is_twos(round, first) else 1
        match rules.count:
            case OwedCount.STACKING:
                count += above
            case OwedCount.DOUBLING:
                count <<= above
            case OwedCount.FLAT:
                pass
            case _:
                assert_never(rules.count)
        yield Owes(beaten.player, bomb.player, count, rules.card)


def _owed_for_twos(round: Round) -> Iterator[Owes]:
    winner = round.winner
    for loser in losers(round):
        hand = hand_of(round, loser) if round.cards_left[loser] else None
        twos = (hand.cards & round.ruleset.deck.rank(Rank.TWO)).bit_count() if hand else 0
        if winner is not None and twos:
            yield Owes(loser, winner, twos, OwedCard.ANY_TWO)


def _last_chops(round: Round) -> Iterator[tuple[list[PilePlay], PilePlay, PilePlay]]:
    """For each closed pile with a bomb on another play: the 2s and the plays beaten by bombs below the last bomb,
    low to high; the play that it beat; and the last bomb."""
    for pile in round.chops if round.void is None else ():
        chops = [index for index, play in enumerate(pile) if index and play.bomb]
        beaten = {index - 1 for index in chops}
        below = [
            play for index, play in enumerate(pile[: chops[-1]]) if index in beaten or _is_twos(round, play)
        ]
        yield below, pile[chops[-1] - 1], pile[chops[-1]]


def _is_twos(round: Round, play: PilePlay) -> bool:
    return not play.cards & ~round.ruleset.deck.rank(Rank.TWO)
