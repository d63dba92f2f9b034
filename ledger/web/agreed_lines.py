"""What a table agrees on during the night, in sentences."""

from typing import NamedTuple

from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.prices import prices_of
from ledger.game.rulesets.overrides import field_lines, own_rules
from ledger.game.terms import Terms
from ledger.language import Speaker
from ledger.recorder import NightSnapshot


def new_terms(words: Speaker, round: int, before: Terms, terms: Terms, *, all_rounds: bool = False) -> str:
    """What other terms change from a round on; `all_rounds`: the worth of a point is also that of earlier rounds.

    `From round 8: each card left: 2; 1 point = ₫10,000.`
    """
    changes = [] if terms.ruleset == before.ruleset else _changed(words, before.ruleset, terms.ruleset)
    if terms.stake and terms.stake != before.stake:
        worth = words.money(1, terms.stake.amount, terms.stake.currency)
        sentence = words.gettext("1 point = %(worth)s") % {"worth": worth}
        if all_rounds:
            sentence = words.gettext("%(worth)s, in all rounds so far as well") % {"worth": sentence}
        changes.append(sentence)
    facts = {"number": round, "changes": "; ".join(changes)}
    return words.gettext("From round %(number)s: %(changes)s.") % facts


class AgreedLine(NamedTuple):
    """An agreement of the night, in words."""

    round: int
    """The first round that it holds for."""
    sentence: str
    at: str
    phone: str | None


def agreed_lines(night: NightSnapshot, words: Speaker) -> list[AgreedLine]:
    """What the table has agreed on since the opening, the first agreement first."""
    return [
        AgreedLine(
            one.round,
            new_terms(words, one.round, one.before, one.terms, all_rounds=one.all_rounds),
            one.at,
            one.phone,
        )
        for one in night.new_terms()
    ]


def _changed(words: Speaker, before: Ruleset, ruleset: Ruleset) -> list[str]:
    """What differs from the rules before. Of a rule that was taken back, what holds in its place."""
    had, has, same = dict(own_rules(before)), dict(own_rules(ruleset)), ruleset.id == before.id
    now = {**prices_of(ruleset), **dict(field_lines(ruleset))} if same else {}
    kept = [words.rule(*line) for line in has.items() if had.get(line[0]) == line[1]]
    gone = [path for path in had if path not in has]
    dropped = [words.rule(path, had[path]) for path in gone if path not in now]
    return [
        *([] if same else [words.ruleset(ruleset.id)]),
        *(words.rule(*line) for line in has.items() if had.get(line[0]) != line[1]),
        *(words.rule(path, now[path]) for path in gone if path in now),
        *(
            words.gettext("as before: %(rules)s") % {"rules": words.all_of(kept)}
            for _ in kept[:1]
            if not same
        ),
        *(words.gettext("no longer: %(rules)s") % {"rules": words.all_of(dropped)} for _ in dropped[:1]),
    ]
