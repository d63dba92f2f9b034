"""A table's own rules: a preset and what is laid over it, as a link, as lines of text, and kept in a cookie."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from ledger.game.notation import TERM_LINES
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.clashes import ruled_out
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, HouseRule, cannot_matter
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.game.rulesets.overlays.schemes import cannot_matter as pays_alike
from ledger.recorder.names import clean

COOKIE = "tienlen-rules"
COOKIE_SECONDS = 365 * 24 * 3600
MOST_KEPT = 8
_MOST_BYTES = 3000
"""Browsers keep cookies of four thousand."""
_MOST_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class TableRules:
    """A preset's id, and `rule` lines over it (`two-consecutive-pairs=yes`), which may name none that exist."""

    ruleset: str
    rules: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> "TableRules":
        """The rules that some lines tell, in the replay notation; ValueError with the line that is none.

        A whole replay tells its own: whatever comes after its header is not read.
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
            elif ruleset and (word == "p1" or word in (*TERM_LINES, "round")):
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
        """Whether others are the same, in whatever order they were said."""
        return self.ruleset == other.ruleset and self.by_name == other.by_name

    @property
    def by_name(self) -> dict[str, str]:
        """Rule -> what was chosen; of a rule that is said twice, the last."""
        return {name: choice for name, _, choice in (rule.partition("=") for rule in self.rules)}


@dataclass(frozen=True, slots=True)
class KeptRules:
    """Rules that a visitor gave a name."""

    name: str
    rules: TableRules


def read_kept(cookie: str | None) -> list[KeptRules]:
    """The rules that a visitor's cookie keeps, the last one first; whatever is not of ours is left out."""
    try:
        rows = json.loads(urlsafe_b64decode((cookie or "").encode("ascii")))
        return [
            KeptRules(clean(str(name)), TableRules(str(ruleset), tuple(map(str, rules))))
            for name, ruleset, rules in rows
        ][:MOST_KEPT]
    except (ValueError, TypeError, RecursionError):
        return []


def write_kept(kept: Sequence[KeptRules]) -> str:
    """The cookie of some rules; the oldest fall out where there are too many."""
    rows = [[one.name, one.rules.ruleset, one.rules.rules] for one in kept[:MOST_KEPT]]
    while True:
        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        cookie = urlsafe_b64encode(text.encode()).decode("ascii")
        if len(cookie) <= _MOST_BYTES or not rows:
            return cookie
        rows.pop()


def with_kept(kept: Iterable[KeptRules], name: str, rules: TableRules) -> list[KeptRules]:
    """Some rules more, in front; of one name there is one, and the same rules stand there once. ValueError if the
    name cannot be one."""
    name = clean(name)[:_MOST_CHARACTERS].rstrip(", ")
    return [
        KeptRules(name, rules),
        *(one for one in kept if name != one.name and not one.rules.is_like(rules)),
    ]


def groups() -> Mapping[str, list[HouseRule]]:
    """The house rules by the group of the ruleset that they change."""
    found: dict[str, list[HouseRule]] = {}
    for rule in HOUSE_RULES.values():
        found.setdefault(rule.group, []).append(rule)
    return found


@lru_cache(maxsize=1)
def paid_under() -> Mapping[str, tuple[str, ...]]:
    """Scheme -> the presets that pay so by themselves."""
    return {name: tuple(id for id, preset in PRESETS.items() if pays_alike(preset, name)) for name in SCHEMES}


@lru_cache(maxsize=1)
def idle_under() -> Mapping[str, tuple[str, ...]]:
    """House rule -> the presets under which every choice of it that they leave changes nothing."""
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
    """House rule -> the presets that leave no choice of it, each with the id of its words that say so."""
    return {
        rule.name: {
            id: words.id
            for id in PRESETS
            if not _choices_left(id, rule) and (words := ruled_out(id, rule.number, rule.choices[0]))
        }
        for rule in HOUSE_RULES.values()
    }


def _choices_left(preset: str, rule: HouseRule) -> list[str]:
    """The choices of a house rule that the words of a preset do not rule out."""
    return [choice for choice in rule.choices if ruled_out(preset, rule.number, choice) is None]
