"""The audit of what is stored: chain, seals, columns, payments, nets and names are compared with the texts.

It applies no rules: the recorder's audit does. It reads in pages, each in its own transaction, so that SQLite's
write-ahead log can be emptied in between; meanwhile the log of the night only grows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple, Protocol, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import and_, col, func, select

from ledger.store.chain import NOT_OF_THE_TEXT, break_after, matches_commitment, night_hash
from ledger.store.errors import EntryUnreadable
from ledger.store.event_codec import (
    BodyUnreadable,
    EventBody,
    NewCorrection,
    alteration,
    read_event,
    read_night,
)
from ledger.store.log import NO_LIMIT, Reader
from ledger.store.models import Correction, Event, GroupEntry, Night, Payment, Person, StoredEvent

_PAGE: Final = 1000

_LISTED: Final = select(
    Night.id,
    select(func.coalesce(func.max(Event.seq), 0)).where(Event.night == Night.id).scalar_subquery(),
).order_by(col(Night.created_at), col(Night.id))

_NO_LONGER_ROWS: Final = (TypeError, ValueError, AttributeError, LookupError)
"""What reading rows from damaged pages may raise: their values need not have the types of their columns."""

_REPEATED: Final = ("night", "seq", "id", "kind", "round", "payment_count", "payment_total")
"""The columns of an event that repeat fields of its text."""
_repeated: Final = attrgetter(*_REPEATED)

_Answer = TypeVar("_Answer")
_Row = TypeVar("_Row", Payment, Correction)


@dataclass(frozen=True, slots=True)
class LogDifference:
    """A stored value that is wrong, and where: seq 0 is the night itself, `night` None the database as a whole.

    `engine` marks a result of an older version of the rules: it is reported, but is not an error.
    """

    night: str | None
    seq: int
    what: str
    engine: bool = False


class AuditedEvent(NamedTuple):
    """An event read by the audit; `body` is None if its text cannot be read."""

    row: StoredEvent
    body: EventBody | None


class Look(Protocol):
    """Runs a query on a reader, at one moment; damaged text is read as well (as surrogates)."""

    def __call__(self, ask: Callable[[Reader], _Answer]) -> _Answer: ...


class Listed(NamedTuple):
    """A night to be audited, and the number of its events."""

    night: str
    entries: int


def listed_nights(reader: Reader) -> list[Listed]:
    """All nights, the oldest first."""
    return list(map(Listed._make, reader.rows(_LISTED)))


def audit_night(look: Look, night: str) -> Iterator[Night | AuditedEvent | LogDifference]:
    """Yield a night and its events, in order, each followed by its differences. Those of names come last, each with
    the seq that committed to the name.

    Raises LookupError if there is no such night.
    """
    row = look(lambda reader: reader.night(night))
    if row is None:
        raise LookupError(f"no night {night}")
    try:
        yield from _along(look, row)
    except _NO_LONGER_ROWS as error:
        yield LogDifference(night, 0, f"its rows cannot be read: {error!r}")


def first_alteration(reader: Reader, night: Night, *, after: int = -1) -> EntryUnreadable | None:
    """The first entry of a night after one, 0 being its own text, that is not as it was recorded; None if all are.
    It hashes every text, and compares nothing else of it but the columns."""
    if after < 0 and night_hash(night.body) != night.hash:
        return EntryUnreadable(night.id, 0, NOT_OF_THE_TEXT)
    after = max(after, 0)
    while rows := reader.events(night.id, after=after, limit=_PAGE):
        for row in rows:
            if what := alteration(row):
                return EntryUnreadable(night.id, row.seq, what)
        after = rows[-1].seq
    return None


def strays(reader: Reader) -> Iterator[LogDifference]:
    """Rows of nights that do not exist."""
    for model in (Event, Payment, Correction, Person, GroupEntry):
        # Step from night to night along an index: DISTINCT would scan every row. UNION ends even if a damaged index
        # is circular.
        named = select(func.min(model.night).label("night")).cte("named", recursive=True)
        following = select(func.min(model.night)).where(col(model.night) > named.c.night).scalar_subquery()
        named = named.union(select(following).where(named.c.night.is_not(None)))
        strays = select(named.c.night).where(
            named.c.night.is_not(None), named.c.night.not_in(select(Night.id))
        )
        for (night,) in reader.rows(strays):
            yield LogDifference(night, 0, f"there is a row of {model.__tablename__}, and no such night")


def _along(look: Look, row: Night) -> Iterator[Night | AuditedEvent | LogDifference]:
    night, walk = row.id, _Walk(row.hash)
    yield row
    yield from (LogDifference(night, 0, what) for what in walk.begin(row))
    after, page = 0, None
    while page is None or not page.ends:
        page = look(partial(_Page.read, night=night, after=after))
        for event in page.events:
            after = event.seq
            try:
                body, unreadable = read_event(event.body), None
            except BodyUnreadable as error:
                body, unreadable = None, str(error)
            yield AuditedEvent(event, body)
            try:
                yield from (LogDifference(night, after, what) for what in walk.step(event, body, page))
            except _NO_LONGER_ROWS as error:
                yield LogDifference(night, after, f"its rows cannot be read: {error!r}")
            if unreadable:
                yield LogDifference(night, after, f"the text cannot be read: {unreadable}")
        yield from (LogDifference(night, seq, "a payment without its event") for seq in page.payments)
        yield from (LogDifference(night, seq, "a correction without its event") for seq in page.corrections)
    yield from (LogDifference(night, seq, what) for seq, what in walk.names(page.people))


@dataclass(frozen=True, slots=True)
class _Page:
    """Some events with their payments and corrections; if it `ends` the night, also the names at that head."""

    events: list[StoredEvent]
    ends: bool
    people: list[Person]
    payments: dict[int, list[Payment]]
    corrections: dict[int, list[Correction]]

    @classmethod
    def read(cls, reader: Reader, night: str, after: int) -> "_Page":
        events = reader.events(night, after=after, limit=_PAGE)
        ends = len(events) < _PAGE
        until = NO_LIMIT if ends else events[-1].seq
        people = reader.people(night) if ends else []
        payments = reader.all(
            select(Payment)
            .where(_between(Payment, night, after, until))
            .order_by(col(Payment.seq), col(Payment.idx))
        )
        corrections = reader.all(
            select(Correction)
            .where(_between(Correction, night, after, until))
            .order_by(col(Correction.seq), col(Correction.part))
        )
        return cls(events, ends, people, _by_seq(payments), _by_seq(corrections))


@dataclass(slots=True)
class _Walk:
    """The state of an audit along the events of a night: the head so far, every player's net, and player -> (seq,
    commitment to the name)."""

    head: bytes
    seq: int = 0
    net: dict[str, int] = field(default_factory=dict)
    """Without the players whose net is 0."""
    committed: dict[str, tuple[int, str]] = field(default_factory=dict)

    def begin(self, night: Night) -> Iterator[str]:
        """The differences in the night itself."""
        if night_hash(night.body.encode(errors="surrogateescape")) != night.hash:
            yield "the night's hash is not that of its text"
        try:
            body = read_night(night.body)
        except BodyUnreadable as error:
            yield f"the text cannot be read: {error}"
            return
        self._commit(0, body.players)
        for column, value, stated in (
            ("id", night.id, body.night),
            ("format", night.format, body.format),
            ("created_at", night.created_at, body.created_at),
        ):
            if value != stated:
                yield f"{column} is not what the text says"

    def step(self, event: StoredEvent, body: EventBody | None, page: _Page) -> Iterator[str]:
        """The differences in the next event; `body` is None if its text cannot be read."""
        if broken := break_after(self.seq, self.head, event):
            yield broken
        self.seq, self.head = event.seq, event.hash
        payments = page.payments.pop(event.seq, ())
        corrections = page.corrections.pop(event.seq, ())
        self._pay(payments)
        if body is None:
            return
        self._commit(event.seq, body.names)
        yield from _unlike_the_text(event, body)
        yield from _unlike_payments(event, payments, body)
        stored = tuple(NewCorrection(row.part, row.target_seq, row.target_part) for row in corrections)
        if stored != body.corrections:
            yield "its corrections are not those of the text"
        if {player: points for player, points in body.net.items() if points} != self.net:
            yield "the net of the text is not the sum of the payments"

    def names(self, people: Iterable[Person]) -> Iterator[tuple[int, str]]:
        """The differences in names, each with the seq that committed to the name; called after the last event."""
        known = {person.player: person for person in people}
        for player, (seq, committed) in self.committed.items():
            if player not in known:
                yield seq, f"there is no row for the name of {player}"
                continue
            person = known.pop(player)
            if not matches_commitment(committed, person.name, person.salt):
                yield seq, f"the name of {player} is not the one that the night is committed to"
        for player in known:
            yield 0, f"{player} is not a player of the night"

    def _pay(self, payments: Iterable[Payment]) -> None:
        for payment in payments:
            for player, points in ((payment.payer, -payment.points), (payment.payee, payment.points)):
                self.net[player] = self.net.get(player, 0) + points
                if not self.net[player]:
                    del self.net[player]

    def _commit(self, seq: int, names: Mapping[str, str]) -> None:
        self.committed |= {player: (seq, committed) for player, committed in names.items()}


def _unlike_the_text(event: StoredEvent, body: EventBody) -> Iterator[str]:
    stated = (*body[1:6], len(body.payments), sum([payment.points for payment in body.payments]))
    for column, value, of_text in zip(_REPEATED, _repeated(event), stated, strict=True):
        if value != of_text:
            yield f"{column} is not what the text says"


def _unlike_payments(event: StoredEvent, rows: Sequence[Payment], body: EventBody) -> Iterator[str]:
    if len(rows) != len(body.payments):
        yield f"it has {len(rows)} payments, the text {len(body.payments)}"
        return
    for idx, (row, stated) in enumerate(zip(rows, body.payments, strict=True)):
        reverses = (row.reverses_seq, row.reverses_idx)
        if (row.idx, reverses) != (idx, stated.reverses or (None, None)) or (
            (row.payer, row.payee, row.points, row.reason, row.clause, row.round, row.cause)
            != (
                stated.payer,
                stated.payee,
                stated.points,
                stated.reason,
                stated.clause,
                stated.round,
                stated.cause,
            )
        ):
            yield f"payment {event.seq}.{idx} is not what the text says"


def _by_seq(rows: Iterable[_Row]) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[row.seq].append(row)
    return found


def _between(
    row: type[Payment] | type[Correction], night: str, after: int, until: int
) -> ColumnElement[bool]:
    """The condition for the rows of a night with `after` < seq <= `until`."""
    return and_(col(row.night) == night, col(row.seq) > after, col(row.seq) <= until)
