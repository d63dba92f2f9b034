"""The data that scoring a text returns."""

import pytest

from ledger.game.report import Outcome, Words, as_data, score
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import page, run

WORDS = Words(
    refusal=lambda refusal, names: f"{names[refusal.player or 0]}: {refusal.code}",
    finding=lambda finding, names: f"{names[finding.player or 0]}: {finding.code}",
    disagreement=lambda missing, unexpected: f"missing: {missing}, unexpected: {unexpected}",
    unreadable=lambda expected: f"expected {expected}",
)


def test_a_night_is_reported_as_specified() -> None:
    story = f"{FIRST_OUT[2]}\np2 shows 2c 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac\npay p2 p1 5 late again"
    report = score(page(story, players=2), WORDS)
    assert report.outcome is Outcome.SCORED
    assert as_data(report.answer) == {
        "ruleset": "southern-classic",
        "players": ["An", "Bình"],
        "rounds": [
            {
                "number": 1,
                "status": "settled",
                "places": ["p1", "p2"],
                "knocked_out": [],
                "payments": [
                    {
                        "payer": "p2",
                        "payee": "p1",
                        "points": 2,
                        "reason": "placement",
                        "clause": "S-PLACE",
                        "move": 5,
                    },
                    {
                        "payer": "p2",
                        "payee": "p1",
                        "points": 1,
                        "reason": "hoarding-penalty",
                        "clause": "S-HOARD",
                        "move": 5,
                    },
                ],
                "net": {"p1": 3, "p2": -3},
                "hands": {
                    "p2": {
                        "source": "shown",
                        "cards": ["3c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac", "2c"],
                    }
                },
                "findings": [
                    {
                        "code": "unclaimed-instant-win",
                        "clause": "S-MISSED",
                        "move": 5,
                        "message": "An: unclaimed-instant-win",
                    },
                    {
                        "code": "unclaimed-instant-win",
                        "clause": "S-MISSED",
                        "move": 6,
                        "message": "Bình: unclaimed-instant-win",
                    },
                ],
            }
        ],
        "adjustments": [{"payer": "p2", "payee": "p1", "points": 5, "reason": "late again"}],
        "net": {"p1": 8, "p2": -8},
        "sheet": {},
    }


@pytest.mark.parametrize(
    ("story", "status", "places", "knocked_out"),
    [
        ("p1 3s", "in-progress", [], []),
        (FIRST_OUT[2], "unsettled", ["p1", "p2"], []),
        (f"p1 {run('s')}\np1 2s", "unsettled", ["p1"], ["p2"]),
        (f"{FIRST_OUT[2]}\np2 declares none", "settled", ["p1", "p2"], []),
        (f"p1 claims {run('s')} 2s", "instant-win", [], []),
    ],
)
def test_a_round_says_how_far_it_has_come(
    story: str, status: str, places: list[str], knocked_out: list[str]
) -> None:
    (round,) = as_data(score(page(story, players=2), WORDS).answer)["rounds"]
    assert (round["status"], round["places"], round["knocked_out"]) == (status, places, knocked_out)


def test_a_round_lists_everyone_who_sits_in_in_its_net() -> None:
    (round,) = as_data(score(page("round 1 opening p3 p1\np1 3s", players=3), WORDS).answer)["rounds"]
    assert round["net"] == {"p3": 0, "p1": 0}


def test_a_refusal_is_reported_with_what_was_offered_and_what_lay_on_the_table() -> None:
    report = score(page("p1 3s 3h\np2 9c 9d\np3 5h 5s"), WORDS)
    assert (report.outcome, report.night) == (Outcome.REFUSED, None)
    assert as_data(report.answer) == {
        "error": {
            "line": 10,
            "round": 1,
            "move": 3,
            "code": "does-not-beat",
            "clause": "S-COMPARE",
            "message": "Chi: does-not-beat",
            "offered": ["5s", "5h"],
            "top": ["9c", "9d"],
        }
    }


def test_a_refused_header_is_move_0() -> None:
    error = as_data(score(page(f"{WHOLE_ROUND[4]}\nround 2 lead p2"), WORDS).answer)["error"]
    assert (error["round"], error["move"], error["code"]) == (2, 0, "wrong-leader")


def test_a_strict_score_refuses_passes_left_out() -> None:
    assert score(page("p1 3s\np3 5s"), WORDS).outcome is Outcome.SCORED
    assert as_data(score(page("p1 3s\np3 5s"), WORDS, strict=True).answer)["error"]["code"] == "not-your-turn"


def test_a_disagreement_lists_what_is_missing_and_what_is_unexpected() -> None:
    report = score(page(f"{FIRST_OUT[2]}\np2 declares none\n= p2 p1 3 placement", players=2), WORDS)
    assert report.outcome is Outcome.REFUSED
    assert report.night is not None
    assert as_data(report.answer)["error"] == {
        "line": 11,
        "round": 1,
        "code": "payments-disagree",
        "message": "missing: ['p2 p1 2 placement'], unexpected: ['p2 p1 3 placement']",
        "missing": [{"payer": "p2", "payee": "p1", "points": 2, "reason": "placement"}],
        "unexpected": [{"payer": "p2", "payee": "p1", "points": 3, "reason": "placement"}],
    }


def test_an_unreadable_text_is_reported_with_its_line() -> None:
    report = score("tienlen 1\nruleset western", WORDS)
    assert report.outcome is Outcome.UNREADABLE
    assert as_data(report.answer)["error"]["line"] == 2
    assert as_data(report.answer)["error"]["code"] == "notation"
    assert as_data(report.answer)["error"]["message"].startswith("expected a preset's id")


def test_a_result_and_a_void_round_are_marked_as_such() -> None:
    story = "result p1 p2 p3 p4\nround 2\np1 3s\nvoid misdealt\np5 Em\nround 3 lead p1 p1 p5\np1 4s"
    data = as_data(score(page(story), WORDS).answer)
    assert data["players"][4:] == ["Em"]
    assert data["net"] == {"p1": 2, "p2": 1, "p3": -1, "p4": -2, "p5": 0}
    result, void, running = data["rounds"]
    assert (result["recorded"], result["status"], result["places"]) == (
        "result",
        "unsettled",
        ["p1", "p2", "p3", "p4"],
    )
    assert {payment["move"] for payment in result["payments"]} == {1}
    assert (void["status"], void["void"], void["payments"]) == ("void", "misdealt", [])
    assert not {"recorded", "void"} & set(running)
