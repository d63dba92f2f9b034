"""A table's own rules, a preset with house rules: as a URL query, as lines of text, and saved in a cookie."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from ledger.game.notation import MOST_PLAYERS
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.clashes import ruled_out
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, HouseRule, cannot_matter
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.game.rulesets.overlays.schemes import cannot_matter as pays_alike
from ledger.game.terms import WRITTEN
from ledger.recorder.names import NAME_CHARACTERS, clean
from ledger.recorder.terms import MOST_RULES

COOKIE = "tienlen-rules"
COOKIE_SECONDS = 365 * 24 * 3600
MOST_SAVED = 8
_MOST_BYTES = 3000
"""Browsers accept cookies of about 4,000 bytes."""
_MOST_CHARACTERS = 40
_MOST_TYPED = MOST_PLAYERS * (NAME_CHARACTERS + 2)
"""The most characters of a name before it is cut: rules of a table are saved under the names of its players."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """A preset's id and the `rule` lines that change it (`two-consecutive-pairs=yes`). Neither need exist."""

    ruleset: str
    rules: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> "TableRules":
        """Read rules from lines of the replay notation. Raises ValueError with the first line that is not one.

        A whole replay is accepted: reading stops after the rules in its header.
        """
        ruleset, rules = "", []
        for line in text.splitlines():
            word, _, rest = " ".join(line.partition(";")[0].split()).partition(" ")
            if word in ("", "tienlen"):
                continue
            if word == "ruleset" and not ruleset and rest:
                ruleset = rest
            elif word == "rule" and ruleset and "=" in rest:
                rules.append("=".join(part.strip() for part in rest.split("=", 1)))
            elif ruleset and (word == "p1" or word in (*WRITTEN, "round")):
                break
            else:
                raise ValueError(line.strip())
        if not ruleset:
            raise ValueError(text.strip()[:_MOST_CHARACTERS])
        return cls(ruleset, tuple(rules))

    @property
    def lines(self) -> str:
        """The rules as lines of the replay notation."""
        return "\n".join([f"ruleset {self.ruleset}", *(f"rule {rule}" for rule in self.rules)])

    @property
    def query(self) -> str:
        """The rules as the query of an address."""
        return urlencode([("ruleset", self.ruleset), *(("rule", rule) for rule in self.rules)], safe="=,")

    def is_like(self, other: "TableRules") -> bool:
        """Whether both choose the same rules, in any order."""
        return self.ruleset == other.ruleset and self.by_name == other.by_name

    @property
    def by_name(self) -> dict[str, str]:
        """Rule -> choice; of a rule that is given twice, the last."""
        return {name: choice for name, _, choice in (rule.partition("=") for rule in self.rules)}


@dataclass(frozen=True, slots=True)
class SavedRules:
    """Rules that a visitor saved under a name."""

    name: str
    rules: TableRules


def read_saved(cookie: str | None) -> list[SavedRules]:
    """The saved rules in a visitor's cookie, the newest first; none if it cannot be decoded."""
    try:
        rows = json.loads(urlsafe_b64decode((cookie or "").encode("ascii")))
        return [
            SavedRules(clean(str(name), _MOST_CHARACTERS), TableRules(str(ruleset), tuple(map(str, rules))))
            for name, ruleset, rules in rows[:MOST_SAVED]
            if len(rules) <= MOST_RULES
        ]
    except (ValueError, TypeError, RecursionError):
        return []


def write_saved(saved: Sequence[SavedRules]) -> str:
    """Encode saved rules for the cookie; the oldest are dropped if there are too many."""
    rows = [[one.name, one.rules.ruleset, one.rules.rules] for one in saved[:MOST_SAVED]]
    while True:
        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        cookie = urlsafe_b64encode(text.encode()).decode("ascii")
        if len(cookie) <= _MOST_BYTES or not rows:
            return cookie
        rows.pop()


def with_saved(saved: Iterable[SavedRules], name: str, rules: TableRules) -> list[SavedRules]:
    """Add saved rules in front, in place of those with the same name and of equal rules. Raises ValueError for an
    invalid name."""
    name = clean(name, _MOST_TYPED)[:_MOST_CHARACTERS].rstrip(", ")
    return [
        SavedRules(name, rules),
        *(one for one in saved if name != one.name and not one.rules.is_like(rules)),
    ]


def groups() -> Mapping[str, list[HouseRule]]:
    """The house rules by the group of the ruleset that they change."""
    found: dict[str, list[HouseRule]] = {}
    for rule in HOUSE_RULES.values():
        found.setdefault(rule.group, []).append(rule)
    return found


@lru_cache(maxsize=1)
def paid_under() -> Mapping[str, tuple[str, ...]]:
    """Scheme -> the presets that already pay by it."""
    return {name: tuple(id for id, preset in PRESETS.items() if pays_alike(preset, name)) for name in SCHEMES}


@lru_cache(maxsize=1)
def idle_under() -> Mapping[str, tuple[str, ...]]:
    """House rule -> the presets under which no choice that they allow changes anything."""
    return {
        rule.name: tuple(
            id
            for id, preset in PRESETS.items()
            if (left := _choices_left(id, rule))
            and all(cannot_matter(preset, rule.name, choice) for choice in left)
        )
        for rule in HOUSE_RULES.values()
    }


@lru_cache(maxsize=1)
def refused_under() -> Mapping[str, Mapping[str, str]]:
    """House rule -> the presets that rule out all its choices, each with the id of the sentence that does."""
    return {
        rule.name: {
            id: words.id
            for id in PRESETS
            if not _choices_left(id, rule) and (words := ruled_out(id, rule.number, rule.choices[0]))
        }
        for rule in HOUSE_RULES.values()
    }


def _choices_left(preset: str, rule: HouseRule) -> list[str]:
    """The choices of a house rule that a preset does not rule out."""
    return [choice for choice in rule.choices if ruled_out(preset, rule.number, choice) is None]
