"""The recorder of a process, opened before the first request."""

import threading
from pathlib import Path
from unittest.mock import Mock

import pytest

from ledger.recorder import Recorder, StoreError
from ledger.store import migrate
from ledger.web import Settings, create_app
from ledger.web.recorder import recorder, warm_up

KEY = bytes(32)


def opened_early(app: object) -> None:
    """Open it as a worker does; returns when it is open."""
    before = set(threading.enumerate())
    warm_up(app)
    for opener in set(threading.enumerate()) - before:
        opener.join()


def test_a_recorder_is_opened_before_anybody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    migrate(url)
    app = create_app(Settings(database_url=url, key=KEY))
    opened_early(app)
    monkeypatch.setattr(Recorder, "open", Mock(side_effect=AssertionError("opened once more")))
    with app.app_context():
        assert recorder() is recorder()
        recorder().store.close()


def test_a_recorder_that_cannot_be_opened_says_so_to_whoever_asks(tmp_path: Path) -> None:
    app = create_app(Settings(database_url=f"sqlite:///{tmp_path / 'nowhere.db'}", key=KEY))
    opened_early(app)
    with app.app_context(), pytest.raises(StoreError, match="no database"):
        recorder()
