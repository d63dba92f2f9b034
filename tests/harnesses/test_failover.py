"""A primary of three database machines that is lost costs nothing acknowledged; asynchronous commits are found."""

import re

import pytest
from trying.files import section

from tests.soak.failover.failover import LONGEST_WAIT, PATRONI_SECONDS, lacking, soak
from tests.soaking import PLANTED


@pytest.fixture
def _machines() -> None:
    if why := lacking():
        pytest.skip(why)


def test_the_instructions_say_how_long_a_table_waits() -> None:
    figures = set(re.findall(r"\d+", section("Failover without a person")))
    assert {f"{PATRONI_SECONDS:g}", f"{LONGEST_WAIT:g}"} <= figures


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_machines")
@pytest.mark.soak("a minute and a half: Patroni waits 20 seconds for a lost primary")
def test_a_frozen_primary_is_replaced_without_a_person_and_nothing_acknowledged_is_lost() -> None:
    tally = soak(faults=1, only="freeze")
    assert tally.wrong == []
    assert tally["taken over"] == 1
    assert tally["moves acknowledged"]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_machines")
@pytest.mark.soak(PLANTED)
def test_commits_that_wait_for_no_standby_are_found() -> None:
    tally = soak(faults=2, only="kill", defect="asynchronous")
    assert any(fault.startswith("lost: ") for fault in tally.wrong)
