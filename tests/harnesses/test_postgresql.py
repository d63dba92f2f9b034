"""No crash or loss of a PostgreSQL server loses what was acknowledged; commits that do not wait are found."""

from tests.postgresql import running_cluster
from tests.soak.faults.postgresql import crashed, failed_over


def test_a_server_that_is_killed_under_load_loses_nothing_it_acknowledged() -> None:
    with running_cluster() as cluster:  # of its own: it is killed
        tally = crashed(cluster, crashes=2, seed=3)
        assert tally.wrong == []
        assert tally["crashes"] == 2
        assert tally["moves acknowledged"]
        early = crashed(cluster, crashes=4, seed=3, defect=True)
        assert any(fault.startswith("lost: ") for fault in early.wrong)


def test_the_standby_of_a_lost_server_has_everything_that_was_acknowledged() -> None:
    tally = failed_over(failovers=1, seed=1)
    assert tally.wrong == []
    assert tally["crashes"] == 1
    assert tally["moves acknowledged"]
    early = failed_over(failovers=1, seed=1, defect=True)
    assert any(fault.startswith("lost: ") for fault in early.wrong)
