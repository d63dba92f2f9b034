"""Random requests of the right types: each is either recorded or refused, and nothing else happens."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from marshmallow import ValidationError
from marshmallow.fields import Dict, Field, List, Nested
from marshmallow.validate import OneOf

from ledger.recorder import KINDS, Problem, Role
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.fields import (
    Address,
    Amount,
    CardText,
    Currency,
    OneWord,
    Player,
    RoleWord,
    Truth,
    TypedText,
    Uuid,
    Whole,
    Word,
)
from tests.game.table import RANKS
from tests.recorder.tables import Table
from tests.stories import A_ROUND, A_SETTLED_ROUND, whole

STORIES = [
    "",
    "round opening",
    "round opening \n p1 3s \n p2 - \n p3 2d \n p4 6s 6c 7s 7c 8s 8c",
    A_ROUND,
    f"{A_ROUND} \n round lead p1 \n p1 3s",
    f"{A_SETTLED_ROUND} \n round lead p1 \n undo",
    f"round opening \n p1 claims {whole('p1')}",
    "end",
]


NOT_ASKED = {*OF_EVERY_EVENT, "seen"}
"""Fields about the time of a request, which a preview does not check."""
TEXTS = {
    "note": ["deals p1", "deals p12", "owes p1 p2 2 any-two", "owes p1 p1 2 any-two", "à"],
    "name": ["An", "Em Thảo", "Gì Út", "Cậu Tư", "Phúc", "Quý", "p1", "p3"],
}


def anything(chance: Random, kind: str) -> dict[str, Any]:
    """Random content for a kind that passes its schema."""
    schema, about = KINDS[kind].schema, {"id": str(uuid4()), "after": str(uuid4()), "kind": kind}
    while True:
        asked = {name: field for name, field in schema.fields.items() if name not in NOT_ASKED}
        values = filled(chance, asked)
        try:
            read = schema.load(about | values)
        except ValidationError:
            continue  # both or neither of two fields that exclude each other
        content = {name: value for name, value in read.items() if name not in OF_EVERY_EVENT}
        if KINDS[kind].recorded_by is Role.SEAT:
            content["player"] = some(chance, "player", Player())
        return content


def filled(chance: Random, asked: Mapping[str, Field[Any]]) -> dict[str, Any]:
    """Random values for all required fields and some of the others."""
    return {
        field.data_key or name: some(chance, name, field)
        for name, field in asked.items()
        if field.required or chance.random() < 0.4
    }


def some(chance: Random, name: str, field: Field[Any]) -> Any:
    """A random value for a field."""
    match field:
        case List():
            least = 2 if isinstance(field.inner, Player) else 1
            count = chance.choice([0, least, least, 2, 3, 14])
            return [some(chance, name, field.inner) for _ in range(count)]
        case Nested():
            return filled(chance, field.schema.fields)
        case Dict() if name == "rules":
            return chance.choice([{}, {"payments.left": "2"}, {"passing.locks": "no"}, {"no.such": "1"}])
        case Dict():
            kind = chance.choice([kind for kind, event in KINDS.items() if event.is_entry])
            return chance.choice([None, {"kind": kind, **anything(chance, kind)}])
        case Player():
            return f"p{chance.choice([1, 1, 2, 2, 3, 4, 5, 12])}"
        case CardText():
            return chance.choice(RANKS) + chance.choice("scdh")
        case Address():
            return f"{chance.randint(1, 12)}.{chance.choice([0, 0, 1])}"
        case Truth():
            return True
        case Whole():
            return chance.choice([0, 1, 1, 2, 3, chance.randint(1, 12), 10**9])
        case OneWord(validate=OneOf(choices=choices)):
            return chance.choice(list(choices))
        case Uuid():
            return str(UUID(int=chance.getrandbits(128), version=4))
        case RoleWord():
            return chance.choice([Role.SEAT, Role.WATCH]).value
        case Word():
            return chance.choice(["guaransheed", "other", "card-count"])
        case Amount():
            return chance.choice(["1000", "0.5"])
        case Currency():
            return "VND"
        case TypedText():
            return chance.choice(TEXTS.get(name, ["ừ"]))
    raise AssertionError(f"what may a {type(field).__name__} be?")


@pytest.mark.parametrize("story", range(len(STORIES)))
def test_whatever_is_asked_is_recorded_or_refused(table: Table, story: int) -> None:
    chance = Random(story)
    table.tell(STORIES[story])
    for _ in range(200):
        kind = chance.choice(list(KINDS))
        content = anything(chance, kind)
        try:
            json.dumps(table.preview(kind, **content), default=str)
        except Problem as problem:
            json.dumps(problem.facts)
            continue
        if chance.random() < 0.2 and kind != "end":
            table.record(kind, **content)
            assert table.board() == table.restarted().board()
