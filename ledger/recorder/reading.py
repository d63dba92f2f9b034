"""Read-only use cases: the queries of pages, the interface and exports."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from ledger.recorder.cache import Cache, CacheEntry, size_of
from ledger.recorder.group_snapshot import GroupSnapshot
from ledger.recorder.groups import Group, read_groups
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.terms import read_night
from ledger.recorder.views.night import ChainHead, view_head
from ledger.recorder.views.nights import Nights
from ledger.resources import release
from ledger.store import (
    EntryUnreadable,
    GroupLink,
    Link,
    Night,
    Store,
    first_alteration,
    key_digest,
    read_group_token,
    read_token,
    require_key,
)

_SHORTEST = 4
"""Least characters of an id's beginning that name a night: a typo must not print another night's links."""
_MOST_NAMED = 4
"""How many nights an error names, if several begin alike."""


@dataclass(frozen=True, slots=True)
class ListedNight:
    """A night of the installation."""

    id: str
    created_at: str
    names: tuple[str, ...]
    ruleset: str | None
    """The preset of its ruleset; None if the night's own text cannot be read."""
    wrong: str
    """Why it cannot be read; otherwise empty."""


class Snapshot(AbstractContextManager["Snapshot"]):
    """All nights and groups of a store at one moment, until it is closed; as a block, at the end of the block."""

    def __init__(self, store: Store, cache: Cache, key: bytes | None) -> None:
        self._transaction = store.reading()
        self.reader = self._transaction.__enter__()
        self._cache = cache
        self._key = key
        self._nights: dict[str, NightSnapshot] = {}

    def close(self) -> None:
        """End its transaction. Raises StoreUnavailable."""
        self.__exit__(None, None, None)

    def __exit__(self, *error: Any) -> None:
        self._transaction.__exit__(*error)

    def night(self, id: str) -> NightSnapshot:
        """A night; Problem (not found) if there is no such night."""
        if id not in self._nights:
            self._nights[id] = NightSnapshot(self.reader, id, self._cache, self._key)
        return self._nights[id]

    def nights(self, ids: Iterable[str]) -> Nights:
        """Some nights; those that do not exist are left out."""
        return Nights(self.reader, self._cache, ids)

    def read_tokens(self, tokens: Iterable[str]) -> dict[str, Link]:
        """Token -> the link to a night that it is; tokens not made here, or revoked since, are left out."""
        key = require_key(self._key)
        links = {token: link for token in tokens if (link := read_token(key, token))}
        named = {link.night for link in links.values()}
        if len(named) > 1:
            self.reader.look_up(named)
        heads = {night: self.reader.night_head(night) for night in named}
        return {
            token: link
            for token, link in links.items()
            if (head := heads[link.night]) is not None and head.holds(link)
        }

    def group(self, id: str) -> GroupSnapshot:
        """A group; Problem (not found) if there is no such group."""
        return GroupSnapshot(self.reader, id, self._cache)

    def groups(self, ids: Iterable[str]) -> dict[str, Group]:
        """Id -> group, for those of some groups that exist."""
        return read_groups(self.reader, self._cache, ids)

    def groups_of(self, night: str) -> list[Group]:
        """The groups that have a night."""
        groups = self.groups(self.reader.groups_of(night))
        return [group for group in groups.values() if night in group.nights]

    def read_group_tokens(self, tokens: Iterable[str]) -> dict[str, GroupLink]:
        """Token -> the link to a group that it is; tokens not made here, or made before the last renewal, are left
        out."""
        key = require_key(self._key)
        links = {token: link for token in tokens if (link := read_group_token(key, token))}
        groups = self.groups(link.group for link in links.values()) if links else {}
        return {
            token: link
            for token, link in links.items()
            if (group := groups.get(link.group)) and link.generation == group.generation
        }


class Reading:
    """Read-only use cases over one store. Queries on nights and groups go through a snapshot."""

    def __init__(self, store: Store, key: bytes | None) -> None:
        """`key` signs links; without it, making or reading a link raises StoreAddressUnusable."""
        self.store = store
        self._key = key
        self._cache = Cache()

    def has_another_key(self) -> bool:
        """Whether the links of these nights were made with another key, so that none is valid here."""
        noted = self.store.key_digest()
        return noted is not None and noted != key_digest(require_key(self._key))

    def status(self) -> dict[str, object]:
        """The version of this installation, what its database holds, and how that differs from what this version
        expects, by name, without personal data."""
        described = asdict(self.store.describe())
        return {"version": release(), **described, "differences": list(self.store.differences())}

    # Nights and links

    def nights(self) -> list[ListedNight]:
        """All nights, the newest first."""
        with self.store.reading() as reader:
            rows = reader.nights()
            reader.look_up(row.id for row in rows)
            return [_listed(row, reader.names(row.id).values()) for row in rows]

    def find_night(self, name: str) -> str:
        """The id of the night whose id is `name` or begins with it. Raises LookupError, with a message, if the
        beginning is too short or ambiguous; Problem if there is no such night."""
        with self.store.reading() as reader:
            found = reader.nights_from(name, _MOST_NAMED + 1)
        if name in found:
            return name
        if len(name) < _SHORTEST:
            raise LookupError(f"name a night by its id, or by the first {_SHORTEST} characters of it or more")
        if not found:
            raise Problem(ProblemCode.NOT_FOUND)
        if len(found) > 1:
            more = " …" if len(found) > _MOST_NAMED else ""
            raise LookupError(f"{name} begins more than one night: {', '.join(found[:_MOST_NAMED])}{more}")
        return found[0]

    def heads(self, nights: Iterable[str]) -> dict[str, ChainHead]:
        """Night -> the head of its chain, for those of some nights that exist."""
        with self.store.reading() as reader:
            return {night: view_head(mark.head) for night, mark in reader.marks(nights).items()}

    def snapshot(self) -> Snapshot:
        """A snapshot, which its caller closes. Raises StoreUnavailable."""
        return Snapshot(self.store, self._cache, self._key)

    @contextmanager
    def night(self, id: str) -> Iterator[NightSnapshot]:
        """A snapshot of a night, valid within the block; Problem (not found) if there is no such night."""
        with self.snapshot() as snapshot:
            yield snapshot.night(id)

    def altered_entry(self, night: str) -> EntryUnreadable | None:
        """The first entry of a night that is not as it was recorded, by its hash; None if all are, or there is no
        such night. Each entry is hashed once: what was found is cached."""
        known: CacheEntry[EntryUnreadable | None] | None = self._cache.get(night, EntryUnreadable)
        with self.store.reading() as reader:
            row = reader.night(night)
            if row is None:
                return None
            head = reader.head(night)
            if known is not None and (known.value is not None or known.head == head):
                return known.value
            found = first_alteration(reader, row, after=known.head.seq if known else -1)
        self._cache.put(night, EntryUnreadable, head, found, size_of(found))
        return found


def _listed(row: Night, names: Iterable[str]) -> ListedNight:
    try:
        ruleset, wrong = read_night(row).terms.ruleset.id, ""
    except EntryUnreadable as error:
        ruleset, wrong = None, error.what
    return ListedNight(row.id, row.created_at, tuple(names), ruleset, wrong)
