"""The recorder: what pages, the interface and the command line ask for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Final, Self

from ledger.game.night import Stake
from ledger.game.rulesets.model import Ruleset
from ledger.recorder import people
from ledger.recorder.drafts import Draft, EventRequest
from ledger.recorder.events.index import KINDS, draft, net_after
from ledger.recorder.logged import ENGINE, HOST, Logged, read_event, read_night, write_night
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Reading
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.state import NightState, at_opening, in_sight, is_recording
from ledger.recorder.views.night import Board, view_board, view_logged
from ledger.recorder.views.preview import Preview, view_preview
from ledger.recorder.views.round import Say
from ledger.store import (
    FORMAT,
    Event,
    EventBody,
    ExactLog,
    Link,
    NewEvent,
    Night,
    NightHead,
    Person,
    Reader,
    Role,
    Store,
    StoreBusy,
    is_pass,
    is_secret,
    make_pass,
    new_event,
    night_hash,
    require_key,
    secret_digest,
    write_event,
)

_TRIES: Final = 24
"""How often a request is judged, if its night goes on every time before it is kept: twice as often as a table has
phones that speak at the same moment."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A night that has just been opened, or had been by the same request. `hash` is in hexadecimal."""

    created: bool
    seq: int
    hash: str
    tokens: people.Tokens


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event that has just been appended, or had been by the same request. `hash` is in hexadecimal."""

    created: bool
    id: str
    seq: int
    hash: str
    after: NightState = field(repr=False, compare=False)
    names: Mapping[str, str] = field(repr=False, compare=False)

    def board(self, actor: Link, say: Say) -> Board:
        """The night as it is then."""
        return view_board(self.after, self.names, actor, say)

    @property
    def to_settle(self) -> int | None:
        """The number of the last round, if it has ended and is not settled."""
        log = self.after.current
        return log.number if log and log.round and log.round.over and not log.settled else None


class Recorder(Reading):
    """All use cases over one store. Thread-safe; make one a process, after the fork.

    Whatever is recorded is judged on a night that nobody holds, and kept by a short transaction if the night is
    still as it was judged on. Problem says why something was not done; the store's own exceptions say that it
    could not be.
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
        new, nameable = self._new_night(id, ruleset, players, stake, self._today(zone), secret)
        with self.store.writing(id) as writer:
            known = writer.night(id)
            if known is None:
                writer.create_night(new, nameable)
        with self.store.reading() as reader:
            if known is not None:
                if not is_secret(secret, known.secret_digest):
                    raise Problem(ProblemCode.NIGHT_EXISTS)
                self._same_night(reader, known, ruleset, players, stake)
            tokens = people.tokens(require_key(self._key), reader, id)
        if known is None:
            self._told("night")
        return Opened(known is None, 0, (known or new).hash.hex(), tokens)

    def _new_night(
        self,
        id: str,
        ruleset: Ruleset,
        names: Sequence[str],
        stake: Stake | None,
        date: str,
        secret: bytes | None = None,
    ) -> tuple[Night, list[Person]]:
        players = people.new_people(id, names)
        now = self._now()
        body = write_night(id, ruleset, stake, people.commitments(players), now, date)
        digest = None if secret is None else secret_digest(secret)
        night = Night(
            id=id, format=FORMAT, body=body, hash=night_hash(body), created_at=now, secret_digest=digest
        )
        return night, players

    def _same_night(
        self, reader: Reader, row: Night, ruleset: Ruleset, names: Sequence[str], stake: Stake | None
    ) -> None:
        terms = read_night(row)
        asked = (ruleset, stake, people.as_opened(reader, terms, names))
        if (terms.ruleset, terms.stake, terms.names) != asked:
            raise Problem(ProblemCode.ID_REUSED)

    def forget(self, night: str) -> None:
        """Erase the names of a night: its head stays as it was, and so do the points."""
        with self.store.writing(night, forgets=True) as writer:
            if writer.night(night) is None:
                raise Problem(ProblemCode.NOT_FOUND)
            writer.erase_names(night)

    # Recording

    def record(self, night: str, request: EventRequest, actor: Link) -> Recorded:
        """Append one event. The same request twice records once; 409 if another entry came in between.

        Raises StoreBusy where the night went on each time before the event could be kept.
        """
        _permitted(night, request, actor)
        request = _with_player(request, actor)
        for _ in range(_TRIES):
            with self.store.reading() as reader:
                judged = self._judged(reader, night, request, actor)
            recorded = judged if isinstance(judged, Recorded) else self._kept(judged)
            if recorded is not None:
                return recorded
        raise StoreBusy("the night went on each time before the entry could be kept")

    def _judged(self, reader: Reader, night: str, request: EventRequest, actor: Link) -> "_Judged | Recorded":
        """What a request comes to on the night as a reader sees it, or what its first copy was recorded as."""
        seen, repeated = reader.before(night, request.id, people.REVOKING)
        if seen is None or not seen.holds(actor):
            raise Problem(ProblemCode.NOT_FOUND)
        if request.id == night:
            # The night is what a first event comes after: an event by that name would hide what is stale.
            raise Problem(ProblemCode.ID_REUSED)
        state = self._memory.states.load(reader, night, seen.head)
        if repeated is not None:
            event = read_event(repeated)
            return _repeated(event, people.as_recorded(reader, night, event, request), state, seen)
        if is_recording(request.kind):
            _not_stale(reader, state, request)
        state = _in_sight(reader, state, request)
        if KINDS[request.kind].recorded_by is Role.SEAT:
            _not_overtaken(reader, state, request)
        sealed, drafted = _drafted(reader, state, request)
        judged = self._event(state, sealed.request, actor.player or actor.role, drafted)
        return _Judged(seen, state, judged, drafted, sealed.person)

    def _kept(self, judged: "_Judged") -> Recorded | None:
        """Append what was judged; None where the night, or a name beside it, is not as it was any more."""
        row, drafted, person = judged.event.row, judged.drafted, judged.person
        with self.store.writing(row.night, forgets=people.takes_back(row.kind)) as writer:
            if writer.night_head(row.night, people.REVOKING) != judged.seen:
                return None
            writer.append(judged.event)
            people.keep(writer, person, row.kind)
        after = judged.state.with_event(read_event(row), drafted.leads_to)
        self._memory.states.keep(after)
        self._told(row.kind)
        named = {person.player: person.name or person.player} if person else {}
        return Recorded(True, row.id, row.seq, row.hash.hex(), after, {**judged.seen.names, **named})

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
        """Open a night with everything that happened in it, as the host: judged, then kept in one transaction.

        `date` is the day of the night, where it is not today's.
        """
        new, people_of_it = self._new_night(id, ruleset, players, stake, date or self._today())
        named = {person.player: person for person in people_of_it}
        state = at_opening(new)
        events = []
        for request in requests:
            sealed = people.seal(id, named.values, request, ruleset.deck)
            drafted = draft(state, sealed.request)
            events.append(self._event(state, sealed.request, HOST, drafted))
            if sealed.person is not None:
                named[sealed.person.player] = sealed.person
            state = state.with_event(read_event(events[-1].row), drafted.leads_to)
        self.store.append_log(ExactLog(new, tuple(named.values()), tuple(events), state.head))
        self._memory.states.keep(state)
        return state

    def _event(self, state: NightState, request: EventRequest, actor: str, drafted: Draft) -> NewEvent:
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
            content=request.content,
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


@dataclass(frozen=True, slots=True)
class _Judged:
    """An event that is kept if its night is still as it was seen, and the state that it was judged on."""

    seen: NightHead
    state: NightState
    event: NewEvent
    drafted: Draft
    person: Person | None


def preview(night: NightSnapshot, request: EventRequest, actor: Link, say: Say) -> Preview:
    """What an event would change: verdicts, payments, balances, before and after.

    Problem if it would be refused, but for entries that came in between. Nothing is recorded.
    """
    _permitted(night.id, request, actor)
    request = _with_player(request, actor)
    state = _in_sight(night.reader, night.state, request)
    _, drafted = _drafted(night.reader, state, request)
    return view_preview(state, request.kind, drafted, night.names, say)


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


def _in_sight(reader: Reader, state: NightState, request: EventRequest) -> NightState:
    """The state with the round that a request is about, however long ago that was."""
    asked = KINDS[request.kind].read(request.content)
    number, seq = asked.round_asked(), asked.entry_asked()
    if seq is not None:
        named = reader.events(state.terms.night, after=seq - 1, limit=1) if seq > 0 else []
        number = named[0].round if named and named[0].seq == seq else None
    return state if number is None else in_sight(reader, state, number)


def _drafted(reader: Reader, state: NightState, request: EventRequest) -> tuple[people.Sealed, Draft]:
    """What the chain may hold of a request, and what recording that would append."""
    night, deck = state.terms.night, state.terms.ruleset.deck
    people.require_revocable(reader, night, request.kind)
    sealed = people.seal(night, lambda: reader.people(night), request, deck)
    return sealed, draft(state, sealed.request)


def _repeated(event: Logged, request: EventRequest, state: NightState, seen: NightHead) -> Recorded:
    if (event.kind, event.after, event.content) != (request.kind, request.after, request.content):
        raise Problem(ProblemCode.ID_REUSED)
    return Recorded(False, event.id, event.seq, event.hash.hex(), state, seen.names)


def _not_stale(reader: Reader, state: NightState, request: EventRequest) -> None:
    """409 with what came since, if a recording event came after the one that the request was made on."""
    if request.after == state.after:
        return
    night = state.terms.night
    seen = reader.event_by_id(night, request.after) if request.after else None
    since = seen.seq if seen else 0
    rows: list[Event] = list(reader.events(night, after=since))
    if seen is None and request.after != night:
        # An entry that was never recorded, so that nothing can be said to have come after it.
        raise Problem(ProblemCode.STALE, events=[])
    if any(is_recording(row.kind) for row in rows):
        raise Problem(ProblemCode.STALE, events=[view_logged(row) for row in rows])


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
        raise Problem(ProblemCode.STALE, events=[view_logged(row) for row in since], round=log.number)
