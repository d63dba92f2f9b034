"""Two honest nights to tamper with."""

from pathlib import Path

import pytest

from tests.soak.tampers.forging import Nights, two_nights


@pytest.fixture(scope="session")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Nights:
    return two_nights(tmp_path_factory.mktemp("nights"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"
