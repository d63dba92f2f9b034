"""What a point was worth, round by round, and the amounts of a night whose points were worth different sums.

Points are added as they were played, and never across rounds of different worth: there, what is owed is counted in
units of money, the largest of which all worths are multiples.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from math import gcd
from typing import Final, NamedTuple

from ledger.game.payments import Postable, post
from ledger.game.settlement import Transfer
from ledger.game.terms import Stake
from ledger.recorder.agreements import AGREE, Agreements
from ledger.recorder.revisions import standing
from ledger.recorder.round_log import RoundLog

_DECIMALS: Final = 4
"""The most decimals that a worth has."""


class BegunUnder(NamedTuple):
    """A round, the seq of the agreement that it was begun under, and those of all that stand in it."""

    round: int
    agreed: int
    stand: tuple[int, ...]


def begun_under(log: RoundLog) -> BegunUnder:
    """The agreement that a round was begun under, and those that stand in it."""
    stand: tuple[int, ...] = ()
    if log.agreed:
        stand = tuple(entry.event.seq for entry in standing(log.chains) if entry.kind == AGREE)
    return BegunUnder(0 if log.round is None else log.number, log.begun_under, stand)


@dataclass(frozen=True, slots=True)
class Worths:
    """What a point was worth in each round of a night, and in the payments of no round."""

    now: Stake | None
    """What it is worth in the running round, or in the next one."""
    of_rounds: Mapping[int, Stake | None] = field(default_factory=dict)
    """Round -> worth, for the rounds of a night that agreed on new terms."""
    since: Sequence[tuple[int, Stake | None]] = ()
    """The seq of each agreement that stood, and what a point was worth from then on; the opening is 0."""

    def of(self, round: int, seq: int) -> Stake | None:
        """What a point is worth in the payments that the event with this seq posted for a round, 0 for none."""
        if round or not self.since:
            return self.of_rounds.get(round, self.now)
        return next(worth for agreed, worth in reversed(self.since) if agreed <= seq)

    @property
    def all(self) -> frozenset[Stake | None]:
        """All worths of its rounds, the next one included."""
        return frozenset({self.now, *self.of_rounds.values()})


def worths(agreements: Agreements, rounds: Iterable[BegunUnder]) -> Worths:
    """The worths of a night, from all its rounds."""
    if not agreements.since:
        return Worths(agreements.opening.terms.stake)
    begun = list(rounds)
    stood = sorted({0}.union(*((one.agreed, *one.stand) for one in begun)))
    last = stood[-1]
    return Worths(
        agreements.worth(last, last),
        {one.round: agreements.worth(one.agreed, last) for one in begun if one.round},
        [(seq, agreements.worth(seq, last)) for seq in stood],
    )


@dataclass(frozen=True, slots=True)
class Unit:
    """What whole numbers of what is owed in a night count."""

    stake: Stake | None
    """What one is worth; None: nothing but points."""
    is_point: bool = True
    """Whether it is a point: all points of the night were worth the same."""

    @property
    def currency(self) -> str | None:
        """The currency of its worth; None if it is worth nothing."""
        return self.stake.currency if self.stake else None

    def count(self, points: int, worth: Stake | None) -> int:
        """Some points of a worth, in this unit; those of no worth count nothing beside money."""
        if self.is_point:
            return points
        if worth is None or self.stake is None:
            return 0
        return points * int(worth.amount / self.stake.amount)


def unit_of(worths: Iterable[Stake | None]) -> Unit:
    """The unit in which points of these worths, all in one currency, can be counted together."""
    different = set(worths)
    if len(different) == 1:
        return Unit(different.pop())
    stakes = [one for one in different if one is not None]
    assert len({one.currency for one in stakes}) == 1, "a night has one currency"
    scale = 10**_DECIMALS
    common = gcd(*(int(one.amount * scale) for one in stakes))
    return Unit(Stake(Decimal(common) / scale, stakes[0].currency), is_point=False)


class Won(NamedTuple):
    """What each player has won in a night."""

    worths: Worths
    unit: Unit
    counts: dict[str, int]
    """Player -> amount in the unit: points, or money if points were worth different sums."""


def add_up(
    players: Iterable[str], worths: Worths, posted: Iterable[tuple[Stake | None, Postable[str]]]
) -> Won:
    """What each player has won by payments, each given with the worth of its points."""
    by_worth: dict[Stake | None, list[Postable[str]]] = {}
    for worth, payment in posted:
        by_worth.setdefault(worth, []).append(payment)
    unit, counts = unit_of({*worths.all, *by_worth}), dict.fromkeys(players, 0)
    for worth, payments in by_worth.items():
        for player, points in post(payments).items():
            counts[player] = counts.get(player, 0) + unit.count(points, worth)
    return Won(worths, unit, counts)


_EXACT: Final = Context(prec=1_000)


def in_money(stake: Stake, points: int) -> Decimal:
    """The exact worth of some points."""
    return _EXACT.multiply(stake.amount, points)


def counted(unit: Unit, transfer: Transfer[str], worth: Stake | None) -> Transfer[str]:
    """A transfer of points of a worth, in a unit."""
    return transfer._replace(points=unit.count(transfer.points, worth))
