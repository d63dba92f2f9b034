"""Exact logs from elsewhere: verified with nothing but the log, then taken, if they are to be.

A log is verified by its chain, then by the audit, in a database made for it and thrown away: what an audit finds in
an installation is found in a file the same way. Nothing else lets a log in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from marshmallow import ValidationError

from ledger.recorder.auditing import audit
from ledger.recorder.recording import Recorder
from ledger.recorder.schemas.logged import require_name
from ledger.store import ExactLog, Head, HeadCode, LogAltered, Reader, Store, head_code, migrate, read_log

_NO_KEY = bytes(32)
"""No link is ever made for a scratch database."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A log that is as it was recorded, and that the rules agree with."""

    log: ExactLog
    code: str
    """Of its head."""
    continues: str | None
    """The code of the entry at which it was held to what a phone saw, if it was."""
    names: Mapping[str, str]
    """A name that was erased is its tag."""
    erased: tuple[str, ...]
    net: Mapping[str, int]
    remarks: tuple[str, ...]
    """What an older version of the rules paid otherwise."""

    @property
    def night(self) -> str:
        """The id of its night."""
        return self.log.night.id


class Unverified(Exception):
    """A log does not verify: the entry (0 is the night itself), and what is wrong there."""

    def __init__(self, entry: int, what: str) -> None:
        super().__init__(f"entry {entry}: {what}")
        self.entry = entry
        self.what = what


def verify(lines: Iterable[str], seen: HeadCode | None = None) -> Verified:
    """Verify an exact log, and that it continues what a phone has `seen`.

    Raises Unverified; LogUnreadable where it is no such log.
    """
    try:
        log = read_log(lines)
        _require_names(log)
        return _verified_in_scratch(log, seen)
    except LogAltered as error:
        raise Unverified(error.entry, error.what) from error


def import_log(recorder: Recorder, lines: Iterable[str]) -> Verified:
    """Verify an exact log, then append its night: all of it or nothing.

    Raises Unverified, and what the store raises: LogUnreadable, NightExists, StoreUnavailable.
    """
    verified = verify(lines)
    recorder.store.append_log(verified.log)
    return verified


def _require_names(log: ExactLog) -> None:
    """Unverified for a name that no version took."""
    for person in log.people:
        try:
            if person.name is not None:
                require_name(person.name)
        except ValidationError as error:
            raise Unverified(0, f"the name of {person.player}: {', '.join(error.messages)}") from error


def _verified_in_scratch(log: ExactLog, seen: HeadCode | None) -> Verified:
    with TemporaryDirectory(prefix="tienlen-verify-") as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.db'}"
        migrate(url)
        store = Store.open(url, web=False)
        try:
            store.append_log(log)
            return _verified(store, log, seen)
        finally:
            store.close()


def _verified(store: Store, log: ExactLog, seen: HeadCode | None) -> Verified:
    night, head = log.night.id, log.head
    with store.reading() as reader:
        continues = None if seen is None else _continued(reader, night, head, seen)
        people, balances = reader.people(night), reader.balances(night)
    remarks = []
    for difference in audit(Recorder(store, _NO_KEY)):
        if not difference.engine:
            raise Unverified(difference.seq, difference.what)
        remarks.append(f"entry {difference.seq}: {difference.what}")
    return Verified(
        log=log,
        code=_code(head),
        continues=None if continues is None else _code(continues),
        names={person.player: person.name or person.player for person in people},
        erased=tuple(person.player for person in people if person.name is None),
        net={person.player: balances.get(person.player, 0) for person in people},
        remarks=tuple(remarks),
    )


def _continued(reader: Reader, night: str, head: Head, seen: HeadCode) -> Head:
    """The entry whose code was seen. Raises Unverified where there is none, or another one."""
    row = reader.night(night)
    assert row is not None
    entries = [Head(0, row.hash), *(Head(event.seq, event.hash) for event in reader.events(night))]
    if seen.seq is None:
        found = next((entry for entry in reversed(entries) if seen.is_of(entry.hash)), None)
        if found is None:
            raise Unverified(
                head.seq, "no entry has that code: the tail is missing, or the history is another"
            )
        return found
    if seen.seq > head.seq:
        raise Unverified(
            head.seq, f"the tail is missing: the log ends here, and entry {seen.seq} has been seen"
        )
    if not seen.is_of(entries[seen.seq].hash):
        raise Unverified(seen.seq, f"not what was seen: its code is {_code(entries[seen.seq])}")
    return entries[seen.seq]


def _code(head: Head) -> str:
    return head_code(head.seq, head.hash)
