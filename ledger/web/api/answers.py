"""The answers of the API: which attributes of the recorder's views they have, and schemas that describe them.

The docstrings of views become descriptions."""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from textwrap import dedent
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, get_args, get_origin, get_type_hints

from marshmallow import EXCLUDE, INCLUDE, Schema
from marshmallow.fields import Boolean, Dict, Field, Integer, List, Nested, Raw, String

from ledger.game import report
from ledger.game.cards import Deck
from ledger.game.report import NightReport
from ledger.game.side_by_side import ComparisonReport
from ledger.recorder import Tokens
from ledger.recorder.events.moves import MOST_LIKELY
from ledger.recorder.judging import MOST_SINCE
from ledger.recorder.views import night, preview
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.night import Hash, Uuid
from ledger.recorder.views.preview import RuledEntry
from ledger.recorder.views.round import RoundPayment, RoundView

_PLAIN = {bool: Boolean, int: Integer, str: String}


class ProblemAnswer(Schema):
    """Why a request was not carried out (RFC 9457); nothing was recorded."""

    class Meta:
        unknown = INCLUDE

    type = String(required=True)
    title = String(required=True)
    status = Integer(required=True)
    detail = String(
        required=True, metadata={"description": "What is wrong and what to do, in the caller's language."}
    )
    code = String(
        required=True, metadata={"description": "Stable: what programs should ask for.", "example": "stale"}
    )
    request_id = String(required=True, metadata={"description": "What the server's log calls this request."})
    clause = String(metadata={"description": "The clause of the rules that speaks.", "example": "S-COMPARE"})
    fields = Dict(  # type: ignore[assignment]
        String(), List(String()), metadata={"description": "Field -> what was expected there (unreadable)."}
    )
    events = List(
        Raw(), metadata={"description": f"What was recorded since, the first {MOST_SINCE} at most (stale)."}
    )
    more = Integer(
        metadata={"description": "How many events follow these, if any: the log has them (stale)."}
    )
    instead = List(
        Raw(),
        metadata={
            "description": "By whom a refused play would be legal, the likeliest first, at most "
            f"{MOST_LIKELY}: `seat`, and who `passes` before it."
        },
    )
    missing = Boolean(metadata={"description": "Set if there is no entry with the id `after` (stale)."})


@dataclass(frozen=True, slots=True)
class OpenedNight:
    """A night's links: `tokens` for programs, `links` for people."""

    id: Uuid
    seq: int
    hash: Hash
    links: Tokens
    tokens: Tokens
    without_effect: list[str] | None = None
    """The rules of the table that have no effect, each in a sentence that says what it needs."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as it was recorded, and the board as it is now; after `join` and `revoke` the links too."""

    id: Uuid
    seq: int
    hash: Hash
    board: night.Board
    links: Tokens | None = None
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True)
class StreamMessage:
    """One message of a stream."""

    id: str
    """The seq of the head."""
    data: str
    """The head as JSON: seq, hash and code."""


class Answer(Schema):
    """The base of every answer. A program must expect more fields than are described."""

    class Meta:
        unknown = EXCLUDE

    view: ClassVar[type | None] = None
    """The dataclass that the schema describes."""


class _FlattenedEntry(Answer):
    """An entry: the fields of its part and of its verdict are in one object."""

    class Meta:
        unknown = INCLUDE


_SHOWN: Final[Mapping[type, str]] = {
    RuledEntry: "kind address move code clause message",
    EntryRow: (
        "move! address event player! kind cards sets combination! implied stood code! clause! at actor "
        "forward locks covered why contract places knocked_out bombs corrects before after"
    ),
    Deck: "packs backs",
    RoundPayment: "payer payee points reason clause move owed_by cause posted dispute",
    RoundView: (
        "opening leader seats number stood times status over posted void by_result turn to pile waiting passes "
        "left uncounted locked places knocked_out seen seen_counts to_draw forward contracts suit_lock playable "
        "alone moves hands needed can_settle payments net findings"
    ),
    LedgerView: "seq hash code players payments balances won rounds totals",
    night.LogView: "seq hash code night events",
}
"""The attributes of answers, in order, for views that have more or another order. One whose default is None is
omitted when it is None, unless its name ends with `!`."""


@cache
def _shown(view: type) -> tuple[tuple[str, ...], frozenset[str], Callable[[object], tuple[Any, ...]]]:
    """The attributes of a dataclass that its answers have: those in `_SHOWN`, else all, in that order; which of
    them are omitted when they are None; and a function that returns the values of all."""
    attributes = [one.name for one in fields(view)]
    words = _SHOWN[view].split() if view in _SHOWN else attributes
    names = tuple(word.removesuffix("!") for word in words)
    optional = frozenset(one.name for one in fields(view) if one.default is None).intersection(words)
    # Of one name, an attrgetter would return no tuple.
    return names, optional, attrgetter(*names, *attributes[:1])


@cache
def schema_of(view: type) -> type[Schema]:
    """The schema that describes the answers made of a dataclass."""
    types = get_type_hints(view, include_extras=True)
    names, optional, _ = _shown(view)
    attributes = {name: _field(types[name], optional=name in optional) for name in names}
    base = _FlattenedEntry if view is RuledEntry else Answer
    return type(view.__name__, (base,), attributes | {"__doc__": view.__doc__, "view": view})


def plain(view: object) -> dict[str, object]:
    """A dataclass as a mapping, with the attributes that `schema_of` describes."""
    kind: type = type(view)
    names, optional, values = _shown(kind)
    shown = dict(zip(names, values(view)))  # noqa: B905
    for name in optional:
        if shown[name] is None:
            del shown[name]
    return {**view.part, **shown} if isinstance(view, RuledEntry) else shown


def sentence_of(field: Field[Any]) -> str:
    """The docstring of the view's attribute that a field describes; empty if it has none."""
    view = getattr(field.parent, "view", None)
    return _sentences(view).get(field.name or "", "") if view else ""


def _field(hint: Any, metadata: Mapping[str, Any] | None = None, *, optional: bool = False) -> Field[Any]:
    """The field for values of a type; pairs in `Annotated` become OpenAPI keywords."""
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        return _field(hint, dict(more), optional=optional)
    inner = [one for one in get_args(hint) if one is not NoneType]
    how: dict[str, Any] = {"required": not optional, "metadata": metadata or {}}
    if NoneType in get_args(hint):
        (plain,) = inner
        field = _field(plain, metadata, optional=optional)
        field.allow_none = True
        return field
    if get_origin(hint) in (list, tuple):
        return List(_field(inner[0]), **how)
    if get_origin(hint) is dict:
        return Dict(*map(_field, inner), **how)
    if isinstance(hint, type) and is_dataclass(hint):
        return Nested(schema_of(hint), **how)
    return next((field(**how) for plain, field in _PLAIN.items() if issubclass(hint, plain)), Raw(**how))


@cache
def _sentences(view: type) -> dict[str, str]:
    """The docstring of each attribute of a view, parsed from its source, which takes milliseconds."""
    found: dict[str, str] = {}
    for base in reversed(view.__mro__[:-1]):
        (defined,) = ast.parse(dedent(inspect.getsource(base))).body
        assert isinstance(defined, ast.ClassDef)
        for line, below in zip(defined.body, defined.body[1:], strict=False):
            match line, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    found[name] = " ".join(said.split()).replace("None", "null")
    return found


Board = schema_of(night.Board)
Ledger = schema_of(LedgerView)
Opened = schema_of(OpenedNight)
Recorded = schema_of(RecordedEvent)
Preview = schema_of(preview.Preview)
Log = schema_of(night.LogView)
Message = schema_of(StreamMessage)
Score = schema_of(NightReport)
NoScore = schema_of(report.NoScore)
ScoreUnder = schema_of(ComparisonReport)
