"""Which entries of a round stand: what was recorded, undone, corrected, struck and put in, in playing order.

A chain is one place in the record. What was recorded there first is never taken out: whatever corrects it stands
behind it, and what stands is worked out from all of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ledger.recorder.logged import Logged
from ledger.recorder.parts import MOVES, Part

TAKING_BACK = frozenset({"undo", "redo"})
RECORDED = MOVES | {"round", "void"}
"""Kinds of events whose parts are entries of a round."""
UNDOABLE = RECORDED | {"correct"}
"""Kinds of events that an undo takes back."""


class Entry(NamedTuple):
    """A part of an event. `seq.part` addresses it for ever; a move's number in the round is derived."""

    event: Logged
    part: int

    @property
    def address(self) -> str:
        return f"{self.event.seq}.{self.part}"

    @property
    def data(self) -> Part:
        return self.event.parts[self.part]

    @property
    def kind(self) -> str:
        return self.data["kind"]


class RevisionChain(NamedTuple):
    """One place in a round's record: what was recorded there, and what has corrected that since, in order."""

    versions: tuple[Entry, ...]

    @property
    def last(self) -> Entry:
        """The version that the next correction corrects."""
        return self.versions[-1]

    @property
    def standing(self) -> Entry | None:
        """The version whose words hold; None where it was taken back or struck."""
        place = len(self.versions) - 1
        while place >= 0:
            entry = self.versions[place]
            if entry.kind == "strike":
                return None
            if entry.kind not in TAKING_BACK:
                return entry
            # As it was before the event that was taken back touched this chain.
            taken = taken_back_by(entry.data)
            place = next(at for at, version in enumerate(self.versions) if version.event.seq == taken) - 1
        return None


def chains_of(events: Iterable[Logged]) -> tuple[RevisionChain, ...]:
    """The chains of a round, in playing order, from all its events by seq."""
    places: dict[str, _Place] = {}
    end = _Place()
    for event in events:
        for part, data in enumerate(event.parts):
            entry = Entry(event, part)
            if "corrects" in data:
                place = places[data["corrects"]]
                place.versions.append(entry)
            elif "before" in data:
                place = _Place(entry).put_before(places[data["before"]])
            elif event.kind in RECORDED:
                place = _Place(entry).put_before(end)
            else:
                continue
            places[entry.address] = place
    return tuple(RevisionChain(tuple(place.versions)) for place in end.all_before())


class _Place:
    """A chain that is still being filled, in a ring of all of them that begins and ends with an empty one."""

    __slots__ = ("following", "previous", "versions")

    def __init__(self, *versions: Entry) -> None:
        self.versions = [*versions]
        self.previous = self.following = self

    def put_before(self, other: "_Place") -> "_Place":
        self.previous, self.following = other.previous, other
        other.previous.following = other.previous = self
        return self

    def all_before(self) -> Iterator["_Place"]:
        """All others of the ring, in order."""
        place = self.following
        while place is not self:
            yield place
            place = place.following


def places_of(chains: Iterable[RevisionChain]) -> dict[str, int]:
    """Address -> which place of the round's record it has, from 0, for all that was ever recorded there."""
    return {entry.address: place for place, chain in enumerate(chains) for entry in chain.versions}


def standing(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The entries that stand, in playing order."""
    return tuple(entry for chain in chains if (entry := chain.standing) is not None)


def standing_moves(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The moves that stand, in playing order: the first is move 1."""
    return tuple(entry for entry in standing(chains) if entry.kind in MOVES)


def taken_back(events: Iterable[Logged]) -> dict[int, int]:
    """Event -> the undo that took it back (or the redo that took that back), by seq."""
    return {taken_back_by(event.parts[0]): event.seq for event in events if event.kind in TAKING_BACK}


def taken_back_by(part: Part) -> int:
    """The seq of the event that an undo or a redo takes back, as a part of it says."""
    return part.get("takes_back") or seq_of(part["corrects"])


def follow_undos(seq: int, taken: Mapping[int, int]) -> tuple[int, bool]:
    """The last of the undos and redos of an event (or itself), and whether the event stands after them."""
    stands = True
    while seq in taken:
        seq = taken[seq]
        stands = not stands
    return seq, stands


def seq_of(address: str) -> int:
    """The event that an address `seq.part` lies in."""
    return int(address.partition(".")[0])
