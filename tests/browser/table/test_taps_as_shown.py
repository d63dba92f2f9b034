"""A tap is recorded against what the page showed, stored before it is drawn, and recorded once."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from ledger.game.rulesets import PRESETS
from ledger.language import speaker
from ledger.recorder.exports import Format
from tests.browser.conftest import NAMES
from tests.browser.journeys import Journey, journeys
from tests.browser.keeper import first_round
from tests.browser.phones import PHONES, await_worker, phone, script, shut, sideways
from tests.browser.telling import Teller, at_table
from tests.game.table import run
from tests.servers import Served
from tests.soak.storm.colliding import collide
from tests.soak.storm.storm import plays
from tests.soaking import PLANTED

pytestmark = pytest.mark.browser


@journeys("table/taps")
def test_a_tap(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)


@pytest.fixture
def keeper(keeper: Teller) -> Teller:
    """An has played 3♠, and the page shows it."""
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.look()
    return keeper


@pytest.fixture(scope="module")
def server_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("colliding")) as served:
        yield served


@pytest.mark.soak(PLANTED)
def test_a_page_that_keeps_a_tap_once_it_is_drawn_is_found(context: BrowserContext, keeper: Teller) -> None:
    """So the journeys of tabs that are left right after a tap can fail: nothing is kept before it is drawn."""
    context.add_init_script("Storage.prototype.setItem = () => undefined")
    address = keeper.look()
    keeper.page.evaluate(script("hold_storage"))
    context.set_offline(True)
    keeper.queue([("p2", ["5c"])])
    shut(keeper.page)
    context.set_offline(False)
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".net")).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s")]


def test_looking_back_for_long_leaves_the_table_at_hand_without_a_network(
    browser: Browser, server: str
) -> None:
    pages = [f"under/{preset}" for preset in PRESETS] + [f"export/{format}" for format in Format]
    pages += ["ledger", "rules", "rounds/1", "rounds/1/why", "settle-up", "settle-up/p1", "settle-up/p2"]
    pages += ["statistics", "notes", "export", "disputes", "compare"]
    assert len(pages) > 40
    story = "round opening; p1 3s"
    with at_table(browser, server, story, names=NAMES, locale="en-GB", service_workers="allow") as keeper:
        page, night = keeper.page, keeper.page.url
        await_worker(page)
        page.reload()
        page.evaluate(script("look_at"), [night, pages])
        assert page.evaluate(script("kept_pages"), [night, pages[-1], 40]) == 40
        page.context.set_offline(True)
        page.goto(f"{night}/{pages[-1]}")  # the newest page is kept, and is no way back to the table
        expect(page).to_have_url(f"{night}/{pages[-1]}")
        page.goto(night)
        expect(page.locator(".say .turn")).to_have_text("Bình's turn")
        expect(page.locator(".key input").first).to_be_attached()


def test_a_phone_that_is_set_so_says_what_is_recorded_and_one_without_a_voice_says_that(
    browser: Browser, context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    with phone(browser, PHONES["360x640"], locale="vi-VN") as another:
        for one in (context, another):
            one.add_init_script(f"({script('voices')})()")
        another.request.post(keeper.links["watch"], max_redirects=0)
        watcher = another.new_page()
        watcher.goto(f"{keeper.server}/phone?back={urlsplit(page.url).path}")
        expect(watcher.locator("#voiceless")).to_be_hidden()
        watcher.locator("[name=set][value=speaks]").check()
        watcher.locator("main button.main").tap()
        page.reload()
        watcher.wait_for_url(page.url)
        keeper.play("p2", ["5c"])
        keeper.enter(page.locator("button[value=pass]"))
        expect(watcher.locator("#heard p")).to_have_count(2)
        assert watcher.evaluate("spoken") == ["near vi: Bình, 5 chuồn", "near vi: Chi bỏ lượt"]
        assert page.evaluate("spoken") == []
        page.goto(f"{keeper.server}/phone?back={urlsplit(page.url).path}")
        page.locator("[name=set][value=speaks]").check()
        page.locator("main button.main").tap()
        keeper.play("p4", ["Jd"])
        expect(page.locator("#heard p")).to_have_count(1)
        assert page.evaluate("spoken") == ["near en: Dũng, jack of diamonds"]
        page.add_init_script("SpeechSynthesis.prototype.getVoices = () => []")
        page.goto(f"{keeper.server}/phone")
        expect(page.locator("#voiceless")).to_be_visible()


def test_a_round_is_recorded_by_the_keyboard_and_by_what_is_read_aloud_alone(keeper: Teller) -> None:
    """Controls are found by role and name, and each move of the end is awaited in the live region."""
    page, moves = keeper.page, first_round("southern-05.tln")[0]
    with keeper.telling():
        keeper.tell_plays(moves[1:50])
    plays_left = [(seat, cards) for seat, cards in moves[50:] if cards]
    for seat, cards in plays_left:
        name = NAMES[int(seat[1]) - 1]
        radio = page.get_by_role("radio", name=re.compile(name))
        if not radio.is_checked():
            radio.press("Space")
        page.keyboard.type("".join(cards))
        page.keyboard.press("Enter")
        if (seat, cards) != plays_left[-1]:
            read = ".*".join(map(speaker("en").card_name, cards))
            expect(page.get_by_role("log")).to_contain_text(re.compile(f"{name}, .*{read}"))
    expect(page).to_have_url(re.compile("/settle$"))
    played = [(seat, set(cards)) for seat, cards in moves if cards]
    assert [(seat, set(cards.split())) for seat, cards in plays(page)] == played


def test_no_page_scrolls_sideways_with_long_names(browser: Browser, server: str) -> None:
    names, pages = ["W" * 64, "Nguyễn" * 10], ["", "/ledger", "/rounds", "/rounds/1", "/rounds/1/why"]
    pages += ["/rounds/1/settle", "/links", "/notes", "/settle-up", "/statistics", "/rules", "/export"]
    story = f"round opening; p1 {run('s')}; p1 2s"
    with at_table(browser, server, story, names=names, size=PHONES["320x568"], locale="en-GB") as keeper:
        night = keeper.page.url
        for address in [server, *(night + place for place in [*pages, "/rounds/1/correct"])]:
            keeper.page.goto(address)
            assert not sideways(keeper.page), address


@pytest.mark.soak("taps that collide")
def test_taps_of_two_keepers_that_collide_are_recorded_as_shown_or_asked_about(
    browser: Browser, server_of_its_own: Served
) -> None:
    found = collide(browser, server_of_its_own, collisions=9, seed=4)
    assert not found.wrong
    assert set(found.ended) == {"asked", "recorded"}


@pytest.mark.soak(PLANTED)
def test_a_page_whose_taps_answer_whatever_has_come_is_found(
    browser: Browser, server_of_its_own: Served
) -> None:
    sound = (Path(__file__).parents[3] / "ledger/web/static/shared/state.js").read_text(encoding="utf-8")
    planted = sound.replace(
        "let after = state.draft.after ?? seen(state, now);", "let after = newest(state);"
    )
    assert planted != sound
    assert collide(browser, server_of_its_own, collisions=8, seed=4, script=planted).wrong
