"""The use cases: load, ask the rules, append, commit. One transaction each.

Pages, the interface and the command line reach the store through this package only.
"""

from ledger.recorder.agreeing import DECISIONS
from ledger.recorder.auditing import Difference, audit
from ledger.recorder.drafts import EventRequest
from ledger.recorder.installation import DATABASE_VARIABLE, Installation
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.recording import OF_SEATS, Opened, Recorded, Recorder
from ledger.recorder.requests import KINDS
from ledger.recorder.slots import CORRECTABLE
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
    "CORRECTABLE",
    "DATABASE_VARIABLE",
    "DECISIONS",
    "KEY_VARIABLE",
    "KINDS",
    "OF_SEATS",
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
