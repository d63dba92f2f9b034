"""The base class of all kinds of events: its own fields, the schema that reads them, and a draft by the rules."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, ClassVar, Final, Self

from marshmallow.fields import Field as RequestField

from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.fields import Request
from ledger.recorder.state import NightState
from ledger.store import Role

REGISTERED: Final[dict[str, "type[Event]"]] = {}
"""Kind -> class, for every kind of event that can be recorded. Complete once `index` is imported."""


class IndependentSchema(Request):
    """The fields of every request; used alone by kinds that no other entry makes stale."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(metadata={"description": "Not needed, and not judged."})
    at = fields.Time(metadata={"description": "When it was entered, by the client's clock."})


class EventSchema(IndependentSchema):
    """The fields of a request about the play: it is stale if another such entry has come in between."""

    after = fields.Uuid(
        required=True,
        metadata={"description": "The id of the last recording event seen; for the first, the night's."},
    )


OF_EVERY_EVENT: Final = ("id", "at", "after", "kind")
"""The fields of a request that are not its content."""


def requested(by: RequestField[Any], default: object = MISSING) -> Any:
    """A field of an event that requests have as well, read by a field of their schema."""
    return field(default=default, metadata={"request": by})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(ABC):
    """An event to be recorded: the fields of its kind."""

    kind: ClassVar[str]
    base: ClassVar[type[IndependentSchema]] = EventSchema
    """The base of its schema, with what is so of several fields."""
    schema: ClassVar[IndependentSchema]
    """The schema of its request: the fields of its base, `kind`, and its own fields that are `requested`."""
    recorded_by: ClassVar[Role] = Role.KEEPER
    """The role of the link that may record it."""
    changes_rounds: ClassVar[bool] = False
    """Whether it changes a round or the state of its disputes, and so makes earlier requests by seats stale."""
    posts: ClassVar[bool] = False
    """Whether it may post payments."""
    is_entry: ClassVar[bool] = False
    """Whether a correction may replace another entry of a round with it."""
    in_replays: ClassVar[bool] = False
    """Whether a replay and a moves file have it in lines of its own; the others are of the recording alone."""
    gives_links: ClassVar[bool] = False
    """Whether it makes a link, so that its answer has the links of the night as they are then."""
    after_the_end: ClassVar[bool] = False
    """Whether it may be recorded after the night has ended."""

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            return
        # A dataclass with slots is made twice; only at first are its fields in the order in which texts have them.
        if "schema" not in cls.__dict__:
            of_bases: Mapping[str, object] = getattr(cls, "__dataclass_fields__", {})
            read = {
                name: one.metadata["request"]
                for name, one in (*of_bases.items(), *vars(cls).items())
                if isinstance(one, Field) and "request" in one.metadata
            }
            schema = type(
                f"{cls.kind.title()}Schema", (cls.base,), {"kind": fields.KindField(cls.kind), **read}
            )
            cls.schema = schema()
        REGISTERED[cls.kind] = cls

    @classmethod
    def changes_night(cls) -> bool:
        """Whether it changes the night as a whole."""
        return cls.apply is not Event.apply

    @classmethod
    def depends_on_play(cls) -> bool:
        """Whether it is about the play: such entries make each other stale."""
        return isinstance(cls.schema, EventSchema)

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """The event from the content of a request, as loaded by its schema."""
        return cls(**content)

    def target_entry(self) -> int | None:
        """The seq of the earlier entry whose round it is about, if it is about one."""
        return None

    def target_round(self) -> int | None:
        """The number of the round that it names, if any."""
        return getattr(self, "round", None)

    def apply(self, state: NightState) -> NightState:
        """Apply what it changes of the night as a whole to a state that has its entries and payments already."""
        return state

    @abstractmethod
    def draft(self, state: NightState) -> Draft:
        """Draft what recording it on a state would append. Raises Problem, Refused."""
