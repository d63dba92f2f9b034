"""What people owe each other over the nights of a group, in plain dictionaries and by the rules of money alone: who
wins is paid, who hands over owes less, what is carried is owed in another night, and nothing else moves a point."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

PRICES: Final = {2: [(2, 1, 2)], 3: [(2, 1, 1), (3, 1, 2)], 4: [(3, 2, 1), (4, 1, 2)]}
"""Players of a round -> the place that pays, the place that is paid, and how much, under `pro-play`."""

Net = Counter[str]
"""Player -> points won; those of all players add up to 0."""
Edge = tuple[str, str, int]
"""Who pays whom how much."""


def net_of(paid: Iterable[Edge]) -> Net:
    """What some payments bring each player."""
    net = Net()
    for payer, payee, points in paid:
        net[payer] -= points
        net[payee] += points
    return net


def same(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Whether two nets differ in zeros only."""
    return Counter(one) == Counter(other)


@dataclass
class ScoredRound:
    """A round by its places; `settled` and `entry` are the seqs of the entries that settled it and that have its
    result."""

    order: list[str]
    settled: int
    entry: int
    void: int = 0
    """The seq of the entry that voided it; 0 if it counts."""
    waived: list[Edge] = field(default_factory=list)

    def payments(self) -> list[Edge]:
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
    """Points that changed hands outside the game: handed over, or carried to or from another `night`."""

    seq: int
    edge: Edge
    night: str = ""
    came_in: bool = False
    """Whether it brought a debt from the other night."""
    undone: bool = False


@dataclass
class Account:
    """One night: what was won in it, and what moved since."""

    rounds: dict[int, ScoredRound] = field(default_factory=dict)
    adjusted: list[Edge] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    late: dict[int, Net] = field(default_factory=dict)
    """Round -> what changes of it, after money had changed hands, have left to be paid."""

    def won(self) -> Net:
        """The points that everybody has won."""
        return net_of([*self.adjusted, *(one for round in self.rounds.values() for one in round.payments())])

    def owed(self) -> Net:
        """What everybody is still owed; below zero for those who owe."""
        net = self.won()
        for move in self.moves:
            net.subtract(net_of([move.edge]))
        return net

    def move(self, seq: int, edge: Edge, night: str = "", *, came_in: bool = False) -> bool:
        """Points change hands. What goes back as it came undoes the last such move; returns whether this does."""
        payer, payee, points = edge
        back = (payee, payer, points)
        undoes = next(
            (m for m in reversed(self.moves) if not m.undone and m.edge == back and m.night == night), None
        )
        self.moves.append(Move(seq, edge, night, came_in, undone=undoes is not None))
        if undoes:
            undoes.undone = True
        return undoes is not None

    def has_moved_since(self, settled: int) -> bool:
        """Whether money was handed over, or a debt carried away, since a round was settled."""
        return any(not move.undone and not move.came_in and move.seq > settled for move in self.moves)

    def change(self, number: int, before: Net) -> None:
        """A round was changed, which paid as in `before`: the difference is owed, by name, if money had changed
        hands."""
        round = self.rounds[number]
        if self.has_moved_since(round.settled):
            difference = net_of(round.payments())
            difference.subtract(before)
            if any(difference.values()):
                self.late[number] = Net(self.late.get(number, Net()))
                self.late[number].update(difference)
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
