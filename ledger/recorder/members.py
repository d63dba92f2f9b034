"""Who is who in the nights of a group: players of one name are one person, and so are those who were joined."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from ledger.recorder.names import skeleton

People = Mapping[str, Mapping[str, str | None]]
"""Night -> player -> name, None for an erased one; the oldest night first."""


class Seat(NamedTuple):
    """A player of a night; as text `night/p1`."""

    night: str
    player: str

    def __str__(self) -> str:
        return f"{self.night}/{self.player}"

    @classmethod
    def read(cls, text: str) -> Self:
        """The seat that a text names, be it there or not."""
        night, _, player = text.partition("/")
        return cls(night, player)


@dataclass(frozen=True, slots=True)
class Members:
    """The people of a group. Each goes by the first seat that is theirs."""

    names: dict[Seat, str]
    """What each is called: by the newest name, of those who were joined by that of whom they were joined to."""
    of: dict[Seat, Seat]
    """Whose the seat of a night is."""
    own: dict[str, str]
    """The seat of a night, as text -> what its player is called there."""


def members(people: People, joined: Iterable[tuple[Seat, Seat]]) -> Members:
    """The people behind the players of some nights; `joined` says of players that they are the same as others.

    Two players of one night are never one person, whatever they were joined to elsewhere: those who do not have
    the name itself stand alone then.
    """
    same = _Same(people, joined)
    found = Members({}, {}, {})
    first: dict[tuple[str, bool], Seat] = {}
    for night, players in people.items():
        taken = set[str]()
        seats = [Seat(night, player) for player in players]
        for seat in sorted(seats, key=lambda seat: same.root(seat) != same.key(seat)):
            key, root = same.key(seat), same.root(seat)
            member = first.setdefault((key, True) if root in taken else (root, False), seat)
            found.of[seat] = member
            found.own[str(seat)] = players[seat.player] or seat.player
            if key == root or root in taken or member not in found.names:
                found.names[member] = found.own[str(seat)]
            taken.add(root)
    _tell_apart(found.names)
    return found


def _tell_apart(names: dict[Seat, str]) -> None:
    """Number those whose names were erased: several nights have a p2."""
    counts = Counter[str]()
    for member, name in names.items():
        counts[name] += 1
        if counts[name] > 1:
            names[member] = f"{name} ({counts[name]})"


def sat_together(people: People, joined: Iterable[tuple[Seat, Seat]]) -> bool:
    """Whether two players of one night would be one person."""
    same = _Same(people, joined)
    return any(
        len({same.root(Seat(night, player)) for player in people[night]}) < len(people[night])
        for night in people
    )


class _Same:
    """Which players are one person."""

    def __init__(self, people: People, joined: Iterable[tuple[Seat, Seat]]) -> None:
        self._people = people
        self._joined: dict[str, str] = {}
        for one, other in joined:
            if self._is_there(one) and self._is_there(other) and self.root(one) != self.root(other):
                self._joined[self.root(one)] = self.root(other)

    def key(self, seat: Seat) -> str:
        """The same for players of one name; an erased one is nobody else."""
        name = self._people[seat.night][seat.player]
        return skeleton(name) if name else str(seat)

    def root(self, seat: Seat) -> str:
        """The same for players who are one person: the key of whom they were joined to."""
        key = self.key(seat)
        while key in self._joined:
            key = self._joined[key]
        return key

    def _is_there(self, seat: Seat) -> bool:
        return seat.player in self._people.get(seat.night, {})
