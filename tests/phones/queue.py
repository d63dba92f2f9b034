"""What waits on a phone, by the rules that every client keeps.

An id is made once, `after` is the last recording entry that the person saw, and the same is sent again until it is
answered. Nothing is decided here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ledger.recorder.state import is_recording

Data = dict[str, Any]


class Fate(Enum):
    """What has become of an entry, as far as the phone knows."""

    WAITING = "waiting"
    RECORDED = "recorded"
    DROPPED = "dropped"


@dataclass(eq=False, slots=True)
class Entry:
    """One entry as it was made on a phone; `about` is what it is to record, in the words of whoever made it."""

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
    """The entries of one phone: `entries` are those that the page does not show yet, in order.

    `halt` is why sending has stopped: a refusal, or a conflict.
    """

    new_id: Callable[[], str]
    entries: list[Entry] = field(default_factory=list)
    halt: Data | None = None

    @property
    def waiting(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.fate is Fate.WAITING]

    def add(self, kind: str, content: Data, after: str, about: Any = None, at: str | None = None) -> Entry:
        """Put an entry behind the others; `after` is the last one that the page shows."""
        recording = [entry for entry in self.entries if entry.after is not None]
        last = recording[-1].id if recording else after
        entry = Entry([self.new_id()], last if is_recording(kind) else None, kind, content, about, at)
        self.entries.append(entry)
        return entry

    def recorded(self, entry: Entry, seq: int) -> None:
        """The first of what waits was recorded."""
        entry.fate, entry.seq = Fate.RECORDED, seq

    def drop(self, count: int) -> list[Entry]:
        """Take back so many of the first that wait, as a person has decided. What comes behind follows what they
        followed, until the person says what it shall follow."""
        dropped = self.waiting[:count]
        for entry in dropped:
            entry.fate = Fate.DROPPED
        self.entries = [entry for entry in self.entries if entry.fate is not Fate.DROPPED]
        self.halt = None
        return dropped

    def keep(self, after: str) -> None:
        """Record what waits all the same, as a person has decided: under the ids that it has, since nothing was
        recorded under them. The first that records something about the play says what it comes after now; the
        others follow it as they did."""
        first = next((entry for entry in self.waiting if entry.after is not None), None)
        if first is not None:
            first.after = after
        self.halt = None

    def forget(self, seq: int, ids: set[str]) -> None:
        """The page shows everything up to an entry, and these ids among it, though an answer may have been lost."""
        for entry in self.entries:
            if entry.fate is Fate.WAITING and ids & set(entry.ids):
                entry.fate = Fate.RECORDED
        self.entries = [
            entry
            for entry in self.entries
            if entry.fate is Fate.WAITING or (entry.seq is not None and entry.seq > seq)
        ]
