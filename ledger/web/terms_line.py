"""Rules and money in a line: `Southern: classic · 2 own rules · 1 point = ₫5,000`."""

from collections.abc import Iterable
from decimal import Decimal

from ledger.recorder.agreements import AgreedTerms
from ledger.recorder.terms import Opening
from ledger.recorder.views.night import Board, StakeInUse, view_stake
from ledger.web.chosen_rules import TableRules
from ledger.web.preferences import speaker


def line(rules: TableRules, amount: str, currency: str) -> str:
    """Rules and money in a line. The amount is as typed; empty if points have no worth."""
    words, own = speaker(), len(rules.by_name)
    try:
        worth = words.money(1, Decimal(words.amount(amount, currency)), currency) if amount else ""
    except ValueError:
        worth = amount  # to be refused
    return " · ".join(
        (
            words.ruleset(rules.ruleset),
            *((words.ngettext("%(num)s own rule", "%(num)s own rules", own) % {"num": own},) if own else ()),
            words.gettext("1 point = %(worth)s") % {"worth": worth}
            if worth
            else words.gettext("points only"),
        )
    )


def line_of_night(board: Board) -> str:
    """What holds in a night, in a line."""
    return line(rules_of_night(board), *money_typed(board.stake))


def line_of_terms(agreed: Opening | AgreedTerms) -> str:
    """What a night was opened with, or agreed on since, in a line."""
    return line(rules_of_terms(agreed), *money_typed(view_stake(agreed.terms.stake)))


def money_typed(stake: StakeInUse | None) -> tuple[str, str]:
    """What a point is worth, as it is typed: an amount and a currency, both empty if points have no worth."""
    return (stake.amount, stake.currency) if stake else ("", "")


def rules_of_night(board: Board) -> TableRules:
    """The rules that hold in a night."""
    return _rules(board.ruleset.id, board.ruleset.rules)


def rules_of_terms(agreed: Opening | AgreedTerms) -> TableRules:
    """The rules that a night was opened with, or agreed on since."""
    return _rules(agreed.terms.ruleset.id, agreed.rules)


def _rules(preset: str, rules: Iterable[tuple[str, str]]) -> TableRules:
    return TableRules(preset, tuple(f"{path}={value}" for path, value in rules))
