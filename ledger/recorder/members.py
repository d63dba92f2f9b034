"""The people in the nights of a group: players of the same name are one person, and so are joined players."""

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
        """The seat that a text names; it need not exist."""
        night, _, player = text.partition("/")
        return cls(night, player)


@dataclass(frozen=True, slots=True)
class Members:
    """The people of a group. A person is identified by their first seat."""

    names: dict[Seat, str]
    """Person -> their newest name; for joined players, a name of the player whom they were joined to."""
    of: dict[Seat, Seat]
    """Seat of a night -> the person in it."""
    own: dict[str, str]
    """Seat of a night, as text -> its player's name in that night."""


def members(people: People, joined: Iterable[tuple[Seat, Seat]]) -> Members:
    """Find the people among the players of some nights; `joined` are pairs of players who are the same person.

    Two players of one night are never one person, even if they were joined in other nights: then the one without
    the shared name is a person apart.
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
    """Number people of equal names. They are erased names: several nights have a p2."""
    counts = Counter[str]()
    for member, name in names.items():
        counts[name] += 1
        if counts[name] > 1:
            names[member] = f"{name} ({counts[name]})"


def sat_together(people: People, joined: Iterable[tuple[Seat, Seat]]) -> bool:
    """Whether these pairs would make two players of one night the same person."""
    same = _Same(people, joined)
    return any(
        len({same.root(Seat(night, player)) for player in people[night]}) < len(people[night])
        for night in people
    )


class _Same:
    """Groups players into people: a union-find over names."""

    def __init__(self, people: People, joined: Iterable[tuple[Seat, Seat]]) -> None:
        self._people = people
        self._joined: dict[str, str] = {}
        for one, other in joined:
            if self._is_there(one) and self._is_there(other) and self.root(one) != self.root(other):
                self._joined[self.root(one)] = self.root(other)

    def key(self, seat: Seat) -> str:
        """Equal for players of the same name; unique for an erased one."""
        name = self._people[seat.night][seat.player]
        return skeleton(name) if name else str(seat)

    def root(self, seat: Seat) -> str:
        """Equal for players who are one person: the key of the last player in their line of joins."""
        key = self.key(seat)
        while key in self._joined:
            key = self._joined[key]
        return key

    def _is_there(self, seat: Seat) -> bool:
        return seat.player in self._people.get(seat.night, {})
