"""The least that a web application can do to keep something: one raw insert, synced, a request."""

import os
import sqlite3
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

DATABASE_VARIABLE = "BENCH_DATABASE"

_lock = Lock()
_connection: sqlite3.Connection | None = None


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Keep the body of a request, and answer its number once it is on the disk."""
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
    with _lock:
        connection = _connected()
        connection.execute("BEGIN IMMEDIATE")
        number = connection.execute("INSERT INTO event (body) VALUES (?)", (body,)).lastrowid
        connection.execute("COMMIT")
    answer = f'{{"seq":{number}}}'.encode()
    start_response(
        "201 Created", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))]
    )
    return [answer]


def _connected() -> sqlite3.Connection:
    """This process's connection, made after the fork, as durable as the ledger's."""
    global _connection
    if _connection is None:
        path = os.environ[DATABASE_VARIABLE]
        _connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        _connection.execute("PRAGMA journal_mode = TRUNCATE")
        _connection.execute("PRAGMA synchronous = FULL")
        _connection.execute(
            "CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"
        )
    return _connection
