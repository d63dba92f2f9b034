"""Every field of a ruleset matters: in some round it changes what is legal, paid, due next or noted."""

from dataclasses import replace
from operator import attrgetter

import pytest

from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.overlays.schemes import RULE
from ledger.game.rulesets.overrides import with_rules
from tests.game.mattering import Case, cases, every_field, rows


def test_every_field_of_a_ruleset_has_a_round_in_which_it_matters() -> None:
    assert sorted(rows()) == sorted(every_field())


@pytest.mark.parametrize("field", [field for field, row in rows().items() if "story" in row])
def test_a_field_matters_in_its_round(field: str) -> None:
    case = cases()[field]
    before, after = case.results(case.before), case.results(case.after)
    assert before[case.shows] != after[case.shows]


def test_what_is_in_no_round_is_told_or_left_to_old_nights() -> None:
    assert {case.shows for case in cases().values() if not case.story} == {"page", "nothing"}


PAID = [case for case in cases().values() if case.field.startswith("Payments.")]


def alone(case: Case) -> Ruleset:
    """The rules of a case, under which nothing is paid but by its field."""
    bare, name = with_rules(case.after, [(RULE, "ranks-only")]), case.field.removeprefix("Payments.")
    return replace(bare, payments=replace(bare.payments, **{name: getattr(case.after.payments, name)}))


def test_every_number_that_earns_points_by_itself_is_one_of_the_outcome_and_pays_by_its_clause() -> None:
    """Else the page of the rules would say that nothing is paid, or say it in another place."""
    earning = set()
    for case in PAID:
        ruleset = alone(case)
        paid = case.results(ruleset).get("payments")
        if isinstance(attrgetter(case.path)(ruleset), int) and isinstance(paid, list) and paid:
            earning.add(case.path.removeprefix("payments."))
            assert {clause for *_, clause in paid} == {ruleset.clause(DECLARED[case.path].clause)}
            assert ruleset.payments.for_outcome, case.field
    assert earning >= {
        "left",
        "full_hand",
        "card",
        "last_twos",
        "got_to_get_in",
        "lowest_last",
        "lowest_left",
    }


def test_a_hand_that_costs_something_by_itself_is_waited_for() -> None:
    asked = set()
    for case in PAID:
        untold = replace(case, story=tuple(line for line in case.story if " shows " not in line))
        told, before = case.results(alone(case)), untold.results(alone(case))
        if told["verdict"] is None and told["payments"] != before["payments"]:
            asked.add(case.path.removeprefix("payments."))
            assert before["waits"], case.field
    assert asked >= {"lowest_left"}
