"""A night in a few lines for the chat."""

from typing import Any

import pytest

from ledger.language import share_picture, share_text, speaker

VI, EN = speaker("vi"), speaker("en")
CODE = "#412 · 7K3Q-9FZD-MW2H-XA4T"


def account(stake: dict[str, str] | None, **balances: int) -> dict[str, Any]:
    return {
        "date": "2026-11-20",
        "stake": stake,
        "players": list(balances),
        "balances": {f"p{number}": points for number, points in enumerate(balances.values(), start=1)},
        "counted": 18,
        "handed_over": [],
        "transfers": [
            {"payer": "p4", "payee": "p1", "points": 18},
            {"payer": "p3", "payee": "p1", "points": 5},
            {"payer": "p3", "payee": "p2", "points": 4},
        ],
        "code": CODE,
    }


DONG = {"amount": "5000", "currency": "VND"}
NIGHT = account(DONG, Ba=23, Tú=4, Mẹ=-9, Lan=-18)


def test_a_night_is_told_as_people_write_it_in_the_chat() -> None:
    assert share_text(NIGHT, VI, "https://so.example/n/1") == (
        "Tiến lên 20/11 · 18 ván · 1 điểm = 5.000 đ\n"
        "1. Ba   +23  (+115.000 đ)\n"
        "2. Tú    +4   (+20.000 đ)\n"
        "3. Mẹ    −9   (−45.000 đ)\n"
        "4. Lan  −18   (−90.000 đ)\n"
        "Trả: Lan → Ba 90.000 đ · Mẹ → Ba 25.000 đ · Mẹ → Tú 20.000 đ\n"
        "#412 · 7K3Q-9FZD-MW2H-XA4T\n"
        "https://so.example/n/1"
    )


def test_and_in_english() -> None:
    assert share_text(NIGHT, EN) == (
        "Tiến lên 20 Nov · 18 rounds · 1 point = ₫5,000\n"
        "1. Ba   +23  (+₫115,000)\n"
        "2. Tú    +4   (+₫20,000)\n"
        "3. Mẹ    −9   (−₫45,000)\n"
        "4. Lan  −18   (−₫90,000)\n"
        "Pay: Lan → Ba ₫90,000 · Mẹ → Ba ₫25,000 · Mẹ → Tú ₫20,000\n"
        "#412 · 7K3Q-9FZD-MW2H-XA4T"
    )


def test_a_picture_says_the_same() -> None:
    handed = [
        {"payer": "p4", "payee": "p1", "points": 18, "given_back": None},
        {"payer": "p3", "payee": "p1", "points": 5, "given_back": "2026-11-20T23:00:00Z"},
    ]
    picture = share_picture(NIGHT | {"handed_over": handed, "transfers": NIGHT["transfers"][1:2]}, VI)
    assert picture == {
        "head": ["Tiến lên 20/11 · 18 ván", "1 điểm = 5.000 đ"],
        "rows": [
            {"place": 1, "name": "Ba", "points": "+23", "worth": "+115.000 đ", "side": "won"},
            {"place": 2, "name": "Tú", "points": "+4", "worth": "+20.000 đ", "side": "won"},
            {"place": 3, "name": "Mẹ", "points": "−9", "worth": "−45.000 đ", "side": "lost"},
            {"place": 4, "name": "Lan", "points": "−18", "worth": "−90.000 đ", "side": "lost"},
        ],
        "handed": [{"payer": "Lan", "payee": "Ba", "worth": "90.000 đ"}],
        "due": [{"payer": "Mẹ", "payee": "Ba", "worth": "25.000 đ"}],
        "code": CODE,
    }


def test_a_picture_of_a_night_without_a_stake_has_no_money_in_it() -> None:
    picture = share_picture(account(None, An=2, Bình=0, Chi=0, Dũng=-2) | {"transfers": []}, EN)
    assert picture["head"] == ["Tiến lên 20 Nov · 18 rounds"]
    assert [row["worth"] for row in picture["rows"]] == [""] * 4
    assert [row["side"] for row in picture["rows"]] == ["won", "even", "even", "lost"]


def test_without_a_stake_points_stay_points() -> None:
    lines = share_text(account(None, Ba=23, Tú=4, Mẹ=-9, Lan=-18), VI).splitlines()
    assert lines[:2] == ["Tiến lên 20/11 · 18 ván", "1. Ba   +23"]
    assert lines[5] == "Trả: Lan → Ba 18 điểm · Mẹ → Ba 5 điểm · Mẹ → Tú 4 điểm"


def test_players_come_by_what_they_won_and_equals_as_they_were_named() -> None:
    lines = share_text(account(None, An=0, Bình=-3, Chi=3, Dũng=0), VI).splitlines()
    assert [line.split()[1] for line in lines[1:5]] == ["Chi", "An", "Dũng", "Bình"]


def test_equals_share_a_place() -> None:
    lines = share_text(account(None, An=-4, Bình=2, Chi=2, Dũng=0) | {"transfers": []}, EN).splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["1.", "Bình"],
        ["1.", "Chi"],
        ["3.", "Dũng"],
        ["4.", "An"],
    ]


def test_a_night_of_nothing_owes_nothing() -> None:
    nothing = account(DONG, An=0, Bình=0) | {"transfers": [], "counted": 0}
    assert share_text(nothing, VI) == (
        f"Tiến lên 20/11 · 0 ván · 1 điểm = 5.000 đ\n1. An    0  (0 đ)\n1. Bình  0  (0 đ)\n{CODE}"
    )


@pytest.mark.parametrize(
    ("stake", "shown"),
    [
        ({"amount": "0.25", "currency": "EUR"}, "Trả: Lan → Ba 4,50 €"),
        ({"amount": "0.125", "currency": "USD"}, "Trả: Lan → Ba 2,25 US$"),
    ],
)
def test_other_money_is_written_as_everywhere(stake: dict[str, str], shown: str) -> None:
    text = share_text(account(stake, Ba=23, Tú=4, Mẹ=-9, Lan=-18), VI)
    assert shown in text.replace("\xa0", " ")


def test_columns_line_up_under_marks_wide_letters_and_emoji() -> None:
    names = ["Nguyễn", "李", "Me\u0323", "👩‍🌾"]  # a mark of its own; two emoji joined to one
    night = account(None, **dict(zip(names, (9, 1, -4, -6), strict=True)))
    assert share_text(night, VI).splitlines()[1:5] == [
        "1. Nguyễn  +9",
        "2. 李      +1",
        "3. Me\u0323      −4",
        "4. 👩‍🌾    −6",
    ]
