"""Every valid content is read back unchanged from the log: each field of each kind, at its limits."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from marshmallow import ValidationError
from marshmallow.fields import Field, List
from marshmallow.validate import Length, OneOf, Range

from ledger.recorder import KINDS
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.fields import Truth, TypedText
from ledger.recorder.history import validated
from ledger.store import read_event as read_text
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import Table

SEALED = "name"
"""The field that the log replaces by a commitment."""


def edges(field: Field[Any]) -> Iterator[object]:
    """The extreme values that a field accepts."""
    if field.allow_none:
        yield None
    rules: dict[type, Any] = {type(rule): rule for rule in field.validators}
    match field:
        case Truth():
            yield from (True, False)
        case TypedText(characters=most):
            yield from ("", "x", "x" * most)
        case List(inner=inner) if Length in rules:
            for value in edges(inner):
                yield from ([value] * count for count in {rules[Length].min or 0, rules[Length].max})
        case _ if Range in rules:
            yield from (rules[Range].min, rules[Range].max)
        case _ if OneOf in rules:
            yield from rules[OneOf].choices
        case _:
            yield field.metadata.get("example", "")


def may_be_asked(kind: str, content: dict[str, Any]) -> bool:
    """Whether a request of this kind may have this content in the log."""
    schema = KINDS[kind].schema
    own = {name: value for name, value in content.items() if name in schema.fields}
    named = {SEALED: "Bình"} if SEALED in own else {}
    try:
        schema.load({"id": str(uuid4()), "after": str(uuid4()), "kind": kind, **own, **named})
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_may_be_asked_is_read_back_from_the_log(
    before_example: Callable[[str], Table], kind: str
) -> None:
    table = before_example(kind).tell(EXAMPLES[kind].line)
    with table.recorder.store.reading() as reader:
        row = reader.last(table.night)
    assert row is not None
    assert row.kind == kind
    body = read_text(row.body)
    for name, field in KINDS[kind].schema.fields.items():
        if name in (*OF_EVERY_EVENT, SEALED):
            continue
        without = {other: value for other, value in body.content.items() if other != name}
        contents = [body.content, without, *({**without, name: value} for value in edges(field))]
        taken = [content for content in contents if may_be_asked(kind, content)]
        assert body.content in taken
        for content in taken:
            assert validated(row, body._replace(content=content)).content == content


def test_an_entry_is_what_its_columns_say_where_its_text_says_another(table: Table) -> None:
    table.record("round", opening=True)
    table.record("play", seat="p1", cards=["3s"])
    with table.recorder.store.reading() as reader:
        *_, row = reader.events(table.night)
    for says in ({"kind": "no kind"}, {"seq": 7}, {"round": 9}, {"id": "another"}):
        forged = row._replace(body=json.dumps(json.loads(row.body) | says))
        read = validated(forged)
        assert (read.seq, read.id, read.kind, read.round) == (row.seq, row.id, "play", 1)
