"""Slips of a keeper: the table notices them, but fewer if it does not compare hands."""

import pytest

from tests.soak import noticed
from tests.soak.noticed import Noticed, Slip, trial

pytestmark = pytest.mark.slow


def share(how: Noticed) -> float:
    """The share of some hundred slips that are noticed this way."""
    found = trial(3, 400)
    assert {slip for slip, _ in found} == set(Slip)
    return sum(count for (_, one), count in found.items() if one is how) / found.total()


def test_no_slip_that_changes_money_goes_unnoticed() -> None:
    assert share(Noticed.MONEY) == 0


def test_one_tap_puts_right_what_a_later_card_contradicts(monkeypatch: pytest.MonkeyPatch) -> None:
    mended, not_mended = share(Noticed.CONTRADICTED), share(Noticed.NOT_MENDED)
    assert mended > 19 * not_mended
    monkeypatch.setattr(noticed, "taken_for", lambda card: ())
    assert share(Noticed.CONTRADICTED) == 0


def test_few_slips_go_unnoticed_and_twice_as_many_where_nobody_compares_hands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = share(Noticed.HARMLESS)
    monkeypatch.setattr(noticed, "holders", lambda round: ())
    monkeypatch.setattr(noticed, "lies_aside", lambda dealt: 0)
    assert compared < 0.06
    assert share(Noticed.HARMLESS) + share(Noticed.MONEY) > 1.5 * compared
