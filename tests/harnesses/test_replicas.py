"""A standby that takes over has all that was acknowledged; commits that do not wait for it are found."""

from tests.soak.faults.replicas import failed_over


def test_the_standby_of_a_lost_server_has_everything_that_was_acknowledged() -> None:
    tally = failed_over(failovers=1, seed=1)
    assert tally.faults == []
    assert tally.crashes == 1
    assert tally.acknowledged
    early = failed_over(failovers=1, seed=1, defect=True)
    assert any(fault.startswith("lost: ") for fault in early.faults)
