"""A night as a few lines for a chat, and as a picture."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ledger.game.settlement import Transfer
from ledger.language import speaker
from ledger.recorder.exports.share import Handing, RankedPlayer, share, share_text
from ledger.recorder.views.night import StakeInUse
from ledger.recorder.views.owed import Offer
from ledger.recorder.views.settle_up import HandedOver, SettleUpView
from tests.case_files import CASES
from tests.recorder.exports.accounts import account, row

DUE = (Transfer("p4", "p1", 18), Transfer("p3", "p1", 5), Transfer("p3", "p2", 4))
TEXTS = tomllib.loads((CASES / "share.toml").read_text(encoding="utf-8"))


def night(
    stake: Sequence[str] | None,
    won: Mapping[str, int],
    *,
    due: Sequence[Transfer[str]] = DUE,
    handed: Sequence[HandedOver] = (),
    rounds: int = 18,
    disputes: int = 0,
) -> SettleUpView:
    """The settle-up of a night in which players have won some points."""
    _, *others = won.values()
    rows = [row("p1", f"p{number}", points) for number, points in enumerate(others, start=2) if points]
    ledger = account(list(won), rows, StakeInUse(*stake) if stake else None, rounds)
    assert list(ledger.balances.values()) == list(won.values())
    offers = [Offer("", one.payer, one.payee, one.points) for one in due]
    return SettleUpView(ledger, ledger.unit, {}, offers, [], list(handed), [], [], {}, disputes)


@pytest.mark.parametrize("what", TEXTS)
def test_a_night_is_told_in_a_few_lines(what: str) -> None:
    case: dict[str, Any] = dict(TEXTS[what])
    language, text, address = case.pop("language"), case.pop("text"), case.pop("address", "")
    due = DUE if case.pop("due", True) else ()
    shown = share_text(night(case.pop("stake", None), due=due, **case), speaker(language), address)
    assert shown == text.removeprefix("\n")


def test_a_picture_says_the_same() -> None:
    handed = [
        HandedOver("p4", "p1", 18, "2026-11-20T22:30:00Z", None, Offer("", "p1", "p4", 18)),
        HandedOver("p3", "p1", 5, "2026-11-20T22:40:00Z", "2026-11-20T23:00:00Z", Offer("", "p1", "p3", 5)),
    ]
    won = {"Ba": 23, "Tú": 4, "Mẹ": -9, "Lan": -18}
    shared = share(night(("5000", "VND"), won, due=DUE[1:2], handed=handed), speaker("vi"))
    assert shared.head == ["Tiến lên 20/11 · 18 ván", "1 điểm = 5.000 đ"]
    assert shared.rows == [
        RankedPlayer(1, "Ba", "+23", "+115.000 đ", "won"),
        RankedPlayer(2, "Tú", "+4", "+20.000 đ", "won"),
        RankedPlayer(3, "Mẹ", "−9", "−45.000 đ", "lost"),
        RankedPlayer(4, "Lan", "−18", "−90.000 đ", "lost"),
    ]
    assert shared.handed == [Handing("Lan", "Ba", "90.000 đ")]
    assert shared.due == [Handing("Mẹ", "Ba", "25.000 đ")]
    assert (shared.code, shared.file) == ("#412 · 7K3Q-9FZD-MW2H-XA4T", "tienlen-2026-11-20.png")


def test_a_picture_of_a_night_without_a_stake_has_no_money_in_it() -> None:
    shared = share(night(None, {"An": 2, "Bình": 0, "Chi": 0, "Dũng": -2}, due=()), speaker("en"))
    assert shared.head == ["Tiến lên 20 Nov · 18 rounds"]
    assert [(row.worth, row.side) for row in shared.rows] == [
        *(("", "won"), ("", "even"), ("", "even"), ("", "lost"))
    ]
