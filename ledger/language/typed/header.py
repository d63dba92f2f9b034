"""The header of a typed night: its rules in the notation, and its names, all in one line or one in each."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.game import notation
from ledger.game.night import NewTerms
from ledger.game.notation import Unreadable, read_new_terms, tag
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.game.rulesets.validation import MOST_PLAYERS
from ledger.game.terms import WRITTEN
from ledger.language.typed.errors import Missing, NotUnderstood
from ledger.language.typed.words import Players, listed

_USUAL_RULES: Final = "southern-classic"
_TITLE_OF_NAMES: Final = re.compile(r"(?:người chơi|players?|names?)\s*:\s*", re.IGNORECASE)


class Line(NamedTuple):
    """A line of the notation, and the number of the typed line that it was made from."""

    number: int
    text: str


class HeaderLines:
    """The lines of a header, until a line of another kind comes."""

    def __init__(self) -> None:
        self._rules: list[Line] = []
        self._names: list[Line] = []

    def take(self, line: Line) -> bool:
        """Add a line, and return whether it is one of a header. Raises NotUnderstood if it should have the names,
        and has none."""
        first, _, rest = line.text.partition(" ")
        if first in ("ruleset", "rule", *WRITTEN):
            self._rules.append(line)
        elif first == tag(len(self._names)) and (rest or not self._names):
            self._names.append(Line(line.number, rest.strip()))
        elif not self._names:
            self._names = [Line(line.number, name) for name in _names_in(line)]
        else:
            return False
        return True

    def complete(self, number: int) -> "Header":
        """The header, once line `number` is not one of it, or is the text's last. Raises NotUnderstood if names are
        missing, and Unreadable at a line that is wrong."""
        if len(self._names) < 2:
            raise NotUnderstood(number, Missing.NAMES, [name for _, name in self._names])
        return Header(self._rules, self._names)


class Header:
    """A complete header, to which players who join are added, and new terms."""

    def __init__(self, rules: Sequence[Line], names: Sequence[Line]) -> None:
        begins = names[0].number
        ruled = any(line.text.startswith("ruleset ") for line in rules)
        self.lines = [
            *(Line(begins, text) for text in ("tienlen 1", *([] if ruled else [f"ruleset {_USUAL_RULES}"]))),
            *rules,
            *(Line(number, f"{tag(player)} {name}") for player, (number, name) in enumerate(names)),
        ]
        """In the notation."""
        self.names = [name for _, name in names]
        self.players = Players(self.names)
        self.terms = self.read().terms
        """Those that hold."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules that hold."""
        return self.terms.ruleset

    def read(self, *more: Line) -> notation.Script:
        """The script of the header and these lines. Raises Unreadable with the number of a line as typed."""
        lines = [*self.lines, *more]
        try:
            return notation.read("\n".join(line.text for line in lines))
        except Unreadable as error:
            raise Unreadable(lines[error.line - 1].number, error.expected) from None

    def agree(self, lines: Sequence[Line]) -> NewTerms:
        """Replace the terms by those of lines that follow each other. Raises Unreadable at a wrong one."""
        words = {number: text.partition(" ")[::2] for number, text in lines}
        new = read_new_terms(
            self.terms, {number: (word, rest.strip()) for number, (word, rest) in words.items()}
        )
        self.terms, begins = new.terms, lines[0].number
        rules = (f"rule {path}={value}" for path, value in own_rules(self.ruleset))
        players = (f"{tag(player)} {name}" for player, name in enumerate(self.names))
        header = ("tienlen 1", f"ruleset {self.ruleset.id}", *rules, *players)
        self.lines = [Line(begins, text) for text in header]
        return new

    def add(self, line: Line, name: str) -> None:
        """Add a player who joins by this line."""
        self.lines.append(line)
        self.names.append(name)
        self.players = Players(self.names)


def _names_in(line: Line) -> list[str]:
    """The names of all players in one line. Raises NotUnderstood if they are none."""
    names = listed(_TITLE_OF_NAMES.sub("", line.text, count=1))
    apart = len({*map(str.casefold, names)}) == len(names)
    if not 2 <= len(names) <= MOST_PLAYERS or not apart or any(map(str.isdecimal, "".join(names))):
        raise NotUnderstood(line.number, Missing.NAMES)
    return names
