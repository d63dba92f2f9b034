"""What the store says when it cannot do what it was asked. Whatever is raised, nothing was recorded: only after
StoreUncertain may something have been."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS


class StoreError(Exception):
    """The root of all of them; its text is one line for whoever runs the installation."""


class StoreUnavailable(StoreError):
    """The store cannot work now: the interface answers 503 with `Retry-After`."""


class StoreBusy(StoreUnavailable):
    """Others held the database for longer than one waits."""


class StoreFull(StoreUnavailable):
    """No room is left on the disk."""


class StoreReadOnly(StoreUnavailable):
    """The database, its lock file or their folder cannot be written."""


class StoreFailing(StoreUnavailable):
    """The database cannot be opened, or reading or writing it fails below SQL (an I/O error)."""


class StoreUncertain(StoreUnavailable):
    """The database was lost, or gave no answer, after it was asked to commit: whether the entry was recorded is not
    known. To send it again, under the same id, is safe: it is recorded once."""


class StoreStandbyAway(StoreUnavailable):
    """Commits wait for a standby, and it is not connected."""


class StoreDamaged(StoreUnavailable):
    """The file is not a database, or its contents are not what a database writes."""


class EntryUnreadable(StoreDamaged):
    """An entry of a night says what this program never wrote: `seq` is which, 0 the night itself."""

    def __init__(self, night: str, seq: int, what: str) -> None:
        super().__init__(f"entry {seq} of the night {night} cannot be read: {what}")
        self.night = night
        self.seq = seq
        self.what = what


class StoreNewer(StoreUnavailable):
    """A newer version of this program made the database: this one must not touch it."""


class StoreForeign(StoreUnavailable):
    """Another program made the database: nothing of ours is written into it."""


class StoreMissing(StoreUnavailable):
    """There is no database yet."""


class StoreNotConforming(StoreUnavailable):
    """The schema is not exactly what the migrations make; `differences` names what is missing or too much."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        super().__init__("the database is not as the migrations make it: " + "; ".join(differences))
        self.differences = differences


class StoreRefused(StoreError):
    """A constraint, a trigger or the authorizer refused a statement: the caller's mistake, or an attack."""


class StoreAddressUnusable(StoreError):
    """The database's address or the server's key cannot be used as it is given."""


class LogUnreadable(StoreError):
    """An exact log is not one; `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


class LogAltered(LogUnreadable):
    """An exact log can be read, and what it says does not hold together: `entry` is where, 0 the night itself."""

    @property
    def entry(self) -> int:
        return max(self.line - 2, 0)


class NightExists(StoreError):
    """The night that an exact log holds is in this database already."""


class LogUnlinked(StoreError):
    """An exact log has nothing that could follow the head of its night in this database; its text says why."""


class PlaceTaken(StoreError):
    """Something is already where a database was to be put."""


@contextmanager
def explained_files(what: str) -> Iterator[None]:
    """Failures of the file system in the store's own words; `what` is what could not be done."""
    try:
        yield
    except OSError as error:
        message = f"{what}: {error}"
        if error.errno in (ENOSPC, EDQUOT):
            raise StoreFull(message) from error
        if error.errno in (EROFS, EACCES, EPERM):
            raise StoreReadOnly(message) from error
        raise StoreFailing(message) from error
