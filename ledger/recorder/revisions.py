"""Which entries of a round stand, in playing order, after undos, corrections, strikes and insertions.

A revision chain is one place in the record. Its entries are never removed: corrections are appended to the chain,
and the version that stands is computed from all of them.
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
    """A part of an event. `seq.part` is its permanent address; a move's number in the round may change."""

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
    """One place in a round's record: the entry recorded there, then its corrections, undos and redos, in order."""

    versions: tuple[Entry, ...]

    @property
    def last(self) -> Entry:
        """The version that the next correction corrects."""
        return self.versions[-1]

    @property
    def standing(self) -> Entry | None:
        """The version in force; None if the entry was taken back or struck."""
        place = len(self.versions) - 1
        while place >= 0:
            entry = self.versions[place]
            if entry.kind == "strike":
                return None
            if entry.kind not in TAKING_BACK:
                return entry
            # Go back to the version before the event that was taken back.
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
    """A chain under construction: a node of a circular linked list, in which an empty node marks the end."""

    __slots__ = ("following", "previous", "versions")

    def __init__(self, *versions: Entry) -> None:
        self.versions = [*versions]
        self.previous = self.following = self

    def put_before(self, other: "_Place") -> "_Place":
        self.previous, self.following = other.previous, other
        other.previous.following = other.previous = self
        return self

    def all_before(self) -> Iterator["_Place"]:
        """All other nodes of the list, in order."""
        place = self.following
        while place is not self:
            yield place
            place = place.following


def places_of(chains: Iterable[RevisionChain]) -> dict[str, int]:
    """Address -> index of its chain in the round's record, for every entry, standing or not."""
    return {entry.address: place for place, chain in enumerate(chains) for entry in chain.versions}


def standing(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The entries that stand, in playing order."""
    return tuple(entry for chain in chains if (entry := chain.standing) is not None)


def standing_moves(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The moves that stand, in playing order: the first is move 1."""
    return tuple(entry for entry in standing(chains) if entry.kind in MOVES)


def taken_back(events: Iterable[Logged]) -> dict[int, int]:
    """Seq of an event -> seq of the undo that took it back (or of an undo -> the redo that took that back)."""
    return {taken_back_by(event.parts[0]): event.seq for event in events if event.kind in TAKING_BACK}


def taken_back_by(part: Part) -> int:
    """The seq of the event that an undo or a redo takes back, read from one of its parts."""
    return part.get("takes_back") or seq_of(part["corrects"])


def follow_undos(seq: int, taken: Mapping[int, int]) -> tuple[int, bool]:
    """The last undo or redo of an event (or the event itself), and whether the event stands after it."""
    stands = True
    while seq in taken:
        seq = taken[seq]
        stands = not stands
    return seq, stands


def seq_of(address: str) -> int:
    """The seq in an address `seq.part`."""
    return int(address.partition(".")[0])
