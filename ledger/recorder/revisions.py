"""Which entries of a round stand, in playing order, after undos, corrections, strikes and insertions.

A revision chain is one place in the record. Its entries are never removed: corrections are appended to the chain,
and the version that stands is computed from all of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ledger.recorder.parts import MOVES, Part
from ledger.store import EventBody, read_place

TAKING_BACK = frozenset({"undo", "redo"})
RECORDED = MOVES | {"round", "void", "agree"}
"""Kinds of events whose parts are entries of a round."""
BEGINNING = frozenset({"round", "agree"})
"""Kinds of events that may be the first of a round's: its header, and new terms agreed on before it."""
BY_HAND = frozenset({"adjust", "paid"})
"""Kinds of events by which players pay each other outside rounds."""
CORRECTING = frozenset({"correct", "void"})
"""Kinds of events that change what a round recorded before, however old it is."""
UNDOABLE = RECORDED | CORRECTING
"""Kinds of events that an undo takes back."""


@dataclass(slots=True)
class Entry:
    """A part of an event. `seq.part` is its permanent address; a move's number in the round may change."""

    event: EventBody
    address: str
    kind: str
    data: Part
    row: Any = field(default=None, init=False, compare=False, repr=False)
    """What `views.entry` has made of it, with its verdict: neither changes before the round is folded anew."""


def entries_in(event: EventBody) -> list[Entry]:
    """The entries of an event, one for each part."""
    return [Entry(event, f"{event.seq}.{part}", data["kind"], data) for part, data in enumerate(event.parts)]


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


def chains_of(events: Iterable[EventBody]) -> tuple[RevisionChain, ...]:
    """The chains of a round, in playing order, from all its events by seq."""
    chains: list[list[Entry]] = []
    places: dict[str, list[Entry]] = {}
    for event in events:
        for entry in entries_in(event):
            if "corrects" in entry.data:
                chain = places[entry.data["corrects"]]
                chain.append(entry)
            elif "before" in entry.data:
                following, chain = places[entry.data["before"]], [entry]
                chains.insert(next(at for at, one in enumerate(chains) if one is following), chain)
            elif "after" in entry.data:
                chain = [entry]
                chains.insert(_place_after(chains, places[entry.data["after"]]), chain)
            elif event.kind in RECORDED:
                chains.append(chain := [entry])
            else:
                continue
            places[entry.address] = chain
    return tuple([RevisionChain(tuple(versions)) for versions in chains])


def _place_after(chains: list[list[Entry]], leading: list[Entry]) -> int:
    """The place of an entry after another one, and after those already put there."""
    place = next(at for at, one in enumerate(chains, start=1) if one is leading)
    while place < len(chains) and chains[place][0].data.get("after") == leading[0].address:
        place += 1
    return place


def standing(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The entries that stand, in playing order."""
    return tuple([entry for chain in chains if (entry := chain.standing) is not None])


def standing_moves(chains: Iterable[RevisionChain]) -> tuple[Entry, ...]:
    """The moves that stand, in playing order: the first is move 1."""
    return tuple(entry for entry in standing(chains) if entry.kind in MOVES)


def taken_back(events: Iterable[EventBody]) -> dict[int, int]:
    """Seq of an event -> seq of the undo that took it back (or of an undo -> the redo that took that back)."""
    return {taken_back_by(event.parts[0]): event.seq for event in events if event.kind in TAKING_BACK}


def taken_back_by(part: Part) -> int:
    """The seq of the event that an undo or a redo takes back, read from one of its parts."""
    return part.get("takes_back") or read_place(part["corrects"])[0]


def follow_undos(seq: int, taken: Mapping[int, int]) -> tuple[int, bool]:
    """The last undo or redo of an event (or the event itself), and whether the event stands after it."""
    stands = True
    while seq in taken:
        seq = taken[seq]
        stands = not stands
    return seq, stands
