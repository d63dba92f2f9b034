"""Read-only use cases: the queries of pages, the interface and exports."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256

from ledger.recorder.cache import Cache, Kept, Made, size_of
from ledger.recorder.group_snapshot import GroupSnapshot
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.terms import read_night
from ledger.recorder.views.ledger import RoundAccount
from ledger.recorder.views.night import ChainHead, Frame, view_frame, view_head
from ledger.recorder.views.nights import Nights
from ledger.recorder.views.season import Season
from ledger.resources import release
from ledger.store import (
    EntryUnreadable,
    Link,
    Night,
    NightHead,
    Reader,
    Store,
    first_alteration,
    key_digest,
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


@dataclass(frozen=True, slots=True)
class Visit:
    """A valid link, and the head of its night when the link was checked."""

    link: Link
    night: NightHead

    def etag(self, language: str) -> str:
        """The ETag of the board: a digest of head, names, role, player and language."""
        names = sorted(self.night.names.items())
        shown = (self.night.head.hash.hex(), names, self.link.role, self.link.player, language)
        return sha256(repr(shown).encode()).hexdigest()[:32]


class Reading:
    """Read-only use cases over one store, one transaction each. Queries on one night go through its snapshot."""

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

    def read_tokens(self, tokens: Iterable[str]) -> dict[str, Visit]:
        """Token -> what it opens; tokens not made here, or revoked since, are left out."""
        key = require_key(self._key)
        links = {token: link for token in tokens if (link := read_token(key, token))}
        named = {link.night for link in links.values()}
        with self.store.reading() as reader:
            if len(named) > 1:
                reader.look_up(named)
            nights = {night: reader.night_head(night) for night in named}
        return {
            token: Visit(link, night)
            for token, link in links.items()
            if (night := nights[link.night]) is not None and night.holds(link)
        }

    def heads(self, nights: Iterable[str]) -> dict[str, ChainHead]:
        """Night -> the head of its chain, for those of some nights that exist."""
        with self.store.reading() as reader:
            return {night: view_head(mark.head) for night, mark in reader.marks(nights).items()}

    @contextmanager
    def together(self, nights: Iterable[str]) -> Iterator[Nights]:
        """Some nights at one moment, valid within the block; those that do not exist are left out."""
        with self.store.reading() as reader:
            yield Nights(reader, self._cache, nights)

    # A night

    @contextmanager
    def night(self, id: str) -> Iterator[NightSnapshot]:
        """A snapshot of a night, valid within the block; Problem (not found) if there is no such night."""
        with self.store.reading() as reader:
            yield NightSnapshot(reader, id, self._cache, self._key)

    def altered_entry(self, night: str) -> EntryUnreadable | None:
        """The first entry of a night that is not as it was recorded, by its hash; None if all are, or there is no
        such night. Each entry is hashed once: what was found is cached."""
        known: Kept[EntryUnreadable | None] | None = self._cache.get(night, EntryUnreadable)
        with self.store.reading() as reader:
            row = reader.night(night)
            if row is None:
                return None
            head = reader.head(night)
            if known is not None and (known.value is not None or known.head == head):
                return known.value
            found = first_alteration(reader, row, after=known.head.seq if known else -1)
        self._cache.keep(night, EntryUnreadable, head, found, size_of(found))
        return found

    @contextmanager
    def group(self, id: str) -> Iterator[GroupSnapshot]:
        """A snapshot of a group, valid within the block; Problem (not found) if there is no such group."""
        with self.store.reading() as reader:
            yield self.group_at(reader, id)

    def group_at(self, reader: Reader, id: str) -> GroupSnapshot:
        """A group at the moment of a reader; Problem (not found) if there is no such group."""
        return GroupSnapshot(reader, id, self._cache)

    def season(self, group: str, *, since: str = "", until: str = "") -> Season:
        """The season of a group (see `GroupSnapshot.season`); Problem if there is no such group."""
        with self.group(group) as snapshot:
            return snapshot.season(since=since, until=until)

    def account(
        self, actor: Link, write: Callable[[Frame, RoundAccount], Made], variant: Hashable = None
    ) -> tuple[Frame, dict[int, Made]]:
        """A night without its rounds, and the result of `write` for each round with payments or disputes. Results
        are cached: `write` is called only for rounds that have changed. It depends on its arguments and on
        `variant` alone, such as the language."""
        with self.night(actor.night) as night:
            names, rounds = night.names, night.rounds
            frame = view_frame(night.state, names, actor)

            def make(missing: Collection[int]) -> dict[int, Made | None]:
                some = (night.accounts[number] for number in missing)
                return {
                    one.number: write(frame, one) if one.payments or one.disputes else None for one in some
                }

            numbers, called = range(rounds.newest + 1), tuple(names.items())
            made = rounds.kept(write, numbers, make, variant=variant, names=called)
        return frame, {number: one for number, one in made.items() if one is not None}


def _listed(row: Night, names: Iterable[str]) -> ListedNight:
    try:
        ruleset, wrong = read_night(row).terms.ruleset.id, ""
    except EntryUnreadable as error:
        ruleset, wrong = None, error.what
    return ListedNight(row.id, row.created_at, tuple(names), ruleset, wrong)
