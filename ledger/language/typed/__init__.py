"""A night as people type it, in Vietnamese or English, translated to a replay.

    An, Bình, Chi, Dũng
    An 3s 3c
    Bình: đôi bảy rô cơ
    Chi bỏ
    Ván 2: Chi, An, Dũng, Bình
    Bình thối 2h

The names come first; the usual rules are meant unless a line says otherwise. Lines of the notation are taken as
they are, and plays as in dictation, too. Which plays are possible and when a round is over depends on the moves so
far, so the rules judge each line as it is translated: the translation ends with the first line that they refuse.
"""

from ledger.language.typed.errors import Missing, NotUnderstood
from ledger.language.typed.translation import is_typed, translate

__all__ = ["Missing", "NotUnderstood", "is_typed", "translate"]
