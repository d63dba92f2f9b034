"""A tap is recorded against what the page showed, stored before it is drawn, and recorded once."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from ledger.game.rulesets import PRESETS
from ledger.recorder.exports import Format
from tests.browser.keeper import first_round, plays_of
from tests.browser.phones import PHONES, SIDEWAYS, await_worker, bounce, phone, shut
from tests.browser.telling import Teller
from tests.browser.test_offline import MOVES, NAMES, NET, kinds, tap_all
from tests.servers import Served
from tests.soak.storm.colliding import collide
from tests.soak.storm.storm import plays
from tests.soaking import PLANTED

pytestmark = pytest.mark.browser

SUITS = {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}
RECORD = ".actions button.main"
HOLD_STORAGE = """() => new Promise((held) => {
  const opening = indexedDB.open("tienlen", 1);
  opening.onsuccess = () => {
    const store = opening.result.transaction("entries", "readwrite").objectStore("entries");
    const again = () => (store.get(["", ""]).onsuccess = again);
    again();
    held();
  };
})"""
"""Keep IndexedDB busy, so that no write completes while the page is open, as on a slow disk."""

FULL_PHONE = """() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...what) {
    const request = put.apply(this, what);
    if (window.full) this.transaction.abort();
    return request;
  };
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (...what) {
    if (window.full) throw new DOMException("full", "QuotaExceededError");
    return set.apply(this, what);
  };
}"""

SLOW_TO_OPEN = """() => {
  const open = IDBFactory.prototype.open;
  const released = new Promise((release) => (window.release = release));
  IDBFactory.prototype.open = function (...what) {
    const asked = {};
    released.then(() => {
      const request = open.apply(this, what);
      for (const event of ["onupgradeneeded", "onsuccess", "onerror"])
        request[event] = (...happened) => {
          asked.result = request.result;
          asked[event]?.(...happened);
        };
    });
    return asked;
  };
}"""
"""A phone whose IndexedDB does not open until `release()` is called, as on a busy phone."""


@pytest.fixture
def keeper(keeper: Teller) -> Teller:
    """An has played 3♠, and the page shows it."""
    keeper.tell("play", seat="p1", cards=["3s"])
    keeper.look()
    return keeper


@pytest.fixture(scope="module")
def server_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("colliding")) as served:
        yield served


def test_cards_are_not_recorded_for_whom_the_page_has_moved_on_to(keeper: Teller) -> None:
    page = keeper.page
    keeper.choose("p2", ["4d"])
    keeper.tell("play", seat="p2", cards=["5c"])
    expect(page.locator(".say .turn")).to_have_text("Chi's turn")
    page.wait_for_timeout(1500)
    keeper.tap(page.locator(RECORD))
    expect(page.locator(".pending")).to_be_visible()
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c")]


@pytest.mark.parametrize("button", ["pass", "undo"])
def test_a_tap_does_not_answer_what_has_just_come(keeper: Teller, button: str) -> None:
    page = keeper.page
    keeper.tell("pass", seat="p2")
    expect(page.locator(".say .turn")).to_have_text("Chi's turn")
    keeper.tap(page.locator(f"button[value={button}]"))
    expect(page.locator(".pending")).to_be_visible()
    assert kinds(page) == ["round", "play", "pass"]


@pytest.mark.parametrize("button", ["pass", "undo"])
def test_a_tap_answers_what_has_been_on_the_page_for_a_while(keeper: Teller, button: str) -> None:
    page = keeper.page
    keeper.tell("pass", seat="p2")
    expect(page.locator(".say .turn")).to_have_text("Chi's turn")
    page.wait_for_timeout(1200)
    keeper.record(page.locator(f"button[value={button}]"))
    assert kinds(page) == ["round", "play", "pass", button]


def test_to_record_all_the_same_makes_no_passes_of_players_whom_nobody_saw_pass(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    context.set_offline(True)
    tap_all(keeper, [("p2", ["5c"])])
    keeper.tell("play", seat="p2", cards=["7s"])
    context.set_offline(False)
    panel = page.locator(".pending")
    expect(panel).to_be_visible()
    keeper.tap(panel.locator("[data-do=record]"))
    # It is not Bình's turn until others have passed: the table says so, with the cards still chosen.
    expect(page.locator(".felt .notice")).to_contain_text("Bình")
    expect(page.locator("[name=cards]:checked")).to_have_count(1)
    assert kinds(page) == ["round", "play", "play"]


@pytest.mark.parametrize("leave", ["close", "link"])
def test_a_tab_that_is_left_right_after_a_tap_loses_nothing(
    context: BrowserContext, keeper: Teller, leave: str
) -> None:
    page = keeper.page
    address = page.url
    page.evaluate(HOLD_STORAGE)
    context.set_offline(True)
    tap_all(keeper, MOVES[1:2])
    expect(page.locator(".pile .waiting")).to_have_text(["Bình 5♣"])
    context.set_offline(False)
    if leave == "close":
        shut(page)
        page = context.new_page()
    elif leave == "link":
        page.goto(f"{address}/notes")
    page.goto(address)
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c")]


@pytest.mark.soak(PLANTED)
def test_a_page_that_keeps_a_tap_once_it_is_drawn_is_found(context: BrowserContext, keeper: Teller) -> None:
    """Shows that the test above can fail: nothing is kept before it is drawn."""
    context.add_init_script("Storage.prototype.setItem = () => undefined")
    page = keeper.page
    address = page.url
    page.goto(address)
    page.evaluate(HOLD_STORAGE)
    context.set_offline(True)
    tap_all(keeper, MOVES[1:2])
    shut(page)
    context.set_offline(False)
    page = context.new_page()
    page.goto(address)
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s")]


def test_a_seat_that_is_tapped_while_the_phone_still_reads_its_storage_stays_chosen(
    context: BrowserContext, server: str
) -> None:
    context.add_init_script(f"({SLOW_TO_OPEN})()")
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES)
    keeper.tell("round", opening=True)
    keeper.look()
    page = keeper.page
    expect(page.locator(NET)).to_be_empty()
    keeper.choose_seat("p2")
    keeper.tell("note", note="deals p2")
    expect(page.locator('.proof[data-seq="2"]')).to_be_attached()
    expect(page.locator("[name=seat][value=p2]")).to_be_checked()
    keeper.choose("p2", ["3s"])
    expect(page.locator(NET)).to_be_empty()
    page.evaluate("window.release()")
    expect(page.locator(NET)).to_have_text("Saved")
    keeper.record(page.locator(RECORD))
    assert list(plays(page)) == [("p2", "3s")]


def test_what_waits_is_on_the_page_before_the_phone_has_read_its_storage(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    lost = "**/events"
    context.route(lost, lambda route: route.abort())
    tap_all(keeper, MOVES[1:2])
    context.add_init_script(f"({SLOW_TO_OPEN})()")
    page.reload()
    expect(page.locator(".pile .waiting")).to_have_text(["Bình 5♣"])
    tap_all(keeper, MOVES[2:3])
    expect(page.locator(".pile .waiting")).to_have_text(["Bình 5♣", "Chi 9♦"])
    context.unroute(lost)
    page.evaluate("window.release()")
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]


def test_that_others_pass_is_never_ignored(context: BrowserContext, keeper: Teller) -> None:
    """A page cannot infer who leads after a player who is out: it says so, also right after the play."""
    page = keeper.page
    for cards in (["4c"], [f"{rank}c" for rank in "56789TJQKA"]):
        keeper.tell("play", seat="p2", cards=cards)
        for other in ("p3", "p4", "p1"):
            keeper.tell("pass", seat=other)
    page.reload()
    keeper.choose("p2", ["2c", "2d"])
    context.set_offline(True)
    page.locator(RECORD).tap()
    page.locator("button[value=pass-all]").tap()
    expect(page.locator(".felt .notice")).to_contain_text("Nobody is chosen yet")


def test_a_full_phone_says_that_what_waits_would_be_lost_and_keeps_it_as_soon_as_there_is_room(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    page.evaluate(FULL_PHONE)
    page.evaluate("window.full = true")
    context.set_offline(True)
    tap_all(keeper, MOVES[1:3])
    expect(page.locator(NET)).to_contain_text("lost if this page is closed")
    page.evaluate("window.full = false")
    expect(page.locator(NET)).to_have_text("Offline: 2 waiting")
    context.set_offline(False)
    page.reload()
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]


def test_a_page_is_not_left_unasked_while_something_waits_that_is_kept_nowhere(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    page.evaluate(FULL_PHONE)
    page.evaluate("window.full = true")
    context.set_offline(True)
    tap_all(keeper, MOVES[1:2])
    expect(page.locator(NET)).to_contain_text("lost if this page is closed")
    asked: list[str] = []

    def stay(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", stay)
    with page.expect_event("dialog"):
        page.evaluate("setTimeout(() => location.reload())")
    expect(page.locator(".pile .waiting")).to_have_text(["Bình 5♣"])
    assert asked == ["beforeunload"]
    page.evaluate("window.full = false")
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")


def test_storage_that_is_deleted_while_the_page_is_open_is_opened_again(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    tap_all(keeper, MOVES[1:2])
    expect(page.locator(NET)).to_have_text("Saved")
    session = context.new_cdp_session(page)
    session.send(
        "Storage.clearDataForOrigin", {"origin": keeper.server, "storageTypes": "indexeddb,local_storage"}
    )
    context.set_offline(True)
    tap_all(keeper, MOVES[2:3])
    expect(page.locator(NET)).to_have_text("Offline: 1 waiting")
    context.set_offline(False)
    page.reload()
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]


def test_a_kept_entry_that_cannot_be_read_is_shown_and_halts_nothing(keeper: Teller) -> None:
    page = keeper.page
    page.evaluate(
        """(night) => localStorage.setItem(`tienlen entry ${night} broken`,
        JSON.stringify({ id: "broken", night, place: 1, body: "{", told: {}, seq: null }))""",
        keeper.night,
    )
    page.reload()
    expect(page.locator(".unreadable")).to_be_visible()
    tap_all(keeper, MOVES[1:2])
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c")]
    keeper.tap(page.locator(".unreadable button"))
    expect(page.locator(".unreadable")).to_be_hidden()
    page.reload()
    expect(page.locator(NET)).to_have_text("Saved")
    expect(page.locator(".unreadable")).to_be_hidden()


def test_a_finger_that_bounces_taps_once(keeper: Teller) -> None:
    """A second tap that counted would have been recorded before the play that follows."""
    page = keeper.page
    bounce(page, page.locator("button[value=pass]"))
    expect(page.locator(NET)).to_have_text("Saved")
    keeper.play("p3", ["9d"])
    assert kinds(page) == ["round", "play", "pass", "play"]


def test_two_tabs_of_a_phone_are_one_keeper(context: BrowserContext, keeper: Teller) -> None:
    first = keeper.page
    second = context.new_page()
    second.goto(first.url)
    other = Teller(second, keeper.server)
    expect(second.locator(NET)).to_have_text("Saved")
    context.set_offline(True)
    tap_all(keeper, MOVES[1:2])
    expect(second.locator(".pile .waiting")).to_have_text(["Bình 5♣"])
    tap_all(other, MOVES[2:3])
    expect(first.locator(".pile .waiting")).to_have_text(["Bình 5♣", "Chi 9♦"])
    context.set_offline(False)
    for page in (first, second):
        expect(page.locator(NET)).to_have_text("Saved")
        expect(page.locator(".pending")).to_be_hidden()
    assert list(plays(first)) == [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]


def test_what_is_dropped_in_one_tab_is_dropped_in_the_other(context: BrowserContext, keeper: Teller) -> None:
    first = keeper.page
    second = context.new_page()
    second.goto(first.url)
    expect(second.locator(NET)).to_have_text("Saved")
    context.set_offline(True)
    tap_all(keeper, [("p2", ["5c"])])
    expect(second.locator(".pile .waiting")).to_have_text(["Bình 5♣"])
    keeper.tell("play", seat="p2", cards=["7s"])
    context.set_offline(False)
    expect(first.locator(".pending")).to_be_visible()
    keeper.tap(first.locator(".pending [data-do=drop]"))
    for page in (first, second):
        expect(page.locator(NET)).to_have_text("Saved")
        expect(page.locator(".pending")).to_be_hidden()
    assert list(plays(first)) == [("p1", "3s"), ("p2", "7s")]


LOOK_AT = """async ([night, pages]) => {
  for (const page of pages) await fetch(`${night}/${page}`);
}"""
KEPT = """async (night) => {
  const kept = await (await caches.open("pages")).keys();
  return kept.filter(({ url }) => url.startsWith(`${night}/`)).length === 40;
}"""
"""Whether the service worker keeps so many pages of a night, without its table."""


def test_looking_back_for_long_leaves_the_table_at_hand_without_a_network(
    browser: Browser, server: str
) -> None:
    with phone(browser, PHONES["360x640"], locale="en-GB", service_workers="allow") as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell("round", opening=True)
        keeper.tell("play", seat="p1", cards=["3s"])
        night, page = keeper.look(), keeper.page
        await_worker(page)
        page.reload()
        pages = [f"under/{preset}" for preset in PRESETS] + [f"export/{format}" for format in Format]
        pages += ["ledger", "rules", "rounds/1", "rounds/1/why", "settle-up", "settle-up/p1", "settle-up/p2"]
        pages += ["statistics", "notes", "export", "disputes", "compare"]
        assert len(pages) > 40
        page.evaluate(LOOK_AT, [night, pages])
        page.wait_for_function(KEPT, arg=night)
        context.set_offline(True)
        page.goto(f"{night}/{pages[-1]}")
        expect(page).to_have_url(
            f"{night}/{pages[-1]}"
        )  # the newest page is kept, and is no way back to the table
        page.goto(night)
        expect(page.locator(".say .turn")).to_have_text("Bình's turn")
        expect(page.locator(".key input").first).to_be_attached()


def test_each_move_is_read_aloud_once_to_the_keeper_and_to_watchers(
    browser: Browser, context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    with phone(browser, PHONES["360x640"], locale="en-GB") as another:
        another.request.post(keeper.links["watch"], max_redirects=0)
        watcher = another.new_page()
        watcher.goto(page.url)
        keeper.tap(page.locator(RECORD))  # no card is chosen, so there is no move
        for seat, cards in (("p2", ["5c"]), ("p3", ["9d"])):
            keeper.play(seat, cards)
        keeper.record(page.locator("button[value=pass]"))
        aloud = ["Bình 5♣. Chi's turn", "Chi 9♦. Dũng's turn", "Dũng pass. An's turn"]
        expect(watcher.locator("#heard p")).to_have_text(aloud, ignore_case=True)
        expect(page.locator("#heard p")).to_have_text(aloud, ignore_case=True)


SPOKEN = """() => {
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  SpeechSynthesis.prototype.getVoices = () => [
    { lang: "vi-VN", localService: false, name: "far" },
    ...["vi_VN", "en-GB"].map((lang) => ({ lang, localService: true, name: "near" })),
  ];
  SpeechSynthesis.prototype.speak = ({ lang, text, voice }) =>
    text.trim() && window.spoken.push(`${voice.name} ${lang}: ${text}`);
}"""
"""A browser with a Vietnamese and an English voice on the phone, and one that is remote."""


def test_a_phone_that_is_set_so_says_what_is_recorded_and_no_other_does(
    browser: Browser, context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    with phone(browser, PHONES["360x640"], locale="vi-VN") as another:
        for one in (context, another):
            one.add_init_script(f"({SPOKEN})()")
        another.request.post(keeper.links["watch"], max_redirects=0)
        watcher = another.new_page()
        watcher.goto(f"{keeper.server}/phone?back={urlsplit(page.url).path}")
        expect(watcher.locator("#voiceless")).to_be_hidden()
        watcher.locator("[name=set][value=speaks]").check()
        watcher.locator("main button.main").tap()
        page.reload()
        watcher.wait_for_url(page.url)
        keeper.play("p2", ["5c"])
        keeper.record(page.locator("button[value=pass]"))
        expect(watcher.locator("#heard p")).to_have_count(2)
        assert watcher.evaluate("spoken") == ["near vi: Bình, 5 chuồn", "near vi: Chi bỏ lượt"]
        assert page.evaluate("spoken") == []
        page.goto(f"{keeper.server}/phone?back={urlsplit(page.url).path}")
        page.locator("[name=set][value=speaks]").check()
        page.locator("main button.main").tap()
        keeper.play("p4", ["Jd"])
        expect(page.locator("#heard p")).to_have_count(1)
        assert page.evaluate("spoken") == ["near en: Dũng, jack of diamonds"]


def test_a_phone_without_a_voice_of_its_own_says_so(keeper: Teller) -> None:
    keeper.page.add_init_script("SpeechSynthesis.prototype.getVoices = () => []")
    keeper.page.goto(f"{keeper.server}/phone")
    expect(keeper.page.locator("#voiceless")).to_be_visible()


def test_the_network_is_read_aloud_only_where_it_is_bad(context: BrowserContext, keeper: Teller) -> None:
    page = keeper.page
    context.set_offline(True)
    tap_all(keeper, MOVES[1:2])
    expect(page.locator("#heard p", has_text="Offline")).to_have_count(1)
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")
    expect(page.locator("#heard p", has_text="Saved")).to_have_count(0)


def test_the_focus_never_falls_to_the_page(keeper: Teller) -> None:
    page = keeper.page
    for _ in range(2):
        page.locator("button[value=undo]").first.focus()
        seq = page.locator(".proof").get_attribute("data-seq")
        page.keyboard.press("Enter")
        expect(page.locator(f'.proof:not([data-seq="{seq}"])')).to_be_attached()
        if page.locator("form.record").count():
            expect(page.locator("body")).not_to_be_focused()


def test_a_round_is_recorded_by_the_keyboard_and_by_what_is_read_aloud_alone(
    context: BrowserContext, server: str
) -> None:
    """Controls are found by role and name, and each move of the end is awaited in the live region."""
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES)
    keeper.tell("round", opening=True)
    all_moves = first_round("southern-05.tln")[0]
    before, moves = all_moves[:44], all_moves[44:]
    keeper.tell_plays(before)
    keeper.look()
    page = keeper.page
    for passed, seat, cards in plays_of(moves):
        if passed:
            page.get_by_role("button", name="All others pass").press("Enter")
            expect(page.get_by_role("log").get_by_text("leads").last).to_be_attached()
        name = NAMES[int(seat[1]) - 1]
        radio = page.get_by_role("radio", name=re.compile(name))
        if not radio.is_checked():
            radio.press("Space")
        page.keyboard.type("".join(cards))
        page.keyboard.press("Enter")
        if (seat, cards) != moves[-1]:
            shown = " ".join(f"{card[0].replace('T', '10')}{SUITS[card[1]]}" for card in cards)
            expect(page.get_by_role("log")).to_contain_text(f"{name} {shown}")
    expect(page).to_have_url(re.compile("/settle$"))
    played = [(seat, " ".join(cards)) for seat, cards in all_moves if cards]
    assert [(seat, set(cards.split())) for seat, cards in plays(page)] == [
        (s, set(c.split())) for s, c in played
    ]


def test_no_page_scrolls_sideways_with_long_names(browser: Browser, server: str) -> None:
    with phone(browser, PHONES["320x568"], locale="en-GB") as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(["W" * 64, "Nguyễn" * 10])
        keeper.tell("round", opening=True)
        keeper.tell(
            "play", seat="p1", cards=["3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As"]
        )
        keeper.tell("play", seat="p1", cards=["2s"])
        night = keeper.look()
        page = keeper.page
        pages = [
            "",
            "/ledger",
            "/rounds",
            "/rounds/1",
            "/rounds/1/why",
            "/rounds/1/settle",
            "/links",
            "/notes",
        ]
        pages += ["/settle-up", "/statistics", "/rules", "/rounds/1/correct", "/export"]
        wide = []
        for path in pages:
            page.goto(night + path)
            wide += [path] * (page.evaluate(SIDEWAYS) > 0)
        page.goto(server)
        wide += ["/"] * (page.evaluate(SIDEWAYS) > 0)
        assert not wide


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
    sound = (Path(__file__).parents[2] / "ledger/web/static/state.js").read_text(encoding="utf-8")
    planted = sound.replace(
        "let after = state.draft.after ?? seen(state, now);", "let after = newest(state);"
    )
    assert planted != sound
    assert collide(browser, server_of_its_own, collisions=8, seed=4, script=planted).wrong
