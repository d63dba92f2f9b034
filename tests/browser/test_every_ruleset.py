"""Every preset and every house rule on a phone: chosen on the first page, a round tapped, settled and paid."""

import pytest
from playwright.sync_api import Browser, expect

from ledger.game.cards import Card
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.language import speaker
from tests.browser.tables import TABLES, play_through
from tests.browser.tapping import Table, taps

PLAIN = {"double-deck"}
"""Eight players, and cards with two backs. Going forward, locks and contracts are tapped in test_two_decks.py."""


@pytest.mark.browser
@pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            table, id=table.preset, marks=() if table.preset in PLAIN else pytest.mark.soak("further presets")
        )
        for table in TABLES
    ],
)
def test_a_round_is_tapped_settled_and_paid(browser: Browser, server: str, table: Table) -> None:
    play_through(browser, server, table)


def test_every_preset_and_every_house_rule_has_its_table() -> None:
    assert sorted(table.preset for table in TABLES) == sorted(PRESETS)
    assert {rule.partition("=")[0] for table in TABLES for rule in table.rules} == set(HOUSE_RULES)


def test_what_is_particular_to_some_rules_is_tapped_at_their_tables() -> None:
    rounds = {table.preset: table.round() for table in TABLES}
    tapped = {preset: list(taps(positions)) for preset, positions in rounds.items()}
    assert any(tap.button == "forward" for tap in tapped["family"])
    assert any(tap.locks for tap in tapped["family"])
    assert any(tap.button.startswith("contract") for tap in tapped["pro-play"])
    assert rounds["draw-pile"][-1].round.drawn
    assert any(tap.button.startswith("pass") for some in tapped.values() for tap in some)
    assert any(len(set(tap.cards)) < len(tap.cards) for tap in tapped["core-double"])
    assert {Card.read(card).back for tap in tapped["double-deck"] for card in tap.cards} == {0, 1}
    assert PRESETS["core-17"].deal.hand_of(3) == 17
    assert next(table.players for table in TABLES if table.preset == "double-deck") == 8


@pytest.mark.browser
def test_the_form_tells_beside_a_house_rule_the_words_that_rule_it_out(browser: Browser, server: str) -> None:
    say, context = speaker("vi"), browser.new_context(locale="vi-VN")
    page = context.new_page()
    page.goto(server)
    page.locator("#rules > summary").click()
    page.get_by_text(say.gettext("House rules"), exact=True).click()
    page.locator(".presets summary").click()
    lock = page.locator("label.switch", has=page.locator("option[value='suit-lock=optional']"))
    for preset, sentence in (
        ("hawaii", say.say("says no-trading-or-locks")),
        ("akita", say.gettext("changes nothing under these rules")),
    ):
        page.locator(f"input[name=ruleset][value={preset}]").check()
        expect(lock.locator("small")).to_contain_text(sentence)
    page.locator("input[name=ruleset][value=thirteen]").check()
    expect(lock.locator("small")).to_have_count(0)
    context.close()
