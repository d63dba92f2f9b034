"""What the migrations make on PostgreSQL, as text: `python -m tests.store.catalog > migrations/postgresql.json`."""

import json
import sys
from collections import defaultdict

from ledger.store.conformance import Schema
from ledger.store.postgresql import Postgresql
from ledger.store.postgresql_schema import schema
from tests.postgresql import Cluster, running_cluster
from tests.store.systems import migrated_database


def made_by_migrations(cluster: Cluster) -> Schema:
    """The schema of a database that the migrations have made just now."""
    name = migrated_database(cluster)
    database = Postgresql(cluster.url(name))
    with database.inspecting() as connection:
        found = schema(connection)
    database.close()
    cluster.drop(name)
    return found


def written(found: Schema) -> str:
    """As the file beside the migrations has it."""
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    for (kind, name), text in sorted(found.items()):
        parts[kind][name] = text
    return json.dumps(parts, indent=1) + "\n"


if __name__ == "__main__":
    with running_cluster() as server:
        sys.stdout.write(written(made_by_migrations(server)))
