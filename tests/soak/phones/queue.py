"""The queue of unsent entries on a phone, by the rules that every client follows: an entry's id never changes,
`after` is the last recording entry that the person saw, and the same request is sent until it is answered."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ledger.recorder.history import is_recording
from tests.soak.phones.standing import Data


class Fate(Enum):
    """The state of an entry as far as the phone knows."""

    WAITING, RECORDED, DROPPED = "waiting", "recorded", "dropped"


@dataclass(eq=False, slots=True)
class Entry:
    """One entry as it was made on a phone; `about` is the caller's note of what it records."""

    ids: list[str]
    after: str | None
    kind: str
    content: Data
    about: Any = None
    at: str | None = None
    fate: Fate = Fate.WAITING
    seq: int | None = None

    @property
    def id(self) -> str:
        return self.ids[-1]


@dataclass(slots=True)
class Queue:
    """The queue of one phone: `entries` are those that the page does not show yet, in order. `halt` is the refusal
    or conflict that stopped sending."""

    new_id: Callable[[], str]
    entries: list[Entry] = field(default_factory=list)
    halt: Data | None = None

    @property
    def waiting(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.fate is Fate.WAITING]

    def add(self, kind: str, content: Data, after: str, about: Any = None, at: str | None = None) -> Entry:
        """Append an entry; `after` is the last one that the page shows."""
        recording = [entry for entry in self.entries if entry.after is not None]
        last = recording[-1].id if recording else after
        entry = Entry([self.new_id()], last if is_recording(kind) else None, kind, content, about, at)
        self.entries.append(entry)
        return entry

    def drop(self, count: int) -> list[Entry]:
        """Drop the first `count` waiting entries, as a person decided; the rest keeps its `after` until `keep`."""
        dropped = self.waiting[:count]
        for entry in dropped:
            entry.fate = Fate.DROPPED
            self.entries.remove(entry)
        self.halt = None
        return dropped

    def keep(self, after: str) -> None:
        """Keep the waiting entries under their ids, as a person decided: nothing was recorded under them. The first
        that concerns the play follows `after` from now on; the others are unchanged."""
        for first in [entry for entry in self.waiting if entry.after is not None][:1]:
            first.after = after
        self.halt = None

    def forget(self, seq: int, ids: set[str]) -> None:
        """Remove entries that the page shows: up to `seq`, or with one of `ids` if the answer was lost."""
        for entry in self.entries:
            if entry.fate is Fate.WAITING and ids & set(entry.ids):
                entry.fate = Fate.RECORDED
        self.entries = [
            entry for entry in self.entries if entry.fate is Fate.WAITING or (entry.seq or 0) > seq
        ]
