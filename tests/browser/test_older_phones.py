"""Phones of a few years ago with the last browser made for them, simulated by removing newer features. The oldest
supported are Safari 15.4, Chrome 105 and Firefox 121."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.resources import folder
from tests.browser.keeper import first_round
from tests.browser.phones import phone, script
from tests.browser.telling import Teller

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]

TOO_YOUNG = {
    "css": r"light-dark\(|color-mix\(|okl(ch|ab)\(|@container|@scope|@starting-style|:user-(in)?valid|:popover-open"
    r"|\([a-z-]+ *[<>]|(^|[\s;{])&|:dir\(|\boverflow: clip|\d(lh|rlh|cqw|cqi)\b|anchor\(",
    "js": r"\(\?<[=!]|\bstatic \{|(?<!\.)/[a-z]*v[a-z]*[;,.)]|\bwith \{ *type",
}
"""Syntax that these browsers cannot parse: one use spoils a declaration, or a whole script."""


@pytest.fixture
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    with phone(browser) as context:
        context.add_init_script(f"({script('without')})()")
        keeper = Teller(context.new_page(), server)
        yield keeper
        assert keeper.trouble == []


@pytest.mark.browser
def test_a_round_is_tapped_settled_corrected_and_shared(keeper: Teller) -> None:
    page = keeper.page
    plays, paid = first_round("southern-05.tln")
    home = keeper.open_table(NAMES)
    assert page.evaluate("!('timeout' in AbortSignal) && !('checkVisibility' in document.body)")
    keeper.begin_round()
    keeper.record_round(plays[:12])
    with keeper.telling():
        keeper.tell_plays(plays[12:-3])
    keeper.record_round(plays[-3:])
    page.wait_for_url("**/settle")
    keeper.leave(page.locator("button[value=settle]"))
    assert sorted(posted(page, home)) == sorted(paid)

    keeper.tap(page.locator("#beside summary").first)
    keeper.tap(page.locator(".noting .choice:has([value=deals])"))
    keeper.leave(page.locator(".noting button[value=note]"))
    expect(page.locator("#beside")).to_contain_text("chia bài")
    keeper.begin_round()
    keeper.play("p4", ["3s"])

    page.goto(f"{home}/rounds/1/correct")
    with page.expect_navigation():
        page.locator("[name=target]").select_option(index=2)

    page.goto(f"{home}/settle-up")
    keeper.tap(page.locator("[data-picture]"))
    expect(page.locator("figure img")).to_be_visible()


def posted(page: Page, home: str) -> list[str]:
    """The payments of a night, as lines of a replay."""
    night = home.rpartition("/")[2]
    rows = page.request.get(f"{home.partition('/n/')[0]}/api/v1/nights/{night}/ledger").json()["payments"]
    return [" ".join(map(str, (row["payer"], row["payee"], row["points"], row["reason"]))) for row in rows]


def parts(kind: str) -> list[Path]:
    return sorted(folder("web/static").glob(f"*/*.{kind}"))


@pytest.mark.parametrize("kind", TOO_YOUNG)
def test_no_style_or_script_is_written_in_what_they_cannot_read(kind: str) -> None:
    assert len(parts(kind)) > 2
    found = [
        (part.name, match.group())
        for part in parts(kind)
        for match in re.finditer(TOO_YOUNG[kind], part.read_text(), re.M)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("css", "a { color: light-dark(red, blue) }"),
        ("css", "@media (width < 3rem) { }"),
        ("css", "a { & b { color: red } }"),
        ("js", 'x.replace(/(?<=a)b/, "")'),
        ("js", "class A { static { x(); } }"),
        ("js", "x.split(/[a--b]/v);"),
    ],
)
def test_what_they_cannot_read_is_found(kind: str, text: str) -> None:
    assert re.search(TOO_YOUNG[kind], text, re.M)
