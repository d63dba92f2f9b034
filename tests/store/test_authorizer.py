"""The web's own connections, used by an attacker who can make them run any statement."""

import pytest
from sqlalchemy import text

from ledger.store import Store, StoreError, StoreRefused
from ledger.store.systems.sqlite_connections import wrong_settings
from tests.store.making import MadeNight, audited
from tests.store.systems import OtherProgram

pytestmark = pytest.mark.sqlite

DENIED = [
    "UPDATE night SET body = ''",
    "UPDATE event SET hash = zeroblob(32)",
    "UPDATE payment SET points = 1",
    "UPDATE correction SET part = 1",
    "UPDATE person SET player = 'p9'",
    "UPDATE person SET night = 'another'",
    "UPDATE OR IGNORE payment SET points = 1",
    "UPDATE alembic_version SET version_num = '9999'",
    "DELETE FROM night",
    "DELETE FROM event WHERE seq = 4",
    "DELETE FROM payment",
    "DELETE FROM correction",
    "DELETE FROM person",
    "UPDATE link_key SET digest = zeroblob(32)",
    "DELETE FROM link_key",
    "UPDATE group_entry SET kind = ''",
    "DELETE FROM group_entry",
    "DELETE FROM alembic_version",
    "WITH doomed AS (SELECT 1) DELETE FROM event WHERE seq IN doomed",
    "INSERT INTO alembic_version VALUES ('9999')",
    "INSERT INTO payment SELECT * FROM payment WHERE TRUE ON CONFLICT DO UPDATE SET points = 9",
    "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, '')",
    "UPDATE sqlite_schema SET sql = ''",
    "DROP TABLE payment",
    "DROP TRIGGER event_refuses_update",
    "DROP TRIGGER IF EXISTS payment_refuses_delete",
    "DROP INDEX event_by_round",
    "ALTER TABLE payment RENAME TO old",
    "ALTER TABLE payment ADD COLUMN extra TEXT",
    "ALTER TABLE payment DROP COLUMN clause",
    "CREATE TABLE extra (x)",
    "CREATE TEMP TABLE payment (x)",
    "CREATE VIEW extra AS SELECT 1",
    "CREATE TEMP VIEW payment AS SELECT 1",
    "CREATE INDEX extra ON event (kind)",
    "CREATE TRIGGER extra AFTER INSERT ON event BEGIN DELETE FROM payment; END",
    "CREATE TEMP TRIGGER extra AFTER INSERT ON event BEGIN DELETE FROM payment; END",
    "CREATE VIRTUAL TABLE extra USING fts5(x)",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA recursive_triggers = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA journal_mode = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA trusted_schema = ON",
    "PRAGMA ignore_check_constraints = ON",
    "PRAGMA defer_foreign_keys = ON",
    "PRAGMA user_version",
    "PRAGMA data_version",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO '/dev/null'",
    "REINDEX",
    "ANALYZE",
    "SELECT load_extension('nothing')",
    "REPLACE INTO night SELECT * FROM night",
    "REPLACE INTO event SELECT * FROM event",
    "REPLACE INTO payment SELECT * FROM payment",
    "REPLACE INTO correction SELECT * FROM correction",
]
DENIED_TO_READERS = [*DENIED, "UPDATE person SET name = 'X'", "INSERT INTO night VALUES (1)"]


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


def test_a_name_can_be_changed_and_erased_and_the_log_stays_as_it_is(
    night: MadeNight, other: OtherProgram
) -> None:
    before = other.contents()
    with night.store.writing(night.id) as writer:
        writer.connection.exec_driver_sql("UPDATE person SET name = NULL, salt = NULL WHERE player = 'p2'")
    after = other.contents()
    assert after.pop("person") != before.pop("person")
    assert after == before
    with night.store.reading() as reader:
        assert reader.names(night.id)["p2"] == "p2"
    assert audited(night.store) == []


def test_every_connection_is_set_as_it_must_be(night: MadeNight, url: str) -> None:
    tool = Store.open(url, web=False)
    with tool._database.reading() as moment, moment() as connection:
        assert wrong_settings(connection) == []
    with tool.writing(night.id) as writer:
        assert wrong_settings(writer.connection) == []
    tool.close()
