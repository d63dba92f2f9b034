"""Judge a request: whether its actor may make it, whether it is stale, and what it would append. Nothing is
recorded here."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from ledger.game.errors import Refused
from ledger.recorder.drafts import Draft, EventRequest
from ledger.recorder.engine import ENGINE
from ledger.recorder.events import filled_in, people
from ledger.recorder.events.correcting import Change
from ledger.recorder.events.correction import ChangeData, read_change
from ledger.recorder.events.index import KINDS, draft, net_after
from ledger.recorder.events.moves import Passed
from ledger.recorder.events.round import RoundBegun
from ledger.recorder.history import is_recording, with_event, with_round_loaded
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.state import NightState
from ledger.recorder.views.night import view_logged
from ledger.recorder.views.preview import Preview, view_preview
from ledger.recorder.views.round import Say
from ledger.store import (
    FORMAT,
    WITH_PHONE,
    EventBody,
    Link,
    NewEvent,
    Person,
    Reader,
    Role,
    new_event,
    write_event,
)


def preview(night: NightSnapshot, request: EventRequest, actor: Link, say: Say) -> Preview:
    """What an event would change: verdicts, payments, balances, before and after.

    Problem if it would be refused, except as stale. Nothing is recorded.
    """
    request = by_actor(night.id, request, actor)
    state = load_target_round(night.reader, night.state, request)
    _, drafted = sealed_and_drafted(night.reader, state, request)
    return view_preview(state, request.kind, drafted, night.names, say)


def with_passes(night: NightSnapshot, number: int, change: ChangeData) -> list[ChangeData]:
    """The changes of a correction of one move of a round: this one, and those that follow from it, of the passes
    that were filled in with plays and of who leads. Problem if the round has no such entry."""
    asked = read_change(change)
    state = with_round_loaded(night.reader, night.state, number)
    return [change if one is asked else _as_data(one) for one in filled_in.with_passes(state, asked)]


def with_declarations(night: NightSnapshot, number: int, change: ChangeData) -> list[ChangeData]:
    """The changes of a correction of a round's result: this one, and those of the hands without special sets that
    were declared with it, for whoever has one to show now. Problem if the round has no such entry."""
    state = with_round_loaded(night.reader, night.state, number)
    try:
        unneeded, needed = filled_in.undeclared(state, read_change(change))
    except Refused:  # the rules say why, once it is judged
        return [change]
    changes = [change]
    free = [entry.address for entry in unneeded]
    for seat in needed:
        place: ChangeData = (
            {"target": free.pop(0)} if free else {"after": state.logs[number].entries[-1].address}
        )
        changes.append({**place, "with": {"kind": "declare", "seat": seat, "cards": []}})
    changes += [{"target": address, "with": None} for address in free]
    return changes


def _as_data(change: Change) -> ChangeData:
    """A change that follows from another: of a pass, or of who leads."""
    if change.entry is None:
        return {"target": change.address, "with": None}
    if isinstance(change.entry, RoundBegun):
        led: dict[str, Any] = {"kind": "round", "leader": change.entry.leader, "seats": change.entry.seats}
        return {"target": change.address, "with": led}
    assert isinstance(change.entry, Passed)
    entry = {"kind": "pass", "seat": change.entry.seat}
    if change.put == "after":
        return {"after": change.address, "with": entry}
    return {"before": change.address, "with": entry}


def with_unrecorded(night: NightSnapshot, requests: Iterable[EventRequest], actor: Link) -> NightSnapshot:
    """The night after some events that are not recorded. Problem if one of them would be refused, except as
    stale."""
    state = night.state
    for request in requests:
        asked = by_actor(night.id, request, actor)
        state = judge(night.reader, state, asked, actor, night.row.created_at, stale=True).after
    return night.at(state)


class Judgement(NamedTuple):
    """What recording a request would append, and the state after it."""

    event: NewEvent
    after: NightState
    person: Person | None
    """The person whom the event names, if it names one."""


def judge(
    reader: Reader, state: NightState, request: EventRequest, actor: Link, at: str, *, stale: bool = False
) -> Judgement:
    """Judge a request, as `by_actor` returned it, on a state. Problem if it is refused; as stale, too, unless it
    may be that."""
    if not stale and is_recording(request.kind):
        require_fresh(reader, state, request)
    state = load_target_round(reader, state, request)
    if not stale and KINDS[request.kind].recorded_by is Role.SEAT:
        require_not_overtaken(reader, state, request)
    sealed, drafted = sealed_and_drafted(reader, state, request)
    return Judgement(*event_of(state, sealed.request, actor.player or actor.role, drafted, at), sealed.person)


def event_of(
    state: NightState, request: EventRequest, actor: str, drafted: Draft, at: str
) -> tuple[NewEvent, NightState]:
    """The event made from a request and its draft, and the state after it."""
    body = EventBody(
        format=FORMAT if request.phone is None else WITH_PHONE,
        night=state.night,
        seq=state.head.seq + 1,
        id=request.id,
        kind=request.kind,
        round=drafted.round,
        after=request.after,
        actor=actor,
        at=at,
        client_at=request.at,
        content=request.content,
        parts=drafted.parts,
        payments=drafted.payments,
        net=net_after(state, drafted),
        engine=ENGINE,
        phone=request.phone,
    )
    event = new_event(body, write_event(body), state.head.hash)
    return event, with_event(state, body, event.row.hash)


def by_actor(night: str, request: EventRequest, actor: Link) -> EventRequest:
    """The request as made by a link; a seat's request, which does not name its player, with the link's. Problem
    unless the link may record this kind: seats confirm and dispute, the keeper records all others."""
    if actor.night != night:
        raise Problem(ProblemCode.NOT_FOUND)
    if actor.role is not KINDS[request.kind].recorded_by:
        raise Problem(ProblemCode.FORBIDDEN)
    if actor.role is not Role.SEAT:
        return request
    return replace(request, content={**request.content, "player": actor.player})


def load_target_round(reader: Reader, state: NightState, request: EventRequest) -> NightState:
    """The state with the round that a request is about loaded, however old it is."""
    asked = KINDS[request.kind].read(request.content)
    number, seq = asked.target_round(), asked.target_entry()
    if seq is not None:
        named = reader.events(state.night, after=seq - 1, limit=1) if seq > 0 else []
        number = named[0].round if named and named[0].seq == seq else None
    return state if number is None else with_round_loaded(reader, state, number)


def sealed_and_drafted(
    reader: Reader, state: NightState, request: EventRequest
) -> tuple[people.Sealed, Draft]:
    """The request with commitments in place of names, and the draft of what recording it would append."""
    night, deck = state.night, state.terms.ruleset.deck
    people.require_revocable(reader, night, request.kind)
    sealed = people.seal(night, lambda: reader.people(night), request, deck)
    return sealed, draft(state, sealed.request)


MOST_SINCE = 50
"""The most events that the problem of a stale request carries."""


def require_fresh(reader: Reader, state: NightState, request: EventRequest) -> None:
    """Problem (409) with the events since, if a recording event follows the one that the request comes `after`."""
    if request.after == state.after:
        return
    night = state.night
    last_known = reader.event_by_id(night, request.after) if request.after else None
    if last_known is None and request.after != night:
        # `after` names an entry that was never recorded, so nothing can be listed as following it.
        raise Problem(ProblemCode.STALE, events=[], missing=True)
    seq = last_known.seq if last_known else 0
    recording = reader.event_by_id(night, state.after)
    if recording is not None and recording.seq > seq:
        raise _stale(reader, state, seq)


def _stale(reader: Reader, state: NightState, seq: int, **facts: Any) -> Problem:
    """The problem of a request that does not know the events after `seq`: it has the first of them, and as `more`
    the number of the others, if any."""
    since = reader.events(state.night, after=seq, limit=MOST_SINCE)
    if more := state.head.seq - seq - len(since):
        facts["more"] = more
    return Problem(ProblemCode.STALE, events=[view_logged(row) for row in since], **facts)


def require_not_overtaken(reader: Reader, state: NightState, request: EventRequest) -> None:
    """Problem (409) with the events since, if a round has changed since the player of a seat's request saw it.

    So a refused request stays refused, however late a copy of it arrives: any change that would allow it is newer
    than what the player saw. A request without `seen` is about the round as it is now.
    """
    last_known, log = request.content.get("seen"), state.logs.get(request.content["round"])
    if last_known is None or log is None:
        return
    if any(event.seq > last_known and KINDS[event.kind].changes_rounds for event in log.events):
        raise _stale(reader, state, last_known, round=log.number)
