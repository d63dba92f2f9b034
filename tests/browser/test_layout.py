"""Layout is measured: nothing scrolls sideways, nothing is covered or cut, keys are large enough."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONES
from tests.browser.keeper import Keeper, first_round

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
KEY, BUTTON = 37, 44

MEASURE = """() => {
  const page = document.scrollingElement;
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  const controls = shown(".key, .seat, .actions button, .corner, .aside, .bar a, .bar button");
  const boxes = controls.map((control) => control.getBoundingClientRect());
  const name = (control) => control.innerText.trim();
  const over = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 0.5 && high > 0.5) over.push(`${name(controls[i])} / ${name(controls[i + 1 + j])}`);
  }));
  const size = (selector) => shown(selector).map((one) => one.getBoundingClientRect());
  const smallest = (selector) => Math.min(...size(selector).flatMap((box) => [box.width, box.height]));
  return {
    scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    outside: controls.filter((_, i) => boxes[i].left < 0 || boxes[i].top < 0 || boxes[i].right > innerWidth + 0.5
      || boxes[i].bottom > innerHeight + 0.5).map(name),
    over,
    cut: shown(".key span, .actions button, .corner, .bar a, .notice, .felt")
      .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map(name),
    key: smallest(".key"),
    button: Math.min(...size(".actions button:not(.rare *)").map((box) => box.height)),
  };
}"""

SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def table(browser: Browser, server: str) -> Iterator[Page]:
    """The keeper's phone in the middle of a round, and a round before it settled."""
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, locale="vi-VN", bypass_csp=True
    )
    keeper = Keeper(context.new_page(), server)
    keeper.open_table(NAMES)
    keeper.begin_round()
    keeper.record_round(first_round("southern-05.tln")[0])
    keeper.leave(keeper.page.locator("button[value=settle]"))
    keeper.begin_round()
    keeper.play("p4", ["Jd", "Qs", "Kd", "Ad"])
    yield keeper.page
    context.close()


def address(page: Page) -> str:
    return "/".join(page.url.split("/")[:5])


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize(
    "size", [*PHONES.values(), (568, 320), (640, 360)], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_the_table_fits_a_phone_without_scrolling(table: Page, size: tuple[int, int], language: str) -> None:
    table.goto(address(table))
    speak(table, language)
    table.set_viewport_size({"width": size[0], "height": size[1]})
    table.locator('.key:has([value="2h"])').tap()
    measured = table.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []
    assert measured["key"] >= KEY
    assert measured["button"] >= BUTTON


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("size", PHONES.values(), ids=PHONES)
def test_a_refusal_fits_too(table: Page, size: tuple[int, int], language: str) -> None:
    table.goto(address(table))
    speak(table, language)
    table.set_viewport_size({"width": size[0], "height": size[1]})
    for card in ("3h", "4h"):
        table.locator(f'[name=cards][value="{card}"]').set_checked(True, force=True)
    with table.expect_navigation():
        table.locator(".actions button.main").tap()
    assert table.locator("[name=stood]").is_visible()
    measured = table.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("width", [320, 360])
def test_no_page_scrolls_sideways(table: Page, width: int, language: str) -> None:
    night = address(table)
    table.set_viewport_size({"width": width, "height": 568})
    for place in places(night):
        table.goto(place)
        speak(table, language)
        assert table.evaluate(SIDEWAYS) <= 0, place


@pytest.mark.parametrize(("scheme", "language"), [("light", "vi"), ("dark", "en")])
def test_axe_finds_nothing(table: Page, scheme: str, language: str) -> None:
    night = address(table)
    table.set_viewport_size({"width": 360, "height": 640})
    table.emulate_media(color_scheme=scheme)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    for place in places(night):
        table.goto(place)
        speak(table, language)
        found = Axe().run(table, options={"runOnly": {"type": "tag", "values": tags}})
        wrong = [
            (rule["id"], [node["html"][:120] for node in rule["nodes"][:3]])
            for rule in found.response["violations"]
        ]
        assert not wrong, place


def places(night: str) -> list[str]:
    """The addresses of all pages: those of the site, and those of a night."""
    site = "/".join(night.split("/")[:3])
    return [*(site + place for place in SITE), *(night + place for place in PLACES)]


SITE = ["/", "/?rule=scheme=card-count", "/rules", "/rules/pro-play"]
PLACES = [
    *("", "/ledger", "/rounds", "/rounds/1", "/rounds/1?move=6", "/rules", "/links", "/links/p2", "/notes"),
    *("/settle-up", "/settle-up/p1", "/rounds/1/correct"),
    *("/statistics", "/export", "/compare", "/compare?head=3-7K3Q9FZDMW2HXA4T", "/compare?head=x"),
    *("/under/thirteen-points", "/under/southern-winner-takes-all"),
    *("/rounds/1/why", "/disputes"),
]


def speak(page: Page, language: str) -> None:
    """Switch the language, if the page speaks another."""
    if page.locator("html").get_attribute("lang") != language:
        with page.expect_navigation():
            page.locator("[name=language]").click()
