"""The log of the nights in a database: queries, and the only way to append to it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

import sqlalchemy as sql
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from ledger.store import statements
from ledger.store.errors import StoreNotConforming, StoreRefused
from ledger.store.event_codec import NewEvent
from ledger.store.heads import Head, NightHead, NightMark, NightNow, now_of
from ledger.store.models import GroupEntry, Night, Person, Row, StoredEvent

Found = TypeVar("Found")

NO_LIMIT: Final = 2**63 - 1
"""A seq greater than any event's, and more rows than any query finds."""


_MANY: Final = 500
"""Nights per statement: databases bound the number of its parameters."""


def in_parts(all: Iterable[Found], most: int = _MANY) -> Iterator[list[Found]]:
    """Different values in order, in parts of at most so many."""
    values = list(dict.fromkeys(all))
    for first in range(0, len(values), most):
        yield values[first : first + most]


class Reader:
    """Queries on the log in one transaction, so all of them see one moment.

    The kinds of events, and their meaning, are known only to the callers; that of revocations to the store.
    """

    def __init__(self, connection: sql.Connection) -> None:
        self.connection = connection
        self._nights: dict[str, NightNow | None] = {}
        self._rows: dict[str, Night] = {}
        self._touched: dict[tuple[str, Head], set[int] | None] = {}

    def night(self, night: str) -> Night | None:
        """A night, or None if there is none with that id. Read once: it never changes."""
        if night not in self._rows:
            self._rows |= {row.id: row for row in self.all(select(Night).where(Night.id == night))}
        return self._rows.get(night)

    def nights(self) -> list[Night]:
        """All nights, the newest first."""
        return self.all(select(Night).order_by(col(Night.created_at).desc(), col(Night.id)))

    def nights_from(self, beginning: str, most: int) -> list[str]:
        """The night ids that begin with `beginning`, in order, at most `most`."""
        begins = col(Night.id).startswith(beginning, autoescape=True)
        return self.all(select(Night.id).where(begins).order_by(col(Night.id)).limit(most))

    # Many nights: one statement for as many as its parameters can name

    def nights_of(self, nights: Iterable[str]) -> dict[str, Night]:
        """Id -> night, for those of some nights that exist."""
        wanted = list(nights)
        for some in in_parts(night for night in wanted if night not in self._rows):
            self._rows |= {row.id: row for row in self.all(select(Night).where(col(Night.id).in_(some)))}
        return {night: self._rows[night] for night in wanted if night in self._rows}

    def marks(self, nights: Iterable[str]) -> dict[str, NightMark]:
        """Night -> its mark, for those of some nights that exist."""
        return {
            night: NightMark(Head(seq, hash), newest, named)
            for some in in_parts(nights)
            for night, seq, hash, newest, named in self.rows(statements.MARKS, {"nights": some})
        }

    def look_up(self, nights: Iterable[str]) -> None:
        """Read the heads, people and revocations of some nights together, so that no later query of these on one of
        them needs a statement."""
        for some in in_parts(night for night in nights if night not in self._nights):
            found: dict[str, list[Any]] = {night: [] for night in some}
            for night, *fact in self.rows(statements.NOW_OF_NIGHTS, {"nights": some}):
                found[night].append(fact)
            self._nights |= {night: now_of(facts) for night, facts in found.items()}

    def events_of_nights(self, nights: Iterable[str]) -> dict[str, list[StoredEvent]]:
        """Night -> all its events, in order."""
        return self._events_of_nights(statements.OF_NIGHTS, nights)

    def events_of_kinds_of_nights(
        self, nights: Iterable[str], kinds: Sequence[str]
    ) -> dict[str, list[StoredEvent]]:
        """Night -> its events of some kinds, in order; plays and passes are never included."""
        return self._events_of_nights(statements.OF_NIGHTS_OF_KINDS, nights, kinds=list(kinds))

    def balances_of_nights(self, nights: Iterable[str]) -> dict[str, dict[str, int]]:
        """Night -> player -> the sum of their payments; players without payments are left out."""
        sums: dict[str, dict[str, int]] = {}
        for some in in_parts(nights):
            sums |= {night: {} for night in some}
            for night, player, points in self.rows(statements.BALANCES, {"nights": some}):
                # PostgreSQL sums to a decimal
                sums[night][player] = sums[night].get(player, 0) + int(points)
        return sums

    def _events_of_nights(
        self, statement: sql.Executable, nights: Iterable[str], **values: Any
    ) -> dict[str, list[StoredEvent]]:
        found: dict[str, list[StoredEvent]] = {}
        for some in in_parts(nights):
            found |= {night: [] for night in some}
            for row in self.rows(statement, {"nights": some, **values}):
                found[row.night].append(StoredEvent._make(row))
        return found

    # One night

    def people(self, night: str) -> list[Person]:
        """The players of a night, p1 first, erased ones included."""
        found = self._now(night)
        people = found.people if found else ()
        return [Person(night=night, player=player, name=name, salt=salt) for player, name, salt in people]

    def named(self, night: str) -> dict[str, str | None]:
        """Player -> name, None if it was erased; p1 first."""
        found = self._now(night)
        return {player: name for player, name, _ in found.people} if found else {}

    def names(self, night: str) -> dict[str, str]:
        """Player -> name, or the tag if the name was erased."""
        found = self._now(night)
        return found.names if found else {}

    def head(self, night: str) -> Head:
        """The head of a night. Raises LookupError if there is no such night."""
        found = self._now(night)
        if found is None:
            raise LookupError(f"no night {night}")
        return found.head

    def night_head(self, night: str) -> NightHead | None:
        """What every request needs of a night; None if there is none with that id."""
        found = self._now(night)
        return found and found.night_head(night)

    def last(self, night: str, *, but: Iterable[str] = ()) -> StoredEvent | None:
        """The newest event whose kind is not in `but`; None if there is none."""
        return next(iter(self._events(statements.LAST, night, but=list(but))), None)

    def event_by_id(self, night: str, event: str) -> StoredEvent | None:
        """The event with this id, which its client chose."""
        return next(iter(self._events(statements.BY_ID, night, id=event)), None)

    def events(self, night: str, *, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """The events after a seq, in order, at most `limit` of them."""
        return self._events(statements.AFTER, night, after=after, limit=NO_LIMIT if limit is None else limit)

    def events_of_rounds(self, night: str, rounds: Iterable[int]) -> list[StoredEvent]:
        """The events of some rounds, in order; 0 stands for no round."""
        return self._events(statements.OF_ROUNDS, night, rounds=list(rounds))

    def events_of_kinds(self, night: str, kinds: Sequence[str]) -> list[StoredEvent]:
        """The events of some kinds, in order; plays and passes are never included."""
        return self._events(statements.OF_KINDS, night, kinds=list(kinds))

    def last_round(self, night: str) -> int:
        """The greatest round number so far; 0 if there is none."""
        return next(iter(self._ask(statements.LAST_ROUND, night)), 0)

    def touched_since(self, night: str, head: Head) -> set[int] | None:
        """The rounds of the events after a head, and of their payments; None if that head is not an event of the
        chain. Read once: the moment stays the same."""
        if (night, head) not in self._touched:
            found = self.rows(statements.TOUCHED, {"night": night, "seq": head.seq})
            passed = any(hash == head.hash for _, hash in found)
            self._touched[night, head] = {round for round, hash in found if hash is None} if passed else None
        return self._touched[night, head]

    def balances(self, night: str) -> dict[str, int]:
        """Player -> the sum of their payments; players without payments are left out."""
        return self.balances_of_nights([night])[night]

    def group(self, group: str) -> list[GroupEntry]:
        """The entries of a group, in order; empty if there is no group with that id."""
        return self.all(select(GroupEntry).where(GroupEntry.group_id == group).order_by(col(GroupEntry.seq)))

    def entries_of_groups(self, groups: Iterable[str]) -> dict[str, list[GroupEntry]]:
        """Group -> its entries, in order, for those of some groups that exist."""
        return self._entries_of_groups(statements.OF_GROUPS, groups)

    def last_entries(self, groups: Iterable[str]) -> dict[str, GroupEntry]:
        """Group -> its last entry, for those of some groups that exist."""
        found = self._entries_of_groups(statements.LAST_OF_GROUPS, groups)
        return {group: last for group, (last,) in found.items()}

    def _entries_of_groups(
        self, statement: sql.Executable, groups: Iterable[str]
    ) -> dict[str, list[GroupEntry]]:
        found: dict[str, list[GroupEntry]] = {}
        for some in in_parts(groups):
            for row in self.rows(statement, {"groups": some}):
                found.setdefault(row.group_id, []).append(GroupEntry(**row._mapping))
        return found

    def groups(self) -> list[str]:
        """The ids of all groups."""
        return self.all(select(GroupEntry.group_id).distinct().order_by(GroupEntry.group_id))

    def groups_of(self, night: str) -> list[str]:
        """The ids of the groups that a night was ever added to."""
        return self.all(select(GroupEntry.group_id).where(GroupEntry.night == night).distinct())

    def all(self, statement: SelectOfScalar[Found], values: Mapping[str, Any] | None = None) -> list[Found]:
        """The results of a statement: models, or values of one column."""
        return list(self._session.exec(statement, params=values))

    @cached_property
    def _session(self) -> Session:
        return Session(self.connection)

    def rows(self, statement: sql.Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """The results of a statement, as tuples."""
        return self.connection.execute(statement, values).all()

    def _ask(self, statement: SelectOfScalar[Found], night: str, **values: Any) -> list[Found]:
        """The results of a statement on a night."""
        return self.all(statement, {"night": night, **values})

    def _events(self, statement: sql.Executable, night: str, **values: Any) -> list[StoredEvent]:
        """The events that a statement on a night selects."""
        return list(map(StoredEvent._make, self.rows(statement, {"night": night, **values})))

    def _now(self, night: str) -> NightNow | None:
        """A night at its head; None if there is none with that id. Read once: the moment stays the same."""
        if night not in self._nights:
            self._nights[night] = self._read_now(night)
        return self._nights[night]

    def _read_now(self, night: str) -> NightNow | None:
        return now_of(self.rows(statements.NOW, {"night": night}))


class Writer(Reader):
    """A transaction that may append, and sees what it has appended. It is committed and synced when its block ends,
    or rolled back if that raises."""

    def __init__(self, connection: sql.Connection, forgets: bool) -> None:
        """`forgets`: whether it may change or erase names; then no copy of them stays next to the database."""
        super().__init__(connection)
        self.forgets = forgets

    def create_night(self, night: Night, people: Iterable[Person]) -> None:
        """Insert a night and the names of its players, to which its text has commitments."""
        self._insert([night])
        self._insert(people)

    def add_person(self, person: Person) -> None:
        """Insert the name of a player who joins; the event has its commitment."""
        self._insert([person])

    def rename_person(self, person: Person) -> None:
        """Replace the name of a player."""
        assert self.forgets
        of_player = sql.update(Person).where(
            col(Person.night) == person.night, col(Person.player) == person.player
        )
        self.connection.execute(of_player.values(name=person.name, salt=person.salt))

    def erase_names(self, night: str, players: Collection[str] = ()) -> None:
        """Erase the names of some players of a night, of all without any, and their salts; without a salt, its
        commitment reveals nothing.

        Raises StoreNotConforming if one is still there: something in the database, such as a trigger, restored it.
        """
        assert self.forgets
        forgotten = set(players) or {person.player for person in self.people(night)}
        of_players = sql.update(Person).where(col(Person.night) == night, col(Person.player).in_(forgotten))
        self.connection.execute(of_players.values(name=None, salt=None))
        left = [person for person in self.people(night) if person.player in forgotten]
        if any(person.name is not None or person.salt is not None for person in left):
            raise StoreNotConforming((f"what erases a name of the night {night} writes it again",))

    def append(self, event: NewEvent, *, named: int = 0) -> None:
        """Append an event: first its payments and corrections, then the event, which seals them.

        Raises StoreRefused if it is not the next event, was made on another head, or if fewer than `named` names
        of the night are left: some were erased.
        """
        self._insert(event.payments())
        self._insert(event.corrections())
        row = event.row._asdict()
        if self.connection.execute(statements.APPEND, {**row, "of": row["night"]}).scalar_one() < named:
            raise StoreRefused("the names were erased meanwhile")

    def add_to_group(self, entry: GroupEntry) -> None:
        """Append an entry to a group. Raises StoreRefused if it is not the next."""
        self._insert([entry])

    def _now(self, night: str) -> NightNow | None:
        return self._read_now(night)

    def _insert(self, rows: Iterable[Row]) -> None:
        """Insert rows of one table in one statement, in the order given, which a session would not keep."""
        if rows := list(rows):
            self.connection.execute(statements.INSERT[type(rows[0])], [row.model_dump() for row in rows])
