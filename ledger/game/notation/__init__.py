"""The replay notation (`.tln`): a night as text, both ways.

`read` turns text into a script: what was written, line by line, not yet judged. `replay` folds a script into a
night, by the rules. `write` makes the canonical text of a night. NOTATION.md lists every kind of line.
"""

from ledger.game.notation.new_terms import AGREED, ALL_ROUNDS, read_new_terms
from ledger.game.notation.notes import note_line, read_note
from ledger.game.notation.reader import can_join, read
from ledger.game.notation.replaying import disagreements, replay, replay_round
from ledger.game.notation.script import (
    Disagreement,
    Paid,
    RoundScript,
    Script,
    ScriptRefused,
    Tag,
    Unreadable,
    by_tag,
    read_move,
    tag,
    words_of,
)
from ledger.game.notation.writer import move_line, payment_lines, write
from ledger.game.rulesets.validation import MOST_PLAYERS
