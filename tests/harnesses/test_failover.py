"""A primary of three database machines that is lost costs nothing acknowledged; asynchronous commits are found."""

import pytest

from tests.soak.failover.failover import lacking, soak
from tests.soaking import PLANTED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(why := lacking()), reason=why or "nothing is lacking"),
]


@pytest.mark.soak("a minute and a half: Patroni waits 20 seconds for a lost primary")
def test_a_frozen_primary_is_replaced_without_a_person_and_nothing_acknowledged_is_lost() -> None:
    tally = soak(faults=1, only="freeze")
    assert tally.wrong == []
    assert tally["taken over"] == 1
    assert tally["moves acknowledged"]


@pytest.mark.soak(PLANTED)
def test_commits_that_wait_for_no_standby_are_found() -> None:
    tally = soak(faults=2, only="kill", defect="asynchronous")
    assert any(fault.startswith("lost: ") for fault in tally.wrong)
