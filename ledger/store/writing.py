"""Appending to the log. There is nothing else that one can do to it."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Final

from sqlalchemy import Connection, bindparam, insert, update

from ledger.store import tables
from ledger.store.chain import event_hash, night_hash
from ledger.store.errors import StoreNotConforming
from ledger.store.reading import Reader
from ledger.store.rows import EventRow, NewEvent, NewNight, NightRow, Person

_person: Final = tables.Person.__table__
_INSERT_NIGHT: Final = insert(tables.Night.__table__)
_INSERT_PERSON: Final = insert(_person)
_RENAME_PERSON: Final = (
    update(_person)
    .where(_person.c.night == bindparam("of_night"), _person.c.player == bindparam("of_player"))
    .values(name=bindparam("name"), salt=bindparam("salt"))
)
_ERASE_NAMES: Final = (
    update(_person).where(_person.c.night == bindparam("of_night")).values(name=None, salt=None)
)
_INSERT_EVENT: Final = insert(tables.Event.__table__)
_INSERT_PAYMENT: Final = insert(tables.Payment.__table__)
_INSERT_CORRECTION: Final = insert(tables.Correction.__table__)


def row_of(event: NewEvent) -> EventRow:
    """An event as it is stored: hashed, and its payments counted."""
    return EventRow(
        night=event.night,
        seq=event.seq,
        id=event.id,
        kind=event.kind,
        round=event.round,
        payment_count=len(event.payments),
        payment_total=sum(payment.points for payment in event.payments),
        body=event.body,
        prev=event.prev,
        hash=event_hash(event.prev, event.body),
    )


class Writer(Reader):
    """A transaction that may append, and sees what it has appended. All of it is kept, and synced, when its block
    ends; none if that raises."""

    def __init__(self, connection: Connection, forgets: bool) -> None:
        """`forgets` says whether it may take a name back: then nothing of that stays beside the database."""
        super().__init__(lambda: nullcontext(connection))
        self.connection = connection
        self.forgets = forgets

    def create_night(self, night: NewNight, people: Iterable[Person]) -> NightRow:
        """Open a night. Its players' names lie beside it, its text holds their commitments."""
        row = NightRow(night.id, night.format, night.body, night_hash(night.body), night.created_at)
        self.connection.execute(
            _INSERT_NIGHT,
            {
                "id": row.id,
                "format": row.format,
                "body": row.body,
                "hash": row.hash,
                "created_at": row.created_at,
                "secret_digest": night.secret_digest,
            },
        )
        for person in people:
            self.add_person(row.id, person)
        return row

    def add_person(self, night: str, person: Person) -> None:
        """Keep the name of one more player of a night; an event holds the commitment."""
        self.connection.execute(
            _INSERT_PERSON,
            {"night": night, "player": person.player, "name": person.name, "salt": person.salt},
        )

    def rename_person(self, night: str, person: Person) -> None:
        """Keep another name of a player in place of the one before."""
        assert self.forgets
        self.connection.execute(
            _RENAME_PERSON,
            {"of_night": night, "of_player": person.player, "name": person.name, "salt": person.salt},
        )

    def erase_names(self, night: str) -> None:
        """Erase the names of a night and their salts; what the log holds of them can be told by nobody then.

        Raises StoreNotConforming if they are there again: something in the database has put them back.
        """
        assert self.forgets
        self.connection.execute(_ERASE_NAMES, {"of_night": night})
        if any(person.name is not None or person.salt is not None for person in self.people(night)):
            raise StoreNotConforming((f"what erases a name of the night {night} writes it again",))

    def append(self, event: NewEvent) -> EventRow:
        """Append an event: its payments and corrections first, then the event, which seals them.

        The database refuses one that is not the next, or was made on another head: StoreRefused.
        """
        row = row_of(event)
        self._insert_payments(event)
        self._insert_corrections(event)
        self.connection.execute(_INSERT_EVENT, row._asdict())
        return row

    def _insert_payments(self, event: NewEvent) -> None:
        rows = [
            {
                "night": event.night,
                "seq": event.seq,
                "idx": idx,
                "payer": payment.payer,
                "payee": payment.payee,
                "points": payment.points,
                "reason": payment.reason,
                "clause": payment.clause,
                "round": payment.round,
                "cause": payment.cause,
                "reverses_seq": payment.reverses[0] if payment.reverses else None,
                "reverses_idx": payment.reverses[1] if payment.reverses else None,
            }
            for idx, payment in enumerate(event.payments)
        ]
        if rows:
            self.connection.execute(_INSERT_PAYMENT, rows)

    def _insert_corrections(self, event: NewEvent) -> None:
        rows = [
            {
                "night": event.night,
                "seq": event.seq,
                "part": correction.part,
                "target_seq": correction.target_seq,
                "target_part": correction.target_part,
            }
            for correction in event.corrections
        ]
        if rows:
            self.connection.execute(_INSERT_CORRECTION, rows)
