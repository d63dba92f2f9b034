"""What is declared of a field of a ruleset, in the field itself."""

from dataclasses import MISSING, dataclass, field
from typing import Any, Final

from ledger.game.errors import Clause

MOST: Final = 9_999
"""The greatest number in a ruleset or a `rule` line."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What is declared of a field of a ruleset."""

    clause: Clause
    """The clause of the rules that describes it; of a group: that describes its other fields."""
    needs: tuple[str, ...] = ()
    """All that it needs to have an effect: a field that is set and has an effect itself, or that has a value as in
    a `rule` line (`!=`: another); or a word of `FACTS`. Alternatives are apart by bars. A field of another group is
    named by its path."""
    least: int = 0
    most: int = MOST
    usual: int = 0
    """The number that tables usually agree on where something else needs it; 0: there is none."""
    earns: bool = False
    """Whether the end of a round earns points by it alone."""


def agreed(
    clause: Clause,
    *needs: str,
    default: object = MISSING,
    least: int = 0,
    most: int = MOST,
    usual: int = 0,
    earns: bool = False,
) -> Any:
    """A field of which this is declared, to be stated if it has no default."""
    return field(default=default, metadata={"agreed": Agreed(clause, needs, least, most, usual, earns)})
