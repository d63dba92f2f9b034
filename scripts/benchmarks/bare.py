"""A minimal web application as a baseline: one raw, synced insert a request, and an answer.

Without any framework, and with bare Flask.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable
from threading import BoundedSemaphore, Lock
from typing import Any

from flask import Flask, Response, request

DATABASE_VARIABLE = "BENCH_DATABASE"
WITHOUT_FLASK = "/wsgi"
"""The path that is answered without a framework."""

_flask = Flask(__name__)
_lock = Lock()
_slots = BoundedSemaphore(16)
_free: list[Any] = []
"""The pool's free connections to a database server."""
_file: sqlite3.Connection | None = None


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer; the body of a POST is stored first, and answered with its number once it is on disk."""
    if environ["PATH_INFO"] != WITHOUT_FLASK:
        return _flask(environ, start_response)
    status, type, answer = "200 OK", "text/plain", b"ok"
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        status, type, answer = "201 Created", "application/json", _keep(body).encode()
    start_response(status, [("Content-Type", type), ("Content-Length", str(len(answer)))])
    return [answer]


@_flask.get("/")
def _answer() -> str:
    return "ok"


@_flask.post("/")
def _insert() -> Response:
    return Response(_keep(request.get_data(as_text=True)), 201, content_type="application/json")


def _keep(body: str) -> str:
    on_server = os.environ[DATABASE_VARIABLE].startswith("postgresql:")
    number = _keep_on_server(body) if on_server else _keep_in_file(body)
    return f'{{"seq":{number}}}'


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
        _file = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        _file.execute("PRAGMA journal_mode = PERSIST")
        _file.execute("PRAGMA synchronous = FULL")
        _file.execute("CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
    return _file


def _keep_on_server(body: str) -> Any:
    """Store it through one of a process's few connections: a server allows fewer than there are threads."""
    with _slots:
        if not _free:
            import psycopg

            _free.append(psycopg.connect(os.environ[DATABASE_VARIABLE], autocommit=True))
        connection = _free.pop()
        row = connection.execute("INSERT INTO event (body) VALUES (%s) RETURNING seq", (body,)).fetchone()
        _free.append(connection)
    return row[0]
