"""Notes on a phone: one tap for a due note, a folded form for any other; the form's fields depend on the kind."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import PHONES, SIDEWAYS, phone, speak, wrong
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
RANKS = "3456789TJQKA"
SEATS = ["p1", "p2", "p3", "p4"]

MEASURE = """() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const name = (one) => (one.innerText || one.name).trim();
  const small = (one, least) => one.getBoundingClientRect().height < least;
  const wide = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth;
  const kinds = [".choice", ".field", "button"].flatMap((one) => [`#beside ${one}`, `.noting ${one}`]);
  const boxes = shown(kinds.join()).map((one) => [one, one.getBoundingClientRect()]);
  const apart = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 0.5
    || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 0.5;
  const over = boxes.filter(([one, box], i) => boxes.slice(i + 1).some(
    ([other, its]) => !apart(box, its) && !one.contains(other) && !other.contains(one)));
  return {
    cut: shown("main button, main summary, main .choice, main .lines span").filter(wide).map(name),
    small: [...shown("main button, main .choice").filter((one) => small(one, 36)),
      ...shown(".noting input:not([type]), .noting select").filter((one) => small(one, 44))].map(name),
    over: over.map(([one]) => name(one)),
  };
}"""


@pytest.fixture
def scripts() -> bool:
    return True


@pytest.fixture
def keeper(browser: Browser, server: str, scripts: bool) -> Iterator[Teller]:
    """After a round in which Dũng came last and Chi third: Dũng kneels and Chi deals."""
    with phone(browser, java_script_enabled=scripts) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES, "thirteen-kneeling")
        plays: list[tuple[str, list[str]]] = []
        for first, suit in enumerate("scd"):
            seat, *others = SEATS[first:]
            passes: list[tuple[str, list[str]]] = [(other, []) for other in others]
            plays += [(seat, [f"{rank}{suit}" for rank in RANKS]), *passes, (seat, [f"2{suit}"]), *passes]
        keeper.tell_round(plays)
        keeper.look()
        yield keeper
        assert not keeper.trouble


def fits(page: Page) -> None:
    """On every phone nothing is cut, covered, too small to tap, or wider than the screen."""
    for language in ("en", "vi"):
        speak(page, language)
        for width, height in PHONES.values():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            assert page.evaluate(MEASURE) == {"cut": [], "small": [], "over": []}, (language, width)
            assert page.evaluate(SIDEWAYS) <= 0


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without-scripts"])
def test_what_is_due_takes_one_tap_and_the_rest_a_folded_form(keeper: Teller) -> None:
    page = keeper.page
    form = page.locator(".noting")
    expect(form).to_be_hidden()
    keeper.leave(page.locator('button[name=due][value="deals p3"]'))
    expect(page.locator("#beside li:not(:has(button))")).to_contain_text("Nguyễn Thị Chi chia bài.")
    keeper.tap(page.locator("#beside summary").first)
    expect(form.locator("[name=player]")).to_be_visible()
    for name in ("other", "count", "card", "cards", "until", "clearing"):
        expect(form.locator(f"[name={name}]")).to_be_hidden()
    keeper.tap(form.locator(".choice:has([value=kneels])"))
    expect(form.locator("[name=until]")).to_be_visible()
    expect(form.locator("[name=other]")).to_be_hidden()
    keeper.tap(form.locator("summary"))
    keeper.tap(form.locator(".choice:has([value=owes])"))
    form.locator("[name=count]").fill("2")
    form.locator("[name=card]").select_option("highest-two")
    expect(form.locator("[name=until]")).to_be_hidden()
    keeper.leave(form.locator("button"))
    expect(page.locator("#beside")).to_contain_text("Bà ngoại nợ Bình 2 lá: heo lớn nhất.")


def test_what_is_wrong_is_said_below_its_field_while_a_round_runs(keeper: Teller) -> None:
    page = keeper.page
    fits(page)
    keeper.begin_round()
    table = page.url
    keeper.leave(page.locator(".say a[href$='/notes']"))
    form = page.locator(".noting")
    keeper.tap(form.locator("summary"))
    keeper.tap(form.locator(".choice:has([value=gives])"))
    form.locator("[name=cards]").fill("2♦ 2x")
    keeper.leave(form.locator("button"))
    keeper.trouble.clear()  # the console reports a refusal, status 400, as an error
    expect(form.locator("[name=cards]")).to_have_value("2♦ 2x")
    expect(form.locator("#wrong-cards")).to_contain_text("2x không phải lá bài")
    assert wrong(page, tags=()) == []
    form.locator("[name=cards]").fill("2♦ 2C")
    keeper.leave(form.locator("button"))
    expect(page.locator("section li")).to_contain_text("Bà ngoại đưa bài cho Bình: 2♦2♥")
    fits(page)
    keeper.leave(page.locator("main p a").last)
    assert page.url == table
