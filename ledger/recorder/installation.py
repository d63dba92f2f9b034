"""One installation of the program: where its database and its key are, and whether they are usable."""

import fcntl
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

from ledger.recorder.recording import Recorder
from ledger.store import (
    KEY_FILE,
    KEY_VARIABLE,
    OnWait,
    Store,
    StoreAddressUnusable,
    StoreError,
    StoreMissing,
    database_exists,
    file_of,
    key_digest,
    migrate,
    replace_key,
    require_key,
    same_database,
    server_key,
    sweep,
    wait_silently,
    without_password,
)

DATABASE_VARIABLE = "TIENLEN_DATABASE_URL"
OWNER_VARIABLE = "TIENLEN_OWNER_URL"
PROXIES_VARIABLE = "TIENLEN_PROXIES"
HOSTS_VARIABLE = "TIENLEN_HOSTS"
METRICS_VARIABLE = "TIENLEN_METRICS_PORT"
AUDIT_VARIABLE = "TIENLEN_AUDIT_HOURS"
ADDRESS_VARIABLE = "TIENLEN_ADDRESS"
BACKUPS_VARIABLE = "TIENLEN_BACKUPS"
"""`tienlen serve` passes its metrics port and audit interval to the web processes in these variables."""
ANOTHER_KEY = "the links of these nights were made with another key: none is good here (see tienlen doctor)"
_HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_FOLDER = "tienlen-ledger"
_SQLITE = "sqlite:///"


class SettingUnusable(StoreError):
    """An environment variable has an invalid value; the text says what is expected."""


@dataclass(frozen=True, slots=True)
class Installation:
    """`database_url` names the store. `key` signs its links; it is in `key_file` unless the environment sets it,
    and may be None for a database that several hosts share, as none is made there.

    `proxies` is the number of proxies in front whose headers (client, scheme, host) are trusted. `owner_url` is
    the same database for the role that may migrate it, if that is another role. `hosts` are the host names that
    the server answers to; any if empty.
    """

    database_url: str
    key: bytes | None
    key_file: Path | None = None
    proxies: int = 0
    owner_url: str | None = None
    hosts: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The database's address without its password, for display."""
        return without_password(self.database_url)

    @classmethod
    def find(
        cls,
        database_url: str | None = None,
        environment: Mapping[str, str] = os.environ,
        *,
        make: bool = True,
    ) -> Self:
        """The installation at `database_url`, or else the one that the environment names, or the user's own.

        Creates a missing key (for a file) and the user's own folder. With `make` the database itself may be
        missing. Leaves unusable files unchanged. Raises StoreMissing, StoreForeign, StoreNewer, StoreDamaged,
        StoreAddressUnusable, SettingUnusable.
        """
        proxies, hosts = trusted_proxies(environment), named_hosts(environment)
        url, key_file = located(database_url, environment)
        named = bool(database_url or environment.get(DATABASE_VARIABLE))
        owner_url = _owner_url(url, environment, named=named)
        if make:
            database_exists(url)  # raises if the database is not ours
        else:
            require_there(url)
        if key_file.parent == _own(environment).parent:
            try:
                key_file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreAddressUnusable(f"the folder of your nights cannot be made: {error}") from error
        elif not key_file.parent.is_dir():
            raise StoreAddressUnusable(
                f"there is no folder {key_file.parent}: make it, or name another database"
            )
        key = server_key(key_file, environment, make=file_of(url) is not None)
        return cls(url, key, None if environment.get(KEY_VARIABLE) else key_file, proxies, owner_url, hosts)

    def migrate(self, on_wait: OnWait = wait_silently) -> None:
        """Create the database or migrate it to this version's schema; note the key's digest if none was noted.
        Raises the store's errors."""
        self.sweep()
        migrate(self.owner_url or self.database_url, on_wait)
        if self.key is not None:
            with closing(Store.open(self.database_url, web=False)) as store:
                store.note_key(key_digest(self.key))

    def take_key(self) -> None:
        """Make this key the one that signs links from now on; earlier links become void. Raises the store's
        errors."""
        replace_key(self.owner_url or self.database_url, key_digest(require_key(self.key)))

    def sweep(self) -> None:
        """Delete the copies that a killed backup or restore left next to the database."""
        if file := file_of(self.database_url):
            sweep(file.parent)

    def open(self) -> Recorder:
        """A recorder for the host's commands."""
        return Recorder(Store.open(self.database_url, web=False), self.key)


def located(database_url: str | None = None, environment: Mapping[str, str] = os.environ) -> tuple[str, Path]:
    """The database URL and key file of an installation; neither need exist. Raises StoreAddressUnusable."""
    url = database_url or environment.get(DATABASE_VARIABLE) or _SQLITE + str(_own(environment))
    return url, (file_of(url) or _own(environment)).with_name(KEY_FILE)


@contextmanager
def served_at(address: str, database_url: str) -> Iterator[Path | None]:
    """Publish a server's address for `server_address` in a file while the block lasts. If it cannot be written,
    the server runs without being found."""
    path = _address_file(database_url)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield None
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)  # released by the system, however the server ends
        os.set_inheritable(descriptor, True)  # held by the program that supervises, and by what it starts
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, address.encode(), 0)
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def server_address(database_url: str | None = None) -> str | None:
    """The address of an installation's server if one runs on this machine. Raises StoreAddressUnusable."""
    path = _address_file(located(database_url)[0])
    try:
        with path.open(encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return path.read_text(encoding="utf-8") or None
    except OSError:
        pass
    return None


def _address_file(database_url: str) -> Path:
    """Next to the database file; for a database shared by several hosts, in the user's own folder."""
    if file := file_of(database_url):
        return file.with_name(f"{file.name}.address")
    return _own(os.environ).with_name(f"{sha256(database_url.encode()).hexdigest()[:16]}.address")


def require_there(url: str) -> None:
    """Raise StoreMissing if no database is at an address, and what `database_exists` raises."""
    if not database_exists(url):
        raise StoreMissing(
            f"there is no database at {file_of(url)}: `tienlen serve` makes one, --database names another"
        )


def _own(environment: Mapping[str, str]) -> Path:
    """The path of the user's own database, in the XDG data folder."""
    data = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / _FOLDER / "ledger.db"


def _owner_url(database_url: str, environment: Mapping[str, str], *, named: bool) -> str | None:
    """The owner's URL; None if the environment has none, or if a file was named, which has no owner."""
    url = environment.get(OWNER_VARIABLE)
    if not url or (named and file_of(database_url) is not None):
        return None
    if not named:
        raise SettingUnusable(
            f"{OWNER_VARIABLE} says who owns a database: {DATABASE_VARIABLE} must say which"
        )
    if not same_database(url, database_url):
        raise SettingUnusable(
            f"{OWNER_VARIABLE} is the same database as {without_password(database_url)}, for the role that owns it:"
            f" {without_password(url)} is another"
        )
    return url


def trusted_proxies(environment: Mapping[str, str]) -> int:
    """The number of trusted proxies in front. Raises SettingUnusable."""
    proxies = environment.get(PROXIES_VARIABLE) or "0"
    if not proxies.isascii() or not proxies.isdigit():
        raise SettingUnusable(
            f"{PROXIES_VARIABLE} is how many proxies are in front, a whole number: {proxies!r} is none"
        )
    return int(proxies)


def named_hosts(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The host names that the server answers to, in lower case; a leading dot covers all subdomains. Raises
    SettingUnusable."""
    hosts = environment.get(HOSTS_VARIABLE, "").lower().replace(",", " ").split()
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise SettingUnusable(
                f"{HOSTS_VARIABLE} is the names of this server, without scheme and port, as tienlen.example:"
                f" {host!r} is none"
            )
    return tuple(hosts)
