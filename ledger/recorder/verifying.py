"""Verifying an exact log with nothing but the log: its chain, then the audit, in a database made for it and thrown
away. What an audit finds in an installation is found in a file the same way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.recorder.auditing import audit
from ledger.recorder.recording import Recorder
from ledger.store import Head, HeadCode, LogAltered, Reader, Store, head_code, migrate

_NO_KEY = bytes(32)
"""No link is ever made for a scratch database."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A log that is as it was recorded, and that the rules agree with."""

    night: str
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
    with TemporaryDirectory(prefix="tienlen-verify-") as folder:
        url = f"sqlite:///{Path(folder) / 'ledger.db'}"
        migrate(url)
        store = Store.open(url, web=False)
        try:
            night, head = store.import_log(lines)
            return _verified(store, night, head, seen)
        except LogAltered as error:
            raise Unverified(error.entry, error.what) from error
        finally:
            store.close()


def _verified(store: Store, night: str, head: Head, seen: HeadCode | None) -> Verified:
    with store.reading() as reader:
        continues = None if seen is None else _continued(reader, night, head, seen)
        people, balances = reader.people(night), reader.balances(night)
    remarks = []
    for difference in audit(Recorder(store, _NO_KEY)):
        if not difference.engine:
            raise Unverified(difference.seq, difference.what)
        remarks.append(f"entry {difference.seq}: {difference.what}")
    return Verified(
        night=night,
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
