"""A user with a home of their own, and no database yet."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def priority(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """What a command has asked for in place of this process's own priority: the tests after it would wait, too."""
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr("os.setpriority", lambda *what: asked.append(what))
    return asked


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own nights are touched by a test."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("TIENLEN_DATABASE_URL", "TIENLEN_OWNER_URL", "TIENLEN_KEY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home
