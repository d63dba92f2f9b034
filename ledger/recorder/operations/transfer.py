"""Import and export of nights: as a replay (`.tln`), as the exact log, or as the tail that a restored backup lacks;
and of groups.

A log is verified by its chain, then by the audit, in a temporary database, as an installation is. Every import of a
log goes through this.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID, uuid4, uuid5

from marshmallow import Schema, ValidationError
from marshmallow.fields import Dict, Enum, String
from marshmallow.validate import Equal

from ledger.game.night import Joined, Night
from ledger.game.notation import write
from ledger.recorder.drafts import EventRequest
from ledger.recorder.events.people import NAMING, store_name
from ledger.recorder.fields import Request, TextKept, Time, TypedText, Uuid, Whole
from ledger.recorder.groups import MOST_ENTRIES, NAME, Entry, GroupEntryKind
from ledger.recorder.history import is_recording
from ledger.recorder.moves_file import events_of
from ledger.recorder.operations.audit import audit
from ledger.recorder.operations.backup import BackupRefused
from ledger.recorder.recording import Recorder
from ledger.recorder.terms import what_is_wrong
from ledger.store import (
    BodyUnreadable,
    ExactLog,
    Head,
    HeadCode,
    LogAltered,
    LogUnlinked,
    LogUnreadable,
    NightExists,
    Reader,
    Store,
    head_code,
    migrate,
    missing_tail,
    read_log,
    read_object,
    scratch,
    write_text,
)

_NO_KEY = bytes(32)
"""A temporary database never makes a link."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A log whose chain is intact and that follows the rules."""

    log: ExactLog
    code: str
    """The code of its head."""
    continues: str | None
    """The code of the entry that matches the known code, if one was given."""
    names: Mapping[str, str]
    """Player -> name, or the tag if the name was erased."""
    erased: tuple[str, ...]
    net: Mapping[str, int]
    remarks: tuple[str, ...]
    """Payments that an older version of the rules made differently."""

    @property
    def night(self) -> str:
        """The id of its night."""
        return self.log.night.id


class Unverified(Exception):
    """A log does not verify: the entry (0 is the night itself), and what is wrong with it."""

    def __init__(self, entry: int, what: str) -> None:
        super().__init__(f"entry {entry}: {what}")
        self.entry = entry
        self.what = what


def verify(lines: Iterable[str], known_code: HeadCode | None = None) -> Verified:
    """Verify an exact log, and that it contains the entry whose `known_code` a phone has seen.

    Raises Unverified; LogUnreadable if it is not an exact log.
    """
    try:
        log = read_log(lines)
        _require_names(log)
        with TemporaryDirectory(prefix="tienlen-verify-") as folder:
            url = f"sqlite:///{Path(folder) / 'ledger.db'}"
            migrate(url)
            with closing(Store.open(url, web=False)) as store:
                store.append_log(log)
                return _verified(store, log, known_code)
    except LogAltered as error:
        raise Unverified(error.entry, error.what) from error


def import_log(recorder: Recorder, lines: Iterable[str]) -> Verified:
    """Verify an exact log, then append its night, all of it or nothing.

    Raises Unverified, LogUnreadable, NightExists, StoreUnavailable.
    """
    verified = verify(lines)
    recorder.store.append_log(verified.log)
    return verified


def _require_names(log: ExactLog) -> None:
    """Raise Unverified for a name that no version accepted."""
    for person in log.people:
        try:
            if person.name is not None:
                TextKept().deserialize(person.name)
        except ValidationError as error:
            raise Unverified(0, f"the name of {person.player}: {', '.join(error.messages)}") from error


def _verified(store: Store, log: ExactLog, known_code: HeadCode | None) -> Verified:
    night, head = log.night.id, log.head
    with store.reading() as reader:
        continues = None if known_code is None else _continued(reader, night, head, known_code)
        people, balances = reader.people(night), reader.balances(night)
    remarks = []
    for difference in audit(Recorder(store, _NO_KEY)):
        if not difference.engine:
            raise Unverified(difference.seq, difference.what)
        remarks.append(f"entry {difference.seq}: {difference.what}")
    return Verified(
        log=log,
        code=head_code(*head),
        continues=None if continues is None else head_code(*continues),
        names={person.player: person.name or person.player for person in people},
        erased=tuple(person.player for person in people if person.name is None),
        net={person.player: balances.get(person.player, 0) for person in people},
        remarks=tuple(remarks),
    )


def _continued(reader: Reader, night: str, head: Head, known_code: HeadCode) -> Head:
    """The entry with the known code. Raises Unverified if there is none, or its code differs."""
    row = reader.night(night)
    assert row is not None
    entries = [Head(0, row.hash), *(Head(event.seq, event.hash) for event in reader.events(night))]
    if known_code.seq is None:
        found = next((entry for entry in reversed(entries) if known_code.is_of(entry.hash)), None)
        if found is None:
            raise Unverified(
                head.seq, "no entry has that code: the tail is missing, or the history is another"
            )
        return found
    if known_code.seq > head.seq:
        raise Unverified(
            head.seq, f"the tail is missing: the log ends here, and entry {known_code.seq} has been seen"
        )
    if not known_code.is_of(entries[known_code.seq].hash):
        raise Unverified(
            known_code.seq, f"not what was seen: its code is {head_code(*entries[known_code.seq])}"
        )
    return entries[known_code.seq]


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported night. `unsettled` are the rounds whose payments could not be posted yet."""

    night: str
    events: int
    unsettled: tuple[int, ...]


def export_tln(recorder: Recorder, night: str, *, with_payments: bool = False) -> str:
    """The canonical replay of a night; Problem (not found) if there is no such night."""
    with recorder.night(night) as snapshot:
        whole = snapshot.whole()
    return write(whole, with_payments=with_payments)


def import_tln(
    recorder: Recorder, night: Night, id: str | None = None, secret: bytes | None = None
) -> Imported:
    """Record a night that was read from a replay: judge every move, then append all in one transaction.

    Rounds that can be settled are settled. The night gets a new id unless one is given; raises NightExists if that
    is taken. `secret` is the client's, for its links.
    """
    id = id or str(uuid4())
    later = {entry.player for entry in night.entries if isinstance(entry, Joined)}
    state = recorder.open_recorded(
        id,
        _requests(id, night),
        terms=night.terms,
        players=[name for player, name in enumerate(night.names) if player not in later],
        secret=secret,
    )
    return Imported(id, state.head.seq, tuple(state.open_rounds))


def _requests(id: str, night: Night) -> Iterator[EventRequest]:
    after = id
    for number, (kind, content) in enumerate(events_of(night)):
        recording = is_recording(kind)
        request = EventRequest(str(uuid5(UUID(id), str(number))), after if recording else None, kind, content)
        yield request
        after = request.id if recording else after


@dataclass(frozen=True, slots=True)
class Tail:
    """The entries added to a night: those after the head `before`, up to the head `after`."""

    night: str
    before: Head
    after: Head


def add_tail(recorder: Recorder, lines: Iterable[str]) -> Tail:
    """Append the entries of an exact log after the head of its night in this database, all of them or none.

    A hash is not a signature: anyone can write a log with correct hashes. So the whole log is verified first, and
    only the host may do this. Raises BackupRefused if the log does not verify, does not link to the head, forks
    from it or adds nothing; LogUnreadable if it is not an exact log; StoreUnavailable.
    """
    try:
        log = verify(lines).log
    except Unverified as error:
        raise BackupRefused(f"entry {error.entry} of the log cannot be taken: {error.what}") from None
    night, people = log.night.id, {person.player: person for person in log.people}
    with recorder.store.reading() as reader:
        try:
            missing = missing_tail(reader, log)
        except LogUnlinked as error:
            raise BackupRefused(str(error)) from None
        before = reader.head(night)
    named = [event.body for event in missing if event.body.kind in NAMING]
    with recorder.store.writing(night, forgets=True, entries=len(missing)) as writer:
        if writer.head(night) != before:
            raise BackupRefused("somebody recorded in the night meanwhile: one is not the other's tail")
        for event in missing:
            writer.append(event)
        for body in named:
            store_name(writer, people[body.parts[0]["player"]], body.kind)
    return Tail(night, before, log.head)


def restore_night(recorder: Recorder, backup: Path, beginning: str, folder: Path) -> Tail:
    """Append what is missing of one night that a backup has: all of it, or the entries after its head here. The
    backup is copied to a folder to be read.

    The night is verified as any log. Raises what `import_log` and `add_tail` raise, and Problem or LookupError for
    a night that the backup does not have.
    """
    with scratch(backup, folder) as url, closing(Store.open(url, web=False)) as store:
        lines = list(store.export_log(Recorder(store, _NO_KEY).find_night(beginning)))
    try:
        log = import_log(recorder, lines).log
    except NightExists:
        return add_tail(recorder, lines)
    except Unverified as error:
        raise BackupRefused(
            f"entry {error.entry} of the night in {backup} is damaged: {error.what}"
        ) from None
    return Tail(log.night.id, Head(0, log.hash_at(0)), log.head)


GROUP_LINE: Final = '{"line":"group"'
"""The beginning of a file of groups: one entry per line. Their nights must be imported before.

{"line":"group","group":UUID,"seq":1,"kind":"named","night":null,"content":{"name":"Hội thứ sáu"},"at":TIME}
"""


class _Line(Request):
    line = String(required=True, validate=Equal("group"))
    group = Uuid(required=True)
    seq = Whole(1, MOST_ENTRIES, required=True)
    kind = Enum(GroupEntryKind, by_value=True, required=True)
    night = Uuid(required=True, allow_none=True)
    content = Dict(required=True)
    at = Time(required=True)


_LINE: Final = _Line()
_CONTENTS: Final[dict[GroupEntryKind, Schema]] = {
    GroupEntryKind.NAMED: Request.from_dict(
        {"name": TypedText(NAME.characters, "Hội thứ sáu", required=True)}
    )(),
    GroupEntryKind.JOINED: Request.from_dict(
        {"player": String(required=True), "same": String(required=True)}
    )(),
    GroupEntryKind.PARTED: Request.from_dict({"seq": Whole(1, MOST_ENTRIES, required=True)})(),
}
_NOTHING: Final = Request()


def export_groups(recorder: Recorder) -> Iterator[str]:
    """Export every group of an installation, one line per entry."""
    with recorder.snapshot() as snapshot:
        groups = snapshot.groups(snapshot.reader.groups())
    for group in groups.values():
        for entry in group.entries:
            yield write_text({"line": "group", "group": group.id, **_LINE.dump(entry)})


def read_groups(lines: Iterable[str]) -> dict[str, list[Entry]]:
    """Group -> its entries, from the lines of a file. Raises LogUnreadable at the first invalid line."""
    found: dict[str, list[Entry]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            read = _LINE.load(read_object(line))
            content = _CONTENTS.get(read["kind"], _NOTHING).load(read["content"])
        except ValidationError as error:
            raise LogUnreadable(number, what_is_wrong(error)) from None
        except BodyUnreadable as error:
            raise LogUnreadable(number, f"no JSON: {error}") from None
        entry = Entry(read["seq"], read["kind"], read["night"], content, read["at"])
        found.setdefault(read["group"], []).append(entry)
    return found
