"""The use cases: load, ask the rules, append, commit. One transaction each.

Pages, the interface and the command line reach the store through this package only.
"""

from ledger.recorder.drafts import EventRequest
from ledger.recorder.events.dispute import DECISIONS
from ledger.recorder.events.index import KINDS
from ledger.recorder.events.note import Customs
from ledger.recorder.installation import (
    ADDRESS_VARIABLE,
    ANOTHER_KEY,
    AUDIT_VARIABLE,
    DATABASE_VARIABLE,
    HOSTS_VARIABLE,
    METRICS_VARIABLE,
    OWNER_VARIABLE,
    Installation,
    SettingUnusable,
    served_at,
    server_address,
)
from ledger.recorder.judging import preview, supposed
from ledger.recorder.members import Seat
from ledger.recorder.names import all_differ
from ledger.recorder.operations.audit import UNREADABLE, audit, first_damage
from ledger.recorder.operations.transfer import (
    Imported,
    Unverified,
    Verified,
    export_tln,
    import_log,
    import_tln,
    verify,
)
from ledger.recorder.people import Tokens
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Visit
from ledger.recorder.recording import Opened, Recorded, Recorder
from ledger.recorder.round_cache import RoundCache
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.views.ledger import RoundAccount
from ledger.store import (
    KEY_VARIABLE,
    MOST_AT_ONCE,
    Difference,
    EntryUnreadable,
    GroupLink,
    HeadCode,
    Link,
    LogUnreadable,
    NightExists,
    Role,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreStandbyAway,
    StoreUnavailable,
    StoreUncertain,
    head_code,
    read_code,
    require_key,
)
