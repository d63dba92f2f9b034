"""The table agrees on new terms during the night."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Nested

from ledger.game.errors import Refused
from ledger.game.night import NewTerms, judge_terms
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.serialization import to_data
from ledger.game.terms import Stake
from ledger.recorder import fields
from ledger.recorder.agreements import AGREE, agreed_ruleset, further_ruleset
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, EventSchema, requested
from ledger.recorder.parts import Part
from ledger.recorder.problems import unreadable
from ledger.recorder.state import NightState
from ledger.recorder.terms import STAKE, Worth, rule_values


class SomethingNew(EventSchema):
    """Requires rules or the worth of a point, and the worth if it is also that of the rounds so far."""

    openapi: ClassVar = {
        "anyOf": [{"required": [name]} for name in ("rules", "ruleset", "stake")],
        "dependentRequired": {"all_rounds": ["stake"]},
    }

    @validates_schema
    def something_new(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if not data.keys() & {"ruleset", "rules", "stake"}:
            raise ValidationError("other rules, or another worth of a point", "rules")
        if "all_rounds" in data and "stake" not in data:
            raise ValidationError("the worth of a point", "stake")


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsAgreed(Event):
    """The table agrees on other rules, or another worth of a point, for the rounds that begin from here on.

    The first worth may be agreed on at any time, and for the rounds so far as well; all else between rounds.
    """

    kind = AGREE
    base = SomethingNew
    in_replays = True

    ruleset: str | None = requested(
        fields.Word(metadata={"enum": list(PRESETS), "description": "Left out: the preset stays."}), None
    )
    rules: Mapping[str, str] | None = requested(rule_values(), None)
    """With a preset, all its `rule` lines; without one, lines in place of those of their names."""
    stake: Mapping[str, str] | None = requested(Nested(Worth), None)
    all_rounds: bool = requested(
        fields.Truth(
            metadata={"description": "The worth is also that of the rounds so far, which had none."}
        ),
        False,
    )

    def draft(self, state: NightState) -> Draft:
        before, current = state.terms, state.current
        stake = before.stake if self.stake is None else STAKE.load(self.stake)
        new = NewTerms(replace(before, ruleset=self._ruleset(before.ruleset), stake=stake), self.all_rounds)
        self._require_worth(before.stake, stake)
        if new.terms == before:
            raise unreadable("rules", "other terms than those that hold")
        last = current.round if current else None
        if refusal := judge_terms(before, new, len(state.players), last):
            raise Refused(refusal, index=None)
        part: Part = {"kind": AGREE, "open": state.open_rounds}
        if state.agreed_at:
            part["agreed"] = state.agreed_at
        if new.terms.ruleset != before.ruleset:
            part["ruleset"] = to_data(new.terms.ruleset)
        if self.stake is not None and stake != before.stake:
            part["stake"] = self.stake
        if self.all_rounds:
            part["all_rounds"] = True
        if current is None:
            return Draft(1, [part])
        return Draft(current.number + (last is None or last.over or last.void is not None), [part])

    def _ruleset(self, before: Ruleset) -> Ruleset:
        if self.ruleset is not None:
            return agreed_ruleset(self.ruleset, self.rules or {})
        return further_ruleset(before, self.rules) if self.rules else before

    def _require_worth(self, before: Stake | None, stake: Stake | None) -> None:
        """Raise Problem if the worth is in another currency, or is to be that of rounds that have one."""
        if before is None:
            return
        if stake is not None and stake.currency != before.currency:
            raise unreadable("stake", f"an amount in the currency of the night ({before.currency})")
        if self.all_rounds:
            raise unreadable("all_rounds", "nothing here (the rounds so far have a worth)")
