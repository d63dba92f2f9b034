"""Tables for spreadsheets: diacritics are kept, nothing is read as a formula, every payment is included."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.recorder.exports import tables
from ledger.recorder.views.night import StakeInUse
from tests.recorder.exports.accounts import ODD_NAMES, TAKEN_BACK, account, row


def read(text: str) -> list[dict[str, str]]:
    """A table as a spreadsheet reads it."""
    assert text.startswith("\ufeff")
    assert "\n" not in text.replace("\r\n", "")
    return list(csv.DictReader(text.removeprefix("\ufeff").split("\r\n"), strict=True))


def test_every_payment_is_a_row_with_its_money_and_what_it_takes_back() -> None:
    first, second, third, by_hand = read(tables.payments(TAKEN_BACK))
    assert list(first) == list(tables.PAYMENTS)
    assert list(first.values()) == [
        *("#4.0", "1", "6", "p2", "Tú", "p1", "Ba", "4"),
        *("20000", "VND", "bomb-bonus", "S-CHOP", "#3.2", "", "#6.0", "moves", ""),
    ]
    assert (second["reverses"], second["reversed_by"]) == ("", "")
    assert (third["payer"], third["payee"], third["points"], third["reverses"]) == ("p1", "p2", "4", "#4.0")
    assert (by_hand["round"], by_hand["move"], by_hand["entered"]) == ("0", "", "")
    assert by_hand["note"] == "tiền; xe"


def test_the_sums_of_the_rows_are_the_balances() -> None:
    sums = dict.fromkeys(TAKEN_BACK.balances, 0)
    for line in read(tables.payments(TAKEN_BACK)):
        sums[line["payer"]] -= int(line["points"])
        sums[line["payee"]] += int(line["points"])
    assert sums == TAKEN_BACK.balances


@pytest.mark.parametrize(
    ("amount", "points", "money"),
    [("0.25", 7, "1.75"), ("999999999999.9999", 10**9, "999999999999999900000.0000")],
)
def test_money_is_exact(amount: str, points: int, money: str) -> None:
    night = account(("An", "Bình"), [row("p1", "p2", points)], stake=StakeInUse(amount, "EUR"))
    assert read(tables.payments(night))[0]["money"] == money


def test_without_a_stake_there_is_no_money() -> None:
    (line,) = read(tables.payments(account(("An", "Bình"), [row("p1", "p2", 3)])))
    assert (line["money"], line["currency"]) == ("", "")


def test_running_totals_end_at_the_balances() -> None:
    rows = read(tables.totals(TAKEN_BACK))
    assert list(rows[0]) == ["round", "Ba", "Tú", "Mẹ", "Ba +/−", "Tú +/−", "Mẹ +/−", "entered"]
    assert [line["entered"] for line in rows] == ["moves", "moves", "moves", ""]
    assert [line["round"] for line in rows] == ["1", "1", "1", "0"]
    assert [rows[-1][name] for name in ("Ba", "Tú", "Mẹ")] == ["2", "7", "-9"]
    assert [rows[-1][f"{name} +/−"] for name in ("Ba", "Tú", "Mẹ")] == ["0", "7", "-7"]


@pytest.mark.parametrize(
    "name", ["=1+1", "+84", "-Sáu", "@Tú", " =HYPERLINK()", "＝1", "\tTú", "\rTú", "=cmd|' /C calc'!A0"]
)
def test_no_name_is_taken_for_a_formula(name: str) -> None:
    night = account((name, "An"), [row("p1", "p2", 3, note=name)])
    (line,) = csv.DictReader([*tables.payments(night).removeprefix("\ufeff").splitlines(keepends=True)])
    assert line["payer_name"] == line["note"] == f"'{name}"
    head = next(csv.reader(tables.totals(night).removeprefix("\ufeff").splitlines(keepends=True)))
    assert head[1] == f"'{name}"


def test_other_names_stay_as_they_are() -> None:
    night = account(ODD_NAMES, [row(f"p{number}", "p12", 1) for number in range(1, 12)])
    shown = [line["payer_name"] for line in read(tables.payments(night))]
    assert shown == [f"'{name}" if name[0] in "=+-@" else name for name in ODD_NAMES[:11]]


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_no_text_at_all_begins_a_cell_like_a_formula(name: str) -> None:
    night = account((name, "An"), [row("p1", "p2", 3, note=name)])
    reader = csv.reader(StringIO(tables.payments(night).removeprefix("\ufeff"), newline=""))
    for cells in reader:
        assert not any(cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
