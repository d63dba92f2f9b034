"""Corrections: no entry is edited, every later move is judged again, and the difference is posted."""

import json
from itertools import accumulate
from typing import Any

import pytest

from ledger.language import speaker
from ledger.recorder import Link, ProblemCode, Recorder, Role, audit
from tests.recorder.tables import A_SETTLED_ROUND, Table, open_table, read_story, run

CHOPPED = """
    round opening p1 p2
    p1 3s
    p2 2d
    p1 6s 6c 7s 7c 8s 8c
    p2 -
    p1 4s 4c
    p2 5d 5h
"""
"""p1's three pairs beat a red 2, which is worth 2: p2 pays 2 so far. Entries 1 to 7."""


def says(page: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The moves that stand: address, player, and cards or kind."""
    return [(row["address"], row["player"], " ".join(row["cards"]) or row["kind"]) for row in page["moves"]]


def codes(page: dict[str, Any]) -> dict[int, str]:
    """Move -> the code of an irregular move that stood."""
    return {row["move"]: row["code"] for row in page["moves"] if row["code"]}


def struck(page: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The struck lines: address, kind of the entry that struck it, and reason."""
    return [(row["address"], row["struck_by"], row["reason"]) for row in page["lines"] if "struck_by" in row]


def holds(table: Table) -> list[tuple[str, str, int, str]]:
    """The payments that are not reversed."""
    return [
        (row.payer, row.payee, row.points, row.reason)
        for row in table.ask.ledger().payments
        if not row.reverses and not row.reversed_by
    ]


def sound(table: Table) -> None:
    """Check that the audit finds nothing, and that the caches equal the store."""
    assert list(audit(table.recorder, table.night)) == []
    cold = table.restarted()
    assert cold.board() == table.board()
    for number in range(1, (table.board()["round"] or {"number": 0})["number"] + 1):
        assert cold.page(number) == table.page(number)


# In a running round


def test_a_move_is_replaced_and_stands_beside_the_struck_one(table: Table) -> None:
    table.tell(f"{CHOPPED} \n correct 3.0 = p2 2c because nhầm màu")
    page = table.page(1)
    assert says(page)[:3] == [("2.0", "p1", "3s"), ("8.0", "p2", "2c"), ("4.0", "p1", "6s 6c 7s 7c 8s 8c")]
    assert struck(page) == [("3.0", "correct", "nhầm màu")]
    assert [payment["points"] for payment in table.round()["payments"]] == [1]
    assert codes(page) == {}
    sound(table)


def test_a_forgotten_move_is_put_in_before_another(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p4 6h")
    table.tell("correct before 3.1 = p3 4d | 3.1 = struck because quên một lượt")
    assert says(table.page(1)) == [
        ("2.0", "p1", "3s"),
        ("3.0", "p2", "pass"),
        ("4.0", "p3", "4d"),
        ("3.2", "p4", "6h"),
    ]
    assert codes(table.page(1)) == {}
    sound(table)


def test_a_change_that_is_against_the_rules_must_be_said_to_have_stood(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c")
    problem = table.refused("correct 3.0 = p2 3c 4d because nhầm")
    assert (problem.status, problem.code, problem.facts) == (422, "not-a-combination", {})
    table.tell("correct 3.0 = p2 3c 4d ! because nhầm")
    assert codes(table.page(1)) == {2: "not-a-combination"}
    sound(table)


def test_a_change_that_cannot_be_is_refused_whatever_its_mark(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c")
    assert table.refused("correct 3.0 = p2 3s ! because nhầm").code == "card-already-played"
    assert table.refused("correct 3.0 = p2 5c 5c ! because nhầm").code == "card-twice"
    assert table.refused("correct 3.0 = p5 5c ! because nhầm").code == "not-seated"


def test_a_corrected_move_may_be_corrected_again_and_its_first_words_stay(table: Table) -> None:
    table.tell(
        "round opening \n p1 3s \n correct 2.0 = p1 3s 3c because thiếu lá \n correct 3.0 = p1 3s 3d because 3♦ cơ"
    )
    assert says(table.page(1)) == [("4.0", "p1", "3s 3d")]
    assert struck(table.page(1)) == [("2.0", "correct", "thiếu lá"), ("3.0", "correct", "3♦ cơ")]
    for superseded in ("2.0", "3.0"):
        assert (
            table.refused(f"correct {superseded} = p1 3s because lại sửa").code
            == ProblemCode.ALREADY_CORRECTED
        )
    sound(table)


def test_a_header_is_replaced_and_its_moves_are_judged_again(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c")
    table.tell("correct 1.0 = round opening p1 p3 p2 p4 because ngồi đổi chỗ")
    page = table.page(1)
    assert page["seats"] == ["p1", "p3", "p2", "p4"]
    assert codes(page) == {2: "not-your-turn"}
    problem = table.refused("correct 4.0 = round opening p1 p3 because chỉ có hai người")
    assert (problem.code, problem.facts["blocked"]["address"]) == ("not-seated", "3.0")
    assert table.refused("correct 4.0 = struck because nhầm").code == ProblemCode.HEADER_HAS_MOVES
    sound(table)


# Undo and redo


@pytest.mark.parametrize(
    "line",
    [
        "correct 3.0 = p2 2c because nhầm màu",
        "correct 3.0 = struck because không có",
        "correct before 4.0 = p2 - ! because quên",
        "correct 3.0 = p2 2c ! | before 3.0 = p2 Kh | 7.0 = struck because nhiều chỗ",
        "correct 1.0 = round lead p1 p1 p2 because không phải ván đầu",
        "void 1 chia nhầm",
    ],
)
def test_an_undo_takes_a_correction_back_and_a_redo_puts_it_in_force_again(table: Table, line: str) -> None:
    before = says(table.tell(CHOPPED).page(1)), table.round()["payments"], table.round()["void"]
    table.tell(line)
    after = says(table.page(1)), table.round()["payments"], table.round()["void"]
    assert after != before or "round lead" in line
    for _ in range(3):
        table.tell("undo")
        assert (says(table.page(1)), table.round()["payments"], table.round()["void"]) == before
        sound(table)
        table.tell("redo")
        assert (says(table.page(1)), table.round()["payments"], table.round()["void"]) == after
        sound(table)


# In a settled round


def test_the_difference_is_posted_as_reversals_and_new_payments(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    assert holds(table) == [("p2", "p1", 2, "placement"), ("p2", "p1", 1, "hoarding-penalty")]
    table.tell(f"correct 6.0 = p2 shows 3c 3d 3h {run('c', '5', 'K')} because không có heo")
    assert holds(table) == [("p2", "p1", 2, "placement")]
    assert table.board()["net"] == {"p1": 2, "p2": -2, "p3": 0, "p4": 0}
    reversal = table.ask.ledger().payments[-1]
    assert (reversal.payer, reversal.payee, reversal.points) == ("p1", "p2", 1)
    assert (reversal.reverses, reversal.reason, reversal.seq) == ("7.1", "hoarding-penalty", 8)
    sound(table)


def test_a_payment_that_still_holds_is_left_alone(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n correct 2.0 = p1 3s because xem lại, vẫn vậy")
    body = json.loads(table.log()[-1]["body"])
    assert body["payments"] == []
    sound(table)


def test_a_payment_holds_whatever_words_its_cause_has_now(table: Table) -> None:
    """A payment posted for a move refers to the corrected move."""
    table.tell(f"{A_SETTLED_ROUND} \n correct 5.1 = p1 {run('s', '4')} because xem lại")
    assert json.loads(table.log()[-1]["body"])["payments"] == []
    assert [one["posted"] for one in table.page(1)["payments"]] == ["7.0", "7.1"]
    assert [row.move for row in table.ask.ledger().payments] == [5, 5]
    words = speaker("en")
    payment = table.ask.payment("7.1", words)
    assert payment.why is not None
    assert (payment.payment.move, payment.why.sentence) == (5, "2♣ (1)")
    assert [row.address for row in payment.why.moves] == ["8.0", "6.0"]
    table.tell("p2 disputes 1 payment 7.1 không có heo")
    assert table.ask.dispute(9, words).target == "8.0"
    sound(table)


def test_a_payment_for_another_move_is_posted_anew(table: Table) -> None:
    longer = f"5.1 = p1 {run('s', '4', 'K')} | before 6.0 = p2 - | before 6.0 = p1 As"
    table.tell(f"{A_SETTLED_ROUND} \n correct {longer} because hai lượt")
    payments = json.loads(table.log()[-1]["body"])["payments"]
    assert [(payment["cause"], payment["reverses"]) for payment in payments] == [
        ("5.1", "7.0"),
        ("5.1", "7.1"),
        ("8.2", None),
        ("8.2", None),
    ]
    assert table.board()["net"]["p1"] == 3
    sound(table)


def test_a_settled_round_must_stay_ended_and_known(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    left_open = table.refused("correct 6.0 = struck | 5.1 = struck because chưa xong")
    assert left_open.code == "round-not-over"
    assert left_open.refusal is not None
    assert left_open.refusal.expected == (0, 1)
    unknown = table.refused("correct 6.0 = struck because không thấy bài")
    assert (unknown.status, unknown.code) == (422, "hands-missing")
    table.tell("correct 6.0 = p2 declares 2c because chỉ nói thôi")
    assert holds(table)[1] == ("p2", "p1", 1, "hoarding-penalty")
    sound(table)


def test_a_show_after_a_round_that_goes_on_again_is_in_the_way_and_named(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    problem = table.refused("correct 5.1 = p1 4s because chưa hết bài")
    assert (problem.code, problem.facts["blocked"]) == ("round-not-over", {"address": "6.0", "move": 6})


def test_an_older_round_than_the_last_is_corrected_and_the_next_leader_stood(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 p1 p2 p3 \n p1 4s")
    assert not table.page(2)["findings"]
    swapped = f"""
        correct 1.0 = round opening p2 p1 | 2.0 = p2 3s | 3.0 = p1 4c | 4.0 = p2 2s | 5.0 = p1 -
        | 5.1 = p2 {run("s", "4")} | 6.0 = p1 shows 3c {run("c", "5", "2")} because ghi đảo hai người
    """
    table.tell(" ".join(swapped.split()))
    assert holds(table) == [("p1", "p2", 2, "placement"), ("p1", "p2", 1, "hoarding-penalty")]
    (finding,) = table.page(2)["findings"]
    assert (finding["code"], finding["move"]) == ("wrong-leader", 0)
    assert "round 2 lead p1 p1 p2 p3 !" in table.replay_text()
    sound(table)


# Void


def test_a_voided_round_does_not_count_and_its_payments_are_reversed(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n void 1 chia nhầm bài")
    assert table.board()["net"] == dict.fromkeys(("p1", "p2", "p3", "p4"), 0)
    assert holds(table) == []
    assert (table.page(1)["status"], table.page(1)["void"]) == ("void", "chia nhầm bài")
    assert table.board()["next"]["opening"]
    assert table.refused("void 1 lần nữa").code == ProblemCode.ROUND_VOID
    assert table.refused("p2 confirms 1").code == ProblemCode.ROUND_NOT_SETTLED
    table.tell("round opening")
    assert table.round()["number"] == 2
    sound(table)


def test_a_running_round_is_voided_and_the_one_before_tells_who_leads(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 \n p1 4s \n void 2 bỏ ngang")
    assert table.board()["unsettled"] == []
    assert table.refused("p2 5s").code == "no-round"
    assert table.refused("settle 2").code == ProblemCode.ROUND_VOID
    assert table.board()["next"] == {"opening": False, "leader": "p1", "seats": ["p1", "p2"]}
    table.tell("round lead p1 \n p1 5s")
    assert table.round()["number"] == 3
    sound(table)


def test_after_rounds_that_were_voided_one_by_one_the_winner_before_them_leads(table: Table) -> None:
    """Also after a restart, when that round is not cached."""
    table.tell(f"""
        {A_SETTLED_ROUND}
        round lead p1
        p1 {run("s", "3", "A")}
        p1 2s
        round lead p1
        void 2 chia nhầm
        void 3 cũng nhầm
    """)
    assert table.board()["next"] == {"opening": False, "leader": "p1", "seats": ["p1", "p2"]}
    assert table.restarted().board() == table.board()
    table.tell("round lead p1 \n p1 4s")
    sound(table)


# Refusals


@pytest.mark.parametrize("target", ["9.0", "1.1", "99.0", "7.0"])
def test_what_is_no_entry_of_the_night_cannot_be_corrected(table: Table, target: str) -> None:
    table.tell(A_SETTLED_ROUND)
    problem = table.refused(f"correct {target} = struck because nhầm")
    assert (problem.status, problem.code) == (422, ProblemCode.NO_SUCH_ENTRY)


def test_one_correction_is_of_one_round(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 \n p1 4s")
    assert table.refused("correct 9.0 = p1 5s | 6.0 = struck because nhầm").code == ProblemCode.NO_SUCH_ENTRY


def test_one_entry_is_changed_once_in_a_correction(table: Table) -> None:
    table.tell("round opening \n p1 3s")
    problem = table.refused("correct 2.0 = struck | 2.0 = p1 3s 3c because nhầm")
    assert problem.code == ProblemCode.ALREADY_CORRECTED


@pytest.mark.parametrize(
    "line",
    [
        "correct 1.0 = p1 3s because nhầm",
        "correct 2.0 = round opening because nhầm",
        "correct before 1.0 = p1 3s because nhầm",
    ],
)
def test_a_beginning_is_no_move_and_a_move_no_beginning(table: Table, line: str) -> None:
    table.tell("round opening \n p1 3s")
    assert (table.refused(line).status, table.refused(line).code) == (400, ProblemCode.UNREADABLE)


def test_a_beginning_is_not_struck_from_under_what_was_recorded_of_its_round(table: Table) -> None:
    table.tell("round opening \n void 1 chia nhầm")
    assert table.refused("correct 1.0 = struck because nhầm").code == ProblemCode.ROUND_VOID
    table.tell("correct 2.0 = struck because vẫn tính \n correct 1.0 = struck because chưa bắt đầu")
    table.tell("round opening \n p1 3s \n correct 6.0 = struck because chưa đánh")
    refused = table.refused("correct 5.0 = struck | 7.0 = p1 4s because lẫn lộn")
    assert refused.code == ProblemCode.HEADER_HAS_MOVES
    table.tell("correct 7.0 = p1 3s because đánh rồi")
    assert table.round()["number"] == 1
    assert (
        table.refused("correct 4.0 = round opening because bắt đầu rồi").code == ProblemCode.ALREADY_CORRECTED
    )
    sound(table)


def test_a_void_round_takes_no_irregular_move_that_is_not_said_to_have_stood(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 4c \n void 1 chia nhầm")
    assert table.refused("correct 3.0 = p2 4c 6c because nhầm").code == "not-a-combination"


def test_who_was_seated_by_a_correction_had_come_before_that_round(table: Table) -> None:
    table.tell("round opening p1 p2 p3 \n join Em \n correct 1.0 = round opening p1 p2 p5 because Em ngồi")
    assert table.replay_text().index("p5 Em") < table.replay_text().index("round 1")
    sound(table)


@pytest.mark.parametrize(
    ("change", "net", "waived"),
    [
        ("void 1 chia nhầm", 0, False),
        (f"correct 6.0 = p2 shows 3c {run('c', '5', 'A')} 4d because không có heo", 2, False),
        (f"correct 6.0 = p2 shows 3d {run('c', '5', '2')} because nhầm chất", 2, True),
    ],
    ids=["voided", "the payment is gone", "the payment stays"],
)
def test_a_waiver_goes_with_what_it_waived(table: Table, change: str, net: int, waived: bool) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n p2 disputes 1 payment 7.1 không có heo \n decide 8 waived thôi")
    ((kind, content),) = read_story(change)
    promised = table.preview(kind, **content)["balances"]["after"]
    table.tell(change)
    assert table.board()["net"] == promised == {"p1": net, "p2": -net, "p3": 0, "p4": 0}
    assert ("pay p1 p2 1 thôi" in table.replay_text()) == waived
    lines = table.ask.ledger().totals
    assert [line.total["p1"] for line in lines] == list(accumulate(line.net["p1"] for line in lines))
    sound(table)


def test_a_seat_speaks_for_nobody_else_whatever_it_says(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    request = table.request("confirm", {"round": 1, "player": "p2"})
    table.recorder.record(table.night, request, Link(table.night, Role.SEAT, "p1"))
    assert table.ask.agreement().agreed[1].keys() == {"p1"}


def test_a_correction_does_not_take_a_seat_away_under_the_moves_of_a_later_round(table: Table) -> None:
    """The seats of the running round are its own."""
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 p1 p2 p3 \n p1 4s")
    assert (
        table.refused("correct 1.0 = round opening p1 p3 because nhầm").facts["blocked"]["address"] == "3.0"
    )
    table.tell("correct 1.0 = round opening p2 p1 because ngồi đổi chỗ")
    assert table.page(2)["seats"] == ["p1", "p2", "p3"]
    sound(table)


# The preview


def test_a_preview_tells_what_would_change_and_changes_nothing(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    before = table.contents()
    cards = f"3c 3d 3h {run('c', '5', 'K')}".split()
    preview = table.preview(
        "correct",
        changes=[{"target": "6.0", "with": {"kind": "show", "seat": "p2", "cards": cards}}],
        reason="không có heo",
    )
    assert table.contents() == before
    (change,) = preview["moves"]
    assert (change["before"]["address"], change["after"]["address"]) == ("6.0", "8.0")
    assert [len(preview[side]["payments"]) for side in ("before", "after")] == [2, 1]
    assert preview["balances"] == {
        "before": {"p1": 3, "p2": -3, "p3": 0, "p4": 0},
        "after": {"p1": 2, "p2": -2, "p3": 0, "p4": 0},
    }
    assert [payment["reverses"] for payment in preview["posted"]] == ["7.1"]
    assert json.loads(json.dumps(preview)) == preview


def test_a_preview_names_the_moves_whose_verdict_changes(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c \n p3 6c")
    preview = table.preview("correct", changes=[{"target": "3.0", "with": None}], reason="nhầm")
    struck_one, later = preview["moves"]
    assert struck_one["after"] is None
    assert (later["before"]["code"], later["after"]["code"]) == (None, "not-your-turn")
    assert later["after"]["message"]


def test_a_correction_asks_again_only_if_it_changes_payments(recorder: Recorder) -> None:
    table = open_table(recorder, 2).tell(A_SETTLED_ROUND)
    other_play = {"target": "3.0", "with": {"kind": "play", "seat": "p2", "cards": ["5c"]}}
    other_hand = ["3c", "4c", *run("c", "6", "2").split()]
    shown = {"target": "6.0", "with": {"kind": "show", "seat": "p2", "cards": other_hand}}
    table.record("correct", changes=[other_play, shown], reason="nhìn nhầm")
    assert table.page(1)["asked_again"] is None
    no_two = {"target": "8.1", "with": {"kind": "show", "seat": "p2", "cards": [*other_hand[:-1], "5d"]}}
    table.record("correct", changes=[no_two], reason="nhìn nhầm")
    assert table.page(1)["asked_again"] is not None
