"""Two hosts upgraded one after the other (`scripts/soak upgrade`): no move is refused or lost; a migration that the
version before cannot go on with is found."""

from pathlib import Path

import pytest

from tests.postgresql import Cluster
from tests.soak import upgrade
from tests.soak.running import Tally
from tests.soaking import PLANTED, further

pytestmark = pytest.mark.slow


def upgraded(cluster: Cluster, place: Path, defect: str = "") -> Tally:
    try:
        return upgrade.upgraded(cluster, place, tables=3, moves=2, thinking=0.1, workers=1, defect=defect)
    except LookupError as error:
        pytest.skip(str(error))


def test_two_hosts_are_upgraded_while_tables_record(cluster: Cluster, tmp_path: Path) -> None:
    tally = upgraded(cluster, tmp_path)
    assert tally.wrong == []
    assert tally["moves acknowledged"] >= 3 * 6 * 2


@pytest.mark.parametrize(
    "defect", further(["a move lost", "a column renamed", "a column that must be filled"], PLANTED)
)
def test_a_migration_that_loses_something_or_stops_the_version_before_is_found(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defect: str
) -> None:
    monkeypatch.setattr(upgrade, "PATIENCE", 5.0)
    assert upgraded(cluster, tmp_path, defect).wrong
