"""An application with a database of its own for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.web import Rate, Settings, create_app, live
from tests.factories import NightFactory
from tests.web import naming_nights
from tests.web.asking import Place
from tests.web.phones import Phone, Table


@pytest.fixture(autouse=True)
def every_statement_names_a_night() -> Iterator[None]:
    """No request of any test may read rows of other nights than those it names."""
    with naming_nights.watched() as found:
        yield
    assert found == []


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path) -> Settings:
    """The settings of an application that only this test uses, with a database of its own."""
    return settings_of(tmp_path, empty_database)


@pytest.fixture(scope="module")
def shared_app(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Flask:
    return answering(settings_of(tmp_path_factory.mktemp("shared"), empty_database))


@pytest.fixture
def app(request: pytest.FixtureRequest) -> Flask:
    """The application that the tests of a module share; one of its own for a test that uses `settings`."""
    if "settings" in request.fixturenames:
        return answering(request.getfixturevalue("settings"))
    shared: Flask = request.getfixturevalue("shared_app")
    return shared


def settings_of(folder: Path, empty_database: Path) -> Settings:
    path, often = shutil.copy(empty_database, folder / "ledger.db"), Rate(1_000_000)
    return Settings(
        database_url=f"sqlite:///{path}", key=bytes(32), writes=often, new_nights=often, wrong_tokens=often
    )


def answering(settings: Settings) -> Flask:
    """An application that answers errors as it does in production, and does not raise them in the test."""
    app = create_app(settings)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def table(client: FlaskClient) -> Table:
    table: Table = NightFactory.create(by=client)
    return table


@pytest.fixture
def keeper(table: Table) -> Phone:
    return table.keeper


@pytest.fixture(scope="module")
def brief_streams() -> Iterator[None]:
    """Streams end at once, so that a request for one returns."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(live, "LIFE_SECONDS", 0.01)
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, brief_streams: None) -> Iterator[Place]:
    """An installation shared by the module; a test that changes a night makes its own with `place.played()`."""
    place = Place(f"sqlite:///{tmp_path_factory.mktemp('asked') / 'ledger.db'}")
    yield place
    place.close()


@pytest.fixture
def idle(place: Place) -> Phone:
    """The keeper of a night without events: for requests that are refused."""
    return place.far.keeper
