"""The recorder: what pages, the interface and the command line ask for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Self

from ledger.game.nights import Stake
from ledger.game.rulesets.types import Ruleset
from ledger.recorder import people, views
from ledger.recorder.bodies import ENGINE, Logged, read_event, read_night, write_night
from ledger.recorder.drafts import Draft, EventRequest
from ledger.recorder.events.index import KINDS
from ledger.recorder.parts import MOVES
from ledger.recorder.previewing import previewed
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Reading, Visit
from ledger.recorder.requests import draft, net_after
from ledger.recorder.schemas.logged import HOST
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.state import NightState, at_opening, in_sight, is_recording
from ledger.store import (
    FORMAT,
    EventBody,
    EventRow,
    Glance,
    Line,
    Link,
    NewEvent,
    NewNight,
    NightRow,
    Reader,
    Role,
    Store,
    StoreRefused,
    Writer,
    is_pass,
    is_secret,
    make_pass,
    new_event,
    require_key,
    secret_digest,
    write_event,
)

Data = dict[str, Any]

_PATIENCE = 0.05
"""Seconds that a move waits for those before it in the same process, for the sake of order alone: all at once they
would take the interpreter from each other, out of turn. Where each waits long for its disk, they go on together."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A night that has just been opened, or had been by the same request. `hash` is in hexadecimal."""

    created: bool
    seq: int
    hash: str
    tokens: Data


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event that has just been appended, or had been by the same request. `hash` is in hexadecimal."""

    created: bool
    id: str
    seq: int
    hash: str
    after: NightState = field(repr=False, compare=False)
    seen: Glance = field(repr=False, compare=False)
    """The night as it is then, but for what the event revoked."""

    def board(self, actor: Link, say: views.Say) -> Data:
        """The night as it is then."""
        return views.board(self.after, self.seen.names, actor, say)

    @property
    def to_settle(self) -> int | None:
        """The number of the last round, if it has ended and is not settled."""
        log = self.after.current
        return log.number if log and log.round and log.round.over and not log.settled else None


class Recorder(Reading):
    """All use cases over one store. Thread-safe; make one a process, after the fork.

    Every method is one transaction. Problem says why something was not done; the store's own exceptions say
    that it could not be.
    """

    def __init__(
        self,
        store: Store,
        key: bytes | None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        told: Callable[[str], None] = lambda kind: None,
    ) -> None:
        """`told` is called with the kind of each entry that is kept ("night" for one that is opened)."""
        super().__init__(store, key)
        self._clock = clock
        self._told = told
        self._moves = Line(1)

    @classmethod
    def open(cls, database_url: str, key: bytes, told: Callable[[str], None] = lambda kind: None) -> Self:
        """A recorder over a database as the web may use it; the store's errors if it cannot be opened."""
        return cls(Store.open(database_url), key, told=told)

    # Whoever runs the server

    def host_pass(self) -> str:
        """A pass by which a server of the same key tells how it is set up; good for a few minutes."""
        return make_pass(require_key(self._key), int(self._clock().timestamp()))

    def is_host_pass(self, text: str) -> bool:
        """Whether a text is such a pass, and is still good."""
        return is_pass(require_key(self._key), text, int(self._clock().timestamp()))

    # Nights

    def open_night(
        self,
        id: str,
        *,
        secret: bytes,
        ruleset: Ruleset,
        players: Sequence[str],
        stake: Stake | None = None,
        zone: tzinfo | None = None,
    ) -> Opened:
        """Open a night. `id` is a UUID and `secret` 128 random bits, both made by whoever asks: asked again with
        both, the answer is the same, with the links of then. Problem where the secret is another, or the terms are.

        The night is of the day that it is in `zone`, where the table stands; without one, in the server's.
        """
        with self.store.writing(id) as writer:
            row = writer.night(id)
            created = row is None
            if row is None:
                row = self._create(writer, id, ruleset, players, stake, self._today(zone), secret)
            elif not is_secret(secret, writer.secret_digest(id)):
                raise Problem(ProblemCode.NIGHT_EXISTS)
            else:
                self._same_night(writer, row, ruleset, players, stake)
            opened = Opened(created, 0, row.hash.hex(), people.tokens(require_key(self._key), writer, id))
        if created:
            self._told("night")
        return opened

    def _create(
        self,
        writer: Writer,
        id: str,
        ruleset: Ruleset,
        names: Sequence[str],
        stake: Stake | None,
        date: str,
        secret: bytes | None = None,
    ) -> NightRow:
        players = people.new_people(names)
        now = self._now()
        body = write_night(id, ruleset, stake, people.commitments(players), now, date)
        digest = None if secret is None else secret_digest(secret)
        return writer.create_night(NewNight(id, body, now, secret_digest=digest), players)

    def _same_night(
        self, reader: Reader, row: NightRow, ruleset: Ruleset, names: Sequence[str], stake: Stake | None
    ) -> None:
        terms = read_night(row)
        asked = (ruleset, stake, people.as_opened(reader, terms, names))
        if (terms.ruleset, terms.stake, terms.names) != asked:
            raise Problem(ProblemCode.ID_REUSED)

    def forget(self, night: str) -> Data:
        """Erase the names of a night; answers what remains: the head, which is as it was, and the points."""
        with self.store.writing(night, forgets=True) as writer:
            seen = writer.glance(night)
            if seen is None:
                raise Problem(ProblemCode.NOT_FOUND)
            state = self._memory.states.load(writer, night, seen.head)
            writer.erase_names(night)
        return {**views.head_data(state.head), "net": dict(state.net)}

    # Recording

    def record(self, night: str, request: EventRequest, actor: Link) -> Recorded:
        """Append one event. The same request twice records once; 409 if another entry came in between."""
        with self.store.writing(night, forgets=people.takes_back(request.kind)) as writer:
            recorded = self._record(writer, night, request, actor)
        return self._kept(request, recorded)

    def record_as_seen(self, visit: Visit, request: EventRequest) -> Recorded | None:
        """Record a move on the night as a visit saw it, however long ago, without asking what it is like; None
        where that must be asked, and for whatever is refused.

        The event names the head that it was judged on, and the database refuses it on any other: nothing came in
        between, be it a move or a revocation. Who is refused is so by the night as it is, not as it was seen.
        """
        state = self._memory.states.known(visit.link.night, visit.night.head)
        if state is None or request.id == visit.link.night:
            return None
        if request.kind not in MOVES or request.content.get("round") or request.after != state.after:
            return None
        with self._moves.turn(_PATIENCE):
            return self._record_on(state, visit, request)

    def _record_on(self, state: NightState, visit: Visit, request: EventRequest) -> Recorded | None:
        actor, seen = visit.link, visit.night
        try:
            _permitted(actor.night, request, actor)
            drafted = draft(state, request.kind, request.content)
            event = self._event(state, request, actor.player or actor.role, request.content, drafted)
            row, named = self.store.append(event)
        except (Problem, StoreRefused):
            return None
        after = state.with_event(read_event(row), drafted.leads_to)
        seen = replace(seen, head=after.head)
        if named != seen.named:  # names are erased beside the log
            seen = self.store.glance(actor.night) or seen
        return self._kept(request, _recorded(request, after, seen))

    def _kept(self, request: EventRequest, recorded: Recorded) -> Recorded:
        # How often a link was revoked has to be asked once another was.
        self._memory.states.keep(recorded.after, recorded.seen if request.kind != "revoke" else None)
        if recorded.created:
            self._told(request.kind)
        return recorded

    def _record(self, writer: Writer, night: str, request: EventRequest, actor: Link) -> Recorded:
        _permitted(night, request, actor)
        before, repeated = writer.before(night, request.id)
        if before is None or not before.holds(actor):
            raise Problem(ProblemCode.NOT_FOUND)
        if request.id == night:
            # The night is what a first event comes after: an event by that name would hide what is stale.
            raise Problem(ProblemCode.ID_REUSED)
        state = self._memory.states.load(writer, night, before.head)
        request = _with_player(request, actor)
        if repeated is not None:
            event = read_event(repeated)
            content = people.as_recorded(writer, night, event, request.content)
            return _repeated(event, replace(request, content=content), state, before)
        if is_recording(request.kind):
            _not_stale(writer, state, request)
        state = _in_sight(writer, state, request.kind, request.content)
        if KINDS[request.kind].recorded_by is Role.SEAT:
            _not_overtaken(writer, state, request)
        after = self._append(writer, state, request, actor.player or actor.role)
        names = writer.names(night) if request.kind in people.NAMING else before.names
        return _recorded(request, after, replace(before, head=after.head, names=names))

    def open_recorded(
        self,
        id: str,
        requests: Iterable[EventRequest],
        *,
        ruleset: Ruleset,
        players: Sequence[str],
        stake: Stake | None = None,
        date: str | None = None,
    ) -> NightState:
        """Open a night with everything that happened in it, in one transaction, as the host.

        `date` is the day of the night, where it is not today's.
        """
        with self.store.writing(id) as writer:
            state = at_opening(self._create(writer, id, ruleset, players, stake, date or self._today()))
            for request in requests:
                state = self._append(writer, state, request, HOST)
        self._memory.states.keep(state)
        return state

    def _append(self, writer: Writer, state: NightState, request: EventRequest, actor: str) -> NightState:
        sealed, drafted = _drafted(writer, state, request)
        event = self._event(state, request, actor, sealed.content, drafted)
        people.keep(writer, state.terms.night, sealed.person, drafted.parts)
        return state.with_event(read_event(writer.append(event)), drafted.leads_to)

    def _event(
        self, state: NightState, request: EventRequest, actor: str, content: Data, drafted: Draft
    ) -> NewEvent:
        """The event that a draft of a request comes to on a state."""
        event = EventBody(
            format=FORMAT,
            night=state.terms.night,
            seq=state.head.seq + 1,
            id=request.id,
            kind=request.kind,
            round=drafted.round,
            after=request.after,
            actor=actor,
            at=self._now(),
            client_at=request.at,
            content=content,
            parts=drafted.parts,
            payments=drafted.payments,
            net=net_after(state, drafted),
            engine=ENGINE,
        )
        return new_event(event, write_event(event), state.head.hash)

    def _today(self, zone: tzinfo | None = None) -> str:
        return self._clock().astimezone(zone).date().isoformat()

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def preview(night: NightSnapshot, request: EventRequest, actor: Link, say: views.Say) -> Data:
    """What an event would change: verdicts, payments, balances, before and after.

    Problem if it would be refused, but for entries that came in between. Nothing is recorded.
    """
    _permitted(night.id, request, actor)
    request = _with_player(request, actor)
    state = _in_sight(night.reader, night.state, request.kind, request.content)
    _, drafted = _drafted(night.reader, state, request)
    return previewed(state, request.kind, drafted, night.names, say)


def _recorded(request: EventRequest, after: NightState, seen: Glance) -> Recorded:
    """An event that has just been appended."""
    return Recorded(True, request.id, after.head.seq, after.head.hash.hex(), after, seen)


def _permitted(night: str, request: EventRequest, actor: Link) -> None:
    """The keeper records everything, but for what seats say in their own names."""
    if actor.night != night:
        raise Problem(ProblemCode.NOT_FOUND)
    if actor.role is not KINDS[request.kind].recorded_by:
        raise Problem(ProblemCode.FORBIDDEN)


def _with_player(request: EventRequest, actor: Link) -> EventRequest:
    """What a seat says, it says as its player: the request does not name one, its link does."""
    if KINDS[request.kind].recorded_by is not Role.SEAT:
        return request
    return replace(request, content={**request.content, "player": actor.player})


def _in_sight(reader: Reader, state: NightState, kind: str, content: Data) -> NightState:
    """The state with the round that a request is about, however long ago that was."""
    asked = KINDS[kind].read(content)
    number, seq = asked.round_asked(), asked.entry_asked()
    if seq is not None:
        named = reader.events(state.terms.night, after=seq - 1, limit=1) if seq > 0 else []
        number = named[0].round if named and named[0].seq == seq else None
    return state if number is None else in_sight(reader, state, number)


def _drafted(reader: Reader, state: NightState, request: EventRequest) -> tuple[people.Sealed, Draft]:
    """What the chain may hold of a request, and what recording that would append."""
    deck = state.terms.ruleset.deck
    sealed = people.seal(reader, state.terms.night, request.kind, request.content, deck)
    return sealed, draft(state, request.kind, sealed.content)


def _repeated(event: Logged, request: EventRequest, state: NightState, seen: Glance) -> Recorded:
    if (event.kind, event.after, event.content) != (request.kind, request.after, request.content):
        raise Problem(ProblemCode.ID_REUSED)
    return Recorded(False, event.id, event.seq, event.hash.hex(), state, seen)


def _not_stale(reader: Reader, state: NightState, request: EventRequest) -> None:
    """409 with what came since, if a recording event came after the one that the request was made on."""
    if request.after == state.after:
        return
    night = state.terms.night
    seen = reader.event_by_id(night, request.after) if request.after else None
    since = seen.seq if seen else 0
    rows: list[EventRow] = list(reader.events(night, after=since))
    if seen is None and request.after != night:
        # An entry that was never recorded, so that nothing can be said to have come after it.
        raise Problem(ProblemCode.STALE, events=[])
    if any(is_recording(row.kind) for row in rows):
        raise Problem(ProblemCode.STALE, events=[views.log_entry(row) for row in rows])


def _not_overtaken(reader: Reader, state: NightState, request: EventRequest) -> None:
    """409 with what came since, if what a seat says is about a round that was another when its player looked.

    So whatever was refused stays refused, however late a copy of it arrives: what would let it through came later
    than what its player saw. Whoever says nothing of what was seen speaks of the round as it is.
    """
    seen, log = request.content.get("seen"), state.logs.get(request.content["round"])
    if seen is None or log is None:
        return
    if any(event.seq > seen and KINDS[event.kind].changes_rounds for event in log.events):
        since = reader.events(state.terms.night, after=seen)
        raise Problem(ProblemCode.STALE, events=[views.log_entry(row) for row in since], round=log.number)
