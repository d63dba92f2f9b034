"""Every field of a ruleset matters: in some round it changes what is legal, paid, due next or noted."""

from dataclasses import replace

import pytest

from ledger.game.rulesets.overlays.schemes import RULE
from ledger.game.rulesets.overrides import with_rules
from tests.game.mattering import cases, every_field, rows


def test_every_field_of_a_ruleset_has_a_round_in_which_it_matters() -> None:
    assert sorted(rows()) == sorted(every_field())


@pytest.mark.parametrize("field", [field for field, row in rows().items() if "story" in row])
def test_a_field_matters_in_its_round(field: str) -> None:
    case = cases()[field]
    before, after = case.results(case.before), case.results(case.after)
    assert before[case.shows] != after[case.shows]


def test_what_is_in_no_round_is_told_or_left_to_old_nights() -> None:
    assert {case.shows for case in cases().values() if not case.story} == {"page", "nothing"}


def test_every_number_that_earns_points_by_itself_is_one_of_the_outcome() -> None:
    """Else the page of the rules would say that nothing is paid."""
    earning = set()
    for case in (case for case in cases().values() if case.field.startswith("Payments.")):
        name = case.field.removeprefix("Payments.")
        bare, value = with_rules(case.after, [(RULE, "ranks-only")]), getattr(case.after.payments, name)
        alone = replace(bare, payments=replace(bare.payments, **{name: value}))
        if isinstance(value, int) and case.results(alone).get("payments"):
            earning.add(name)
            assert alone.payments.for_outcome, name
    assert earning >= {
        "left",
        "full_hand",
        "card",
        "last_twos",
        "got_to_get_in",
        "lowest_last",
        "lowest_left",
    }
