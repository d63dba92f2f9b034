"""The totals of a night; `tests/cases/rounds/payments.txt` covers the payments of rounds."""

import pytest

from ledger.game.caches import BoundedCache
from ledger.game.night import sheet_totals, totals
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.special_sets import Appraiser
from ledger.game.statistics import statistics
from tests.game.table import cards, replay_story


def test_s_special_values_are_the_same_when_their_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    values = Appraiser(CLASSIC.deck, CLASSIC.combinations, CLASSIC.payments.special_sets)
    assert [values.total(cards(text)) for text in ("2s 3s", "2d 3c", "2h 3d", "2s 3s")] == [1, 2, 2, 1]


def test_a_night_adds_its_sheet_up_and_leaves_it_out_of_every_balance() -> None:
    story = "round 1 lead p1\nresult p1 p2 p3 p4\nround 2 lead p1\nresult p2 p1 p3 p4"
    night = replay_story(story, rules=["payments.sheet=4-2-1-0"])
    assert sheet_totals(night) == [6, 6, 2, 0]
    assert totals(night) == totals(replay_story(story))
    assert sheet_totals(replay_story(story)) == []
    counted = statistics([night]).people
    assert [one.sheet for one in counted.values()] == [6, 6, 2, 0]
