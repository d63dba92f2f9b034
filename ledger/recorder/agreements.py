"""What a night agrees on: when it is opened, and from a round on during the night."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.prices import NothingToPay
from ledger.game.rulesets.overrides import RuleRefused, own_rules, with_further_rules, with_rules
from ledger.game.terms import Stake, Terms
from ledger.recorder.parts import Part, agreed_before
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.recorder.terms import RULESET, STAKE
from ledger.store import EventBody

AGREE: Final = "agree"
"""The kind of event by which terms change."""


@dataclass(frozen=True)
class AgreedTerms:
    """The terms that hold from an agreement on."""

    terms: Terms
    worth_before: Stake | None = None
    """The worth of a point in the rounds that were begun without one, if the table agreed on one for them since."""

    @cached_property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The `rule` lines that turn the preset into its ruleset."""
        return tuple(own_rules(self.terms.ruleset))


class Agreements(NamedTuple):
    """What a night agreed on when it was opened, and each agreement since, those taken back included."""

    opening: AgreedTerms
    since: Mapping[int, AgreedTerms] = MappingProxyType({})
    """Seq of an `agree` event -> all terms after it."""

    def at(self, seq: int) -> AgreedTerms:
        """The terms of the agreement with this seq; 0 is the opening."""
        return self.since[seq] if seq else self.opening

    def of_round(self, header: Part) -> AgreedTerms:
        """The terms that a round was begun under, by its header as a part of an event."""
        return self.at(agreed_before(header))

    def with_event(self, event: EventBody) -> "Agreements":
        """These and the agreement in an event."""
        (part,) = event.parts
        before = self.of_round(part)
        stake = STAKE.load(part["stake"]) if "stake" in part else before.terms.stake
        ruleset = RULESET.deserialize(part["ruleset"]) if "ruleset" in part else before.terms.ruleset
        terms = replace(before.terms, ruleset=ruleset, stake=stake)
        earlier = stake if part.get("all_rounds") else before.worth_before
        return self._replace(since={**self.since, event.seq: AgreedTerms(terms, earlier)})

    def worth(self, seq: int, last: int) -> Stake | None:
        """What a point is worth in a round begun under one agreement, if another is the last that stands; None if
        it is worth nothing."""
        return self.at(seq).terms.stake or self.at(last).worth_before


def agreed_ruleset(id: str, rules: Mapping[str, str], *, field: str = "ruleset") -> Ruleset:
    """A preset changed by `rule` lines. Raises a Problem for a rule that is refused, or for an unknown preset, then
    with `field` as the wrong field.

    If two rules contradict each other, the problem names both as `contradiction`; `unpaid` names the price of
    something that these rules do not pay for.
    """
    if id not in PRESETS:
        raise unreadable(field, f"a preset's id ({', '.join(PRESETS)})")
    return _changed(with_rules, PRESETS[id], rules)


def further_ruleset(before: Ruleset, rules: Mapping[str, str]) -> Ruleset:
    """A ruleset changed by further `rule` lines. Raises the Problems of `agreed_ruleset`."""
    return _changed(with_further_rules, before, rules)


def _changed(
    lay: Callable[[Ruleset, Iterable[tuple[str, str]]], Ruleset], ruleset: Ruleset, rules: Mapping[str, str]
) -> Ruleset:
    try:
        return lay(ruleset, rules.items())
    except RuleRefused as error:
        facts: dict[str, Any] = {}
        path = list(rules)[error.line]
        if isinstance(error.why, Contradiction):
            facts = {"contradiction": list(error.why.names), "played": error.why.preset}
        elif isinstance(error.why, NothingToPay):
            facts = {"unpaid": path}
        wrong = {f"rules.{path}": [f"a house rule ({error})"]}
        raise Problem(ProblemCode.UNREADABLE, fields=wrong, **facts) from None
