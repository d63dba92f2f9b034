"""The log of the nights in a database: what it says, and the one way to append to it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import sqlalchemy as sql
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from ledger.store.databases import Moment
from ledger.store.errors import EntryUnreadable, StoreNotConforming
from ledger.store.event_codec import BodyUnreadable, NewEvent, read_event
from ledger.store.links import Link
from ledger.store.models import RARE, Correction, Event, Night, Payment, Person, Row

Found = TypeVar("Found")
Condition: TypeAlias = sql.ColumnElement[bool]

NO_LIMIT: Final = 2**63 - 1
"""A seq that no event has."""
_PAGE: Final = 1000
"""Rows that are read in one transaction at the most, where there may be any number of them."""


class Head(NamedTuple):
    """The newest entry of a chain: seq 0 and the night's own hash when there is no event."""

    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class NightHead:
    """What every request asks of a night: how far it has come, what its players are called, and how often each link
    of it has been revoked, by role and player. p1 comes first; an erased name is the player's tag."""

    head: Head
    names: Mapping[str, str]
    generations: Counter[tuple[str, str | None]]

    def holds(self, link: Link) -> bool:
        """Whether a link to this night has not been revoked."""
        return self.generations[link.role, link.player] == link.generation


class Reader:
    """What the log says. Every question is a short transaction of its own: writers wait for no more.

    Which kinds of events there are, and what they mean, is for whoever asks to know.
    """

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def night(self, night: str) -> Night | None:
        """A night, or None where there is none of that id."""
        return self._first(select(Night).where(Night.id == night))

    def nights(self) -> list[Night]:
        """All nights, the newest first."""
        return self.all(select(Night).order_by(col(Night.created_at).desc(), col(Night.id)))

    def people(self, night: str) -> list[Person]:
        """The players of a night, p1 first, erased ones included."""
        found = self._now(night)
        people = found.people if found else ()
        return [Person(night=night, player=player, name=name, salt=salt) for player, name, salt in people]

    def names(self, night: str) -> dict[str, str]:
        """The name of each player tag; an erased name is the tag itself."""
        found = self._now(night)
        return found.names if found else {}

    def head(self, night: str) -> Head:
        """The newest entry: seq 0 and the night's own hash when there is no event. Raises LookupError."""
        found = self._now(night)
        if found is None:
            raise LookupError(f"no night {night}")
        return found.head

    def night_head(self, night: str, revoking: str) -> NightHead | None:
        """What every request asks of a night; None where there is none of that id. `revoking` is the kind of events
        that revoke links."""
        found = self._now(night, revoking)
        return found and found.night_head(night)

    def generations(self, night: str, revoking: str) -> Counter[tuple[str, str | None]]:
        """How often each link of a night has been revoked, by role and player."""
        events = self.events_of_kinds(night, (revoking,))
        return _generations(night, [(event.seq, event.body) for event in events])

    def last(self, night: str, *, but: Iterable[str] = ()) -> Event | None:
        """The newest event, or the newest that is of none of some kinds."""
        found = self._events(night).where(col(Event.kind).not_in(list(but))) if but else self._events(night)
        return self._first(found.order_by(col(Event.seq).desc()).limit(1))

    def event_by_id(self, night: str, event: str) -> Event | None:
        """The event that a client made under this id."""
        found = self.rows(_SEQ, {"night": night, "id": event, "until": self._until(night)})
        return self.events(night, after=found[0].seq - 1, limit=1)[0] if found else None

    def events(self, night: str, *, after: int = 0, limit: int | None = None) -> list[Event]:
        """The events past a seq, in order, at most `limit` of them."""
        found: list[Event] = []
        limit = NO_LIMIT if limit is None else limit
        while limit > len(found):
            most = min(limit - len(found), _PAGE)
            page = self.all(self._events(night).where(Event.seq > after).order_by(col(Event.seq)).limit(most))
            found += page
            if len(page) < most:
                break
            after = found[-1].seq
        return found

    def events_of_round(self, night: str, round: int) -> list[Event]:
        """The events of one round, in order."""
        seqs = select(Event.seq).where(self._in_sight(Event, night), Event.round == round)
        return self._by_seqs(night, seqs)

    def events_of_kinds(self, night: str, kinds: Sequence[str]) -> list[Event]:
        """The events of some kinds, in order; plays and passes are not among them."""
        return self._by_seqs(night, select(Event.seq).where(self._of_kinds(night, kinds)))

    def last_round(self, night: str) -> int:
        """The greatest number of a round so far, 0 if there is none."""
        rounds = select(Event.round).where(self._in_sight(Event, night)).order_by(col(Event.round).desc())
        return self._first(rounds.limit(1)) or 0

    def before(self, night: str, event: str, revoking: str) -> tuple[NightHead | None, Event | None]:
        """What whoever appends an event must know, as of one moment: the head of the night, and the event that has
        its id."""
        with self.at_once() as now:
            return now.night_head(night, revoking), now.event_by_id(night, event)

    def touched_since(self, night: str, head: Head) -> set[int] | None:
        """The rounds that an event past a head, or a payment of one, belongs to; None where the chain has not gone
        through that head, an event's."""
        hashes = select(Event.hash).where(self._in_sight(Event, night), Event.seq == head.seq)
        if self._first(hashes) != head.hash:
            return None
        since = (
            select(row.round).where(self._in_sight(row, night), row.seq > head.seq)
            for row in (Event, Payment)
        )
        return {round for (round,) in self.rows(sql.union(*since))}

    def accounted_rounds(self, night: str, kinds: Sequence[str]) -> list[int]:
        """The rounds that have payments, or events of some kinds, in order; 0 for those that belong to none."""
        paid = select(Payment.round).where(self._in_sight(Payment, night))
        told = select(Event.round).where(
            Event.night == night, col(Event.seq).in_(select(Event.seq).where(self._of_kinds(night, kinds)))
        )
        return sorted(round for (round,) in self.rows(sql.union(paid, told)))

    def payments(self, night: str) -> list[Payment]:
        """All payments by (seq, idx). Round 0 holds what belongs to no round."""
        found: list[Payment] = []
        place = sql.tuple_(col(Payment.seq), col(Payment.idx))
        last = (0, 0)
        of_night = select(Payment).where(self._in_sight(Payment, night))
        while page := self.all(
            of_night.where(place > last).order_by(col(Payment.seq), col(Payment.idx)).limit(_PAGE)
        ):
            found += page
            last = (found[-1].seq, found[-1].idx)
        return found

    def payments_of_round(self, night: str, round: int) -> list[Payment]:
        """The payments of one round, by (seq, idx)."""
        seqs = select(Payment.seq).where(self._in_sight(Payment, night), Payment.round == round)
        rows = select(Payment).where(
            Payment.night == night, Payment.round == round, col(Payment.seq).in_(seqs)
        )
        return self.all(rows.order_by(col(Payment.seq), col(Payment.idx)))

    def balances(self, night: str) -> dict[str, int]:
        """The sum of each player's payments; players without any are left out."""
        sums: dict[str, int] = {}
        for side, sign in ((Payment.payee, 1), (Payment.payer, -1)):
            totals = select(side, sql.func.sum(Payment.points)).where(self._in_sight(Payment, night))
            for player, points in self.rows(totals.group_by(col(side))):
                sums[player] = sums.get(player, 0) + sign * int(points)  # PostgreSQL sums to a decimal
        return sums

    @contextmanager
    def at_once(self) -> "Iterator[Reader]":
        """What is asked of this one is of the same moment, and a writer waits for the end of the block."""
        with self._moment() as connection:
            yield Reader(lambda: nullcontext(connection))

    def all(self, statement: SelectOfScalar[Found]) -> list[Found]:
        """What a statement selects: models, or values of one column."""
        with self._moment() as connection, Session(connection) as session:
            return list(session.exec(statement))

    def rows(self, statement: sql.Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """What a statement answers, as tuples."""
        with self._moment() as connection:
            return connection.execute(statement, values).all()

    def _first(self, statement: SelectOfScalar[Found]) -> Found | None:
        return next(iter(self.all(statement)), None)

    def _events(self, night: str) -> SelectOfScalar[Event]:
        return select(Event).where(self._in_sight(Event, night))

    def _by_seqs(self, night: str, seqs: SelectOfScalar[int]) -> list[Event]:
        """Some events of a night, in order. Their seqs are asked by themselves, so that SQLite uses the index that
        knows them: asked for whole rows it walks along the night."""
        return self.all(
            select(Event).where(Event.night == night, col(Event.seq).in_(seqs)).order_by(col(Event.seq))
        )

    def _of_kinds(self, night: str, kinds: Sequence[str]) -> Condition:
        return sql.and_(self._in_sight(Event, night), RARE, col(Event.kind).in_(kinds))

    def _in_sight(self, row: type[Event] | type[Payment], night: str) -> Condition:
        """The rows of a night that are read."""
        return sql.and_(col(row.night) == night, col(row.seq) <= self._until(night))

    def _until(self, night: str) -> int:
        """Up to which seq a night is read."""
        return NO_LIMIT

    def _now(self, night: str, kind: str | None = None) -> "_Now | None":
        """A night at its head, with its events of a kind; None where there is none of that id."""
        heads: list[Head] = []
        people: list[tuple[str, str | None, bytes | None]] = []
        events: list[tuple[int, str]] = []
        for what, seq, secret, words, name in self.rows(_NOW, {"night": night, "kind": kind}):
            match what:
                case "person":
                    people.append((words, name, secret))
                case "event":
                    events.append((seq, words))
                case _:
                    heads.append(Head(seq, secret))
        if not heads:
            return None
        # Nothing says in which order a database tells the parts of a union; p1 comes before p10.
        people.sort(key=lambda person: (len(person[0]), person[0]))
        return _Now(max(heads), people, events)


class _Now(NamedTuple):
    """A night at one moment: player, name and salt of its people, seq and text of the events asked for."""

    head: Head
    people: Sequence[tuple[str, str | None, bytes | None]]
    events: Sequence[tuple[int, str]]

    @property
    def names(self) -> dict[str, str]:
        return {player: name or player for player, name, _ in self.people}

    def night_head(self, night: str) -> NightHead:
        """The same for whoever asked for the events that revoke links."""
        return NightHead(self.head, self.names, _generations(night, self.events))


class Snapshot(Reader):
    """The same, each night as it was when it was asked about first.

    What is recorded is never changed: whatever came up to an entry can be read at any later time, and nobody who
    records has to wait meanwhile. The names, which can be, are read with the head.
    """

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment)
        self._pins: dict[str, _Now | None] = {}

    def before(self, night: str, event: str, revoking: str) -> tuple[NightHead | None, Event | None]:
        with self.at_once() as now:
            found = self._pins[night] = now._now(night, revoking)
            return found and found.night_head(night), now.event_by_id(night, event)

    def _until(self, night: str) -> int:
        found = self._now(night)
        return found.head.seq if found else 0

    def _now(self, night: str, kind: str | None = None) -> _Now | None:
        if night not in self._pins:
            self._pins[night] = super()._now(night, kind)
        elif kind and (found := self._pins[night]):
            events = self.events_of_kinds(night, (kind,))
            return found._replace(events=[(event.seq, event.body) for event in events])
        return self._pins[night]


class Writer(Reader):
    """A transaction that may append, and sees what it has appended. All of it is kept, and synced, when its block
    ends; none if that raises."""

    def __init__(self, connection: sql.Connection, forgets: bool) -> None:
        """`forgets` says whether it may take a name back: then nothing of that stays beside the database."""
        super().__init__(lambda: nullcontext(connection))
        self.connection = connection
        self.forgets = forgets

    def create_night(self, night: Night, people: Iterable[Person]) -> None:
        """Open a night. Its players' names lie beside it, its text holds their commitments."""
        self._insert([night])
        self._insert(people)

    def add_person(self, person: Person) -> None:
        """Keep the name of one more player of a night; an event holds the commitment."""
        self._insert([person])

    def rename_person(self, person: Person) -> None:
        """Keep another name of a player in place of the one before."""
        assert self.forgets
        of_player = sql.update(Person).where(
            col(Person.night) == person.night, col(Person.player) == person.player
        )
        self.connection.execute(of_player.values(name=person.name, salt=person.salt))

    def erase_names(self, night: str) -> None:
        """Erase the names of a night and their salts; what the log holds of them can be told by nobody then.

        Raises StoreNotConforming if they are there again: something in the database has put them back.
        """
        assert self.forgets
        of_night = sql.update(Person).where(col(Person.night) == night)
        self.connection.execute(of_night.values(name=None, salt=None))
        if any(person.name is not None or person.salt is not None for person in self.people(night)):
            raise StoreNotConforming((f"what erases a name of the night {night} writes it again",))

    def append(self, event: NewEvent) -> None:
        """Append an event: its payments and corrections first, then the event, which seals them.

        The database refuses one that is not the next, or was made on another head: StoreRefused.
        """
        self._insert(event.payments())
        self._insert(event.corrections())
        self._insert([event.row])

    def _insert(self, rows: Iterable[Row]) -> None:
        """Insert some rows of one table, by one statement: what a session would order by itself has its order."""
        if rows := list(rows):
            self.connection.execute(_INSERT[type(rows[0])], [row.model_dump() for row in rows])


def _generations(night: str, revoked: Iterable[tuple[int, str]]) -> Counter[tuple[str, str | None]]:
    """How often each link of a night has been revoked, by the seqs and texts of the events that did so."""
    found = Counter[tuple[str, str | None]]()
    for seq, body in revoked:
        try:
            found.update(read_event(body).revoked)
        except BodyUnreadable as error:
            raise EntryUnreadable(night, seq, str(error)) from error
    return found


def _now_of_a_night() -> sql.CompoundSelect[Any]:
    """One row a fact: which it is, its seq, its hash or salt, its text, and a name."""
    night: sql.BindParameter[str] = sql.bindparam("night")
    word, nothing = sql.literal_column, sql.null()
    newest = (
        sql.select(col(Event.seq), col(Event.hash))
        .where(col(Event.night) == night)
        .order_by(col(Event.seq).desc())
        .limit(1)
        .subquery("newest")
    )
    kind = col(Event.kind) == sql.bindparam("kind")
    seqs = sql.select(col(Event.seq)).where(col(Event.night) == night, RARE, kind)
    return sql.union_all(
        sql.select(word("'night'"), word("0"), col(Night.hash), nothing, nothing).where(
            col(Night.id) == night
        ),
        sql.select(word("'head'"), newest.c.seq, newest.c.hash, nothing, nothing),
        sql.select(word("'person'"), nothing, col(Person.salt), col(Person.player), col(Person.name)).where(
            col(Person.night) == night
        ),
        sql.select(word("'event'"), col(Event.seq), nothing, col(Event.body), nothing).where(
            col(Event.night) == night, col(Event.seq).in_(seqs)
        ),
    )


# Made once, as making them takes longer than running them: a move asks them all, a poll the first alone.
_NOW: Final = _now_of_a_night()
_INSERT: Final[Mapping[type[Row], sql.Insert]] = {
    row: sql.insert(row) for row in (Night, Person, Event, Payment, Correction)
}
_SEQ: Final = select(Event.seq).where(
    col(Event.night) == sql.bindparam("night"),
    col(Event.id) == sql.bindparam("id"),
    col(Event.seq) <= sql.bindparam("until"),
)
