"""The recorder: all use cases of pages, the interface and the command line."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Final, Self, TypeAlias

from ledger.game.terms import Terms
from ledger.recorder.drafts import EventRequest
from ledger.recorder.engine import HOST
from ledger.recorder.events import people
from ledger.recorder.events.index import draft
from ledger.recorder.groups import Group, Groups
from ledger.recorder.history import cache_state, cached_state, is_recording, read_event
from ledger.recorder.judging import Judgement, by_actor, event_of, judge
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Reading, Snapshot
from ledger.recorder.state import NightState, at_opening
from ledger.recorder.terms import Opening, read_night, write_night
from ledger.recorder.views.night import Board, view_board
from ledger.recorder.views.round import Say
from ledger.store import (
    FORMAT,
    ExactLog,
    Link,
    NewEvent,
    Night,
    NightHead,
    Person,
    Reader,
    Store,
    StoreBusy,
    StoreRefused,
    derived_id,
    is_pass,
    is_secret,
    make_pass,
    night_hash,
    require_key,
    secret_digest,
)

_TRIES: Final = 24
"""How often a request is judged while other entries keep arriving first: twice per phone of the largest table."""

OpensSnapshot: TypeAlias = Callable[[], AbstractContextManager[Snapshot]]


@dataclass(frozen=True, slots=True)
class Opened:
    """A night opened by this request, or earlier by the same request. `hash` is in hexadecimal."""

    created: bool
    seq: int
    hash: str
    tokens: people.Tokens


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event appended by this request, or earlier by the same request. `hash` is in hexadecimal."""

    created: bool
    id: str
    seq: int
    hash: str
    after: NightState = field(repr=False, compare=False)
    names: Mapping[str, str] = field(repr=False, compare=False)

    def board(self, actor: Link, say: Say) -> Board:
        """The board of the night after the event."""
        return view_board(self.after, self.names, actor, say)

    @property
    def to_settle(self) -> int | None:
        """The number of the last round, if it has ended and is not settled."""
        log = self.after.current
        return log.number if log and log.round and log.round.over and not log.settled else None


class Recorder(Reading):
    """All use cases over one store. Thread-safe; create one per process, after the fork.

    A request is judged without a lock, then appended in a short transaction if the night has not changed since.
    A Problem says why a request was refused; the store's exceptions report technical failures.
    """

    def __init__(
        self,
        store: Store,
        key: bytes | None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        on_committed: Callable[[str], None] = lambda kind: None,
    ) -> None:
        """`on_committed` is called with the kind of each entry once it is committed ("night" for a new night)."""
        super().__init__(store, key)
        self.groups = Groups(store, key, self._now, self._cache)
        self._clock = clock
        self._on_committed = on_committed

    @classmethod
    def open(
        cls, database_url: str, key: bytes, on_committed: Callable[[str], None] = lambda kind: None
    ) -> Self:
        """A recorder over a database, for the web server. Raises the store's errors if it cannot be opened."""
        return cls(Store.open(database_url), key, on_committed=on_committed)

    # The host

    def host_token(self) -> str:
        """A token for `/setup` of a server with the same key; valid for a few minutes."""
        return make_pass(require_key(self._key), int(self._clock().timestamp()))

    def is_host_token(self, text: str) -> bool:
        """Whether a text is such a pass and still valid."""
        return is_pass(require_key(self._key), text, int(self._clock().timestamp()))

    def derived_id(self, text: str) -> str:
        """A night id derived from a text and this installation's key; unpredictable without the key."""
        return derived_id(require_key(self._key), text)

    # Nights

    def open_night(
        self,
        id: str,
        *,
        secret: bytes,
        terms: Terms,
        players: Sequence[str],
        zone: tzinfo | None = None,
    ) -> Opened:
        """Open a night. The client makes `id`, a UUID, and `secret`, 128 random bits: repeating the request returns
        the same night, with its current links. Problem if the secret, the terms or the players differ.

        Terms without a date get today's in `zone`, the table's time zone; without one, in the server's.
        """
        new, nameable = self._new_night(id, terms, players, zone, secret)
        with self.store.writing(id) as writer:
            known = writer.night(id)
            if known is None:
                writer.create_night(new, nameable)
        if known is not None:
            self.store.confirm(id)
        with self.store.reading() as reader:
            if known is not None:
                if not is_secret(secret, known.secret_digest):
                    raise Problem(ProblemCode.NIGHT_EXISTS)
                self._same_night(reader, known, terms, players)
            tokens = people.tokens(require_key(self._key), reader, id)
        if known is None:
            self._on_committed("night")
        return Opened(known is None, 0, (known or new).hash.hex(), tokens)

    def _new_night(
        self,
        id: str,
        terms: Terms,
        names: Sequence[str],
        zone: tzinfo | None,
        secret: bytes | None,
    ) -> tuple[Night, list[Person]]:
        players, now = people.new_people(id, names), self._now()
        dated = replace(terms, date=terms.date or self._clock().astimezone(zone).date().isoformat())
        body = write_night(Opening(id, dated, people.commitments(players)), now)
        digest = None if secret is None else secret_digest(secret)
        night = Night(
            id=id, format=FORMAT, body=body, hash=night_hash(body), created_at=now, secret_digest=digest
        )
        return night, players

    def _same_night(self, reader: Reader, row: Night, terms: Terms, names: Sequence[str]) -> None:
        opening = read_night(row)
        asked = (
            replace(terms, date=terms.date or opening.terms.date),
            people.as_opened(reader, opening, names),
        )
        if (opening.terms, tuple(opening.players.values())) != asked:
            raise Problem(ProblemCode.ID_REUSED)

    def forget(self, night: str, players: Collection[str] = ()) -> None:
        """Erase the names of some players of a night, of all without any. Its head and its points do not change."""
        with self.store.writing(night, forgets=True) as writer:
            if writer.night(night) is None:
                raise Problem(ProblemCode.NOT_FOUND)
            writer.erase_names(night, players)

    # Recording

    def record(self, night: str, request: EventRequest, actor: Link) -> Recorded:
        """Append one event. A repeated request records once; Problem (409) if the client had not seen the last
        entry about the play.

        The event is judged again if entries arrive meanwhile; StoreBusy if they keep arriving.
        """
        (recorded,) = self.record_all(night, [request], actor)
        return recorded

    def record_all(
        self, night: str, requests: Sequence[EventRequest], actor: Link, reading: OpensSnapshot | None = None
    ) -> list[Recorded]:
        """Append some events in order, all of them or none. Each is judged on the state after those before it.

        `reading` opens the snapshot that they are judged on, if it is not to be a new one. Raises what `record`
        raises; a Problem is about the first event refused.
        """
        asked = [by_actor(night, request, actor) for request in requests]
        return self.record_planned(lambda _: Plan({actor: asked}), reading)[actor]

    def record_planned(
        self, plan: Callable[[Snapshot], "Plan"], reading: OpensSnapshot | None = None
    ) -> dict[Link, list[Recorded]]:
        """Append the events that a plan made at one moment asks for, all of them or none. The plan is made again if
        one of its nights, or its group, has changed since that moment.

        Raises what `plan` and `record_all` raise.
        """
        for _ in range(_TRIES):
            with (reading or self.snapshot)() as snapshot:
                planned = plan(snapshot)
                judged = {
                    actor: self._judged(snapshot.reader, requests, actor)
                    for actor, requests in planned.asked.items()
                }
            if self._append_if_unchanged(judged.values(), planned.group):
                return {actor: one.recorded for actor, one in judged.items()}
        raise StoreBusy("the night went on each time before the entry could be kept")

    def _judged(self, reader: Reader, requests: Sequence[EventRequest], actor: Link) -> "_Judged":
        """Judge requests on the night that a reader sees. A repeated request yields its recorded event."""
        night = actor.night
        head = reader.night_head(night)
        if head is None or not head.holds(actor):
            raise Problem(ProblemCode.NOT_FOUND)
        judged = _Judged(night, head, cached_state(self._cache, reader, night, head.head))
        for request in requests:
            if request.id == night:
                # A first event comes `after` the night's id: an event with that id would defeat the stale check.
                raise Problem(ProblemCode.ID_REUSED)
            # A recording event that is kept is what the next one comes `after`: a fresh one is no repetition.
            fresh = is_recording(request.kind) and request.after == judged.state.after
            repeated = None if fresh else reader.event_by_id(night, request.id)
            if repeated is None:
                judged.add(judge(reader, judged.state, request, actor, self._now()))
            else:
                event = read_event(repeated)
                asked = people.as_recorded(reader, night, event, request)
                if (event.kind, event.after, event.content) != (asked.kind, asked.after, asked.content):
                    raise Problem(ProblemCode.ID_REUSED)
                hash, names = repeated.hash.hex(), judged.head.names
                judged.recorded.append(Recorded(False, event.id, event.seq, hash, judged.state, names))
        return judged

    def _append_if_unchanged(self, judged: Collection["_Judged"], group: Group | None) -> bool:
        """Append the judged events; false if the head, links or names of a night have changed since, or the group.
        Problem if an event has the id of another."""
        fresh = [one for one in judged if one.events]
        kinds = [event.row.kind for one in fresh for event, _ in one.events]
        if not kinds:  # each was recorded before, and perhaps not acknowledged
            self.store.confirm(*(one.night for one in judged))
            return True
        locked = [one.night for one in fresh] + ([group.id] if group else [])
        try:
            with self.store.writing(*locked, forgets=people.PlayerRenamed.kind in kinds) as writer:
                if group and writer.last_entries([group.id])[group.id].seq != group.seq:
                    return False
                for one in fresh:
                    for event, person in one.events:
                        writer.append(event, named=one.head.named)
                        people.store_name(writer, person, event.row.kind)
        except StoreRefused:
            with self.store.reading() as reader:
                if any(reader.night_head(one.night) != one.head for one in fresh):
                    return False
                if any(
                    reader.event_by_id(one.night, event.row.id) for one in fresh for event, _ in one.events
                ):
                    raise Problem(ProblemCode.ID_REUSED) from None
            raise
        for one in fresh:
            cache_state(self._cache, one.state)
        for kind in kinds:
            self._on_committed(kind)
        return True

    def open_recorded(
        self,
        id: str,
        requests: Iterable[EventRequest],
        *,
        terms: Terms,
        players: Sequence[str],
        secret: bytes | None = None,
    ) -> NightState:
        """Open a night complete with its events, as the host: judge them, then append all in one transaction.

        Terms without a date get the server's today. `opened_with` returns the links to a client with `secret`.
        """
        new, people_of_it = self._new_night(id, terms, players, None, secret)
        named = {person.player: person for person in people_of_it}
        state = at_opening(new)
        events = []
        for request in requests:
            sealed = people.seal(id, named.values, request, terms.ruleset.deck)
            drafted = draft(state, sealed.request)
            event, state = event_of(state, sealed.request, HOST, drafted, self._now())
            events.append(event)
            if sealed.person is not None:
                named[sealed.person.player] = sealed.person
        self.store.append_log(ExactLog(new, tuple(named.values()), tuple(events), state.head))
        cache_state(self._cache, state)
        self._on_committed("night")
        return state

    def opened_with(self, id: str, secret: bytes) -> people.Tokens:
        """The links of a night opened with this secret; Problem if it was not."""
        with self.store.reading() as reader:
            known = reader.night(id)
            if known is None or not is_secret(secret, known.secret_digest):
                raise Problem(ProblemCode.NIGHT_EXISTS)
            return people.tokens(require_key(self._key), reader, id)

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Plan:
    """Events to append to the night of each link, in order."""

    asked: Mapping[Link, Sequence[EventRequest]]
    group: Group | None = None
    """The group whose entries they depend on, if they depend on one."""


@dataclass(slots=True)
class _Judged:
    """Events to append if the night has not changed since it was read, and the state after them."""

    night: str
    head: NightHead
    state: NightState
    events: list[tuple[NewEvent, Person | None]] = field(default_factory=list)
    recorded: list[Recorded] = field(default_factory=list)
    """The answer to each request, including repeated ones."""

    def add(self, judgement: Judgement) -> None:
        """Add an event and the state after it."""
        event, after, person = judgement
        row, named = event.row, {person.player: person.name or person.player} if person else {}
        names = {**self.head.names, **named}
        self.state = after
        self.events.append((event, person))
        self.recorded.append(Recorded(True, row.id, row.seq, row.hash.hex(), after, names))
