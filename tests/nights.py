"""Nights as tests record them: entry after entry, told in lines, by whichever way they reach the recorder."""

from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar
from uuid import uuid4

from ledger.recorder.history import is_recording
from tests.stories import read_story

T = TypeVar("T")
Data = dict[str, Any]


def new_id() -> str:
    return str(uuid4())


class Telling(ABC, Generic[T]):
    """A night whose entries are recorded one after the other.

    Subclasses deliver an entry: to a recorder (`tests.recorder.tables.Table`), to the interface of an application
    (`tests.web.phones.Phone`), or to a server (`tests.web.streams.Night`; with a browser, `tests.browser.telling`).
    """

    night: str
    after: str
    """The id of the last entry about the play that was recorded here; the next one follows it."""

    @abstractmethod
    def deliver(self, event: Data) -> T:
        """Record an entry, which must not be refused; returns what is answered."""

    def event(self, kind: str, **content: Any) -> Data:
        """A request for an entry that follows the last one."""
        after = {"after": self.after} if is_recording(kind) else {}
        return {"id": new_id(), **after, "kind": kind, **content}

    def record(self, kind: str, **content: Any) -> T:
        """Record an entry that follows the last one."""
        event = self.event(kind, **content)
        recorded = self.deliver(event)
        if "after" in event:
            self.after = event["id"]
        return recorded

    def tell(self, story: str) -> Self:
        """Record each line of a story; `tests.stories` says what lines there are."""
        for kind, content in read_story(story):
            self.record(kind, **content)
        return self
