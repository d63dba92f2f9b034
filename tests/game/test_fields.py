"""Every field of a ruleset matters: in some round it changes what is legal, paid, due next or noted."""

import pytest

from tests.game.mattering import Case, cases, every_field

PLAYED = [case for case in cases() if case.story]


def test_every_field_of_a_ruleset_has_a_round_in_which_it_matters() -> None:
    assert sorted(case.field for case in cases()) == sorted(every_field())


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.field)
def test_a_field_matters_in_its_round(case: Case) -> None:
    before, after = case.seen(case.before), case.seen(case.after)
    assert before[case.shows] != after[case.shows]


def test_what_is_in_no_round_is_told_or_left_to_old_nights() -> None:
    assert {case.shows for case in cases() if not case.story} == {"page", "nothing"}
