"""The history of a night: its events read from the store by their kinds, and folded into its state.

What arrives from elsewhere, or is audited, is read by the schemas of requests, with three differences: a commitment
replaces each name, a seat's event names its player, and the characters of typed texts are not checked again, as
newer versions refuse more of them. Loading reads only the events of the running round and of those not settled yet,
so that a move costs the same late in a night as early.
"""

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, ClassVar

from marshmallow import ValidationError

from ledger.recorder.agreements import AGREE, Agreements
from ledger.recorder.cache import Cache, size_of
from ledger.recorder.engine import HOST, KEEPER
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.events.index import KINDS
from ledger.recorder.fields import Player, Request, Text, TextKept, Time, TypedText, Uuid
from ledger.recorder.parts import MOVES
from ledger.recorder.revisions import BEGINNING, BY_HAND, CORRECTING
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.state import NightState, at_opening, counting_before, needed
from ledger.recorder.terms import Commitment, require_format, what_is_wrong
from ledger.store import (
    FORMAT,
    WITH_PHONE,
    BodyUnreadable,
    EntryUnreadable,
    EventBody,
    Head,
    Night,
    Reader,
    Role,
    StoredEvent,
    read_sealed,
)
from ledger.store import read_event as read_text


@cache
def is_recording(kind: str) -> bool:
    """Whether events of this kind are about the play, and so make other entries stale."""
    return KINDS[kind].depends_on_play()


def read_event(row: StoredEvent) -> EventBody:
    """Read a stored event. Its text was validated before it was chained, and its hash answers for it.

    Raises EntryUnreadable if it is damaged.
    """
    body = read_sealed(row)
    return validated(row) if body is None or body.format not in _FORMATS else body


def validated(row: StoredEvent, body: EventBody | None = None) -> EventBody:
    """Read an event whose text the hash does not answer for, by the schemas of requests; `body` is the text if it
    was parsed before. Raises EntryUnreadable."""
    try:
        body = body or read_text(row.body)
        require_format(body.format, *_FORMATS)
        _require_event(row.kind, row.id, body)
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(row.night, row.seq, what_is_wrong(error)) from error
    # The text may say others than its columns, by which the row was found; an audit reports that.
    return body._replace(seq=row.seq, id=row.id, kind=row.kind, round=row.round)


_FORMATS = (FORMAT, WITH_PHONE)


def read_events(rows: Iterable[StoredEvent]) -> tuple[EventBody, ...]:
    """Read the texts of some events. Raises EntryUnreadable for the first damaged one."""
    return tuple(map(read_event, rows))


def with_event(state: NightState, event: EventBody, hash: bytes) -> NightState:
    """The state after one more event, which has this hash."""
    after = event.id if is_recording(event.kind) else state.after
    return KINDS[event.kind].read(event.content).apply(state.with_entries(event, hash, after=after))


def load(reader: Reader, row: Night) -> NightState:
    """The state of a night at its head."""
    state = at_opening(row)
    last = reader.last(row.id)
    if last is None:
        return state
    recording = reader.last(row.id, but=[kind for kind in KINDS if not is_recording(kind)])
    changing = tuple(kind for kind, event in KINDS.items() if event.changes_night())
    changes = read_events(reader.events_of_kinds(row.id, (AGREE, *changing)))
    agreements = state.agreements
    for event in changes:
        agreements = agreements.with_event(event) if event.kind == AGREE else agreements
    logs, paid_at = _load_logs(reader, row.id, agreements, reader.last_round(row.id))
    state = state._replace(
        agreements=agreements,
        head=Head(last.seq, last.hash),
        after=recording.id if recording else row.id,
        net=read_event(last).net,
        logs=logs,
        paid_at=paid_at,
    )
    for event in changes:
        state = KINDS[event.kind].read(event.content).apply(state)
    return state


def _load_logs(
    reader: Reader, night: str, agreements: Agreements, newest: int
) -> tuple[dict[int, RoundLog], int]:
    """The logs of a state, and its `paid_at`."""
    if not newest:
        return {}, 0
    events = read_events(reader.events_of_rounds(night, [newest]))
    header = next(event for event in events if event.kind in BEGINNING)
    since = reader.events(night, after=header.seq)
    wanted = {
        *header.parts[0]["open"],
        *(row.round for row in since if row.kind in CORRECTING),
    }
    logs = {number: load_round(reader, night, agreements, number) for number in wanted - {newest, 0}}
    for earlier in range(newest - 1, 0, -1):
        if earlier not in logs:
            logs[earlier] = load_round(reader, night, agreements, earlier)
        if logs[earlier].stands:
            break
    # The rounds before it are loaded by now, so none is read twice.
    logs[newest] = RoundLog.fold(agreements, newest, events, counting_before(logs, newest))
    return needed(logs), max([row.seq for row in since if row.kind in BY_HAND], default=0)


def load_round(reader: Reader, night: str, agreements: Agreements, number: int) -> RoundLog:
    """The log of one round; number 0 has the events that belong to no round."""
    events = read_events(reader.events_of_rounds(night, [number]))
    return RoundLog.fold(agreements, number, events, last_before(reader, night, agreements, number))


def with_round_loaded(reader: Reader, state: NightState, number: int) -> NightState:
    """The state with the log of a round loaded, however old; number 0 has the events of no round."""
    if number in state.logs or not 0 <= number <= state.newest:
        return state
    return state.with_round(load_round(reader, state.night, state.agreements, number))


def last_before(reader: Reader, night: str, agreements: Agreements, number: int) -> Preceding | None:
    """The last round that counts before a number, read from the store."""
    for earlier in range(number - 1, 0, -1):
        events = read_events(reader.events_of_rounds(night, [earlier]))
        log = RoundLog.fold(agreements, earlier, events, None)
        if log.stands and log.round is not None:
            return Preceding(earlier, log.round)
    return None


def _advanced(reader: Reader, state: NightState, head: Head) -> NightState | None:
    """Advance a cached state to a later head, if the events since then (by other processes) only continue loaded
    rounds; None if they do more, or if loading afresh is as quick."""
    rows = reader.events(state.night, after=state.head.seq, limit=_MOST_EVENTS_TO_ADVANCE)
    if not rows or rows[0].prev != state.head.hash:
        return None
    for row in rows:
        if row.kind not in _GOING_ON or not (row.kind == "round" or row.round in state.logs):
            return None
        state = with_event(state, read_event(row), row.hash)
    return state if state.head == head else None


_GOING_ON = MOVES | {"round", "settle"}
_MOST_EVENTS_TO_ADVANCE = 40
"""Events: as many as the two rounds that loading afresh reads."""


def cached_state(cache: Cache, reader: Reader, night: str, head: Head) -> NightState:
    """The state of a night at its head: cached, advanced by the events since if they only continue the play."""
    kept = cache.get(night, NightState)
    known: NightState | None = kept and kept.value
    if known is None or known.head != head:
        known = known and _advanced(reader, known, head)
        if known is None:
            row = reader.night(night)
            assert row is not None, "a night that has a head"
            known = load(reader, row)
        cache_state(cache, known)
    return known


def cache_state(cache: Cache, state: NightState) -> None:
    """Cache a state that has been committed. It is measured when a round begins: then the round before is complete,
    and counts twice, for the one that begins."""
    kept = cache.get(state.night, NightState)
    size = kept.size if kept and kept.value.newest == state.newest else 2 * size_of(state)
    cache.put(state.night, NightState, state.head, state, size)


class Actor(Text):
    """Who recorded an event: the keeper, the host, or a seat by its player."""

    pattern = f"{KEEPER}|{HOST}|{Player.pattern}"
    expected = f"{KEEPER}, {HOST} or a player"
    openapi: ClassVar = {}


class Phone(Text):
    """The phone that sent an event: its tag in the night, then a space and its name if it has one."""

    pattern = r"[0-9a-f]{8}(?: \S[^\x00-\x1f\x7f-\x9f]{0,63})?"
    expected = "a phone's tag (3f9a1c07), and its name"
    openapi: ClassVar = {}


@cache
def _content_schema(kind: str) -> Request | None:
    """The schema for the content of logged events of a kind; None for an unknown kind."""
    event = KINDS.get(kind)
    if event is None:
        return None
    schema = type(event.schema)
    held: dict[str, Any] = {
        name: Commitment(required=True)
        if name == "name"
        else TextKept(required=field.required, allow_none=field.allow_none)
        for name, field in schema._declared_fields.items()
        if isinstance(field, TypedText)
    }
    if event.recorded_by is Role.SEAT:
        held["player"] = Player(required=True)
    logged: type[Request] = type(schema.__name__, (schema,), held)
    return logged(exclude=OF_EVERY_EVENT)


_ID, _ACTOR, _TIME, _PHONE = Uuid(), Actor(), Time(), Phone()


def _require_event(kind: str, id: str, body: EventBody) -> None:
    """Raise ValidationError, by field, for values that no version has written."""
    for name, field, value in (
        ("id", _ID, id),
        ("after", _ID, body.after),
        ("actor", _ACTOR, body.actor),
        ("at", _TIME, body.at),
        ("client_at", _TIME, body.client_at),
        ("phone", _PHONE, body.phone),
    ):
        if value is None and name in ("after", "client_at", "phone"):
            continue
        try:
            if field.deserialize(value) != value:
                raise ValidationError(field.expected)
        except ValidationError as error:
            raise ValidationError({name: error.messages}) from None
    if wrong := _wrong_with(kind, json.dumps(body.content, ensure_ascii=False)):
        raise ValidationError({"content": wrong})


@lru_cache(maxsize=2048)
def _wrong_with(kind: str, text: str) -> Any:
    """The validation errors of an event's content; None if there are none. Cached: in an audit most contents
    recur."""
    schema, content = _content_schema(kind), json.loads(text)
    if schema is None:
        return {"kind": ["a kind of event"]}
    try:
        return None if schema.load(content) == content else ["as this program writes it"]
    except ValidationError as error:
        return error.messages
