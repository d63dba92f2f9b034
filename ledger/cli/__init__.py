"""The command line: `tienlen serve | score | rules | audit | export | import | demo | nights | link | migrate`.

Exit statuses: 0 done; 1 refused, or a difference was found; 2 unreadable input or an unusable installation.
"""

from ledger.cli import nights, scoring, serving
from ledger.cli.group import main

__all__ = ["main", "nights", "scoring", "serving"]
