"""Groups of people who play together: their nights, who is the same person in them, and their links.

A group is an append-only list of entries, recorded with its keeper's link. Entries name players by night and tag:
names stay with the nights, where they can be corrected and erased.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, assert_never

from marshmallow import ValidationError

from ledger.recorder.cache import Cache, CacheEntry, size_of
from ledger.recorder.fields import TypedText
from ledger.recorder.members import SeatRef, sat_together
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.store import (
    GroupEntry,
    GroupLink,
    Head,
    Link,
    Reader,
    Role,
    Store,
    StoreBusy,
    StoreRefused,
    derived_id,
    make_group_token,
    require_key,
)

NAME: Final = TypedText(40, "Hội thứ sáu")
"""The name of a group. It stays in the group's entries permanently."""
MOST_NIGHTS: Final = 400
"""Of one group: the season page reads every night that it shows."""
MOST_ENTRIES: Final = 2000
_TRIES: Final = 24
"""How often an entry is judged while others keep arriving first."""


class GroupEntryKind(StrEnum):
    """The kind of an entry of a group."""

    NAMED = "named"
    ADDED = "added"
    """A night belongs to the group."""
    REMOVED = "removed"
    JOINED = "joined"
    """The player of a night is the same person as another player."""
    PARTED = "parted"
    """An earlier `joined` entry no longer holds."""
    RENEWED = "renewed"
    """Links made before are void."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a group; `content` holds the fields of its kind."""

    seq: int
    kind: GroupEntryKind
    night: str | None
    content: Mapping[str, Any]
    at: str


@dataclass(frozen=True)
class Group:
    """A group: the fold of its entries."""

    id: str
    entries: tuple[Entry, ...]

    @property
    def seq(self) -> int:
        """How many entries it has."""
        return len(self.entries)

    @cached_property
    def name(self) -> str:
        """Its current name."""
        return str(
            next(
                entry.content["name"]
                for entry in reversed(self.entries)
                if entry.kind is GroupEntryKind.NAMED
            )
        )

    @cached_property
    def nights(self) -> list[str]:
        """The nights that belong to it, in the order in which they were added."""
        found: dict[str, None] = {}
        for entry in self.entries:
            if entry.kind is GroupEntryKind.ADDED and entry.night:
                found[entry.night] = None
            elif entry.kind is GroupEntryKind.REMOVED and entry.night:
                found.pop(entry.night, None)
        return list(found)

    @cached_property
    def ever(self) -> list[str]:
        """Every night ever added: joined players may be from any of them."""
        return list(dict.fromkeys(entry.night for entry in self.entries if entry.night))

    @cached_property
    def joined(self) -> dict[int, tuple[SeatRef, SeatRef]]:
        """Seq of a `joined` entry that still holds -> the two players who are the same person."""
        parted = {entry.content["seq"] for entry in self.entries if entry.kind is GroupEntryKind.PARTED}
        return {
            entry.seq: (SeatRef.read(entry.content["player"]), SeatRef.read(entry.content["same"]))
            for entry in self.entries
            if entry.kind is GroupEntryKind.JOINED and entry.seq not in parted
        }

    @cached_property
    def generation(self) -> int:
        """How often its links were renewed."""
        return sum(entry.kind is GroupEntryKind.RENEWED for entry in self.entries)


@dataclass(frozen=True, slots=True)
class GroupTokens:
    """The tokens of a group's links: its keeper's, and its readers'."""

    keeps: str
    reads: str


class Groups:
    """The groups of a store: what changes them, and the tokens of their links. A `Snapshot` reads them."""

    def __init__(self, store: Store, key: bytes | None, now: Callable[[], str], cache: Cache) -> None:
        self._store = store
        self._key = key
        self._now = now
        self._cache = cache

    def tokens(self, group: Group) -> GroupTokens:
        """The tokens of a group's current links."""
        key, generation = require_key(self._key), group.generation
        keeps, reads = (
            make_group_token(key, GroupLink(group.id, keeps, generation)) for keeps in (True, False)
        )
        return GroupTokens(keeps, reads)

    def open(self, night: Link, form: str, name: str) -> Group:
        """Make a group from a night, as its keeper. Repeated with the same `form`, a UUID, the request returns the
        same group."""
        _require_keeper(night)
        id = derived_id(require_key(self._key), f"group {night.night} {form}")
        named = {"name": _readable(name)}

        def first(reader: Reader, group: Group) -> Sequence[Entry]:
            at = self._now()
            named_first = Entry(1, GroupEntryKind.NAMED, None, named, at)
            return [] if group.entries else [named_first, Entry(2, GroupEntryKind.ADDED, night.night, {}, at)]

        return self._append(id, first)

    def rename(self, link: GroupLink, name: str) -> None:
        """Change the name of a group."""
        self._enter(link, GroupEntryKind.NAMED, {"name": _readable(name)})

    def add(self, link: GroupLink, night: Link) -> None:
        """Add a night to a group, as the keeper of both."""
        _require_keeper(night)
        self._enter(link, GroupEntryKind.ADDED, night=night.night)

    def remove(self, link: GroupLink, night: str) -> None:
        """Remove a night from a group; the night itself does not change."""
        self._enter(link, GroupEntryKind.REMOVED, night=night)

    def join(self, link: GroupLink, player: SeatRef, same: SeatRef) -> None:
        """Record that `player` is the same person as `same`, whose name both then have. Problem if the two have sat
        at one table."""
        self._enter(link, GroupEntryKind.JOINED, {"player": str(player), "same": str(same)})

    def part(self, link: GroupLink, seq: int) -> None:
        """Take back the `joined` entry with this seq."""
        self._enter(link, GroupEntryKind.PARTED, {"seq": seq})

    def renew(self, link: GroupLink, last_seen: int) -> Group:
        """Void all links handed out, and make new ones. `last_seen` is the last seq that the client saw, so a form
        sent twice renews once."""
        return self._enter(link, GroupEntryKind.RENEWED, last_seen=last_seen)

    def _enter(
        self,
        link: GroupLink,
        kind: GroupEntryKind,
        content: Mapping[str, Any] | None = None,
        night: str | None = None,
        *,
        last_seen: int | None = None,
    ) -> Group:
        """Append an entry, unless it changes nothing in the group by then. Problem (forbidden) for a reader's
        link."""
        if not link.keeps:
            raise Problem(ProblemCode.FORBIDDEN)

        def next_one(reader: Reader, group: Group) -> Sequence[Entry]:
            if not group.entries:
                raise Problem(ProblemCode.NOT_FOUND)
            entry = Entry(group.seq + 1, kind, night, content or {}, self._now())
            return [entry] if last_seen in (None, group.seq) and _changes(group, entry, reader) else []

        return self._append(link.group, next_one)

    def take(self, id: str, entries: Sequence[Entry]) -> Group:
        """Import a group from another installation, all of it or nothing.

        Raises GroupNotTaken at the first entry that no keeper could have made, and if the group is here already.
        """

        def all_of_it(reader: Reader, group: Group) -> Sequence[Entry]:
            if group.entries:
                raise GroupNotTaken(0, "it is here already")
            reader.look_up({entry.night for entry in entries if entry.night})
            for entry in entries:
                try:
                    if entry.seq != group.seq + 1 or not _changes(group, entry, reader):
                        raise GroupNotTaken(entry.seq, "it does not follow from those before it")
                    group = _with(group, entry)
                except Problem as problem:
                    raise GroupNotTaken(entry.seq, problem.code) from None
            return entries

        return self._append(id, all_of_it)

    def _append(self, id: str, judge: Callable[[Reader, Group], Sequence[Entry]]) -> Group:
        """Append the entries that `judge` makes of the group at one moment (a new one has no entries), all of them,
        if no entry has arrived meanwhile. Otherwise they are judged again; StoreBusy if entries keep arriving.

        The names of players may change meanwhile: that is as if they had changed afterwards.
        """
        for _ in range(_TRIES):
            with self._store.reading() as reader:
                before = read_groups(reader, self._cache, [id]).get(id) or Group(id, ())
                entries = judge(reader, before)
            after = before
            for entry in entries:
                after = _with(after, entry)
            if after is before:
                self._store.confirm(id)
                return before
            try:
                with self._store.writing(id, entries=len(entries)) as writer:
                    for entry in entries:
                        writer.add_to_group(_row(id, entry))
            except StoreRefused:
                with self._store.reading() as reader:
                    last = reader.last_entries([id]).get(id)
                if last is None or last.seq == before.seq:
                    raise
            else:
                _cache_group(self._cache, after)
                return after
        raise StoreBusy("the group changed each time before the entry could be recorded")


class GroupNotTaken(Exception):
    """A group cannot be imported: the entry (0 is the group itself), and what is wrong with it."""

    def __init__(self, entry: int, what: str) -> None:
        super().__init__(f"entry {entry}: {what}" if entry else what)
        self.entry = entry
        self.what = what


def _changes(group: Group, entry: Entry, reader: Reader) -> bool:
    """Whether an entry would change a group. Problem if it is not allowed."""
    match entry.kind:
        case GroupEntryKind.NAMED:
            return not group.entries or group.name != entry.content["name"]
        case _ if not group.entries:
            return False
        case GroupEntryKind.ADDED:
            if entry.night is None or entry.night in group.nights or reader.night(entry.night) is None:
                return False
            if len(group.nights) >= MOST_NIGHTS:
                raise Problem(ProblemCode.GROUP_FULL)
            return True
        case GroupEntryKind.REMOVED:
            return entry.night in group.nights
        case GroupEntryKind.JOINED:
            return _joins(group, entry, reader)
        case GroupEntryKind.PARTED:
            return entry.content["seq"] in group.joined
        case GroupEntryKind.RENEWED:
            return True
    assert_never(entry.kind)


def _joins(group: Group, entry: Entry, reader: Reader) -> bool:
    pair = player, same = SeatRef.read(entry.content["player"]), SeatRef.read(entry.content["same"])
    if player == same or pair in group.joined.values():
        return False
    reader.look_up(group.ever)
    people = {night: reader.named(night) for night in group.ever}
    if not all(seat.player in people.get(seat.night, ()) for seat in pair):
        raise unreadable("player", "a player of this group")
    if sat_together(people, [*group.joined.values(), pair]):
        raise Problem(ProblemCode.SAT_TOGETHER)
    return True


def _with(group: Group, entry: Entry) -> Group:
    """A group with one more entry. Problem if it has as many as it may."""
    if group.seq >= MOST_ENTRIES:
        raise Problem(ProblemCode.GROUP_FULL)
    return Group(group.id, (*group.entries, entry))


def _row(group: str, entry: Entry) -> GroupEntry:
    body = json.dumps(entry.content, ensure_ascii=False)
    return GroupEntry(
        group_id=group, seq=entry.seq, kind=entry.kind, body=body, night=entry.night, at=entry.at
    )


def read_group(reader: Reader, cache: Cache, id: str) -> Group:
    """A group; Problem (not found) if there is none of that id."""
    group = read_groups(reader, cache, [id]).get(id)
    if group is None:
        raise Problem(ProblemCode.NOT_FOUND)
    return group


def read_groups(reader: Reader, cache: Cache, ids: Iterable[str]) -> dict[str, Group]:
    """Id -> group, for those of some groups that exist. A cached one is valid while its last entry is the last."""
    ids, found = list(dict.fromkeys(ids)), {}
    for id, last in reader.last_entries(ids).items():
        known: CacheEntry[Group] | None = cache.get(id, Group)
        if known and known.value.entries[-1] == _entry(last):
            found[id] = known.value
    missing = [id for id in ids if id not in found]
    for id, rows in reader.entries_of_groups(missing).items() if missing else ():
        found[id] = Group(id, tuple(map(_entry, rows)))
        _cache_group(cache, found[id])
    return found


def _cache_group(cache: Cache, group: Group) -> None:
    cache.put(group.id, Group, Head(group.seq, b""), group, size_of(group))


def _entry(row: GroupEntry) -> Entry:
    return Entry(row.seq, GroupEntryKind(row.kind), row.night, json.loads(row.body), row.at)


def _require_keeper(link: Link) -> None:
    if link.role is not Role.KEEPER:
        raise Problem(ProblemCode.FORBIDDEN)


def _readable(name: str) -> str:
    """A group's name, normalized. Problem if it is invalid."""
    try:
        return str(NAME.deserialize(name))
    except ValidationError as error:
        raise Problem(ProblemCode.UNREADABLE, fields={"name": error.messages}) from None
