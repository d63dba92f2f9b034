"""Taps per play: averages over many rounds, and a real page that needs as many."""

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.keeper import Keeper
from tests.browser.phones import PHONES
from tests.browser.phones import phone as phone_of
from tests.browser.tapping import Tap
from tests.soak.storm.counting import Phone, count, entries, round_of, taps_a_play

NAMES = ["An", "Bình", "Chi", "Dũng"]


@pytest.mark.slow
def test_a_play_of_a_greedy_player_takes_few_taps() -> None:
    """With fewer rounds than `scripts/soak taps`; the averages differ by less than 0.1."""
    taps = taps_a_play(rounds=100)
    assert taps["as it comes"] < 3.0
    assert taps["with what is offered"] < 2.65
    assert taps["singles that record themselves"] < 2.5
    assert taps["both"] < 2.1
    assert taps["rank, then suit (not ours)"] > 1.5 * taps["as it comes"]


@pytest.mark.browser
def test_a_real_page_costs_as_many(browser: Browser, server: str) -> None:
    """With everything that saves taps; tests of recording tap without."""
    phone = Phone(singles=True, offers=True)
    with phone_of(browser, PHONES["360x640"], locale="en-GB") as context:
        keeper = Keeper(context.new_page(), server)
        page = keeper.page
        night = keeper.open_table(NAMES)
        page.goto(f"{server}/phone?back={night.removeprefix(server)}")
        page.locator("[value=singles]").check()
        keeper.leave(page.locator("main button.main"))
        keeper.begin_round()
        recorded = list(entries(round_of(seed=74)))[:18]  # of 29: sequences, pairs, and singles
        keeper.taps = 0
        for tap, *_ in recorded:
            seq = page.locator(".proof").get_attribute("data-seq")
            enter(keeper, tap, phone)
            expect(page.locator(f'.proof:not([data-seq="{seq}"])')).to_be_attached()
        assert keeper.taps == count(recorded, phone)


def enter(keeper: Keeper, tap: Tap, phone: Phone) -> None:
    """Record an entry with the fewest taps that the page allows."""
    page = keeper.page
    if not tap.cards:
        return keeper.tap(page.locator(f"button[value={tap.button}]"))
    keeper.choose_seat(tap.seat)
    alone = json.loads(page.locator("form.record > script").text_content() or "")["alone"]
    for place, card in enumerate(tap.cards):
        keeper.tap(page.locator(f'.key:has([value="{card}"])'))
        if len(tap.cards) == 1 and card in alone:
            return None
        expect(page.locator(f'[name=cards][value="{card}"]:checked')).to_be_attached()
        offered = page.locator(f'[data-offer="{" ".join(tap.cards)}"]')
        if phone.offers and place + 1 < len(tap.cards) and offered.is_visible():
            return keeper.tap(offered)
    return keeper.tap(page.locator(".actions button.main"))
