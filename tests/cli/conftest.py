"""A user with an empty home directory and no database."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory: tests never touch a user's own nights."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("TIENLEN_DATABASE_URL", "TIENLEN_OWNER_URL", "TIENLEN_KEY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home
