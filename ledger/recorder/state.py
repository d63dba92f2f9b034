"""The state of a night, as far as recording needs it: the running round and the rounds not settled yet.

Loading reads only the events of those rounds, so that a move costs the same late in a night as early.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from ledger.game.night import Terms
from ledger.game.notation import by_tag
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.scoring import payments
from ledger.recorder.cache import Cache, size_of
from ledger.recorder.events.event import REGISTERED
from ledger.recorder.logged import Logged, read_event
from ledger.recorder.parts import MOVES
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.terms import Opening, read_night
from ledger.store import Head, Night, Reader, StoredEvent


class NightState(NamedTuple):
    """A night at one head. `logs` holds the newest round, those back to the last that counts before it (undoing the
    header makes that one current), and every earlier round that is open."""

    opening: Opening
    head: Head
    after: str
    """The id of the last recording event, or of the night."""
    ended: bool
    net: Mapping[str, int]
    logs: Mapping[int, RoundLog]
    open_disputes: int = 0
    """How many disputes are not decided yet."""

    @property
    def night(self) -> str:
        """The id of the night."""
        return self.opening.night

    @property
    def terms(self) -> Terms:
        """The terms of the night."""
        return self.opening.terms

    @property
    def players(self) -> tuple[str, ...]:
        """The tags of all players so far, p1 first: every player has a net, even if it is 0."""
        return tuple(self.net)

    @property
    def newest(self) -> int:
        """The greatest round number so far, even if that header was undone; 0 before the first."""
        return max(self.logs, default=0)

    @property
    def current(self) -> RoundLog | None:
        """The last round whose header stands."""
        for number in sorted(self.logs, reverse=True):
            if self.logs[number].round is not None:
                return self.logs[number]
        return None

    @property
    def previous(self) -> Round | None:
        """The last round that counts, which the next one follows."""
        before = counting_before(self.logs, self.newest + 1)
        return before.round if before else None

    @property
    def open_rounds(self) -> list[int]:
        """The numbers of rounds that are not settled, the running one included."""
        return sorted(log.number for log in self.logs.values() if log.open)

    def with_round(self, log: RoundLog) -> "NightState":
        """The state with the log of an earlier round added, for requests about that round."""
        return self._replace(logs={log.number: log, **self.logs})

    def provisional(self) -> dict[str, int]:
        """Player -> points won so far in rounds that are not settled."""
        balances = dict.fromkeys(range(len(self.players)), 0)
        for number in self.open_rounds:
            round = self.logs[number].round
            assert round is not None
            balances = post(payments(round), balances)
        return by_tag(balances.values())

    def with_event(self, event: Logged) -> "NightState":
        """The state after one more event."""
        state = self._replace(
            head=Head(event.seq, event.hash),
            after=event.id if is_recording(event.kind) else self.after,
            net=event.net,
            logs=self._logs_with(event),
        )
        return REGISTERED[event.kind].read(event.content).apply(state)

    def _logs_with(self, event: Logged) -> Mapping[int, RoundLog]:
        number, ruleset = event.round, self.terms.ruleset
        log = self.logs.get(number) if number else None
        if log is None and (not number or event.kind != "round"):
            return _needed(self.logs)
        logs = dict(self.logs)
        logs[number] = (log or RoundLog(number)).add(ruleset, event, counting_before(logs, number))
        if event.kind in ("correct", "void", "undo", "redo"):
            # The leaders due in later rounds may have changed.
            for later in sorted(other for other in logs if other > number):
                logs[later] = RoundLog.fold(ruleset, later, logs[later].events, counting_before(logs, later))
        return _needed(logs)


def counting_before(logs: Mapping[int, RoundLog], number: int) -> Preceding | None:
    """The last round that counts before a number.

    Rounds that are not loaded have not changed: the `previous` of a log still holds, unless a loaded round lies in
    between.
    """
    nearest = max((earlier for earlier in logs if 0 < earlier < number), default=0)
    known = logs[number].previous if number in logs else None
    if not nearest or (known is not None and known.number > nearest):
        return known
    log = logs[nearest]
    if not log.stands:
        return counting_before(logs, nearest)
    assert log.round is not None
    return Preceding(nearest, log.round)


@cache
def is_recording(kind: str) -> bool:
    """Whether events of this kind are about the play, and so make other entries stale."""
    return REGISTERED[kind].depends_on_play()


def at_opening(row: Night) -> NightState:
    """The state of a night before its first event."""
    opening = read_night(row)
    return NightState(
        opening=opening,
        head=Head(0, row.hash),
        after=row.id,
        ended=False,
        net=dict.fromkeys(opening.players, 0),
        logs={},
    )


def load(reader: Reader, row: Night) -> NightState:
    """The state of a night at its head."""
    state = at_opening(row)
    last = reader.last(row.id)
    if last is None:
        return state
    recording = reader.last(row.id, but=[kind for kind in REGISTERED if not is_recording(kind)])
    state = state._replace(
        head=Head(last.seq, last.hash),
        after=recording.id if recording else row.id,
        net=read_event(last).net,
        logs=_load_logs(reader, state.opening, reader.last_round(row.id)),
    )
    changing = tuple(kind for kind, event in REGISTERED.items() if event.changes_night)
    for event in read_events(reader.events_of_kinds(row.id, changing)):
        state = REGISTERED[event.kind].read(event.content).apply(state)
    return state


def _load_logs(reader: Reader, opening: Opening, newest: int) -> dict[int, RoundLog]:
    if not newest:
        return {}
    events = read_events(reader.events_of_rounds(opening.night, [newest]))
    header = next(event for event in events if event.kind == "round")
    since = reader.events(opening.night, after=header.seq)
    wanted = {
        *header.parts[0]["open"],
        *(row.round for row in since if row.kind in ("correct", "void")),
    }
    logs = {number: load_round(reader, opening, number) for number in wanted - {newest, 0}}
    for earlier in range(newest - 1, 0, -1):
        if earlier not in logs:
            logs[earlier] = load_round(reader, opening, earlier)
        if logs[earlier].stands:
            break
    # The rounds before it are loaded by now, so none is read twice.
    logs[newest] = RoundLog.fold(opening.terms.ruleset, newest, events, counting_before(logs, newest))
    return _needed(logs)


def load_round(reader: Reader, opening: Opening, number: int) -> RoundLog:
    """The log of one round; number 0 has the events that belong to no round."""
    events = read_events(reader.events_of_rounds(opening.night, [number]))
    return RoundLog.fold(opening.terms.ruleset, number, events, last_before(reader, opening, number))


def with_round_loaded(reader: Reader, state: NightState, number: int) -> NightState:
    """The state with the log of a round loaded, however old; number 0 has the events of no round."""
    if number in state.logs or not 0 <= number <= state.newest:
        return state
    return state.with_round(load_round(reader, state.opening, number))


def last_before(reader: Reader, opening: Opening, number: int) -> Preceding | None:
    """The last round that counts before a number, read from the store."""
    for earlier in range(number - 1, 0, -1):
        events = read_events(reader.events_of_rounds(opening.night, [earlier]))
        log = RoundLog.fold(opening.terms.ruleset, earlier, events, None)
        if log.stands and log.round is not None:
            return Preceding(earlier, log.round)
    return None


def read_events(rows: Iterable[StoredEvent]) -> tuple[Logged, ...]:
    """Read the texts of some events. Raises EntryUnreadable for the first damaged one."""
    return tuple(map(read_event, rows))


def _needed(logs: Mapping[int, RoundLog]) -> dict[int, RoundLog]:
    """The logs without rounds that nothing depends on any more, and without round 0."""
    newest = max(logs, default=0)
    counting = max((number for number, log in logs.items() if number < newest and log.stands), default=1)
    return {number: log for number, log in logs.items() if number >= counting or (number and log.open)}


def _advanced(reader: Reader, state: NightState, head: Head) -> NightState | None:
    """Advance a cached state to a later head, if the events since then (by other processes) only continue loaded
    rounds; None if they do more, or if loading afresh is as quick."""
    rows = reader.events(state.night, after=state.head.seq, limit=_MOST_EVENTS_TO_ADVANCE)
    if not rows or rows[0].prev != state.head.hash:
        return None
    for event in read_events(rows):
        if event.kind not in _GOING_ON or not (event.kind == "round" or event.round in state.logs):
            return None
        state = state.with_event(event)
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
        keep_state(cache, known)
    return known


def keep_state(cache: Cache, state: NightState) -> None:
    """Cache a state that has been committed. It is measured when a round begins: then the round before is complete,
    and a night holds no more than one other."""
    kept = cache.get(state.night, NightState)
    size = kept.size if kept and kept.value.newest == state.newest else size_of(state)
    cache.keep(state.night, NightState, state.head, state, size)
