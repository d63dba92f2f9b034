"""Tests on a slow machine (`scripts/soak slow`): one that is tied to the clock is found, one that waits is not."""

import pytest

from tests.soak.slow import TIED, Ran, factor, soak, wrong

USUAL = {"short": Ran(0.01), "one": Ran(1.0), "two": Ran(2.0), "long": Ran(20.0)}
SLOW = {"short": Ran(0.5), "one": Ran(4.0), "two": Ran(8.0), "long": Ran(80.0)}


@pytest.mark.slow
def test_a_test_tied_to_the_clock_is_found() -> None:
    tally = soak(share=0.1, defect=TIED)
    assert tally["tests"] == 2
    (found,) = tally.wrong
    assert "::test_tied_to_the_clock fails" in found


def test_tests_that_all_take_as_many_times_as_long_are_sound() -> None:
    assert (factor(USUAL, SLOW), wrong(USUAL, SLOW, 2.5)) == (4.0, [])


@pytest.mark.parametrize("ran", [Ran(4.0, "given up"), Ran(100.0), None])
def test_what_fails_does_not_end_or_grows_more_than_the_others_is_listed(ran: Ran | None) -> None:
    slow = {name: there for name, there in (SLOW | {"one": ran}).items() if there}
    assert [line.partition(" ")[0] for line in wrong(USUAL, slow, 2.5)] == ["one"]


def test_what_fails_with_all_of_the_machine_is_listed_as_that() -> None:
    (found,) = wrong(USUAL | {"one": Ran(1.0, "no")}, SLOW, 2.5)
    assert found.startswith("one fails with all of the machine")
