"""The schema that the migrations make on each system: `python -m tests.store.catalog` writes it next to them."""

import json
from collections import defaultdict

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from ledger.resources import folder
from ledger.store.schema import Schema, upgrade
from ledger.store.systems import sqlite_connections
from ledger.store.systems.postgresql import Postgresql
from ledger.store.systems.postgresql_schema import schema
from tests.postgresql import Cluster, running_cluster
from tests.store.systems import migrated_database


def scratch_engine() -> Engine:
    """An empty SQLite database in memory."""
    engine = create_engine(URL.create("sqlite"), poolclass=StaticPool, connect_args={"isolation_level": None})
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def made_on_sqlite() -> Schema:
    """The schema of a newly migrated database."""
    engine = scratch_engine()
    with engine.begin() as connection:
        upgrade(connection)
        found = sqlite_connections.schema(connection)
    engine.dispose()
    return found


def made_on_postgresql(cluster: Cluster) -> Schema:
    """The schema of a newly migrated database on a server."""
    name = migrated_database(cluster)
    database = Postgresql(cluster.url(name))
    with database.inspecting() as connection:
        found = schema(connection)
    database.close()
    cluster.drop(name)
    return found


def written(found: Schema) -> str:
    """A schema as the text of its file next to the migrations."""
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    for (kind, name), text in sorted(found.items()):
        parts[kind][name] = text
    return json.dumps(parts, indent=1) + "\n"


if __name__ == "__main__":
    with running_cluster() as server:
        for system, made in (("sqlite", made_on_sqlite()), ("postgresql", made_on_postgresql(server))):
            (folder("migrations") / f"{system}.json").write_text(written(made), encoding="utf-8")
