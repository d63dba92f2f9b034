"""What every kind of event has: a schema that reads it, its own fields, and a draft that the rules make of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from ledger.recorder import fields
from ledger.recorder.fields import Request
from ledger.store import Role

if TYPE_CHECKING:  # a state is made of events
    from ledger.recorder.drafts import Draft
    from ledger.recorder.state import NightState

REGISTERED: Final[dict[str, "type[Event]"]] = {}
"""Every kind of event that can be recorded. Complete once `index` is imported."""


class IndependentSchema(Request):
    """What a request of any kind carries. It comes after nothing: no entry in between makes it stale."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(metadata={"description": "Not needed, and not judged."})
    at = fields.Time(metadata={"description": "When it was entered, by the client's clock."})


class EventSchema(IndependentSchema):
    """What a request about the play carries beside that."""

    after = fields.Uuid(
        required=True,
        metadata={"description": "The id of the last recording event seen; for the first, the night's."},
    )


OF_EVERY_EVENT: Final = ("id", "at", "after", "kind")
"""The fields of a request that are no content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(ABC):
    """What is asked to be recorded, as far as it is this kind's own."""

    kind: ClassVar[str]
    schema: ClassVar[IndependentSchema]
    recorded_by: ClassVar[Role] = Role.KEEPER
    """Whose link may record it."""
    changes_rounds: ClassVar[bool] = False
    """Whether it changes a round, or what may be said of it: what a seat says of the round before that is stale."""
    posts: ClassVar[bool] = False
    """Whether it may post payments."""
    is_entry: ClassVar[bool] = False
    """Whether a correction may put it in the place of another entry of a round."""
    changes_night: ClassVar[bool] = False
    """Whether it changes what holds for the night as a whole: then it says how, in `apply`."""
    after_the_end: ClassVar[bool] = False
    """Whether it can be recorded when the night has ended."""

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            REGISTERED[cls.kind] = cls

    @classmethod
    def depends_on_play(cls) -> bool:
        """Whether another entry about the play makes it stale, and it another one."""
        return isinstance(cls.schema, EventSchema)

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """The event that the content of a request spells, once its schema has read it."""
        return cls(**content)

    def entry_asked(self) -> int | None:
        """The seq of an earlier entry that it is about, where that tells which round it means."""
        return None

    def round_asked(self) -> int | None:
        """The number of the round that it names."""
        return getattr(self, "round", None)

    def apply(self, state: "NightState") -> "NightState":
        """The state with what it changes of the night as a whole; its entries and payments are there already."""
        return state

    @abstractmethod
    def draft(self, state: "NightState") -> "Draft":
        """What recording it after a state would append. Raises Problem, Refused."""
