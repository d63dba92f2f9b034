"""Phones keep a head and report a log that does not continue it; and the offline verifier."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ledger.recorder import EventRequest, Link, Recorder, Role
from ledger.store import head_code
from tests.browser.keeper import RECORDS, trouble_on
from tests.browser.phones import PHONES, phone, script, wrong
from tests.browser.telling import Teller, at_table
from tests.cli.commands import tienlen

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi"]
ZERO = "0000"
SIZE = PHONES["360x640"]


@pytest.fixture
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    story = "round opening; p1 3s; p2 5h"
    with at_table(browser, server, story, names=NAMES, size=SIZE, locale="en-GB") as keeper:
        has_kept(keeper.page, 3)
        yield keeper


def kept(page: Page, change: str = "head") -> dict[str, Any]:
    """The stored head, after replacing it with the value of the expression `change`."""
    found: dict[str, Any] = page.evaluate(
        f"""() => {{
          const place = `tienlen head ${{document.querySelector(".proof").dataset.night}}`;
          const head = JSON.parse(localStorage.getItem(place));
          const changed = {change};
          localStorage.setItem(place, JSON.stringify(changed));
          return changed;
        }}"""
    )
    return found


def has_kept(page: Page, seq: int) -> None:
    """Wait until the page has checked the log up to this entry."""
    page.wait_for_function(
        """(seq) => Object.entries(localStorage).some(
          ([name, head]) => name.startsWith("tienlen head") && JSON.parse(head).seq === seq
        )""",
        arg=seq,
    )


@contextmanager
def second_phone(keeper: Teller) -> Iterator[Page]:
    """A second phone with the same links, which has stored nothing yet."""
    browser = keeper.page.context.browser
    assert browser
    links = {"cookies": keeper.page.context.cookies(), "origins": []}
    with phone(browser, SIZE, locale="en-GB", storage_state=links) as context:
        yield context.new_page()


def test_a_phone_keeps_the_head_of_every_page_and_goes_along_with_what_is_recorded(keeper: Teller) -> None:
    page = keeper.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "compare.svg" in request.url else None)
    assert kept(page)["seq"] == 3
    keeper.play("p3", ["6h"])
    has_kept(page, 4)
    page.goto(f"{keeper.server}/n/{keeper.night}/ledger", wait_until="networkidle")
    expect(page.locator(".follows")).to_be_visible()
    expect(page.locator(".forked")).not_to_be_visible()
    # The picture of a code is fetched by whoever opens it.
    assert not asked
    page.locator(".proof summary").tap()
    drawn = page.locator(".proof img")
    expect(drawn).to_have_js_property("complete", True)
    assert drawn.evaluate("picture => picture.naturalWidth") > 0
    assert len(asked) == 1
    assert not keeper.trouble


HISTORIES = (
    ("{ ...head, seq: head.seq + 5 }", "behind", "ends before"),
    ("{ ...head, hash: '0'.repeat(64) }", "other", "does not go on"),
    ("{ seq: head.seq - 1, hash: '0'.repeat(64) }", "other", "does not go on"),
)


def test_a_server_with_another_history_is_shown_with_both_codes_until_it_was_seen_and_marked_after(
    keeper: Teller,
) -> None:
    page = keeper.page
    banner, mark = page.locator(".forked"), page.locator(".mark")
    theirs = kept(page)
    for change, how, sentence in HISTORIES:
        page.evaluate("localStorage.clear()")
        page.reload()
        has_kept(page, 3)
        mine = kept(page, change)
        page.reload()
        expect(banner).to_be_visible()
        expect(banner.locator(f"p[data-how={how}]").first).to_contain_text(sentence)
        for place, head in (("mine", mine), ("theirs", theirs)):
            code = head_code(head["seq"], bytes.fromhex(head["hash"]))
            expect(banner.locator(f"[data-{place}]")).to_have_text(code)
        for _ in range(3):
            page.keyboard.press("Escape")
        page.reload()
        expect(banner).to_be_visible()
        banner.locator("button.main").tap()
        page.reload()
        expect(mark).to_be_visible()
        expect(banner).not_to_be_visible()
        assert kept(page) == mine
        mark.tap()
        expect(banner).to_be_visible()
    assert wrong(page) == []
    # The mark goes once the history goes on again and somebody has seen it.
    banner.locator("button.main").tap()
    kept(page, json.dumps(theirs))
    for _ in range(2):
        page.reload()
        expect(mark).not_to_be_visible()


def test_a_server_that_alters_what_came_since_is_found_out(keeper: Teller) -> None:
    """The phone knows entry 2; entry 3 arrives altered, with a hash that fits it."""
    page = keeper.page
    first = page.evaluate(
        """async () => (await (await fetch(document.querySelector(".proof").dataset.log)).json()).events"""
    )
    kept(page, f"{{ seq: 2, hash: '{first[1]['hash']}' }}")

    def lie(route: Route) -> None:
        answer = route.fetch().json()
        for entry in answer["events"]:
            entry["body"] = entry["body"].replace('"5h"', '"5d"')
        route.fulfill(json=answer)

    page.route("**/events?*", lie)
    page.reload()
    expect(page.locator(".forked [data-how=other]").first).to_be_visible()
    expect(page.locator(".forked [data-mine]")).to_contain_text("#2 · ")
    page.unroute_all(behavior="wait")


def test_a_phone_without_storage_or_an_answer_goes_on_quietly(keeper: Teller) -> None:
    page = keeper.page
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied'); } })"
    )
    page.route("**/events?*", lambda route: route.abort())
    page.reload()
    expect(page.locator(".record")).to_be_visible()
    expect(page.locator(".forked")).not_to_be_visible()
    keeper.play("p3", ["6h"])


def test_a_neighbour_s_code_is_compared_with_what_this_phone_saw(keeper: Teller) -> None:
    page = keeper.page
    link = page.locator(".bar .head").get_attribute("href")
    assert link
    with second_phone(keeper) as other:
        other.goto(link)
        expect(other.locator("[data-state=none]")).to_be_visible()
        other.goto(link)
        expect(other.locator("[data-state=same]")).to_be_visible()
        keeper.play("p3", ["6h"])
        has_kept(page, 4)
        page.goto(link)
        expect(page.locator("[data-state=older]")).to_be_visible()
        page.goto(f"{keeper.server}/n/{keeper.night}")
        newer = page.locator(".bar .head").get_attribute("href")
        assert newer
        other.goto(newer)
        expect(other.locator("[data-state=newer]")).to_be_visible()
        other.goto(f"{newer[:-4]}{ZERO}")
        expect(other.locator("[data-state=fork]")).to_be_visible()
        expect(other.locator(".forked")).to_be_visible()
        expect(other.locator(".forked [data-theirs]")).to_contain_text(ZERO)
        other.locator(".forked button.main").tap()
        other.goto(newer)  # anyone can type a code: it is not stored
        expect(other.locator(".forked")).not_to_be_visible()
        expect(other.locator("[data-state=same]")).to_be_visible()
    # A fork is found by two phones though each agrees with its server: the other was shown a different entry 2.
    page.goto(f"{keeper.server}/n/{keeper.night}/compare?head=2-{'7' * 16}")
    expect(page.locator("[data-state=fork]")).to_be_visible()
    expect(page.locator(".forked")).to_be_visible()


# Without a server


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('log') / 'ledger.db'}"
    assert tienlen("--database", database, "import", RECORDS / "southern-05.tln").status == 0
    night = tienlen("--database", database, "nights").out.split()[0]
    return tienlen("--database", database, "export", "--exact", night).out.splitlines()


@pytest.fixture(scope="module")
def verifier(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The verifier page, opened from disk, offline."""
    file = tmp_path_factory.mktemp("verifier") / "verify.html"
    file.write_text(tienlen("verify", "--page").out, encoding="utf-8")
    with phone(browser, SIZE, locale="en-GB", offline=True) as context:
        page = context.new_page()
        trouble = trouble_on(page, "file:")
        page.goto(file.as_uri())
        yield page
        assert not trouble


def choose(page: Page, lines: list[str], code: str = "") -> None:
    page.locator("#code").fill(code)
    text = "".join(f"{line}\n" for line in lines)
    page.set_input_files("#file", {"name": "x.ndjson", "mimeType": "", "buffer": text.encode()})


def net(lines: list[str]) -> list[str]:
    points: dict[str, int] = json.loads(json.loads(lines[-1])["body"])["net"]
    return [f"+{each}" if each > 0 else str(each).replace("-", "−") for each in points.values()]


def code(lines: list[str], seq: int) -> str:
    return head_code(seq, bytes.fromhex(json.loads(lines[seq + 1 if seq else 0])["hash"]))


def expect_verdict(page: Page, *texts: str) -> None:
    for text in texts:
        expect(page.locator("#verdict")).to_contain_text(text)


def test_a_good_export_is_verified_in_both_languages_with_its_balances(
    verifier: Page, log: list[str]
) -> None:
    choose(verifier, log, code(log, 3))
    expect_verdict(verifier, "Verified", code(log, len(log) - 2), code(log, 3))
    expect(verifier.locator("#balances b")).to_have_text(net(log))
    expect(verifier.locator("#payments li").first).to_contain_text("bomb bonus")
    verifier.locator("#language").click()
    expect_verdict(verifier, "đều khớp")
    expect(verifier.locator("html")).to_have_attribute("lang", "vi")
    assert wrong(verifier, tags=()) == []
    verifier.locator("#language").click()
    expect_verdict(verifier, "Verified")
    choose(verifier, ["\ufeff" + log[0], "x", *log[1:]])
    expect_verdict(verifier, "Not verified")
    # A pasted export and one with the marks of Windows will do.
    verifier.locator("summary").click()
    verifier.locator("#code").fill("")
    verifier.locator("#pasted").fill("\n".join(log))
    verifier.locator("#verify").click()
    expect_verdict(verifier, "Verified")
    choose(verifier, ["x"])
    expect_verdict(verifier, "Not verified")
    choose(verifier, ["\ufeff" + log[0], *log[1:]])
    expect_verdict(verifier, "Verified")
    # It may be dropped on the page.
    verifier.evaluate(script("drop_file"), ["log.jsonl", "x"])
    expect_verdict(verifier, "Not verified")
    verifier.evaluate(script("drop_file"), ["log.jsonl", "\n".join(log)])
    expect_verdict(verifier, "Verified")


FLAWS = ("text", "seq", "night", "hash", "name", "players", "payment", "net", "tail", "seen", "unseen")
"""What may be wrong with an export; which of it is found where, export.test.mjs asks."""


def test_what_is_wrong_with_an_export_is_told_with_the_entry_in_both_languages(
    verifier: Page, log: list[str]
) -> None:
    people = json.loads(log[1])
    people["people"][0] |= {"name": None, "salt": None}
    last = len(log) - 2
    for lines, seen, verdict in (
        ([*log[:5], log[5].replace("host", "keeper"), *log[6:]], "", "Entry 4: its hash"),
        ([log[0].replace("southern", "southren"), *log[1:]], "", "Entry 0: its hash"),
        ([*log[:5], *log[6:]], "", "Entry 4: it is not the next one"),
        ([*log[:4], "x", *log[5:]], "", "Line 5"),
        (log[:-2], code(log, last), "the tail is missing"),
        (log, "7K3Q", "This is not a code"),
    ):
        choose(verifier, lines, seen)
        expect_verdict(verifier, "Not verified", verdict)
    choose(verifier, [log[0], json.dumps(people), *log[2:]])
    expect_verdict(verifier, "Verified", "erased: p1")
    tongues = verifier.evaluate("() => JSON.parse(document.querySelector('#words').textContent)")
    assert set(tongues) == {"vi", "en"}
    assert [flaw for words in tongues.values() for flaw in FLAWS if not words.get(f"broken {flaw}")] == []


@pytest.fixture
def newcomers(tmp_path: Path) -> list[str]:
    """The log of a night that Em joined, and in which An was renamed."""
    database = f"sqlite:///{tmp_path / 'ledger.db'}"
    (record,) = RECORDS.glob("by-hand-04-*.tln")
    assert tienlen("--database", database, "import", record).status == 0
    recorder = Recorder.open(database, bytes(32))
    try:
        (night,) = (row.id for row in recorder.nights())
        rename = EventRequest(str(uuid4()), None, "rename", {"player": "p1", "name": "Ân"})
        recorder.record(night, rename, Link(night, Role.KEEPER))
        return list(recorder.store.export_log(night))
    finally:
        recorder.store.close()


def test_who_joined_and_who_was_renamed_is_verified_by_the_last_commitment(
    verifier: Page, newcomers: list[str]
) -> None:
    people = json.loads(newcomers[1])["people"]
    assert [person["name"] for person in people][::4] == ["Ân", "Em"]
    choose(verifier, newcomers)
    expect_verdict(verifier, "Verified")
    expect(verifier.locator("#balances li")).to_have_count(5)
    expect(verifier.locator("#balances span").first).to_have_text("Ân")
    for player, name in ((0, "An"), (4, "Thảo")):
        renamed = [person | ({"name": name} if at == player else {}) for at, person in enumerate(people)]
        forged = json.dumps({"line": "people", "people": renamed})
        choose(verifier, [newcomers[0], forged, *newcomers[2:]])
        expect_verdict(verifier, "Entry 0: a name")
    forged = json.dumps({"line": "people", "people": people[:4]})
    choose(verifier, [newcomers[0], forged, *newcomers[2:]])
    expect_verdict(verifier, "Not verified")
