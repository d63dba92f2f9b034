"""Pictures in a browser: drawn cards, charts, and the board as a picture for the chat."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import PHONES, SIDEWAYS, night_of, phone, speak, wrong
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Phương Chi", "Dũng"]
WIDE, EDGE = 1080, 60
PAPER = [245, 242, 234]

DRAWN = """async (edge) => {
  const image = document.querySelector(".drawing img");
  await image.decode();
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const canvas = Object.assign(document.createElement("canvas"), size);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const colours = (x, y, wide, high) => {
    const { data } = pen.getImageData(x, y, wide, high);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add([...data.slice(at, at + 3)].join(" "));
    return [...found];
  };
  const below = canvas.height - 210;
  return {
    size: [canvas.width, canvas.height],
    edges: [...colours(0, 210, edge, below), ...colours(canvas.width - edge, 210, edge, below)],
    head: colours(0, 0, canvas.width, 200).length,
    rows: colours(edge, 210, canvas.width - 2 * edge, below).length,
  };
}"""

COVERED = """() => [...document.querySelectorAll(".hand")].flatMap((hand) => {
  const cards = [...hand.children];
  return cards.slice(1).filter((card, place) => {
    const corner = document.createRange();
    corner.selectNodeContents(cards[place]);
    return corner.getBoundingClientRect().right > card.getBoundingClientRect().left + 0.5;
  }).map((card) => card.textContent);
})"""


@pytest.fixture(scope="module")
def watched(browser: Browser, server: str) -> Iterator[Page]:
    """A watcher's phone: one round is settled; in the next a player is out and a 2 has been bombed."""
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell_round(first_round("southern-05.tln")[0])
        keeper.tell("round", leader="p4")
        for seat, card in (("p4", "3s"), ("p1", "4d"), ("p2", "5d"), ("p3", "6d"), ("p4", "7s")):
            keeper.tell("play", seat=seat, cards=[card])
        passes(keeper, "p1", "p2", "p3")
        keeper.tell("play", seat="p4", cards=[f"{rank}c" for rank in "456789TJQKA"])
        passes(keeper, "p1", "p2", "p3")
        keeper.tell("play", seat="p1", cards=["2s"])
        keeper.tell("play", seat="p2", cards=["3d", "3h", "4s", "4h", "5s", "5h"])
        with watching(browser, keeper) as page:
            yield page


@contextmanager
def watching(browser: Browser, keeper: Teller) -> Iterator[Page]:
    """Another phone, with the watchers' link."""
    keeper.page.goto(f"{keeper.look()}/links")
    link = keeper.page.locator("input[value*='/t/']").nth(1).input_value()
    with phone(browser) as context:
        page = context.new_page()
        assert page.request.post(link, max_redirects=0).status == 303
        page.goto(keeper.look())
        yield page


def passes(keeper: Teller, *seats: str) -> None:
    for seat in seats:
        keeper.tell("pass", seat=seat)


@pytest.fixture
def trouble(watched: Page) -> Iterator[list[str]]:
    """The page's console errors, including pictures forbidden by its policy."""
    found: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error":
            found.append(message.text)

    watched.on("console", note)
    yield found
    watched.remove_listener("console", note)


def settle_up(page: Page, sheet: str = "navigator.canShare = undefined") -> None:
    """Open the page with the picture; the script `sheet` sets up the phone's sharing."""
    page.goto(f"{night_of(page)}/settle-up")
    page.evaluate(sheet)


def shown_picture(page: Page) -> Any:
    """Tap to show the picture; returns its measurements."""
    page.locator("[data-picture]").tap()
    expect(page.locator(".drawing img")).to_be_visible()
    return page.evaluate(DRAWN, EDGE)


def test_a_round_that_begins_is_drawn_as_one_on_phones_that_look_on(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        with watching(browser, keeper) as page:
            keeper.tell("round", opening=True)
            keeper.tell("play", seat="p1", cards=["3s", "3d"])
            expect(page.locator(".hand .card")).to_have_count(2)
            expect(page.locator(".seats")).to_have_css("display", "grid")


def test_a_pile_is_drawn_with_a_corner_of_every_card_in_sight(watched: Page) -> None:
    night = night_of(watched)
    for width, height in PHONES.values():
        watched.set_viewport_size({"width": width, "height": height})
        for place in ("", "/rounds/2?move=9"):
            watched.goto(night + place)
            assert watched.locator(".hand").count() > 0
            assert watched.evaluate(COVERED) == []
            assert watched.evaluate(SIDEWAYS) <= 0
    expect(watched.locator(".hand.fan .card")).to_have_count(11)
    expect(watched.locator(".order li")).to_have_text(["1Dũng nhất"])


def test_axe_finds_nothing_in_pictures(watched: Page) -> None:
    night = night_of(watched)
    watched.set_viewport_size({"width": 320, "height": 568})
    watched.emulate_media(color_scheme="dark")
    for place in ("", "/rounds/2?move=15", "/statistics", "/settle-up"):
        watched.goto(night + place)
        speak(watched, "vi")
        watched.evaluate("document.documentElement.classList.add('four-colours')")
        watched.evaluate("navigator.canShare = undefined")
        if place == "/settle-up":
            shown_picture(watched)
        assert wrong(watched) == [], place
        assert watched.evaluate(SIDEWAYS) <= 0, place


def test_the_board_is_drawn_as_a_picture_and_shown_where_no_sheet_takes_it(
    watched: Page, trouble: list[str]
) -> None:
    settle_up(watched)
    drawn = shown_picture(watched)
    assert drawn["size"][0] == WIDE
    assert WIDE * 2 / 3 < drawn["size"][1] < WIDE * 2
    assert drawn["edges"] == [" ".join(map(str, PAPER))] * 2
    assert min(drawn["head"], drawn["rows"]) > 20
    link = watched.locator(".drawing a")
    expect(link).to_be_visible()
    assert str(link.get_attribute("download")).endswith(".png")
    assert str(link.get_attribute("href")).startswith("data:image/png")
    assert trouble == []


def test_twelve_long_names_stay_within_the_picture(watched: Page) -> None:
    settle_up(watched)
    watched.locator("[data-picture]").evaluate(
        """(button) => {
          const name = "Công Tằng Tôn Nữ Hoàng Thị Phương Uyên Nguyễn Đặng Trần Lê";
          const picture = JSON.parse(button.dataset.picture);
          const row = { place: 12, name, points: "+1000000000", worth: "+5.000.000.000.000 đ", side: "won" };
          picture.rows = Array(12).fill(row);
          picture.due = picture.handed = Array(11).fill({ payer: name, payee: name, worth: row.worth });
          button.dataset.picture = JSON.stringify(picture);
        }"""
    )
    drawn = shown_picture(watched)
    assert drawn["edges"] == [" ".join(map(str, PAPER))] * 2


SHEET = """() => {
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => { window.shared.push(...files); REFUSES };
}"""


@pytest.mark.parametrize(
    ("refuses", "shown"),
    [
        ("", 0),
        ("throw new DOMException('closed', 'AbortError')", 0),
        ("throw new DOMException('may not', 'NotAllowedError')", 1),
    ],
)
def test_a_phones_own_sheet_takes_the_picture(watched: Page, refuses: str, shown: int) -> None:
    settle_up(watched, SHEET.replace("REFUSES", refuses))
    watched.locator("[data-picture]").tap()
    watched.wait_for_function("() => window.shared.length === 1")
    name, kind, size = watched.evaluate("[shared[0].name, shared[0].type, shared[0].size]")
    assert (name.startswith("tienlen-20"), kind) == (True, "image/png")
    assert size > 10_000
    expect(watched.locator(".drawing img")).to_have_count(shown)


def test_the_picture_is_drawn_after_the_page_has_come_anew(watched: Page) -> None:
    settle_up(watched)
    watched.evaluate("document.querySelector('main').innerHTML += ''")
    for _ in range(2):
        watched.locator("[data-picture]").tap()
        expect(watched.locator(".drawing img")).to_have_count(1)


def test_without_scripts_there_is_no_button_for_a_picture(browser: Browser, watched: Page) -> None:
    state: Any = {"cookies": watched.context.cookies(), "origins": []}
    with phone(browser, java_script_enabled=False, storage_state=state) as context:
        page = context.new_page()
        page.goto(f"{night_of(watched)}/settle-up")
        expect(page.locator("textarea")).to_be_visible()
        expect(page.locator("[data-picture]")).to_be_hidden()
