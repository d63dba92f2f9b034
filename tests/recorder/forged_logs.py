"""Exact logs that were altered and completely hashed again, so that every hash is right."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any, cast

from ledger.store import event_hash, night_hash
from tests.recorder.examples import EXAMPLES_IN
from tests.recorder.tables import CLASSIC

Body = dict[str, Any]
Change = Callable[[Body], object]
Lines = list[str]

EVERYTHING = EXAMPLES_IN[CLASSIC]
"""A night with every kind of entry except a contract; its last round is unfinished."""


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def body_of(line: str) -> Body:
    body: Body = json.loads(json.loads(line)["body"])
    return body


def forged(lines: Iterable[str], seq: int, change: Change) -> Lines:
    """The log with entry `seq` (0: the night itself) altered, and all nets and hashes computed again."""
    night, people, *events = map(json.loads, lines)
    entries = [night, *events]
    bodies = [json.loads(entry["body"]) for entry in entries]
    change(bodies[seq])
    net = Counter[str]()
    with suppress(KeyError, TypeError):  # stop at an entry that the change made invalid
        for body in bodies[1:]:
            body["night"] = bodies[0].get("night", body["night"])
            for payment in body["payments"]:
                net[payment["payer"]] -= payment["points"]
                net[payment["payee"]] += payment["points"]
            body["net"] = {player: net[player] for player in body["net"]}
    for entry, body in zip(entries, bodies, strict=True):
        entry["body"] = text_of(body)
    head = night_hash(night["body"])
    night["hash"] = head.hex()
    for event in events:
        head = event_hash(head, event["body"])
        event["hash"] = head.hex()
    return [text_of(line) for line in (night, people, *events)]


def seq_of_first(lines: Iterable[str], kind: str) -> int:
    """The seq of the first entry of a kind."""
    first = next(body for body in map(body_of, list(lines)[2:]) if body["kind"] == kind)
    return int(first["seq"])


def put(*path: Any, to: object) -> Change:
    """A change that sets the value at a path."""
    return lambda body: _within(body, path[:-1]).__setitem__(path[-1], to)


def drop(*path: Any) -> Change:
    """A change that deletes the field at a path."""
    return lambda body: _within(body, path[:-1]).__delitem__(path[-1])


def _within(body: Body, path: Iterable[Any]) -> Any:
    return reduce(getitem, path, cast(Any, body))
