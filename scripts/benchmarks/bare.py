"""The least that a web application can do: keep something by one raw insert, synced, a request; and answer.

What is kept goes through no framework, what is read through Flask with nothing around it.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable
from threading import Lock, local
from typing import Any

from flask import Flask

DATABASE_VARIABLE = "BENCH_DATABASE"

_pages = Flask(__name__)
_lock = Lock()
_own = local()
_file: sqlite3.Connection | None = None


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Keep the body of a request, and answer its number once it is on the disk."""
    if environ["REQUEST_METHOD"] != "POST":
        return _pages(environ, start_response)
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
    on_server = os.environ[DATABASE_VARIABLE].startswith("postgresql:")
    number = _keep_on_server(body) if on_server else _keep_in_file(body)
    answer = f'{{"seq":{number}}}'.encode()
    start_response(
        "201 Created", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))]
    )
    return [answer]


@_pages.get("/")
def _answer() -> str:
    return "ok"


def _keep_in_file(body: str) -> Any:
    with _lock:
        connection = _file_of_process()
        connection.execute("BEGIN IMMEDIATE")
        number = connection.execute("INSERT INTO event (body) VALUES (?)", (body,)).lastrowid
        connection.execute("COMMIT")
    return number


def _file_of_process() -> sqlite3.Connection:
    """This process's connection, made after the fork, as durable as the ledger's."""
    global _file
    if _file is None:
        path = os.environ[DATABASE_VARIABLE]
        _file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        _file.execute("PRAGMA journal_mode = TRUNCATE")
        _file.execute("PRAGMA synchronous = FULL")
        _file.execute("CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
    return _file


def _keep_on_server(body: str) -> Any:
    if not hasattr(_own, "connection"):
        import psycopg

        _own.connection = psycopg.connect(os.environ[DATABASE_VARIABLE], autocommit=True)
    row = _own.connection.execute("INSERT INTO event (body) VALUES (%s) RETURNING seq", (body,)).fetchone()
    return row[0]
