"""What is told of the hosts of a database: no primary or two, and standbys that lag or are away."""

from dataclasses import replace

import pytest

from ledger.recorder.operations.checks import State
from ledger.recorder.operations.database_hosts import check_hosts, tell_hosts
from ledger.store import DatabaseHost

PRIMARY = DatabaseHost("db1", answers=True, primary=True, position=40 << 20)
STANDBY = DatabaseHost("db2", answers=True, follows=True, position=PRIMARY.position)
AWAY = DatabaseHost("db3", answers=False)
LEFT = replace(STANDBY, name="db3", follows=False)
CLOSE = replace(STANDBY, position=PRIMARY.position - (16 << 20) + 1)
LATE = replace(STANDBY, position=PRIMARY.position - (16 << 20))


@pytest.mark.parametrize(
    ("hosts", "state", "told"),
    [
        ((PRIMARY, STANDBY), State.FINE, "db1 is the primary; db2 follows"),
        ((PRIMARY, CLOSE), State.FINE, "db1 is the primary; db2 follows"),
        ((PRIMARY, LATE), State.DOUBTFUL, "db1 is the primary; db2 follows, 16.8 MB behind"),
        ((PRIMARY, AWAY), State.DOUBTFUL, "db1 is the primary; db3 does not answer"),
        ((PRIMARY, LEFT), State.DOUBTFUL, "db1 is the primary; db3 is a standby that receives nothing"),
        ((AWAY, STANDBY), State.WRONG, "no primary at the moment: db3 does not answer; db2 follows"),
        (
            (PRIMARY, replace(PRIMARY, name="db2")),
            State.WRONG,
            "two primaries, of which one is being replaced: db1 is the primary; db2 is the primary",
        ),
    ],
)
def test_the_hosts_of_a_database_are_told(hosts: tuple[DatabaseHost, ...], state: State, told: str) -> None:
    assert (check_hosts(hosts).state, tell_hosts(hosts)) == (state, told)
