"""Exact logs that somebody has altered, and hashed again from end to end: no hash tells them from honest ones."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from ledger.store import event_hash, night_hash

Body = dict[str, Any]
Change = Callable[[Body], object]
Lines = list[str]

EVERYTHING = """
    round opening
    p1 claims 3d 4s 4c 5d 5h 6c 6d 8c 8h 9d 9h Qs Qc
    settle
    round opening
    p1 3s
    p2 2d
    p3 4s 4c 4d 4h
    p4 -
    undo
    redo
    p1 -
    p2 -
    p3 5s 6s 7s 8s 9s Ts Js Qs Ks
    p1 -
    p2 -
    p1 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
    p2 -
    p1 6d 6h
    p2 declares none
    p4 declares 2s, 2c, 2h
    settle
    p1 confirms 2
    p2 disputes 2 payment 21.0 không phải
    decide 23 waived thôi bỏ qua
    p3 disputes 2 move 5.0 nhầm
    round lead p3
    p3 3s
    void 3 chia nhầm
    round lead p3
    result p2 p1 p3 knocked p4 bombed p2 p3 2h
    p3 declares none
    p4 shows 3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h 6s
    settle
    correct 30.0 = result p1 p2 p3 knocked p4 bombed p2 p3 2h because nhìn nhầm
    pay p1 p2 5 bia
    join Giang
    rename p2 Bính
    revoke watch
    note kneels p2 until-first
    paid p4 p1 1
    end
    reopen còn sớm
    round lead p1 p2 p1 p3 p5
    p1 2s
    p3 4c 4d 4h 4s
"""
"""Everything that can be recorded but a contract, and a round that goes on."""


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def body_of(line: str) -> Body:
    body: Body = json.loads(json.loads(line)["body"])
    return body


def forged(lines: Iterable[str], seq: int, change: Change) -> Lines:
    """The log with entry `seq` (0: the night itself) altered, and everything hashed again."""
    night, people, *events = map(json.loads, lines)
    entries = [night, *events]
    body = json.loads(entries[seq]["body"])
    change(body)
    entries[seq]["body"] = text_of(body)
    if seq == 0 and "night" in body:  # and everything that happened in it is that night's
        for event in events:
            event["body"] = text_of(json.loads(event["body"]) | {"night": body["night"]})
    head = night_hash(night["body"])
    night["hash"] = head.hex()
    for event in events:
        head = event_hash(head, event["body"])
        event["hash"] = head.hex()
    return [text_of(line) for line in (night, people, *events)]


def seq_of_first(lines: Iterable[str], kind: str) -> int:
    """Which entry is the first of a kind."""
    return next(body["seq"] for body in map(body_of, list(lines)[2:]) if body["kind"] == kind)


def put(*path: Any, to: object) -> Change:
    """Put a value at a place of a text."""

    def change(body: Body) -> None:
        *way, last = path
        place: Any = body
        for step in way:
            place = place[step]
        place[last] = to

    return change


def drop(*path: Any) -> Change:
    """Take a field out of a text."""

    def change(body: Body) -> None:
        *way, last = path
        place: Any = body
        for step in way:
            place = place[step]
        del place[last]

    return change
