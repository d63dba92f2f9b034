"""The audit: judge every night again from its first event, and compare the results with what is stored.

The store verifies that the log has not changed since it was written; this module, that it follows the rules. Each
event is drafted again from its request, and the draft must be equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from multiprocessing import Pool
from typing import Any, Final, NamedTuple, Self

from marshmallow import ValidationError

from ledger.game.errors import Refused
from ledger.game.rulesets.overrides import with_further_rules
from ledger.recorder.agreements import AGREE
from ledger.recorder.engine import ENGINES, HOST, KEEPER, affected_by_fix
from ledger.recorder.events.index import KINDS, draft, net_after
from ledger.recorder.events.people import MOST_REVOCATIONS
from ledger.recorder.history import validated, with_event
from ledger.recorder.installation import Installation
from ledger.recorder.operations.damaged_logs import tell_log
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem
from ledger.recorder.recording import Recorder
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState, at_opening, counting_before
from ledger.recorder.terms import RULESET
from ledger.store import (
    AuditedEvent,
    EntryUnreadable,
    EventBody,
    Listed,
    LogDifference,
    Night,
    Role,
    Store,
    StoreDamaged,
    StoredEvent,
    StoreError,
)


class AuditShare(NamedTuple):
    """Every `of`th night, from the `number`th on; the oldest is the first."""

    number: int = 1
    of: int = 1

    def divided(self, by: int) -> list[Self]:
        """The same nights in `by` parts."""
        return [self._replace(number=self.number + self.of * one, of=self.of * by) for one in range(by)]


WHOLE: Final = AuditShare()
"""All nights."""


def audit(recorder: Recorder, night: str | None = None, part: AuditShare = WHOLE) -> Iterator[LogDifference]:
    """Yield every difference in one night, or in a part of all. Raises LookupError if there is no such night.

    Those of the database as a whole belong to part 1, whatever it is of. A night is read when its turn comes, in
    pages, each of its own moment.
    """
    store = recorder.store
    if night is not None or part.number == 1:
        for difference in store.differences():
            yield LogDifference(None, 0, difference)
        for log in store.damaged_logs():
            yield LogDifference(None, 0, tell_log(log))
    if night is not None:
        yield from _audited(store, night)
        return
    if part.number == 1:
        yield from store.damages()
    try:
        nights = store.listed_nights()
    except StoreDamaged as error:
        yield LogDifference(None, 0, f"the nights cannot be listed: {error}")
        return
    for listed in islice(nights, part.number - 1, None, part.of):
        yield from _audited(store, listed)
    if part.number == 1:
        yield from store.strays()


_PARTS_A_PROCESS = 8
"""So that no process waits long for the one with the longest nights."""


def audit_in_processes(
    installation: Installation, part: AuditShare, processes: int
) -> Iterator[LogDifference]:
    """Yield every difference in a part of the nights, which this many processes audit at the same time.

    They end with this one. Raises StoreError.
    """
    parts = part.divided(processes * _PARTS_A_PROCESS)
    with Pool(processes) as pool:
        for found in pool.imap(partial(_audited_part, installation), parts):
            yield from found
        pool.close()  # let them end by themselves: one that is killed may hold what the others wait for
        pool.join()


def _audited_part(installation: Installation, part: AuditShare) -> list[LogDifference]:
    try:
        recorder = installation.open()
        with closing(recorder.store):
            return list(audit(recorder, part=part))
    except StoreError as error:
        raise StoreError(str(error)) from None  # others cannot be sent from process to process


UNREADABLE = (
    ValueError,
    ArithmeticError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    RecursionError,
    ValidationError,
    Refused,
    StoreDamaged,
)
"""The exceptions that reading an altered text may raise."""


def first_damage(recorder: Recorder, night: str) -> EntryUnreadable | None:
    """The first wrong entry of a night, as the reason why the night cannot be shown; None if the audit finds
    none."""
    differences = (found for found in audit(recorder, night) if found.night and not found.engine)
    found = next(differences, None)
    return None if found is None else EntryUnreadable(night, found.seq, found.what)


def _audited(store: Store, night: str | Listed) -> Iterator[LogDifference]:
    """The differences of one night: first from its log, then from the rules."""
    again = _Rejudging()
    for found in store.audit(night):
        match found:
            case LogDifference():
                yield found
            case AuditedEvent(row, body):
                again.step(row, body)
            case row:
                again.begin(row)
    yield from again.differences


class _Rejudging:
    """Judges a night again, event by event as the store reads them."""

    def __init__(self) -> None:
        self.differences: list[LogDifference] = []
        self._state: NightState | None = None
        """None before the night begins, and once it cannot be judged any further."""
        self._revocations = 0
        self._logs: dict[int, RoundLog] = {}
        """The log of every round so far; the state drops rounds that nothing depends on."""

    def begin(self, night: Night) -> None:
        try:
            self._state = at_opening(night)
        except UNREADABLE as error:
            self._give_up(night.id, 0, error)

    def step(self, row: StoredEvent, body: EventBody | None) -> None:
        if self._state is None:
            return
        try:
            self._state = self._after(self._state, row, validated(row, body))
        except UNREADABLE as error:
            self._give_up(row.night, row.seq, error)

    def _after(self, state: NightState, row: StoredEvent, event: EventBody) -> NightState:
        number, logs = event.round, self._logs
        if number in logs and number not in state.logs:
            # The state has dropped the round: fold it again, as rounds before it may have been corrected since.
            before = counting_before(logs, number)
            state = state.with_round(RoundLog.fold(state.agreements, number, logs[number].events, before))
        differences = judged(state, event, row)
        self._revocations += event.kind == "revoke"
        if event.kind == "revoke" and self._revocations > MOST_REVOCATIONS:
            differences.append(LogDifference(row.night, row.seq, f"more than {MOST_REVOCATIONS} revocations"))
        self.differences += differences
        log = state.logs.get(number)
        state = with_event(state, event, row.hash)
        if number not in state.logs:
            log = log or RoundLog(number)
            logs[number] = log.add(state.agreements, event, log.previous)
        logs |= state.logs
        return state

    def _give_up(self, night: str, seq: int, error: Exception) -> None:
        what = error.what if isinstance(error, EntryUnreadable) else f"cannot be replayed: {error!r}"
        self.differences.append(LogDifference(night, seq, what))
        self._state = None


def judged(state: NightState, event: EventBody, row: StoredEvent) -> list[LogDifference]:
    """The differences between a logged event and the draft of its request on the state before it."""
    night, older = state.night, affected_by_fix(event, state.terms.ruleset)
    if strange := _implausible(event, night) or _without_right(state, event):
        return [LogDifference(night, event.seq, strange)]
    try:
        drafted = draft(state, event)
    except Problem as problem:
        return [LogDifference(night, event.seq, f"the rules refuse it now: {problem.code}", older)]
    changed = preset_changed(event, drafted.parts)
    parts = event.parts if changed is None else (event.parts[0] | {"ruleset": changed},)
    facts: tuple[tuple[str, Any, Any], ...] = (
        ("round", row.round, drafted.round),
        ("moves", [*parts], [*drafted.parts]),
        ("payments", [*event.payments], [*drafted.payments]),
        ("net", event.net, net_after(state, drafted)),
    )
    verdict = "engine-differs" if older else "differs"
    differences = [
        LogDifference(night, event.seq, f"{what} {verdict}: stored {stored}, by the rules {expected}", older)
        for what, stored, expected in facts
        if stored != expected
    ]
    if changed is not None:
        what = f"engine-differs: {event.content['ruleset']} was another preset then"
        differences.append(LogDifference(night, event.seq, what, True))
    return differences


def preset_changed(event: EventBody, drafted: Sequence[Part]) -> Mapping[str, Any] | None:
    """The rules that an agreement on a preset would store now, if it stored others: a version before this one may
    have had another preset of that name. None if it is no such agreement, or a rule in the request does not hold in
    what it stored, so that no preset explains the difference."""
    if event.kind != AGREE or "ruleset" not in event.content or "ruleset" not in event.parts[0]:
        return None
    now, then = drafted[0].get("ruleset"), event.parts[0]["ruleset"]
    if now is None or now == then:
        return None
    stored = RULESET.deserialize(then)
    further = with_further_rules(stored, event.content.get("rules", {}).items())
    return now if stored.id == event.content["ruleset"] and further == stored else None


def _implausible(event: EventBody, night: str) -> str | None:
    """Why no version wrote such an engine, id or actor for an event; None if one may have."""
    if event.engine not in ENGINES:
        return f"no engine of this program: {event.engine}"
    if event.id == night:
        return "its id is the night's"
    if (KINDS[event.kind].recorded_by is Role.SEAT) == (event.actor in (KEEPER, HOST)):
        return f"not for {event.actor} to record: {event.kind}"
    return None


def _without_right(state: NightState, event: EventBody) -> str | None:
    """Why the actor of a seat's event may not record it; None if it may."""
    if (
        KINDS[event.kind].recorded_by is Role.SEAT
        and not event.actor == event.content["player"] in state.players
    ):
        return f"not for {event.actor} to say: what {event.content['player']} says"
    return None
