"""The append-only log and the only place that knows SQL. What others may use is what is named here."""

from ledger.store.auditing import Difference, Listed
from ledger.store.chain import (
    SALT_BYTES,
    HeadCode,
    commitment,
    event_hash,
    head_code,
    night_hash,
    read_code,
)
from ledger.store.counting import Count
from ledger.store.describing import Description
from ledger.store.errors import (
    LogAltered,
    LogUnlinked,
    LogUnreadable,
    NightExists,
    PlaceTaken,
    StoreAddressUnusable,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFailing,
    StoreForeign,
    StoreFull,
    StoreMissing,
    StoreNewer,
    StoreNotConforming,
    StoreReadOnly,
    StoreRefused,
    StoreStandbyAway,
    StoreUnavailable,
    StoreUncertain,
    explained_files,
)
from ledger.store.exchange import missing_tail
from ledger.store.exchange import read_lines as read_log
from ledger.store.files import sync, write_new
from ledger.store.lines import Line
from ledger.store.links import KEY_VARIABLE, Link, Role, make_token, read_token, server_key
from ledger.store.pieces import Beside
from ledger.store.places import put_in_place, require_empty, scratch, sweep, workshop
from ledger.store.reading import Reader
from ledger.store.rows import (
    CorrectionRow,
    EventRow,
    Glance,
    Head,
    NewCorrection,
    NewEvent,
    NewNight,
    NewPayment,
    NightRow,
    PaymentRow,
    Person,
)
from ledger.store.standbys import Standbys
from ledger.store.store import Store
from ledger.store.systems import file_of, is_there, migrate, same_database, without_password
from ledger.store.tables import NOT_RECORDING
from ledger.store.writing import Writer

__all__ = [
    "KEY_VARIABLE",
    "NOT_RECORDING",
    "SALT_BYTES",
    "Beside",
    "CorrectionRow",
    "Count",
    "Description",
    "Difference",
    "EventRow",
    "Glance",
    "Head",
    "HeadCode",
    "Line",
    "Link",
    "Listed",
    "LogAltered",
    "LogUnlinked",
    "LogUnreadable",
    "NewCorrection",
    "NewEvent",
    "NewNight",
    "NewPayment",
    "NightExists",
    "NightRow",
    "PaymentRow",
    "Person",
    "PlaceTaken",
    "Reader",
    "Role",
    "Standbys",
    "Store",
    "StoreAddressUnusable",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFailing",
    "StoreForeign",
    "StoreFull",
    "StoreMissing",
    "StoreNewer",
    "StoreNotConforming",
    "StoreReadOnly",
    "StoreRefused",
    "StoreStandbyAway",
    "StoreUnavailable",
    "StoreUncertain",
    "Writer",
    "commitment",
    "event_hash",
    "explained_files",
    "file_of",
    "head_code",
    "is_there",
    "make_token",
    "migrate",
    "missing_tail",
    "night_hash",
    "put_in_place",
    "read_code",
    "read_log",
    "read_token",
    "require_empty",
    "same_database",
    "scratch",
    "server_key",
    "sweep",
    "sync",
    "without_password",
    "workshop",
    "write_new",
]
