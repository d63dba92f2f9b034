"""The examples in the documentation of the recorder run."""

import doctest

from ledger import recorder


def test_the_reading_order_has_an_example_that_runs() -> None:
    found = doctest.testmod(recorder)
    assert found.attempted >= 15
    assert not found.failed
