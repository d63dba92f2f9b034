"""Reading the log: one transaction's view of it. Core statements, made once; rows come out as plain values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Connection,
    Executable,
    TextClause,
    bindparam,
    func,
    select,
    text,
)

from ledger.store import tables
from ledger.store.bodies import BodyUnreadable, read_event
from ledger.store.databases import for_each_system, straight
from ledger.store.errors import EntryUnreadable
from ledger.store.rows import EventRow, Glance, Head, NightRow, PaymentRow, Person

_night: Final = tables.Night.__table__
_event: Final = tables.Event.__table__
_payment: Final = tables.Payment.__table__
_person: Final = tables.Person.__table__


def _by_index(index: str, where: str, *parameters: BindParameter[Any]) -> dict[str, TextClause]:
    """Events by way of an index, for each database system.

    SQLite is told outright: its planner would walk along the primary key, over whatever else came.
    """
    columns = ", ".join(_event.c.keys())
    return {
        system: text(f"SELECT {columns} FROM event {hint} WHERE {where}").bindparams(*parameters)
        for system, hint in (("sqlite", f"INDEXED BY {index}"), ("postgresql", ""))
    }


_IN_NIGHT: Final = _event.c.night == bindparam("night")
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
_LAST_RECORDING: Final = _by_index(
    "event_recording", f"night = :night AND {tables.RECORDING} ORDER BY seq DESC LIMIT 1"
)
_LAST_ROUND: Final = select(func.max(_event.c.round)).where(_IN_NIGHT)
_BY_ID: Final = _EVENTS.where(_event.c.id == bindparam("id"))
_AFTER: Final = _EVENTS.where(_event.c.seq > bindparam("after")).order_by(_event.c.seq)
_PAGE_AFTER: Final = for_each_system(
    "SELECT {} FROM event WHERE night = :night AND seq > :after ORDER BY seq LIMIT :limit".format(
        ", ".join(_event.c.keys())
    )
)
"""What an audit asks of everything there is."""
# By way of their seqs: asked for whole rows, SQLite walks the whole night instead of the index by round.
_SEQS_OF_ROUND: Final = select(_event.c.seq).where(_IN_NIGHT, _event.c.round == bindparam("round"))
_OF_ROUND: Final = _EVENTS.where(_event.c.seq.in_(_SEQS_OF_ROUND)).order_by(_event.c.seq)
_OF_KINDS: Final = _by_index(
    "event_by_kind",
    f"night = :night AND {tables.RARE} AND kind IN :kinds ORDER BY seq",
    bindparam("kinds", expanding=True),
)
_REVOKE: Final = "revoke"
_PAYMENTS: Final = (
    select(*_payment.c[1:])
    .where(_payment.c.night == bindparam("night"))
    .order_by(_payment.c.seq, _payment.c.idx)
)
_PAYMENTS_OF_ROUND: Final = for_each_system(f"""
SELECT {", ".join(PaymentRow._fields)} FROM payment INDEXED BY payment_by_round
 WHERE night = :night AND round = :round ORDER BY seq, idx
""")


@dataclass(frozen=True, slots=True)
class Reader:
    """What the log says, as of the moment at which its transaction began."""

    connection: Connection

    def night(self, night: str) -> NightRow | None:
        """A night, or None where there is none of that id."""
        row = self.connection.execute(_NIGHT, {"night": night}).one_or_none()
        return NightRow(*row) if row else None

    def secret_digest(self, night: str) -> bytes | None:
        """The digest of the secret that a night was opened with, if it was opened with one."""
        found: bytes | None = self.connection.execute(_SECRET_DIGEST, {"night": night}).scalar_one_or_none()
        return found

    def nights(self) -> list[NightRow]:
        """All nights, the newest first."""
        return [NightRow(*row) for row in self.connection.execute(_NIGHTS)]

    def people(self, night: str) -> list[Person]:
        """The players of a night, p1 first, erased ones included."""
        return [Person(*row) for row in self.connection.execute(_PEOPLE, {"night": night})]

    def names(self, night: str) -> dict[str, str]:
        """The name of each player tag; an erased name is the tag itself."""
        return {person.player: person.name or person.player for person in self.people(night)}

    def generations(self, night: str) -> Counter[tuple[str, str | None]]:
        """How often each link of a night has been revoked, by role and player."""
        return _generations(
            night, ((event.seq, event.body) for event in self.events_of_kinds(night, (_REVOKE,)))
        )

    def before(self, night: str, event: str) -> tuple[Glance | None, EventRow | None]:
        """What whoever appends an event must know: the night, if there is one, and the event that has its id."""
        asked = {"night": night, "event": event}
        rows = straight(self.connection, BEFORE, asked)
        again = [row for row in rows if row[0] == "again"]
        glance = read_glance(night, [row for row in rows if row[0] != "again"])
        return glance, self.event_by_id(night, event) if again else None

    def head(self, night: str) -> Head:
        """The newest entry: seq 0 and the night's own hash when there is no event. Raises LookupError."""
        row = self.connection.execute(_HEAD, {"night": night}).one_or_none()
        if row:
            return Head(*row)
        own = self.connection.execute(_NIGHT_HASH, {"night": night}).scalar_one_or_none()
        if own is None:
            raise LookupError(f"no night {night}")
        return Head(0, own)

    def last(self, night: str) -> EventRow | None:
        """The newest event."""
        return self._one(_LAST, {"night": night})

    def last_recording(self, night: str) -> EventRow | None:
        """The newest event that recorded something about the play: not one of NOT_RECORDING."""
        return self._one(_LAST_RECORDING[self.connection.dialect.name], {"night": night})

    def event_by_id(self, night: str, event: str) -> EventRow | None:
        """The event that a client made under this id."""
        return self._one(_BY_ID, {"night": night, "id": event})

    def events(self, night: str, *, after: int = 0, limit: int | None = None) -> list[EventRow]:
        """The events past a seq, in order, at most `limit` of them."""
        if limit is None:
            return self._all(_AFTER, {"night": night, "after": after})
        page = straight(self.connection, _PAGE_AFTER, {"night": night, "after": after, "limit": limit})
        return list(map(EventRow._make, page))

    def events_of_round(self, night: str, round: int) -> list[EventRow]:
        """The events of one round, in order."""
        return self._all(_OF_ROUND, {"night": night, "round": round})

    def events_of_kinds(self, night: str, kinds: Sequence[str]) -> list[EventRow]:
        """The events of some kinds, in order; plays and passes are not among them."""
        return self._all(_OF_KINDS[self.connection.dialect.name], {"night": night, "kinds": list(kinds)})

    def last_round(self, night: str) -> int:
        """The greatest number of a round so far, 0 if there is none."""
        return self.connection.execute(_LAST_ROUND, {"night": night}).scalar_one() or 0

    def glance(self, night: str) -> Glance | None:
        """A night from outside; None where there is none of that id."""
        return read_glance(night, straight(self.connection, GLANCE, {"night": night}))

    def touched_since(self, night: str, head: Head) -> set[int] | None:
        """The rounds that an event past a head, or a payment of one, belongs to; None where the chain has not gone
        through that head, an event's."""
        rows = straight(self.connection, _TOUCHED, {"night": night, "seq": head.seq})
        passed = any(hash == head.hash for _, hash in rows)
        return {round for round, hash in rows if hash is None} if passed else None

    def accounted_rounds(self, night: str) -> list[int]:
        """The rounds that have payments or disputes, in order; 0 for those that belong to none."""
        return sorted(round for (round,) in straight(self.connection, _ACCOUNTED_ROUNDS, {"night": night}))

    def payments(self, night: str) -> list[PaymentRow]:
        """All payments by (seq, idx). Round 0 holds what belongs to no round."""
        return list(map(PaymentRow._make, self.connection.execute(_PAYMENTS, {"night": night}).all()))

    def payments_of_round(self, night: str, round: int) -> list[PaymentRow]:
        """The payments of one round, by (seq, idx)."""
        rows = straight(self.connection, _PAYMENTS_OF_ROUND, {"night": night, "round": round})
        return list(map(PaymentRow._make, rows))

    def balances(self, night: str) -> dict[str, int]:
        """The sum of each player's payments; players without any are left out."""
        sums: dict[str, int] = {}
        for column, sign in ((_payment.c.payee, 1), (_payment.c.payer, -1)):
            statement = (
                select(column, func.sum(_payment.c.points))
                .where(_payment.c.night == bindparam("night"))
                .group_by(column)
            )
            for player, points in self.connection.execute(statement, {"night": night}):
                sums[player] = sums.get(player, 0) + sign * int(points)  # PostgreSQL sums to a decimal
        return sums

    def _one(self, statement: Executable, values: dict[str, Any]) -> EventRow | None:
        row = self.connection.execute(statement, values).one_or_none()
        return EventRow._make(row) if row else None

    def _all(self, statement: Executable, values: dict[str, Any]) -> list[EventRow]:
        return list(map(EventRow._make, self.connection.execute(statement, values).all()))


_TOUCHED: Final = for_each_system("""
SELECT round, hash FROM event WHERE night = :night AND seq = :seq
UNION SELECT round, NULL FROM event WHERE night = :night AND seq > :seq
UNION SELECT round, NULL FROM payment WHERE night = :night AND seq > :seq
""")
"""The head that is asked about with its hash, if there is such an entry; and what came since."""
_ACCOUNTED_ROUNDS: Final = for_each_system(f"""
SELECT round FROM payment WHERE night = :night
UNION SELECT round FROM event INDEXED BY event_by_kind
 WHERE night = :night AND {tables.RARE} AND kind = 'dispute'
""")
_GLANCE: Final = f"""
SELECT 'opening', 0, hash, NULL, NULL FROM night WHERE id = :night
UNION ALL SELECT 'head', seq, hash, NULL, NULL
  FROM (SELECT seq, hash FROM event WHERE night = :night ORDER BY seq DESC LIMIT 1) AS last
UNION ALL SELECT 'person', NULL, NULL, player, name FROM person WHERE night = :night
UNION ALL SELECT 'revoked', seq, NULL, body, NULL FROM event INDEXED BY event_by_kind
 WHERE night = :night AND {tables.RARE} AND kind = '{_REVOKE}'
"""
"""One row a fact: which it is, its seq, its hash, its text, and a name."""
GLANCE: Final = for_each_system(_GLANCE)
"""What every request asks; a poll that finds nothing new asks no more."""
BEFORE: Final = for_each_system(
    f"{_GLANCE} UNION ALL SELECT 'again', seq, NULL, NULL, NULL FROM event WHERE night = :night AND id = :event"
)
"""What is asked before an event is appended."""


def read_glance(night: str, rows: Iterable[Sequence[Any]]) -> Glance | None:
    """What the rows of GLANCE say; None where there is no night of that id. Raises EntryUnreadable."""
    heads: list[Head] = []
    names: dict[str, str] = {}
    revoked: list[tuple[int, str]] = []
    for what, seq, hash, words, name in rows:
        match what:
            case "person":
                names[words] = name or words
            case "revoked":
                revoked.append((seq, words))
            case _:
                heads.append(Head(seq, hash))
    if not heads:
        return None
    # Nothing says in which order a database tells the parts of a union; p1 comes before p10.
    in_order = {player: names[player] for player in sorted(names, key=lambda player: (len(player), player))}
    return Glance(max(heads, key=lambda head: head.seq), in_order, _generations(night, revoked))


def _generations(night: str, revoked: Iterable[tuple[int, str]]) -> Counter[tuple[str, str | None]]:
    """How often each link of a night has been revoked, by the events that did so, each with its seq."""
    found = Counter[tuple[str, str | None]]()
    for seq, body in revoked:
        try:
            found.update(read_event(body).revoked)
        except BodyUnreadable as error:
            raise EntryUnreadable(night, seq, str(error)) from error
    return found
