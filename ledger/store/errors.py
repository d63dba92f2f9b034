"""The store's exceptions. After each of them nothing was recorded, except StoreUncertain, after which something may
have been."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS


class StoreError(Exception):
    """The base of all errors of the store; its text is one line for the host."""


class StoreUnavailable(StoreError):
    """The store cannot work now: the interface answers 503 with `Retry-After`."""


class StoreBusy(StoreUnavailable):
    """The database was in use for longer than the time limit."""


class StoreFull(StoreUnavailable):
    """No room is left on the disk."""


class StoreReadOnly(StoreUnavailable):
    """The database, its lock file or their folder cannot be written."""


class StoreFailing(StoreUnavailable):
    """The database cannot be opened, or reading or writing it fails below SQL (an I/O error)."""


class StoreUncertain(StoreUnavailable):
    """The database was lost, or did not answer, during a commit: it is unknown whether the entry was recorded.
    Sending it again under the same id is safe: it is recorded once."""


class StoreStandbyAway(StoreUnavailable):
    """Commits wait for a standby, and it is not connected."""


class StoreDamaged(StoreUnavailable):
    """The file is not a database, or its contents are damaged."""


class EntryUnreadable(StoreDamaged):
    """An entry of a night is not a text that this program wrote; `seq` 0 is the night itself."""

    def __init__(self, night: str, seq: int, what: str) -> None:
        super().__init__(f"entry {seq} of the night {night} cannot be read: {what}")
        self.night = night
        self.seq = seq
        self.what = what


class StoreNewer(StoreUnavailable):
    """The database has the schema of a newer version of this program: this one must not use it."""


class StoreForeign(StoreUnavailable):
    """The database is another program's: nothing is written into it."""


class StoreMissing(StoreUnavailable):
    """There is no database yet."""


class StoreNotConforming(StoreUnavailable):
    """The schema is not exactly what the migrations make; `differences` says how."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        super().__init__("the database is not as the migrations make it: " + "; ".join(differences))
        self.differences = differences


class StoreRefused(StoreError):
    """A constraint, a trigger or the authorizer refused a statement: the caller's mistake, or an attack."""


class StoreAddressUnusable(StoreError):
    """The address of the database, or the server's key, is unusable."""


class LogUnreadable(StoreError):
    """A text is not an exact log; `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class LogAltered(LogUnreadable):
    """An exact log is readable, but does not verify at `entry`, where 0 is the night itself."""

    @property
    def entry(self) -> int:
        return max(self.line - 2, 0)


class NightExists(StoreError):
    """The night of an exact log is in this database already."""


class LogUnlinked(StoreError):
    """No entry of an exact log follows the head of its night in this database; the message says why."""


class PlaceTaken(StoreError):
    """A file exists, or is in use, where a database was to be put."""


@contextmanager
def translated_file_errors(what: str) -> Iterator[None]:
    """Raise failures of the file system as errors of the store; `what` says what could not be done."""
    try:
        yield
    except OSError as error:
        message = f"{what}: {error}"
        if error.errno in (ENOSPC, EDQUOT):
            raise StoreFull(message) from error
        if error.errno in (EROFS, EACCES, EPERM):
            raise StoreReadOnly(message) from error
        raise StoreFailing(message) from error
