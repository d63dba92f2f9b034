"""The interface of a database system to the store."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import URL, Connection, Engine, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from ledger.store.errors import StoreAddressUnusable, StoreBusy, StoreError

NO_CONNECTION: Final = "every connection to the database was in use for too long"


@dataclass(frozen=True, slots=True)
class Standbys:
    """The standbys of a server. `wanted` are those that commits wait for, in the form of
    `synchronous_standby_names`, empty for none; `missing` is how many of these are not connected, `connected` how
    many standbys are; `promoted` is whether the server was a standby, or was restored to an earlier moment."""

    wanted: str
    missing: int
    connected: int
    promoted: bool


@dataclass(frozen=True, slots=True)
class DatabaseHost:
    """One of several hosts of a database. `primary` is whether it can be written; `follows`, whether it receives
    from another one; `position`, how many bytes of log it has."""

    name: str
    answers: bool
    primary: bool = False
    follows: bool = False
    position: int = 0


@dataclass(frozen=True, slots=True)
class DamagedLog:
    """A copy of a database's log in a file, and how many of its frames could not be read: the pages of entries that
    were recorded last."""

    file: Path
    frames: int


class Database(Protocol):
    """One per process, made after the fork; threads share it. A connection comes with a transaction begun, which is
    committed when its block ends, or rolled back if that raises. Every call may raise StoreUnavailable.
    """

    def warm_up(self) -> None:
        """Open the connections that the first requests would wait for, if that is slow."""

    def is_replaced(self) -> bool:
        """Whether the file at its path is another than the one opened, or missing: then it must be opened anew."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that only reads: all its queries see the same moment, and no writer waits for it."""

    def writing(
        self, nights: Collection[str], *, forgets: bool, long: bool
    ) -> AbstractContextManager[Connection]:
        """An exclusive transaction that appends to some nights, and syncs when it commits. One that `forgets`
        leaves no copy of what it erases next to the database; a `long` one is refused if other processes would have
        to wait for it. Also raises StoreRefused."""

    def confirm(self, nights: Collection[str]) -> None:
        """Wait until what a reader has seen in some nights is as safe as a commit. Raises StoreUncertain if that is
        not known."""

    def require_writable(self) -> None:
        """Raise if no transaction that writes can begin."""

    def standbys(self) -> Standbys | None:
        """The standbys of the server; None for a system without standbys."""

    def inspecting(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment of everything: schema, settings, and damaged text."""

    def watching(self) -> AbstractContextManager[Callable[[], bool]]:
        """A function that returns whether any process has written since its last call; True on the first."""

    def differences(self, connection: Connection) -> tuple[str, ...]:
        """How schema, settings and rights differ from those required, in words."""

    def facts(self, connection: Connection) -> tuple[str, int]:
        """The system with its version, and the size in bytes."""

    def damages(self, *, quick: bool = False) -> Iterator[str]:
        """The findings of the system's own checks of its files; of the `quick` ones alone if that is asked."""

    def damaged_logs(self) -> Sequence[DamagedLog]:
        """The logs of which a part could not be read when the database was opened."""

    def copy_to(self, file: Path) -> None:
        """Copy the database, as of one moment, to a new file."""

    def close(self) -> None:
        """Close every connection."""


def read_address(url: str) -> URL:
    """Parse the address of a database. Raises StoreAddressUnusable."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreAddressUnusable(
            "the database's address cannot be read; one is sqlite:////folder/file.db, or"
            " postgresql://role:password@host/database"
        ) from error


OnWait = Callable[[str], None]
"""Told in a sentence what is waited for, before a long wait."""


def wait_silently(why: str) -> None:
    """The `OnWait` that tells nobody."""


@contextmanager
def connecting() -> Iterator[None]:
    """Raise StoreBusy if no connection was free in time."""
    try:
        yield
    except NoConnectionFree as error:
        raise StoreBusy(NO_CONNECTION) from error


def begin_with(engine: Engine, statement: str) -> None:
    """Let an engine begin its transactions with a statement. As a listener it would make SQLAlchemy look for
    listeners at each statement of the engine, which takes longer than the statement."""
    engine.dialect.do_begin = lambda driver: driver.execute(statement)  # type: ignore[method-assign, assignment]


def translating_errors(
    store_error: Callable[[BaseException | None], StoreError],
) -> Callable[[ExceptionContext], None]:
    """A listener to the errors of an engine, which raises a failure of the database as the store's error."""

    def explain(failed: ExceptionContext) -> None:
        if isinstance(failed.sqlalchemy_exception, DBAPIError):
            raise store_error(failed.original_exception) from failed.sqlalchemy_exception

    return explain


def first_line(error: BaseException | None) -> str:
    """The first line of a failure's message; further lines show row data, which belongs in no log file."""
    return next(iter(str(error).splitlines()), "no reason given")
