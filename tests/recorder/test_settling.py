"""Payments, posted by one entry for each round with the moves that caused them; adjustments; the end of a night."""

import json
from typing import Any

import pytest

from ledger.recorder import KINDS, Recorder, Role
from ledger.recorder.logged import ENGINE
from tests.recorder.examples import EXAMPLES_IN
from tests.recorder.tables import (
    A_ROUND,
    A_SETTLED_ROUND,
    Table,
    open_table,
    plain,
    run,
    whole,
)

SHOWING = f"p2 shows 3c {run('c', '5', '2')}"
A_CHOP = """
    round opening p1 p2
    p1 3s
    p2 2c
    p1 4s 4c 4d 4h
    p2 -
    p1 5s
    p2 6c
    p1 2s
    p2 -
"""
"""p1 has beaten p2's 2♣ with a bomb, which is worth 1 point."""


def last_body(table: Table) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(table.log()[-1]["body"])
    return body


def test_a_cause_is_an_address_and_not_a_number(table: Table) -> None:
    """The story has an undo and implied passes."""
    table.tell("round opening p1 p2 p3 \n p1 3s \n p2 9c \n undo \n p3 5d \n p1 2s")
    table.tell(f"p1 {run('s', '4')}")
    addresses = [row["address"] for row in table.round()["moves"]]
    assert addresses == ["2.0", "5.0", "5.1", "6.0", "7.0", "7.1"]
    assert {(payment["move"], payment["cause"]) for payment in table.round()["payments"]} == {(6, "7.1")}


def test_a_bomb_bonus_is_caused_by_the_bomb(table: Table) -> None:
    round = table.tell(A_CHOP).round()
    (bonus,) = round["payments"]
    assert (bonus["reason"], bonus["payer"], bonus["payee"], bonus["points"]) == ("bomb-bonus", "p2", "p1", 1)
    assert (bonus["move"], bonus["cause"], round["moves"][2]["address"]) == (3, "4.0", "4.0")


def test_what_is_not_settled_is_provisional_and_moves_no_balance(table: Table) -> None:
    board = table.tell(A_CHOP).board()
    assert board["provisional"] == {"p1": 1, "p2": -1, "p3": 0, "p4": 0}
    assert set(board["net"].values()) == {0}
    assert (board["posted"], board["unsettled"]) == (False, [1])
    assert table.ask.ledger().payments == []


def test_settle_takes_the_newest_round_if_none_is_named(table: Table) -> None:
    table.tell(f"{A_ROUND} \n {SHOWING} \n round lead p1 p1 p2 \n p1 claims {whole('p1')} \n settle")
    assert table.board()["unsettled"] == [1]


# Five players, four seats


def test_a_round_seats_who_sat_in_the_one_before(recorder: Recorder) -> None:
    table = open_table(recorder, 5).tell(f"round opening p5 p4 p3 \n p5 claims {whole('p1')} \n settle")
    assert table.tell("round opening").round()["seats"] == ["p5", "p4", "p3"]


def test_a_winner_who_sits_out_leads_nothing(recorder: Recorder) -> None:
    table = open_table(recorder, 5).tell(A_SETTLED_ROUND)
    assert table.board()["next"]["leader"] == "p1"
    assert table.refused("round lead p2 p2 p3 p4 p5").clause == "S-OPEN"
    assert table.tell("round opening p2 p3 p4 p5").round()["findings"] == []


# Adjustments, ledger, end


def test_an_adjustment_is_a_payment_of_no_round_with_its_reason(table: Table) -> None:
    table.tell("pay p2 p1 5 đến muộn lần nữa")
    (row,) = map(plain, table.ask.ledger().payments)
    assert row == {
        "seq": 1,
        "idx": 0,
        "round": 0,
        "cause": None,
        "payer": "p2",
        "payee": "p1",
        "points": 5,
        "reason": "adjustment",
        "clause": "adjustment",
        "reverses": None,
        "move": None,
        "note": "đến muộn lần nữa",
        "reversed_by": None,
        "dispute": None,
        "posted_by": {"seq": 1, "kind": "adjust", "at": row["posted_by"]["at"], "reason": "đến muộn lần nữa"},
    }
    assert table.board()["net"] == {"p1": 5, "p2": -5, "p3": 0, "p4": 0}


@pytest.mark.parametrize("story", ["round opening \n p1 3s", A_ROUND])
def test_an_adjustment_may_come_in_the_middle_of_a_round(table: Table, story: str) -> None:
    before = table.tell(story).round()
    assert table.tell("pay p2 p1 5 bia").round() == before


def test_a_part_of_the_ledger_has_the_balances_of_all(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 p1 p2 \n p1 claims {whole('p1')} \n settle")
    whole_ledger = table.ask.ledger()
    later = table.ask.ledger(after_round=1)
    first = table.ask.ledger(limit=1)
    assert [row.round for row in later.payments] == [2]
    assert [row.round for row in first.payments] == [1, 1]
    assert later.balances == first.balances == whole_ledger.balances


@pytest.mark.parametrize("limit", [1, 2, 3, 4, None])
def test_the_parts_of_the_ledger_have_each_payment_once(table: Table, limit: int | None) -> None:
    again = A_SETTLED_ROUND.replace("opening p1 p2", "lead p1 p1 p2")
    table.tell(f"round opening p1 p2 \n void 1 chia nhầm \n {A_SETTLED_ROUND} \n {again} \n {again}")
    table.record("adjust", payer="p1", payee="p2", points=5, reason="tiền nước")
    seq = next(event["seq"] for event in table.log() if event["kind"] == "settle")
    table.tell(f"p2 disputes 2 payment {seq}.0 sao thế \n decide {table.log()[-1]['seq'] + 1} waived thôi")
    found, after = [], 0
    while True:
        part = table.ask.ledger(after_round=after, limit=limit)
        listed = [line.number for line in part.rounds]
        if not listed:
            break
        assert {row.round for row in part.payments} <= {*listed, 0}
        found += part.payments
        after = listed[-1]
    assert sorted((row.seq, row.idx) for row in found) == [
        (row.seq, row.idx) for row in table.ask.ledger().payments
    ]
    assert {row.round for row in found} == {0, 2, 3, 4}


def test_a_reopened_night_goes_on_where_it_was(table: Table) -> None:
    before = table.tell(A_SETTLED_ROUND).board()
    after = table.tell("end \n reopen đánh thêm một ván").board()
    assert {name for name in before if before[name] != after[name]} == {"seq", "hash", "code", "after"}
    assert table.tell("round lead p1").round()["number"] == 2
    assert last_body(table.tell("undo \n end"))["kind"] == "end"


def test_a_night_may_end_before_anything_was_played(table: Table) -> None:
    assert table.tell("end").board()["ended"]


@pytest.mark.parametrize("ruleset", EXAMPLES_IN)
def test_every_entry_leaves_a_text_with_the_same_fields(recorder: Recorder, ruleset: str) -> None:
    table = open_table(recorder, ruleset=ruleset).tell(EXAMPLES_IN[ruleset])
    bodies = [json.loads(entry["body"]) for entry in table.log()]
    after = table.night
    for seq, body in enumerate(bodies, start=1):
        assert list(body) == [
            "format", "night", "seq", "id", "kind", "round", "after", "actor", "at", "client_at",
            "content", "parts", "payments", "net", "engine",
        ]  # fmt: skip
        assert (body["format"], body["night"], body["seq"], body["engine"]) == (1, table.night, seq, ENGINE)
        asked = KINDS[body["kind"]]
        by_seat, is_outside_play = asked.recorded_by is Role.SEAT, not asked.depends_on_play()
        assert (body["actor"] == "keeper", body["client_at"]) == (not by_seat, None)
        assert body["after"] == (None if is_outside_play else after)
        after = after if is_outside_play else body["id"]
