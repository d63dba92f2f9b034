"""The append-only log, and the only package that knows SQL. Other packages use only the names imported here."""

from ledger.store.backup_files import put_in_place, require_empty, scratch, sweep, temporary_folder
from ledger.store.chain import (
    SALT_BYTES,
    HeadCode,
    commitment,
    event_hash,
    head_code,
    night_hash,
    read_code,
)
from ledger.store.database import DamagedLog, DatabaseHost, OnWait, Standbys, wait_silently
from ledger.store.errors import (
    EntryUnreadable,
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
    translated_file_errors,
)
from ledger.store.event_codec import (
    FORMAT,
    WITH_PHONE,
    BodyUnreadable,
    EventBody,
    NewCorrection,
    NewEvent,
    NewPayment,
    Place,
    new_event,
    read_event,
    read_object,
    read_place,
    read_sealed,
    write_event,
    write_text,
)
from ledger.store.exchange import ExactLog, missing_tail
from ledger.store.exchange import read_lines as read_log
from ledger.store.files import NETWORK_SHARES, file_system, sync, write_new
from ledger.store.heads import Head, NightHead, NightMark
from ledger.store.links import (
    KEY_FILE,
    KEY_VARIABLE,
    GroupLink,
    Link,
    Role,
    derived_id,
    is_pass,
    is_secret,
    key_digest,
    make_group_token,
    make_pass,
    make_token,
    read_group_token,
    read_token,
    require_key,
    secret_digest,
    server_key,
)
from ledger.store.log import Reader, Writer, in_parts
from ledger.store.models import REVOKING, Correction, GroupEntry, Night, Payment, Person, StoredEvent
from ledger.store.store import MOST_AT_ONCE, Store
from ledger.store.systems import (
    FILE_ENDINGS,
    database_exists,
    file_of,
    hosts_of,
    migrate,
    replace_key,
    same_database,
    without_password,
)
from ledger.store.verify import AuditedEvent, Listed, LogDifference, first_alteration
