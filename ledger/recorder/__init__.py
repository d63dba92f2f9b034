"""The use cases: load a night, apply the rules, append, commit. One transaction each.

Pages, the interface and the command line reach the store through this package only. In reading order, each module
after those that it imports:

1. `problems`: why something was not done. `names` that people may have; `members`: who is the same person in
   several nights. `fields` of requests, and `parts` of events. `cache`: what a process keeps of nights.

2. `terms`: what a night agrees on when it is opened; `agreements`: then, and during the night.

   >>> from ledger.game.terms import Terms
   >>> from ledger.game.rulesets import PRESETS
   >>> southern = Terms(PRESETS["southern-classic"])

3. `engine`: the versions of the rules that judged. An event has four shapes: asked (`drafts.EventRequest`), stored
   (`store.StoredEvent`), read (`store.EventBody`), and a row of a page (`views.entry.EntryRow`). `revisions` and
   `round_log` fold the entries of a round, `state` holds the night.

4. `drafts`: what recording an event would append. `events/`: the kinds of events, one file per family. A kind has
   the schema of its request, drafts what recording it appends, and applies itself to the state. `events/people`
   also makes the links of a night.

5. `history`: reads events by their kinds, and folds them into the state. `rounds` holds what is cached of each
   round; `replays` is the night as the rules know it.

6. `groups`: people who play together. `views/`: what pages and the interface show. `moves_file`: a night as
   requests.

7. `snapshot`: a night at one moment, which answers all questions; `group_snapshot`, a group; `reading`, all of both
   in one transaction. `judging` decides whether a request may be recorded.

8. `recording`: the recorder, over a store. `installation` finds the store and its key.

   >>> from tempfile import TemporaryDirectory
   >>> from uuid import uuid4
   >>> folder = TemporaryDirectory()
   >>> site = Installation.find(f"sqlite:///{folder.name}/ledger.db")
   >>> site.migrate()
   >>> recorder = site.open()
   >>> night = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
   >>> opened = recorder.open_night(night, secret=bytes(16), terms=southern, players=["An", "Bình"])
   >>> def ask(kind, after=None, **content):
   ...     request = EventRequest(str(uuid4()), after, kind, content)
   ...     return recorder.record(night, request, Link(night, Role.KEEPER))
   >>> begun = ask("round", after=night, opening=True)
   >>> ask("play", after=begun.id, seat="p1", cards=["3s"]).seq
   2
   >>> with recorder.night(night) as snapshot:
   ...     board = snapshot.board(Link(night, Role.KEEPER), lambda finding, names: "")
   >>> board.round.moves[0].cards
   ['3s']

9. `exports/`: one file per format. `operations/`: tasks of the host.

   >>> print(export_tln(recorder, night).splitlines()[-1])
   p1 3s
   >>> [*audit(recorder)]
   []
   >>> recorder.store.close()
   >>> folder.cleanup()
"""

from ledger.recorder.drafts import EventRequest
from ledger.recorder.events.dispute import DECISIONS
from ledger.recorder.events.index import KINDS
from ledger.recorder.events.people import Tokens
from ledger.recorder.installation import (
    ADDRESS_VARIABLE,
    ANOTHER_KEY,
    AUDIT_VARIABLE,
    BACKUPS_VARIABLE,
    DATABASE_VARIABLE,
    HOSTS_VARIABLE,
    METRICS_VARIABLE,
    OWNER_VARIABLE,
    Installation,
    SettingUnusable,
    served_at,
    server_address,
)
from ledger.recorder.judging import preview, with_declarations, with_passes, with_unrecorded
from ledger.recorder.members import SeatRef
from ledger.recorder.names import all_differ
from ledger.recorder.operations.audit import UNREADABLE, AuditShare, audit, audit_in_processes, first_damage
from ledger.recorder.operations.transfer import (
    Imported,
    Unverified,
    Verified,
    export_tln,
    import_log,
    import_tln,
    verify,
)
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.reading import Snapshot
from ledger.recorder.recording import Opened, Recorded, Recorder
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.views.customs import Customs
from ledger.recorder.views.ledger import RoundAccount
from ledger.store import (
    KEY_VARIABLE,
    MOST_AT_ONCE,
    EntryUnreadable,
    GroupLink,
    HeadCode,
    Link,
    LogDifference,
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
    read_place,
    require_key,
)
