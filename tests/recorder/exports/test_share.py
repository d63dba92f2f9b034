"""A night as a few lines for a chat."""

from collections.abc import Sequence

import pytest

from ledger.game.payments import Postable
from ledger.game.settlement import Transfer
from ledger.language import speaker
from ledger.recorder.exports.share import Handing, Standing, share, share_text
from ledger.recorder.views.night import StakeInUse
from ledger.recorder.views.settle_up import HandedOver, Offer, SettleUpView
from tests.recorder.exports.accounts import account, row

VI, EN = speaker("vi"), speaker("en")
CODE = "#412 · 7K3Q-9FZD-MW2H-XA4T"
DUE = (Transfer("p4", "p1", 18), Transfer("p3", "p1", 5), Transfer("p3", "p2", 4))


def night(
    stake: StakeInUse | None,
    balances: dict[str, int],
    *,
    due: Sequence[Postable[str]] = DUE,
    handed: Sequence[HandedOver] = (),
    counted: int = 18,
    open_disputes: int = 0,
) -> SettleUpView:
    """The settle-up of a night with `counted` rounds and these balances."""
    won = [(f"p{number}", points) for number, points in enumerate(balances.values(), start=1)]
    rows = [row("p1", player, points) for player, points in won[1:] if points]
    ledger = account(list(balances), rows, stake, counted)
    assert list(ledger.balances.values()) == list(balances.values())
    offers = [Offer("", one.payer, one.payee, one.points) for one in due]
    return SettleUpView(ledger, {}, offers, list(handed), [], [], {}, open_disputes)


DONG = StakeInUse("5000", "VND")
BALANCES = {"Ba": 23, "Tú": 4, "Mẹ": -9, "Lan": -18}
NIGHT = night(DONG, BALANCES)


@pytest.mark.parametrize(
    ("count", "text"), [(0, ""), (1, "\n1 dispute not decided"), (2, "\n2 disputes not decided")]
)
def test_the_chat_says_what_is_disputed(count: int, text: str) -> None:
    whole = share_text(night(DONG, BALANCES, open_disputes=count), EN)
    assert (
        whole == f"{share_text(NIGHT, EN).removesuffix(CODE)}{text.lstrip()}{chr(10) if text else ''}{CODE}"
    )


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
        HandedOver("p4", "p1", 18, "2026-11-20T22:30:00Z", None, Offer("", "p1", "p4", 18)),
        HandedOver("p3", "p1", 5, "2026-11-20T22:40:00Z", "2026-11-20T23:00:00Z", Offer("", "p1", "p3", 5)),
    ]
    shared = share(night(DONG, BALANCES, due=DUE[1:2], handed=handed), VI)
    assert shared.head == ["Tiến lên 20/11 · 18 ván", "1 điểm = 5.000 đ"]
    assert shared.rows == [
        Standing(1, "Ba", "+23", "+115.000 đ", "won"),
        Standing(2, "Tú", "+4", "+20.000 đ", "won"),
        Standing(3, "Mẹ", "−9", "−45.000 đ", "lost"),
        Standing(4, "Lan", "−18", "−90.000 đ", "lost"),
    ]
    assert shared.handed == [Handing("Lan", "Ba", "90.000 đ")]
    assert shared.due == [Handing("Mẹ", "Ba", "25.000 đ")]
    assert (shared.code, shared.file) == (CODE, "tienlen-2026-11-20.png")


def test_a_picture_of_a_night_without_a_stake_has_no_money_in_it() -> None:
    shared = share(night(None, {"An": 2, "Bình": 0, "Chi": 0, "Dũng": -2}, due=()), EN)
    assert shared.head == ["Tiến lên 20 Nov · 18 rounds"]
    assert [row.worth for row in shared.rows] == [""] * 4
    assert [row.side for row in shared.rows] == ["won", "even", "even", "lost"]


def test_without_a_stake_points_stay_points() -> None:
    lines = share_text(night(None, BALANCES), VI).splitlines()
    assert lines[:2] == ["Tiến lên 20/11 · 18 ván", "1. Ba   +23"]
    assert lines[5] == "Trả: Lan → Ba 18 điểm · Mẹ → Ba 5 điểm · Mẹ → Tú 4 điểm"


def test_players_come_by_what_they_won_and_equals_as_they_were_named() -> None:
    lines = share_text(night(None, {"An": 0, "Bình": -3, "Chi": 3, "Dũng": 0}), VI).splitlines()
    assert [line.split()[1] for line in lines[1:5]] == ["Chi", "An", "Dũng", "Bình"]


def test_equals_share_a_place() -> None:
    lines = share_text(night(None, {"An": -4, "Bình": 2, "Chi": 2, "Dũng": 0}, due=()), EN).splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["1.", "Bình"],
        ["1.", "Chi"],
        ["3.", "Dũng"],
        ["4.", "An"],
    ]


def test_a_night_of_nothing_owes_nothing() -> None:
    nothing = night(DONG, {"An": 0, "Bình": 0}, due=(), counted=0)
    assert share_text(nothing, VI) == (
        f"Tiến lên 20/11 · 0 ván · 1 điểm = 5.000 đ\n1. An    0  (0 đ)\n1. Bình  0  (0 đ)\n{CODE}"
    )


@pytest.mark.parametrize(
    ("stake", "shown"),
    [
        (StakeInUse("0.25", "EUR"), "Trả: Lan → Ba 4,50 €"),
        (StakeInUse("0.125", "USD"), "Trả: Lan → Ba 2,25 US$"),
    ],
)
def test_other_money_is_written_as_everywhere(stake: StakeInUse, shown: str) -> None:
    text = share_text(night(stake, BALANCES), VI)
    assert shown in text.replace("\xa0", " ")


def test_columns_line_up_under_marks_wide_letters_and_emoji() -> None:
    names = ["Nguyễn", "李", "Me\u0323", "👩‍🌾"]  # a mark of its own; two emoji joined to one
    scored_night = night(None, dict(zip(names, (9, 1, -4, -6), strict=True)))
    assert share_text(scored_night, VI).splitlines()[1:5] == [
        "1. Nguyễn  +9",
        "2. 李      +1",
        "3. Me\u0323      −4",
        "4. 👩‍🌾    −6",
    ]
