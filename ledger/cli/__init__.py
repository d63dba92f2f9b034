"""The command line: `tienlen serve | score | rules | audit | verify | export | import | backup | restore | demo |
nights | link | status | doctor | migrate | perft | corpus`.

Exit statuses: 0 done; 1 refused, or a difference was found; 2 unreadable input or an unusable installation.
"""

from ledger.cli.group import main
