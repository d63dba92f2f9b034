"""What a store asks of a database system."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from sqlalchemy import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from ledger.store.errors import StoreAddressUnusable, StoreBusy, StoreError

NO_CONNECTION: Final = "every connection to the database was in use for too long"


Moment: TypeAlias = Callable[[], AbstractContextManager[Connection]]
"""Begins a short transaction, which sees one moment of the log and cannot write."""


@dataclass(frozen=True, slots=True)
class Standbys:
    """What follows a server. `wanted` is what commits wait for, in the words of `synchronous_standby_names`, empty
    if they wait for nothing; `missing` is how many of those are not connected; `connected` is how many are, wanted
    or not; `promoted` is whether the server was a standby itself, or was put back to an earlier moment."""

    wanted: str
    missing: int
    connected: int
    promoted: bool


class Database(Protocol):
    """One per process, made after the fork; threads share it. Its connections come with their transaction begun,
    which is kept when their block ends, and is not if that raises. Every call raises StoreUnavailable.
    """

    def warm_up(self) -> None:
        """Make the connections that the first requests would wait for, where that takes long."""

    def is_replaced(self) -> bool:
        """Whether another file, or none, lies where this one was opened: it is of no use any more."""

    def reading(self) -> AbstractContextManager[Moment]:
        """Transactions one after another; all of them see the same moment where a database keeps that for whoever
        reads and lets others write."""

    def writing(self, night: str, *, forgets: bool, long: bool) -> AbstractContextManager[Connection]:
        """A transaction that appends to a night, alone; synced when it is kept. One that `forgets` leaves nothing
        beside the database of what it takes away; for one that lasts `long`, nobody may wait. Raises StoreRefused,
        too."""

    def require_writable(self) -> None:
        """Return if a transaction that writes can begin; nobody who reads waits for that."""

    def standbys(self) -> Standbys | None:
        """What follows the server, and what commits wait for; None where a system knows no standbys."""

    def inspecting(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment of whatever is there, be it schema, settings or damaged text."""

    def watching(self) -> AbstractContextManager[Callable[[], bool]]:
        """Whether anything was written since it was asked last, by whichever process; the first answer is yes."""

    def differences(self, connection: Connection) -> tuple[str, ...]:
        """How schema, settings and rights differ from what they must be, in words."""

    def facts(self, connection: Connection) -> tuple[str, int]:
        """Of which system and version it is, and how many bytes it takes."""

    def damages(self) -> Iterator[str]:
        """What the system's own checks of its files find."""

    def copy_to(self, file: Path) -> None:
        """Write all of it, each night as of one moment, to a new file."""

    def close(self) -> None:
        """Close every connection."""


def read_address(url: str) -> URL:
    """The address of a database. Raises StoreAddressUnusable."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreAddressUnusable(
            "the database's address cannot be read; one is sqlite:////folder/file.db, or"
            " postgresql://role:password@host/database"
        ) from error


@contextmanager
def explained(meaning: Callable[[BaseException | None], StoreError]) -> Iterator[None]:
    """Failures of a database in the store's own words."""
    try:
        yield
    except NoConnectionFree as error:
        raise StoreBusy(NO_CONNECTION) from error
    except DBAPIError as error:
        raise meaning(error.orig) from error


def first_line(error: BaseException | None) -> str:
    """What a database says of a failure; further lines tell the row, which belongs in no log."""
    return next(iter(str(error).splitlines()), "no reason given")
