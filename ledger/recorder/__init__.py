"""The use cases: load, ask the rules, append, commit. One transaction each.

Pages, the interface and the command line reach the store through this package only.
"""

from ledger.recorder.auditing import Difference, audit
from ledger.recorder.installation import DATABASE_VARIABLE, Installation
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.recording import Opened, Recorded, Recorder
from ledger.recorder.requests import KINDS, EventRequest
from ledger.recorder.transfers import Imported, export_tln, import_tln
from ledger.store import (
    KEY_VARIABLE,
    Link,
    LogUnreadable,
    NightExists,
    Role,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

__all__ = [
    "DATABASE_VARIABLE",
    "KEY_VARIABLE",
    "KINDS",
    "Difference",
    "EventRequest",
    "Imported",
    "Installation",
    "Link",
    "LogUnreadable",
    "NightExists",
    "Opened",
    "Problem",
    "ProblemCode",
    "Recorded",
    "Recorder",
    "Role",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "audit",
    "export_tln",
    "import_tln",
]
