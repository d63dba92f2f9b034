"""Requests of the right types that say anything at all: each is recorded or refused, and nothing else happens."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ledger.recorder import KINDS, Problem
from tests.recorder.tables import A_ROUND, A_SETTLED_ROUND, RANKS, Table, whole

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


def anything(chance: Random) -> tuple[str, dict[str, Any]]:
    """A request as the interface lets it through."""

    def player() -> str:
        return f"p{chance.choice([1, 1, 2, 2, 3, 4, 5, 12])}"

    def cards(most: int = 14) -> list[str]:
        return [chance.choice(RANKS) + chance.choice("scdh") for _ in range(chance.randint(1, most))]

    kind = chance.choice(list(KINDS))
    stood = {"stood": True} if chance.random() < 0.5 else {}
    match kind:
        case "round":
            leader: dict[str, Any] = chance.choice([{"opening": True}, {"leader": player()}])
            seats = (
                {"seats": [player() for _ in range(chance.randint(1, 12))]} if chance.random() < 0.5 else {}
            )
            return kind, leader | seats | stood
        case "play":
            said = (
                {"passed": [player() for _ in range(chance.randint(1, 3))]} if chance.random() < 0.2 else {}
            )
            return kind, {"seat": player(), "cards": cards(chance.choice([1, 2, 14]))} | said | stood
        case "pass":
            return kind, {"seat": player()} | stood
        case "claim":
            return kind, {"seat": player(), "cards": cards()} | stood
        case "show":
            return kind, {"seat": player(), "cards": cards()} | round_of(chance)
        case "declare":
            sets = [cards(8) for _ in range(chance.randint(0, 3))]
            return kind, {"seat": player(), "sets": sets} | round_of(chance)
        case "settle":
            return kind, round_of(chance)
        case "adjust":
            return kind, {
                "payer": player(),
                "payee": player(),
                "points": chance.randint(1, 10**9),
                "reason": "à",
            }
        case "contract":
            return kind, {"seat": player(), "contract": chance.choice(["guaransheed", "", "à"])}
        case "note":
            return kind, {
                "note": chance.choice([f"deals {player()}", f"owes {player()} {player()} 2", "", "à"])
            }
        case "join":
            return kind, {"name": chance.choice(["An", "Em Thảo", "Gì Út", "Cậu Tư", "Phúc", "p3"])}
        case "rename":
            return kind, {"player": player(), "name": chance.choice(["An", "Bính", "p1", "Quý"])}
        case "revoke":
            whose = {"player": player()} if chance.random() < 0.6 else {}
            return kind, {"role": chance.choice(["seat", "watch"])} | whose
        case "reopen":
            return kind, {"reason": "ừ"}
        case "result":
            bombs = [{"seat": player(), "beat": player(), "captured": cards(3)}]
            places = [player() for _ in range(chance.randint(1, 5))]
            return kind, {"places": places, "bombs": bombs[: chance.randint(0, 1)]}
        case "correct":
            return kind, {
                "changes": [change(chance, cards) for _ in range(chance.randint(1, 3))],
                "reason": "nhầm",
            }
        case "void":
            return kind, {"round": chance.choice([1, 2, 3, 10**9]), "reason": "chia nhầm"}
        case "confirm":
            return kind, {"player": player(), "round": chance.choice([1, 2, 10**9])}
        case "dispute":
            about: dict[str, Any] = chance.choice(
                [{"move": address(chance)}, {"payment": {"seq": chance.randint(1, 9), "idx": 0}}]
            )
            return kind, {"player": player(), "round": chance.choice([0, 1, 2]), "reason": "?"} | about
        case "decide":
            decision = chance.choice(["kept", "corrected", "waived"])
            return kind, {"dispute": chance.randint(1, 12), "decision": decision, "reason": "ừ"}
        case "paid":
            return kind, {"payer": player(), "payee": player(), "points": chance.randint(1, 10**9)}
    return kind, {}


def address(chance: Random) -> str:
    return f"{chance.randint(1, 12)}.{chance.choice([0, 0, 1])}"


def change(chance: Random, cards: Callable[[], list[str]]) -> dict[str, Any]:
    """One change of a correction."""
    said: dict[str, Any] | None = chance.choice(
        [
            None,
            {"kind": "play", "seat": "p1", "cards": cards(), "stood": chance.random() < 0.5},
            {"kind": "pass", "seat": "p2", "stood": True},
            {"kind": "declare", "seat": "p2", "sets": [["2c"]]},
            {"kind": "round", "leader": "p2", "stood": chance.random() < 0.5},
            {"kind": "round", "opening": True, "seats": ["p2", "p1"]},
        ]
    )
    if said is not None and chance.random() < 0.3:
        return {"before": address(chance), "with": said}
    return {"target": address(chance), "with": said}


def round_of(chance: Random) -> dict[str, int]:
    return {"round": chance.choice([1, 2, 3, 10**9])} if chance.random() < 0.6 else {}


@pytest.mark.parametrize("story", range(len(STORIES)))
def test_whatever_is_asked_is_recorded_or_refused(table: Table, story: int) -> None:
    chance = Random(story)
    table.tell(STORIES[story])
    for _ in range(200):
        kind, content = anything(chance)
        try:
            json.dumps(table.preview(kind, **content))
        except Problem as problem:
            json.dumps(problem.facts)
            continue
        if chance.random() < 0.2 and kind != "end":
            table.record(kind, **content)
            assert json.dumps(table.board()) == json.dumps(table.restarted().board())
