"""The people in the nights of a group: players of the same name are one person, and so are joined players."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from ledger.recorder.names import skeleton

People = Mapping[str, Mapping[str, str | None]]
"""Night -> player -> name, None for an erased one; the oldest night first."""


class SeatRef(NamedTuple):
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

    names: dict[SeatRef, str]
    """Person -> their newest name; for joined players, a name of the player whom they were joined to."""
    of: dict[SeatRef, SeatRef]
    """Player of a night -> the person."""
    own: dict[SeatRef, str]
    """Player of a night -> the name in that night."""

    @property
    def named(self) -> dict[str, SeatRef]:
        """Name -> person."""
        return {name: member for member, name in self.names.items()}


def members(people: People, joined: Iterable[tuple[SeatRef, SeatRef]]) -> Members:
    """Find the people among the players of some nights; `joined` are pairs of players who are the same person.

    Two players of one night are never one person, even if they were joined in other nights: then the one without
    the shared name is a person apart.
    """
    same = _Same(people, joined)
    found = Members({}, {}, {})
    first: dict[tuple[str, bool], SeatRef] = {}
    for night, players in people.items():
        taken = set[str]()
        seats = [
            (SeatRef(night, player), name, *same.key_and_root(night, player, name))
            for player, name in players.items()
        ]
        seats.sort(key=_was_joined)
        for seat, name, key, root in seats:
            member = first.setdefault((key, True) if root in taken else (root, False), seat)
            found.of[seat] = member
            found.own[seat] = name or seat.player
            if key == root or root in taken or member not in found.names:
                found.names[member] = found.own[seat]
            taken.add(root)
    _tell_apart(found.names)
    return found


def _was_joined(seat: tuple[SeatRef, str | None, str, str]) -> bool:
    _, _, key, root = seat
    return key != root


def _tell_apart(names: dict[SeatRef, str]) -> None:
    """Number people of equal names. They are erased names: several nights have a p2."""
    counts = Counter[str]()
    for member, name in names.items():
        counts[name] += 1
        if counts[name] > 1:
            names[member] = f"{name} ({counts[name]})"


def sat_together(people: People, joined: Iterable[tuple[SeatRef, SeatRef]]) -> bool:
    """Whether these pairs would make two players of one night the same person."""
    same = _Same(people, joined)
    return any(
        len({same.key_and_root(night, player, name)[1] for player, name in players.items()}) < len(players)
        for night, players in people.items()
    )


class _Same:
    """Groups players into people: a union-find over names."""

    def __init__(self, people: People, joined: Iterable[tuple[SeatRef, SeatRef]]) -> None:
        self._people = people
        self._keys: dict[str, str] = {}
        self._joined: dict[str, str] = {}
        for one, other in joined:
            if self._is_there(one) and self._is_there(other):
                mine, theirs = self._root_of(one), self._root_of(other)
                if mine != theirs:
                    self._joined[mine] = theirs

    def key_and_root(self, night: str, player: str, name: str | None) -> tuple[str, str]:
        """The key is equal for players of the same name, and unique for an erased one. The root is equal for
        players who are one person: the key of the last player in their line of joins."""
        if name is None:
            key = f"{night}/{player}"
        else:
            key = self._keys.get(name) or self._keys.setdefault(name, skeleton(name))
        return key, self._root(key) if key in self._joined else key

    def _root_of(self, seat: SeatRef) -> str:
        return self.key_and_root(*seat, self._people[seat.night][seat.player])[1]

    def _root(self, key: str) -> str:
        line = []
        while key in self._joined:
            line.append(key)
            key = self._joined[key]
        self._joined |= dict.fromkeys(line, key)
        return key

    def _is_there(self, seat: SeatRef) -> bool:
        return seat.player in self._people.get(seat.night, {})
