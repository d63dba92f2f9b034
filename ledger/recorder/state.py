"""What a night has come to, as far as recording needs it: the running round, and rounds not settled yet.

Loading one reads the events of those rounds only, so that a move costs the same late in a night as early.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ledger.game.night import Terms
from ledger.game.notation import by_tag
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.scoring import payments
from ledger.recorder.events.event import REGISTERED
from ledger.recorder.logged import Logged, read_event
from ledger.recorder.parts import MOVES
from ledger.recorder.round_cache import NightCache
from ledger.recorder.round_log import Preceding, RoundLog
from ledger.recorder.terms import Opening, read_night
from ledger.store import Event, Head, Night, Reader


class NightState(NamedTuple):
    """A night at one head. `logs` holds the newest round, those back to the one that counts before it (an undone
    header brings it back), and every earlier round that is open."""

    opening: Opening
    head: Head
    after: str
    """The id of the last recording event, or of the night."""
    ended: bool
    net: Mapping[str, int]
    logs: Mapping[int, RoundLog]
    open_disputes: int = 0
    """How many disputes wait for a decision."""

    @property
    def night(self) -> str:
        """The id of the night."""
        return self.opening.night

    @property
    def terms(self) -> Terms:
        """What the night agreed on."""
        return self.opening.terms

    @property
    def players(self) -> tuple[str, ...]:
        """The tags of all who play by now, p1 first: everyone has a net, if only of 0."""
        return tuple(self.net)

    @property
    def newest(self) -> int:
        """The greatest number that a round has had; 0 before the first."""
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
        """The round that the next one comes after: the last that counts."""
        before = counting_before(self.logs, self.newest + 1)
        return before.round if before else None

    @property
    def open_rounds(self) -> list[int]:
        """Rounds that are not settled, running ones included."""
        return sorted(log.number for log in self.logs.values() if log.open)

    def having(self, log: RoundLog) -> "NightState":
        """The state with the log of an earlier round in sight, for what is asked about that one."""
        return self._replace(logs={log.number: log, **self.logs})

    def provisional(self) -> dict[str, int]:
        """What every player has won in rounds that are not settled, as far as they have come."""
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
            # Who leads the rounds after it may be another one now.
            for later in sorted(other for other in logs if other > number):
                logs[later] = RoundLog.fold(ruleset, later, logs[later].events, counting_before(logs, later))
        return _needed(logs)


def counting_before(logs: Mapping[int, RoundLog], number: int) -> Preceding | None:
    """The last round before a number that counts.

    Rounds that are out of sight are as they were: what a log was found to come after still is that, unless a round
    since then is in sight and says otherwise.
    """
    nearest = max((earlier for earlier in logs if 0 < earlier < number), default=0)
    known = logs[number].previous if number in logs else None
    if not nearest or (known is not None and known.number > nearest):
        return known
    log = logs[nearest]
    if not log.counts:
        return counting_before(logs, nearest)
    assert log.round is not None
    return Preceding(nearest, log.round)


def is_recording(kind: str) -> bool:
    """Whether an event of this kind is about the play, and makes other entries stale."""
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
    events = read_events(reader.events_of_round(opening.night, newest))
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
        if logs[earlier].counts:
            break
    # The rounds before it are in sight by now: none is read twice.
    logs[newest] = RoundLog.fold(opening.terms.ruleset, newest, events, counting_before(logs, newest))
    return _needed(logs)


def load_round(reader: Reader, opening: Opening, number: int) -> RoundLog:
    """The log of one round; number 0 is that of what belongs to no round."""
    events = read_events(reader.events_of_round(opening.night, number))
    return RoundLog.fold(opening.terms.ruleset, number, events, last_before(reader, opening, number))


def in_sight(reader: Reader, state: NightState, number: int) -> NightState:
    """The state with the log of a round in it, however long ago that was; 0 is what belongs to no round."""
    if number in state.logs or not 0 <= number <= state.newest:
        return state
    return state.having(load_round(reader, state.opening, number))


def last_before(reader: Reader, opening: Opening, number: int) -> Preceding | None:
    """The last round before a number that counts."""
    for earlier in range(number - 1, 0, -1):
        events = read_events(reader.events_of_round(opening.night, earlier))
        log = RoundLog.fold(opening.terms.ruleset, earlier, events, None)
        if log.counts and log.round is not None:
            return Preceding(earlier, log.round)
    return None


def read_events(rows: Iterable[Event]) -> tuple[Logged, ...]:
    """What the texts of some events say. Raises EntryUnreadable for the first that is none."""
    return tuple(map(read_event, rows))


def _needed(logs: Mapping[int, RoundLog]) -> dict[int, RoundLog]:
    """Without the rounds that nothing waits for any more, and without what belongs to no round."""
    newest = max(logs, default=0)
    counting = max((number for number, log in logs.items() if number < newest and log.counts), default=1)
    return {number: log for number, log in logs.items() if number >= counting or (number and log.open)}


def _gone_on(reader: Reader, state: NightState, head: Head) -> NightState | None:
    """The state at a later head, where whatever another process has recorded since is of rounds in sight, and takes
    nothing back; None where that cannot be said, or reading the rounds is as quick."""
    rows = reader.events(state.night, after=state.head.seq, limit=_A_FEW)
    if not rows or rows[0].prev != state.head.hash:
        return None
    for event in read_events(rows):
        if event.kind not in _GOING_ON or not (event.kind == "round" or event.round in state.logs):
            return None
        state = state.with_event(event)
    return state if state.head == head else None


_GOING_ON = MOVES | {"round", "settle"}
_A_FEW = 40
"""Events: as many as two rounds have, which are read where nothing is in memory."""


class StateCache(NightCache[NightState]):
    """The states of nights lately in use, one a night; only ever used where its head is still the night's."""

    def load(self, reader: Reader, night: str, head: Head) -> NightState:
        """The state of a night at its head: from memory, as far as the play has only gone on since."""
        _, known = self.get(night) or (None, None)
        if known is None or known.head != head:
            known = known and _gone_on(reader, known, head)
            if known is None:
                row = reader.night(night)
                assert row is not None, "a night that has a head"
                known = load(reader, row)
            self.remember(known)
        return known

    def remember(self, state: NightState) -> None:
        """Remember a state that has been committed."""
        self.keep(state.night, state.head, state)
