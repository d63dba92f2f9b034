"""What is declared of a field of a ruleset, in the field itself."""

from dataclasses import MISSING, dataclass, field
from typing import Any, Final, NamedTuple

from ledger.game.errors import Clause

MOST: Final = 9_999
"""The greatest number in a ruleset or a `rule` line."""


class Need(NamedTuple):
    """Something without which a field has no effect: another field, or a fact.

    >>> Need.read("payments.chain!=counting")
    Need(name='payments.chain', value='counting', but=True)
    >>> print(Need.read("payments.card"), Need.read("payments.chain!=counting"))
    payments.card payments.chain!=counting
    """

    name: str
    """The path of a field, or a word of `FACTS` (`rulesets.needs`)."""
    value: str | None = None
    """The value of the field, as in a `rule` line; None: it is set, and has an effect itself."""
    but: bool = False
    """Any value but this one."""

    @classmethod
    def read(cls, text: str) -> "Need":
        """Parse a need; a field of the same group may be named without its group."""
        name, is_value, value = text.partition("=")
        return cls(name.removesuffix("!"), value if is_value else None, name.endswith("!"))

    @property
    def is_absence(self) -> bool:
        """Whether it is that something else is not so."""
        return self.but or self.value in ("0", "no", "none")

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}{'!' * self.but}={self.value}"


@dataclass(frozen=True, slots=True)
class Agreed:
    """What is declared of a field of a ruleset."""

    clause: Clause
    """The clause of the rules that describes it; of a group: that describes its other fields."""
    needs: tuple[tuple[Need, ...], ...]
    """All that it needs to have an effect, each as alternatives."""
    least: int
    most: int
    usual: int
    """The number that tables usually agree on where something else needs it; 0: there is none."""
    earns: bool
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
    """A field of which this is declared, to be stated if it has no default. Bars are between the alternatives of a
    need."""
    read = tuple(tuple(map(Need.read, ways.split("|"))) for ways in needs)
    return field(default=default, metadata={"agreed": Agreed(clause, read, least, most, usual, earns)})
