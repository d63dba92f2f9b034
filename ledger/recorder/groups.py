"""Groups of people who play together: which nights are theirs, who is the same person in them, what opens them.

A group is a list of entries that is only added to, by whoever has its keeper's link. Who is whom is said of players
of nights: their names stay beside the nights, where they can be corrected and erased.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, assert_never

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
    Writer,
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
    """An entry of a group: its `content` beside its kind and its night."""

    seq: int
    kind: Kind
    night: str | None
    content: Mapping[str, Any]
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
        return str(
            next(entry.content["name"] for entry in reversed(self.entries) if entry.kind is Kind.NAMED)
        )

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
        parted = {entry.content["seq"] for entry in self.entries if entry.kind is Kind.PARTED}
        return {
            entry.seq: (Seat.read(entry.content["player"]), Seat.read(entry.content["same"]))
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
            if writer.group(id):
                return read_group(writer, id)
            called = Entry(1, Kind.NAMED, None, {"name": _readable(name)}, self._now())
            first = Entry(2, Kind.ADDED, night.night, {}, self._now())
            return _append(writer, _append(writer, Group(id, ()), called), first)

    def rename(self, link: GroupLink, name: str) -> None:
        """Call a group something else."""
        self._enter(link, Kind.NAMED, {"name": _readable(name)})

    def add(self, link: GroupLink, night: Link) -> None:
        """Make a night the group's, as the keeper of both asks."""
        _require_keeper(night)
        self._enter(link, Kind.ADDED, night=night.night)

    def remove(self, link: GroupLink, night: str) -> None:
        """Take a night out of a group; the night itself stays as it is."""
        self._enter(link, Kind.REMOVED, night=night)

    def join(self, link: GroupLink, player: Seat, same: Seat) -> None:
        """Say that a player of a night is the same person as another one, by whose name both go then. Problem where
        the two have sat at one table."""
        self._enter(link, Kind.JOINED, {"player": str(player), "same": str(same)})

    def part(self, link: GroupLink, seq: int) -> None:
        """Take back an entry that joined two."""
        self._enter(link, Kind.PARTED, {"seq": seq})

    def renew(self, link: GroupLink, last_seen: int) -> Group:
        """Make new links in the place of all that were handed out. `last_seen` is the seq that whoever asks has
        seen: a form that comes twice renews once."""
        return self._enter(link, Kind.RENEWED, last_seen=last_seen)

    def _enter(
        self,
        link: GroupLink,
        kind: Kind,
        content: Mapping[str, Any] | None = None,
        night: str | None = None,
        *,
        last_seen: int | None = None,
    ) -> Group:
        """Append an entry, if it changes something of the group as it is then. Problem (forbidden) for whoever only
        reads the group."""
        if not link.keeps:
            raise Problem(ProblemCode.FORBIDDEN)
        with self._store.writing(link.group) as writer:
            group = read_group(writer, link.group)
            entry = Entry(group.seq + 1, kind, night, content or {}, self._now())
            if last_seen in (None, group.seq) and _changes(group, entry, writer):
                group = _append(writer, group, entry)
            return group

    def take(self, id: str, entries: Sequence[Entry]) -> Group:
        """Carry a group in that was carried out of another installation, all of it or nothing.

        Raises GroupNotTaken at the first entry that no keeper could have made, and where the group is here already.
        """
        with self._store.writing(id, entries=len(entries)) as writer:
            if writer.group(id):
                raise GroupNotTaken(0, "it is here already")
            group = Group(id, ())
            for entry in entries:
                try:
                    if entry.seq != group.seq + 1 or not _changes(group, entry, writer):
                        raise GroupNotTaken(entry.seq, "it does not follow from those before it")
                except Problem as problem:
                    raise GroupNotTaken(entry.seq, problem.code) from None
                group = _append(writer, group, entry)
            return group


class GroupNotTaken(Exception):
    """A group cannot be carried in: the entry (0 is the group itself), and what is wrong there."""

    def __init__(self, entry: int, what: str) -> None:
        super().__init__(f"entry {entry}: {what}" if entry else what)
        self.entry = entry
        self.what = what


def _changes(group: Group, entry: Entry, reader: Reader) -> bool:
    """Whether an entry would change something of a group. Problem where it may not be made."""
    match entry.kind:
        case Kind.NAMED:
            return not group.entries or group.name != entry.content["name"]
        case _ if not group.entries:
            return False
        case Kind.ADDED:
            if entry.night is None or entry.night in group.nights or reader.night(entry.night) is None:
                return False
            if len(group.nights) >= MOST_NIGHTS:
                raise Problem(ProblemCode.GROUP_FULL)
            return True
        case Kind.REMOVED:
            return entry.night in group.nights
        case Kind.JOINED:
            return _joins(group, entry, reader)
        case Kind.PARTED:
            return entry.content["seq"] in group.joined
        case Kind.RENEWED:
            return True
    assert_never(entry.kind)


def _joins(group: Group, entry: Entry, reader: Reader) -> bool:
    pair = player, same = Seat.read(entry.content["player"]), Seat.read(entry.content["same"])
    if player == same or pair in group.joined.values():
        return False
    people = {night: named(reader, night) for night in group.ever}
    if not all(seat.player in people.get(seat.night, ()) for seat in pair):
        raise unreadable("player", "a player of this group")
    if sat_together(people, [*group.joined.values(), pair]):
        raise Problem(ProblemCode.SAT_TOGETHER)
    return True


def _append(writer: Writer, group: Group, entry: Entry) -> Group:
    if group.seq >= MOST_ENTRIES:
        raise Problem(ProblemCode.GROUP_FULL)
    body = json.dumps(entry.content, ensure_ascii=False)
    writer.add_to_group(
        GroupEntry(
            group_id=group.id, seq=entry.seq, kind=entry.kind, body=body, night=entry.night, at=entry.at
        )
    )
    return Group(group.id, (*group.entries, entry))


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
