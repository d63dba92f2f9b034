"""What people owe each other over the nights of a group, in plain dictionaries and by the rules of money alone: who
wins is paid what a point was worth in the round, who hands over owes less, what is carried is owed in another
night, and nothing else moves anything. All money is exact; a night without is counted in points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

PRICES: Final = {2: [(2, 1, 2)], 3: [(2, 1, 1), (3, 1, 2)], 4: [(3, 2, 1), (4, 1, 2)]}
"""Players of a round -> the place that pays, the place that is paid, and how much, under `pro-play`."""

Net = dict[str, Fraction]
"""Player -> money won, or points where they are worth nothing; those of all players add up to 0."""
Points = tuple[str, str, int]
"""Who pays whom how many points."""
Edge = tuple[str, str, Fraction]
"""Who pays whom how much."""


def net_of(paid: Iterable[tuple[str, str, Fraction | int]]) -> Net:
    """What some payments bring each player."""
    net = Net()
    for payer, payee, much in paid:
        net[payer] = net.get(payer, Fraction()) - much
        net[payee] = net.get(payee, Fraction()) + much
    return net


def plus(*nets: Mapping[str, Fraction | int]) -> Net:
    """The sum of some nets."""
    sum = Net()
    for net in nets:
        for player, much in net.items():
            sum[player] = sum.get(player, Fraction()) + much
    return sum


def times(net: Mapping[str, Fraction | int], much: Fraction | int) -> Net:
    """A net so many times."""
    return {player: Fraction(won * much) for player, won in net.items()}


def same(one: Mapping[str, Fraction | int], other: Mapping[str, Fraction | int]) -> bool:
    """Whether two nets differ in zeros only."""
    return not any(plus(one, times(other, -1)).values())


@dataclass(frozen=True)
class Payment:
    """Points that change hands, and what one was worth then; None: nothing so far."""

    points: Points
    worth: Fraction | None

    @property
    def back(self) -> "Payment":
        """The same the other way round."""
        payer, payee, points = self.points
        return Payment((payee, payer, points), self.worth)


@dataclass
class ScoredRound:
    """A round by its places; `settled` and `entry` are the seqs of the entries that settled it and that have its
    result."""

    order: list[str]
    settled: int
    entry: int
    worth: Fraction | None
    """What a point was worth when it began."""
    void: int = 0
    """The seq of the entry that voided it; 0 if it counts."""
    waived: list[Points] = field(default_factory=list)

    def payments(self) -> list[Points]:
        """Its payments, without those waived."""
        if self.void:
            return []
        paid = [
            (self.order[payer - 1], self.order[payee - 1], points) for payer, payee, points in self.prices
        ]
        return [one for one in paid if one not in self.waived]

    @property
    def prices(self) -> Sequence[tuple[int, int, int]]:
        return PRICES[len(self.order)]


@dataclass
class Move:
    """A payment outside the game: handed over, or carried to or from another `night`."""

    seq: int
    paid: Payment
    night: str = ""
    came_in: bool = False
    """Whether it brought a debt from the other night."""
    undone: bool = False


@dataclass
class Account:
    """One night: what was won in it, and what moved since."""

    currency: str | None
    """None as long as points are worth nothing."""
    worth: Fraction | None
    """What a point is worth in the next round."""
    worth_before: Fraction = Fraction()
    """What those points are worth that were worth nothing when they were played."""
    rounds: dict[int, ScoredRound] = field(default_factory=dict)
    adjusted: list[Payment] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    late: dict[int, Net] = field(default_factory=dict)
    """Round -> what changes of it, after money had changed hands, have left to be paid."""

    def edge(self, paid: Payment) -> Edge:
        """A payment in money, or in points in a night without."""
        payer, payee, points = paid.points
        return payer, payee, points * self.in_money(paid.worth)

    def in_money(self, worth: Fraction | None) -> Fraction:
        """What a point of a worth is worth by now."""
        if worth is None:
            return self.worth_before if self.currency else Fraction(1)
        return worth

    def won_by_round(self, number: int) -> Net:
        """What everybody has won in a round."""
        round = self.rounds[number]
        return times(net_of(round.payments()), self.in_money(round.worth))

    def points(self) -> Net:
        """The points that everybody has won."""
        played = [one for round in self.rounds.values() for one in round.payments()]
        return net_of([*played, *(one.points for one in self.adjusted)])

    def won(self) -> Net:
        """What everybody has won."""
        return plus(net_of(map(self.edge, self.adjusted)), *map(self.won_by_round, self.rounds))

    def moved(self, moves: Iterable[Move]) -> Net:
        """What some moves brought everybody."""
        return net_of(self.edge(move.paid) for move in moves)

    def owed(self) -> Net:
        """What everybody is still owed; below zero for those who owe."""
        return plus(self.won(), times(self.moved(self.moves), -1))

    def move(self, seq: int, paid: Payment, night: str = "", *, came_in: bool = False) -> bool:
        """A payment is made. What goes back as it came undoes the last such move; returns whether this does."""
        undoes = next(
            (
                move
                for move in reversed(self.moves)
                if not move.undone and move.night == night and self._are_even(move.paid.back, paid)
            ),
            None,
        )
        self.moves.append(Move(seq, paid, night, came_in, undone=undoes is not None))
        if undoes:
            undoes.undone = True
        return undoes is not None

    def _are_even(self, one: Payment, other: Payment) -> bool:
        if {self.in_money(one.worth), self.in_money(other.worth)} == {Fraction()}:
            return one == other
        return self.edge(one) == self.edge(other)

    def has_moved_since(self, settled: int) -> bool:
        """Whether money was handed over, or a debt carried away, since a round was settled."""
        return any(not move.undone and not move.came_in and move.seq > settled for move in self.moves)

    def change(self, number: int, before: Net) -> None:
        """A round was changed, which paid as in `before`: the difference is owed, by name, if money had changed
        hands."""
        if self.has_moved_since(self.rounds[number].settled):
            difference = plus(self.won_by_round(number), times(before, -1))
            self.late[number] = plus(self.late.get(number, {}), difference)
        self.forget_if_even()

    def agree(self, worth: Fraction, currency: str, *, all_rounds: bool) -> None:
        """A point is worth so much from now on; if it was worth nothing so far, in all rounds or in none before."""
        if self.currency is None:
            self.currency, self.worth_before = currency, worth if all_rounds else Fraction()
            self.late = {number: times(net, self.worth_before) for number, net in self.late.items()}
        self.worth = worth
        self.forget_if_even()

    def forget_if_even(self) -> None:
        """Once nobody owes anything, no difference is left."""
        self.late = {number: net for number, net in self.late.items() if any(net.values())}
        if not any(self.owed().values()):
            self.late = {}


class People:
    """Who is who in a group: equal names are one person, joined names too; an erased name is nobody else's."""

    def __init__(self) -> None:
        self.names: dict[str, dict[str, str]] = {}
        """Night -> player -> name; empty if it was erased."""
        self.joined: dict[int, tuple[tuple[str, str], tuple[str, str]]] = {}
        """Seq of the entry of the group -> the two seats that are one person's."""

    def _node(self, seat: tuple[str, str]) -> str:
        night, player = seat
        return self.names[night][player] or f"{night}/{player}"

    def of(self, nights: Iterable[str]) -> dict[tuple[str, str], str]:
        """Seat -> the person in it; equal for all seats of one person in the nights."""
        seats = [(night, player) for night in nights for player in self.names[night]]
        person = {self._node(seat): self._node(seat) for seat in seats}
        for one, other in self.joined.values():
            first, second = person.get(self._node(one)), person.get(self._node(other))
            if first is not None and second is not None:
                person = {node: second if whose == first else whose for node, whose in person.items()}
        return {seat: person[self._node(seat)] for seat in seats}
