"""The web's own connections, used by an attacker who can make them run any statement."""

from contextlib import closing

import pytest
from sqlalchemy import text

from ledger.store import Store, StoreError, StoreRefused
from ledger.store.systems.sqlite import Sqlite
from ledger.store.systems.sqlite_connections import wrong_settings
from tests.case_files import lines_below
from tests.store.making import MadeNight
from tests.store.systems import OtherProgram

pytestmark = pytest.mark.sqlite

DENIED = lines_below("store/denied.txt", "SQLite, to a connection that writes")
DENIED_TO_READERS = [*DENIED, *lines_below("store/denied.txt", "SQLite, to a connection that reads besides")]


def test_a_writing_connection_is_denied(night: MadeNight, other: OtherProgram) -> None:
    before = other.contents()
    for statement in DENIED:
        with pytest.raises(StoreRefused), night.store.writing(night.id) as writer:
            writer.connection.exec_driver_sql(statement)
        assert other.contents() == before, statement
        assert night.store.differences() == (), statement


def test_a_reading_connection_is_denied(night: MadeNight, other: OtherProgram) -> None:
    before = other.contents()
    for statement in DENIED_TO_READERS:
        with pytest.raises(StoreError), night.store.reading() as reader:
            reader.rows(text(statement), {})
        assert other.contents() == before, statement


def test_the_triggers_hold_where_the_authorizer_is_not_asked(night: MadeNight, url: str) -> None:
    tool = Store.open(url, web=False)
    for table in ("night", "event", "payment", "correction"):
        key = "id" if table == "night" else "night"
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {key} = ''"):
            with pytest.raises(StoreRefused, match="nothing is edited"), tool.writing(night.id) as writer:
                writer.connection.exec_driver_sql(statement)
    tool.close()


def test_every_connection_is_set_as_it_must_be(night: MadeNight, url: str) -> None:
    tool = Store.open(url, web=False)
    with closing(Sqlite(url, web=False)) as database, database.reading() as connection:
        assert wrong_settings(connection) == []
    with tool.writing(night.id) as writer:
        assert wrong_settings(writer.connection) == []
    tool.close()
