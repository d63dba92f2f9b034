"""Reading the log, statement by statement. Core statements, made once; rows come out as plain values."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    Executable,
    TextualSelect,
    bindparam,
    column,
    func,
    select,
    text,
    tuple_,
)

from ledger.store import tables
from ledger.store.databases import Moment
from ledger.store.errors import EntryUnreadable
from ledger.store.event_codec import BodyUnreadable, read_event
from ledger.store.rows import EventRow, Glance, Head, NightRow, PaymentRow, Person

_night: Final = tables.Night.__table__
_event: Final = tables.Event.__table__
_payment: Final = tables.Payment.__table__
_person: Final = tables.Person.__table__

Asked: TypeAlias = Executable | dict[str, TextualSelect]
"""A statement, or one for each database system."""


NO_LIMIT: Final = 2**63 - 1
"""A seq that no entry has."""
_PAGE: Final = 1000
"""Rows that are read in one transaction at the most, where there may be any number of them."""


_INDEXES: Final = ("event_by_kind", "event_by_round", "event_recording", "payment_by_round")


def _by_index(
    words: str, columns: Iterable[str], *parameters: BindParameter[Any]
) -> dict[str, TextualSelect]:
    """A statement for each database system; `{event_by_kind}` after a table says by which index.

    SQLite is told outright: its planner would walk along the primary key, over whatever else came.
    """
    hints = {
        "sqlite": {index: f"INDEXED BY {index}" for index in _INDEXES},
        "postgresql": dict.fromkeys(_INDEXES, ""),
    }
    answered: list[ColumnClause[Any]] = [column(name) for name in columns]
    return {
        system: text(words.format(**hint)).bindparams(*parameters).columns(*answered)
        for system, hint in hints.items()
    }


_IN_NIGHT: Final = (_event.c.night == bindparam("night")) & (_event.c.seq <= bindparam("until"))
_EVENTS: Final = select(_event).where(_IN_NIGHT)
_NEWEST_FIRST: Final = _event.c.seq.desc()

_ROW: Final = select(_night.c.id, _night.c.format, _night.c.body, _night.c.hash, _night.c.created_at)
_NIGHTS: Final = _ROW.order_by(_night.c.created_at.desc(), _night.c.id)
_NIGHT: Final = _ROW.where(_night.c.id == bindparam("night"))
_SECRET_DIGEST: Final = select(_night.c.secret_digest).where(_night.c.id == bindparam("night"))
_NIGHT_HASH: Final = select(_night.c.hash).where(_night.c.id == bindparam("night"))
_PEOPLE: Final = (
    select(_person.c.player, _person.c.name, _person.c.salt)
    .where(_person.c.night == bindparam("night"))
    .order_by(func.length(_person.c.player), _person.c.player)
)
_HEAD: Final = select(_event.c.seq, _event.c.hash).where(_IN_NIGHT).order_by(_NEWEST_FIRST).limit(1)
_LAST: Final = _EVENTS.order_by(_NEWEST_FIRST).limit(1)
_BY_ID: Final = _EVENTS.where(_event.c.id == bindparam("id"))
_AFTER: Final = (
    _EVENTS.where(_event.c.seq > bindparam("after")).order_by(_event.c.seq).limit(bindparam("limit"))
)
# By way of their seqs: asked for whole rows, SQLite walks the whole night instead of the index by round.
_SEQS_OF_ROUND: Final = select(_event.c.seq).where(_IN_NIGHT, _event.c.round == bindparam("round"))
_OF_ROUND: Final = _EVENTS.where(_event.c.seq.in_(_SEQS_OF_ROUND)).order_by(_event.c.seq)
_EVENT: Final = ", ".join(EventRow._fields)
_LAST_RECORDING: Final = _by_index(
    f"""
SELECT {_EVENT} FROM event {{event_recording}}
 WHERE night = :night AND seq <= :until AND {tables.RECORDING} ORDER BY seq DESC LIMIT 1
""",
    EventRow._fields,
)
_LAST_ROUND: Final = _by_index(
    """
SELECT round FROM event {event_by_round}
 WHERE night = :night AND seq <= :until AND round >= 0 ORDER BY round DESC, seq DESC LIMIT 1
""",
    ("round",),
)
_OF_KINDS: Final = _by_index(
    f"""
SELECT {_EVENT} FROM event {{event_by_kind}}
 WHERE night = :night AND seq <= :until AND {tables.RARE} AND kind IN :kinds ORDER BY seq
""",
    EventRow._fields,
    bindparam("kinds", expanding=True),
)
_REVOKE: Final = "revoke"
_IN_PAYMENTS: Final = (_payment.c.night == bindparam("night")) & (_payment.c.seq <= bindparam("until"))
_PAYMENTS: Final = (
    select(*(_payment.c[column] for column in PaymentRow._fields))
    .where(_IN_PAYMENTS, tuple_(_payment.c.seq, _payment.c.idx) > tuple_(bindparam("seq"), bindparam("idx")))
    .order_by(_payment.c.seq, _payment.c.idx)
    .limit(_PAGE)
)
_PAYMENTS_OF_ROUND: Final = _by_index(
    f"""
SELECT {", ".join(PaymentRow._fields)} FROM payment {{payment_by_round}}
 WHERE night = :night AND round = :round AND seq <= :until ORDER BY seq, idx
""",
    PaymentRow._fields,
)
_TOUCHED: Final = text("""
SELECT round, hash FROM event WHERE night = :night AND seq = :seq AND seq <= :until
UNION SELECT round, NULL FROM event WHERE night = :night AND seq > :seq AND seq <= :until
UNION SELECT round, NULL FROM payment WHERE night = :night AND seq > :seq AND seq <= :until
""")
"""The head that is asked about with its hash, if there is such an entry; and what came since."""
_ACCOUNTED_ROUNDS: Final = _by_index(
    f"""
SELECT round FROM payment WHERE night = :night AND seq <= :until
UNION SELECT round FROM event {{event_by_kind}}
 WHERE night = :night AND {tables.RARE} AND kind = 'dispute' AND seq <= :until
""",
    ("round",),
)
GLANCE: Final = _by_index(
    f"""
SELECT 'opening', 0, hash, NULL, NULL FROM night WHERE id = :night
UNION ALL SELECT 'head', seq, hash, NULL, NULL
  FROM (SELECT seq, hash FROM event WHERE night = :night ORDER BY seq DESC LIMIT 1) AS last
UNION ALL SELECT 'person', NULL, salt, player, name FROM person WHERE night = :night
UNION ALL SELECT 'revoked', seq, NULL, body, NULL FROM event {{event_by_kind}}
 WHERE night = :night AND {tables.RARE} AND kind = '{_REVOKE}'
""",
    ("what", "seq", "secret", "words", "name"),
)
"""What every request asks; a poll that finds nothing new asks no more. One row a fact: which it is, its seq, its
hash or salt, its text, and a name."""


class Reader:
    """What the log says. Every question is a short transaction of its own: writers wait for no more."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def night(self, night: str) -> NightRow | None:
        """A night, or None where there is none of that id."""
        rows = self.rows(_NIGHT, {"night": night})
        return NightRow(*rows[0]) if rows else None

    def secret_digest(self, night: str) -> bytes | None:
        """The digest of the secret that a night was opened with, if it was opened with one."""
        return next((digest for (digest,) in self.rows(_SECRET_DIGEST, {"night": night})), None)

    def nights(self) -> list[NightRow]:
        """All nights, the newest first."""
        return [NightRow(*row) for row in self.rows(_NIGHTS, {})]

    def people(self, night: str) -> list[Person]:
        """The players of a night, p1 first, erased ones included."""
        return [Person(*row) for row in self.rows(_PEOPLE, {"night": night})]

    def names(self, night: str) -> dict[str, str]:
        """The name of each player tag; an erased name is the tag itself."""
        return {person.player: person.name or person.player for person in self.people(night)}

    def generations(self, night: str) -> Counter[tuple[str, str | None]]:
        """How often each link of a night has been revoked, by role and player."""
        return _generations(
            night, ((event.seq, event.body) for event in self.events_of_kinds(night, (_REVOKE,)))
        )

    def head(self, night: str) -> Head:
        """The newest entry: seq 0 and the night's own hash when there is no event. Raises LookupError."""
        rows = self.rows(_HEAD, self._until(night))
        if rows:
            return Head(*rows[0])
        own = self.rows(_NIGHT_HASH, {"night": night})
        if not own:
            raise LookupError(f"no night {night}")
        return Head(0, own[0][0])

    def last(self, night: str) -> EventRow | None:
        """The newest event."""
        return self._one(_LAST, self._until(night))

    def last_recording(self, night: str) -> EventRow | None:
        """The newest event that recorded something about the play: not one of NOT_RECORDING."""
        return self._one(_LAST_RECORDING, self._until(night))

    def event_by_id(self, night: str, event: str) -> EventRow | None:
        """The event that a client made under this id."""
        return self._one(_BY_ID, self._until(night) | {"id": event})

    def events(self, night: str, *, after: int = 0, limit: int | None = None) -> list[EventRow]:
        """The events past a seq, in order, at most `limit` of them."""
        found: list[EventRow] = []
        limit = NO_LIMIT if limit is None else limit
        while limit > len(found):
            most = min(limit - len(found), _PAGE)
            page = self.rows(_AFTER, self._until(night) | {"after": after, "limit": most})
            found += map(EventRow._make, page)
            if len(page) < most:
                break
            after = found[-1].seq
        return found

    def events_of_round(self, night: str, round: int) -> list[EventRow]:
        """The events of one round, in order."""
        return self._all(_OF_ROUND, self._until(night) | {"round": round})

    def events_of_kinds(self, night: str, kinds: Sequence[str]) -> list[EventRow]:
        """The events of some kinds, in order; plays and passes are not among them."""
        return self._all(_OF_KINDS, self._until(night) | {"kinds": list(kinds)})

    def last_round(self, night: str) -> int:
        """The greatest number of a round so far, 0 if there is none."""
        rows = self.rows(_LAST_ROUND, self._until(night))
        return int(rows[0][0]) if rows else 0

    def glance(self, night: str) -> Glance | None:
        """A night from outside; None where there is none of that id."""
        outside = self._outside(night)
        return outside and Glance(outside.head, outside.names, _generations(night, outside.revoked))

    def before(self, night: str, event: str) -> tuple[Glance | None, EventRow | None]:
        """What whoever appends an event must know, as of one moment: the night from outside, and the event that has
        its id."""
        with self.at_once() as now:
            return now.glance(night), now.event_by_id(night, event)

    def touched_since(self, night: str, head: Head) -> set[int] | None:
        """The rounds that an event past a head, or a payment of one, belongs to; None where the chain has not gone
        through that head, an event's."""
        rows = self.rows(_TOUCHED, self._until(night) | {"seq": head.seq})
        passed = any(hash == head.hash for _, hash in rows)
        return {round for round, hash in rows if hash is None} if passed else None

    def accounted_rounds(self, night: str) -> list[int]:
        """The rounds that have payments or disputes, in order; 0 for those that belong to none."""
        return sorted(round for (round,) in self.rows(_ACCOUNTED_ROUNDS, self._until(night)))

    def payments(self, night: str) -> list[PaymentRow]:
        """All payments by (seq, idx). Round 0 holds what belongs to no round."""
        found: list[PaymentRow] = []
        last = {"seq": 0, "idx": 0}
        while page := self.rows(_PAYMENTS, self._until(night) | last):
            found += map(PaymentRow._make, page)
            last = {"seq": found[-1].seq, "idx": found[-1].idx}
        return found

    def payments_of_round(self, night: str, round: int) -> list[PaymentRow]:
        """The payments of one round, by (seq, idx)."""
        rows = self.rows(_PAYMENTS_OF_ROUND, self._until(night) | {"round": round})
        return list(map(PaymentRow._make, rows))

    def balances(self, night: str) -> dict[str, int]:
        """The sum of each player's payments; players without any are left out."""
        sums: dict[str, int] = {}
        for side, sign in ((_payment.c.payee, 1), (_payment.c.payer, -1)):
            statement = (
                select(side, func.sum(_payment.c.points))
                .where(_payment.c.night == bindparam("night"), _payment.c.seq <= bindparam("until"))
                .group_by(side)
            )
            for player, points in self.rows(statement, self._until(night)):
                sums[player] = sums.get(player, 0) + sign * int(points)  # PostgreSQL sums to a decimal
        return sums

    @contextmanager
    def at_once(self) -> "Iterator[Reader]":
        """What is asked of this one is of the same moment, and a writer waits for the end of the block."""
        with self._moment() as connection:
            yield Reader(lambda: nullcontext(connection))

    def _until(self, night: str) -> dict[str, Any]:
        """The night that is asked about, and up to which entry."""
        return {"night": night, "until": NO_LIMIT}

    def _one(self, statement: Asked, values: Mapping[str, Any]) -> EventRow | None:
        return next(iter(self._all(statement, values)), None)

    def _all(self, statement: Asked, values: Mapping[str, Any]) -> list[EventRow]:
        return list(map(EventRow._make, self.rows(statement, values)))

    def rows(self, statement: Asked, values: Mapping[str, Any]) -> Sequence[Any]:
        """What a statement answers."""
        with self._moment() as connection:
            if isinstance(statement, dict):
                statement = statement[connection.dialect.name]
            return connection.execute(statement, values).all()

    def _outside(self, night: str) -> "_Outside | None":
        """A night from outside; None where there is none of that id."""
        heads: list[Head] = []
        people: list[Person] = []
        revoked: list[tuple[int, str]] = []
        for what, seq, secret, words, name in self.rows(GLANCE, {"night": night}):
            match what:
                case "person":
                    people.append(Person(words, name, secret))
                case "revoked":
                    revoked.append((seq, words))
                case _:
                    heads.append(Head(seq, secret))
        if not heads:
            return None
        # Nothing says in which order a database tells the parts of a union; p1 comes before p10.
        people.sort(key=lambda person: (len(person.player), person.player))
        return _Outside(max(heads, key=lambda head: head.seq), people, revoked)


class _Outside(NamedTuple):
    """A night from outside, as it lies in the database: of what was revoked the seqs and the texts."""

    head: Head
    people: list[Person]
    revoked: list[tuple[int, str]]

    @property
    def names(self) -> dict[str, str]:
        return {person.player: person.name or person.player for person in self.people}


class Snapshot(Reader):
    """The same, each night as it was when it was asked about first.

    What is recorded is never changed: whatever came up to an entry can be read at any later time, and nobody who
    records has to wait meanwhile. The names, which can be, are read with the head.
    """

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment)
        self._pins: dict[str, _Outside | None] = {}

    def before(self, night: str, event: str) -> tuple[Glance | None, EventRow | None]:
        with self.at_once() as now:
            self._pins[night] = now._outside(night)
            return self.glance(night), now.event_by_id(night, event)

    def people(self, night: str) -> list[Person]:
        outside = self._outside(night)
        return list(outside.people) if outside else []

    def head(self, night: str) -> Head:
        outside = self._outside(night)
        if outside is None:
            raise LookupError(f"no night {night}")
        return outside.head

    def generations(self, night: str) -> Counter[tuple[str, str | None]]:
        outside = self._outside(night)
        return _generations(night, outside.revoked if outside else ())

    def _until(self, night: str) -> dict[str, Any]:
        outside = self._outside(night)
        return {"night": night, "until": outside.head.seq if outside else 0}

    def _outside(self, night: str) -> _Outside | None:
        if night not in self._pins:
            self._pins[night] = super()._outside(night)
        return self._pins[night]


def _generations(night: str, revoked: Iterable[tuple[int, str]]) -> Counter[tuple[str, str | None]]:
    """How often each link of a night has been revoked, by the events that did so, each with its seq."""
    found = Counter[tuple[str, str | None]]()
    for seq, body in revoked:
        try:
            found.update(read_event(body).revoked)
        except BodyUnreadable as error:
            raise EntryUnreadable(night, seq, str(error)) from error
    return found
