"""Groups of people who play together: which nights are theirs, who is the same person in them, what opens them.

A group is a list of entries that is only added to, by whoever has its keeper's link. Who is whom is said of players
of nights: their names stay beside the nights, where they can be corrected and erased.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from marshmallow import ValidationError

from ledger.recorder.fields import TypedText
from ledger.recorder.members import Seat, sat_together
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.store import (
    GroupEntry,
    GroupLink,
    Link,
    Reader,
    Role,
    Store,
    derived_id,
    make_group_token,
    read_group_token,
    require_key,
)

NAME: Final = TypedText(40, "Hội thứ sáu")
"""What a group may be called. The name stays in the group's entries."""
MOST_NIGHTS: Final = 400
"""Of one group: a season's page reads all that it shows."""
MOST_ENTRIES: Final = 2000


class Kind(StrEnum):
    """What an entry of a group says."""

    NAMED = "named"
    ADDED = "added"
    """A night is the group's."""
    REMOVED = "removed"
    JOINED = "joined"
    """The player of a night is the same person as another one."""
    PARTED = "parted"
    """An earlier entry that joined two does not hold."""
    RENEWED = "renewed"
    """Links made before open nothing any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a group: what it `said` beside its kind and its night."""

    seq: int
    kind: Kind
    night: str | None
    said: Mapping[str, Any]
    at: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group as its entries have made it."""

    id: str
    entries: tuple[Entry, ...]

    @property
    def seq(self) -> int:
        """How many entries it has."""
        return len(self.entries)

    @property
    def name(self) -> str:
        """What it is called now."""
        return str(next(entry.said["name"] for entry in reversed(self.entries) if entry.kind is Kind.NAMED))

    @property
    def nights(self) -> list[str]:
        """The nights that are its own, in the order in which they were added."""
        found: dict[str, None] = {}
        for entry in self.entries:
            if entry.kind is Kind.ADDED and entry.night:
                found[entry.night] = None
            elif entry.kind is Kind.REMOVED and entry.night:
                found.pop(entry.night, None)
        return list(found)

    @property
    def ever(self) -> list[str]:
        """Every night that was ever added: a player who was joined is one of these."""
        return list(dict.fromkeys(entry.night for entry in self.entries if entry.night))

    @property
    def joined(self) -> dict[int, tuple[Seat, Seat]]:
        """Seq -> which player is the same person as which other one, as far as that still holds."""
        parted = {entry.said["seq"] for entry in self.entries if entry.kind is Kind.PARTED}
        return {
            entry.seq: (Seat.read(entry.said["player"]), Seat.read(entry.said["same"]))
            for entry in self.entries
            if entry.kind is Kind.JOINED and entry.seq not in parted
        }

    @property
    def generation(self) -> int:
        """How often its links have been renewed."""
        return sum(entry.kind is Kind.RENEWED for entry in self.entries)


@dataclass(frozen=True, slots=True)
class GroupTokens:
    """What opens a group: for whoever keeps it, and for whoever reads it."""

    keeps: str
    reads: str


class Groups:
    """The groups of a store."""

    def __init__(self, store: Store, key: bytes | None, now: Callable[[], str]) -> None:
        self._store = store
        self._key = key
        self._now = now

    # What is there

    def group(self, id: str) -> Group:
        """A group; Problem (not found) if there is none of that id."""
        with self._store.reading() as reader:
            return read_group(reader, id)

    def of_night(self, night: str) -> list[Group]:
        """The groups that have a night."""
        with self._store.reading() as reader:
            groups = [read_group(reader, id) for id in reader.groups_of(night)]
        return [group for group in groups if night in group.nights]

    def opened(self, tokens: Iterable[str]) -> dict[str, GroupLink]:
        """What each token opens; one that was not made here, or has been renewed since, is left out."""
        key = require_key(self._key)
        links = {token: link for token in tokens if (link := read_group_token(key, token))}
        if not links:
            return {}
        with self._store.reading() as reader:
            generations = {
                link.group: sum(row.kind == Kind.RENEWED for row in rows) if rows else None
                for link in links.values()
                for rows in [reader.group(link.group)]
            }
        return {token: link for token, link in links.items() if link.generation == generations[link.group]}

    def tokens(self, group: Group) -> GroupTokens:
        """The tokens of the links that a group has now."""
        key, generation = require_key(self._key), group.generation
        keeps, reads = (
            make_group_token(key, GroupLink(group.id, keeps, generation)) for keeps in (True, False)
        )
        return GroupTokens(keeps, reads)

    # What is entered

    def open(self, night: Link, form: str, name: str) -> Group:
        """Make a group of a night whose keeper asks for it. Asked again with the same `form`, a UUID, the answer is
        the same group."""
        _require_keeper(night)
        id = derived_id(require_key(self._key), f"group {night.night} {form}")
        with self._store.writing(id) as writer:
            if not writer.group(id):
                writer.add_to_group(self._row(id, 1, Kind.NAMED, {"name": _readable(name)}))
                writer.add_to_group(self._row(id, 2, Kind.ADDED, {}, night.night))
            return read_group(writer, id)

    def rename(self, link: GroupLink, name: str) -> None:
        """Call a group something else."""
        said = {"name": _readable(name)}
        self._enter(link, lambda group, _: None if group.name == said["name"] else (Kind.NAMED, said, None))

    def add(self, link: GroupLink, night: Link) -> None:
        """Make a night the group's, as the keeper of both asks."""
        _require_keeper(night)

        def entry(group: Group, _: Reader) -> _Wanted:
            if night.night in group.nights:
                return None
            if len(group.nights) >= MOST_NIGHTS:
                raise Problem(ProblemCode.GROUP_FULL)
            return Kind.ADDED, {}, night.night

        self._enter(link, entry)

    def remove(self, link: GroupLink, night: str) -> None:
        """Take a night out of a group; the night itself stays as it is."""
        self._enter(link, lambda group, _: (Kind.REMOVED, {}, night) if night in group.nights else None)

    def join(self, link: GroupLink, player: Seat, same: Seat) -> None:
        """Say that a player of a night is the same person as another one, by whose name both go then. Problem where
        the two have sat at one table."""

        def entry(group: Group, reader: Reader) -> _Wanted:
            if player == same or (player, same) in group.joined.values():
                return None
            people = {night: named(reader, night) for night in group.ever}
            if not all(seat.player in people.get(seat.night, ()) for seat in (player, same)):
                raise unreadable("player", "a player of this group")
            if sat_together(people, [*group.joined.values(), (player, same)]):
                raise Problem(ProblemCode.SAT_TOGETHER)
            return Kind.JOINED, {"player": str(player), "same": str(same)}, None

        self._enter(link, entry)

    def part(self, link: GroupLink, seq: int) -> None:
        """Take back an entry that joined two."""
        self._enter(link, lambda group, _: (Kind.PARTED, {"seq": seq}, None) if seq in group.joined else None)

    def renew(self, link: GroupLink, seen: int) -> Group:
        """Make new links in the place of all that were handed out. `seen` is the seq that whoever asks has seen: a
        form that comes twice renews once."""
        return self._enter(link, lambda group, _: (Kind.RENEWED, {}, None) if group.seq == seen else None)

    def _enter(self, link: GroupLink, entry: "Callable[[Group, Reader], _Wanted]") -> Group:
        """Append what a group as it is then gives reason for, which may be nothing. Problem (forbidden) for whoever
        only reads it."""
        if not link.keeps:
            raise Problem(ProblemCode.FORBIDDEN)
        with self._store.writing(link.group) as writer:
            group = read_group(writer, link.group)
            if wanted := entry(group, writer):
                if group.seq >= MOST_ENTRIES:
                    raise Problem(ProblemCode.GROUP_FULL)
                writer.add_to_group(self._row(group.id, group.seq + 1, *wanted))
                group = read_group(writer, group.id)
            return group

    def _row(
        self, id: str, seq: int, kind: Kind, said: Mapping[str, object], night: str | None = None
    ) -> GroupEntry:
        body = json.dumps(said, ensure_ascii=False)
        return GroupEntry(group_id=id, seq=seq, kind=kind, body=body, night=night, at=self._now())


_Wanted = tuple[Kind, Mapping[str, object], str | None] | None


def read_group(reader: Reader, id: str) -> Group:
    """A group; Problem (not found) if there is none of that id."""
    entries = tuple(
        Entry(row.seq, Kind(row.kind), row.night, json.loads(row.body), row.at) for row in reader.group(id)
    )
    if not entries:
        raise Problem(ProblemCode.NOT_FOUND)
    return Group(id, entries)


def named(reader: Reader, night: str) -> dict[str, str | None]:
    """The name of each player of a night, None for an erased one."""
    return {person.player: person.name for person in reader.people(night)}


def _require_keeper(link: Link) -> None:
    if link.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)


def _readable(name: str) -> str:
    """A group's name as it is kept. Problem where it can be none."""
    try:
        return str(NAME.deserialize(name))
    except ValidationError as error:
        raise Problem(ProblemCode.UNREADABLE, fields={"name": error.messages}) from None
