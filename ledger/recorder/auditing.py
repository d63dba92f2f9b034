"""The audit: every night judged again from its first event on, and everything that is stored about it compared.

The store proves that the log is the one that was written; here the rules say whether it is the one that should
have been. An event's draft is made again from its request and must come out the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ledger.game.errors import Refused
from ledger.recorder.bodies import OLDER_ENGINES, Logged, payment_data, read_event
from ledger.recorder.drafts import Draft
from ledger.recorder.problems import Problem
from ledger.recorder.recording import Recorder
from ledger.recorder.requests import draft, net_after
from ledger.recorder.rounds import RoundLog
from ledger.recorder.state import NightState, at_opening, counting_before
from ledger.store import EventRow, NightRow, StoreDamaged

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """Something stored that is not what it should be, and where. `night` is None for the database as a whole.

    `engine` marks what an older version of the rules wrote: it is reported, and proves nothing wrong.
    """

    night: str | None
    seq: int
    what: str
    engine: bool = False


def audit(recorder: Recorder, night: str | None = None) -> Iterator[Difference]:
    """Every difference of one night or of all, with its place. LookupError if there is no such night."""
    store = recorder.store
    for difference in store.differences():
        yield Difference(None, 0, difference)
    for found in store.audit(night):
        yield Difference(found.night, found.seq, found.what)
    try:
        with store.reading() as reader:
            rows = reader.nights() if night is None else [row for row in [reader.night(night)] if row]
    except StoreDamaged as error:
        yield Difference(night, 0, f"cannot be replayed: {error}")
        return
    for row in rows:
        yield from _judged_again(recorder, row)


UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    RecursionError,
    Refused,
    StoreDamaged,
)
"""What reading a text that has been altered may raise, wherever it was altered."""


def _judged_again(recorder: Recorder, row: NightRow) -> Iterator[Difference]:
    seq = 0
    try:
        state = at_opening(row)
        logs: dict[int, RoundLog] = {}
        for event_row in _events(recorder, row.id):
            seq = event_row.seq
            event = read_event(event_row)
            if event.round in logs and event.round not in state.logs:
                state = state.having(_as_now(state, logs, event.round))
            yield from judged(state, event, event_row)
            # The state lets go of a round that nothing waits for any more; here each is kept with its last entry.
            log = state.logs.get(event.round, RoundLog(event.round))
            state = state.with_event(event)
            if event.round not in state.logs:
                logs[event.round] = log.add(state.terms.ruleset, event, log.previous)
            logs |= state.logs
    except UNREADABLE as error:
        yield Difference(row.id, seq, f"cannot be replayed: {error!r}")


def _as_now(state: NightState, logs: dict[int, RoundLog], number: int) -> RoundLog:
    """The log of a round that has been out of sight, after what was corrected before it meanwhile."""
    log, previous = logs[number], counting_before(logs, number)
    return (
        log if previous == log.previous else RoundLog.fold(state.terms.ruleset, number, log.events, previous)
    )


def _events(recorder: Recorder, night: str) -> Iterator[EventRow]:
    seq = 0
    while True:
        with recorder.store.reading() as reader:
            page = list(reader.events(night, after=seq, limit=_PAGE))
        yield from page
        if len(page) < _PAGE:
            return
        seq = page[-1].seq


def judged(state: NightState, event: Logged, row: EventRow) -> Iterator[Difference]:
    """How an event that is logged after a state differs from what its request leads to."""
    night = state.terms.night
    older = event.engine in OLDER_ENGINES
    try:
        drafted = draft(state, event.kind, event.content)
    except Problem as problem:
        yield Difference(night, event.seq, f"the rules refuse it now: {problem.code}", older)
        return
    for what, stored, expected in _facts(state, event, row, drafted):
        if stored != expected:
            said = "engine-differs" if older else "differs"
            yield Difference(
                night, event.seq, f"{what} {said}: stored {stored}, by the rules {expected}", older
            )


def _facts(state: NightState, event: Logged, row: EventRow, drafted: Draft) -> Iterator[tuple[str, Any, Any]]:
    yield "round", row.round, drafted.round
    yield "moves", list(event.parts), list(drafted.parts)
    yield "payments", list(event.payments), [payment_data(payment) for payment in drafted.payments]
    yield "net", dict(event.net), net_after(state, drafted)
