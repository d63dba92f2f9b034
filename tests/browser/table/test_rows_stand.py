"""While an answer is due, the rows of the pile stand where they will stand after it, each play has its pencil, and
whatever the answer brings, what a finger may be on its way to stays where it is."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.phones import PHONES, resize, script
from tests.browser.telling import Teller, at_table

pytestmark = pytest.mark.browser


def without_answer(page: Page) -> AbstractContextManager[None]:
    """The server answers no entry before the end."""
    return held(page, "**/events")


@contextmanager
def held(page: Page, address: str) -> Iterator[None]:
    """The server answers no request to this address before the end."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(address, hold)
    yield
    for route in waiting:  # and those that come meanwhile
        route.continue_()
    page.unroute(address)


def rows(page: Page) -> list[tuple[str, int, int]]:
    """What the rows of the pile say, how high up they are, and how high."""
    found: list[list[Any]] = page.evaluate(script("rows_of_pile"))
    return [(cards, top, height) for cards, top, height in found]


def look(keeper: Teller) -> Page:
    """The table, without hints: the last one leaves with an answer."""
    keeper.page.request.post(f"{keeper.server}/phone", form={"set": "no_hints"}, max_redirects=0)
    keeper.look()
    return keeper.page


def await_answer(page: Page) -> None:
    expect(page.locator(".pile .waiting")).to_have_count(0)
    expect(page.locator(".net")).to_have_text("Saved")


@pytest.mark.parametrize(
    ("before", "seat", "cards"),
    [
        ("", "p1", ["3s"]),
        ("p1 3s", "p2", ["5c"]),
        ("p1 3s; p2 5c", "p1", ["9d"]),
        ("p1 3s; p2 5c; p3 -; p4 -; p1 -", "p2", ["6c"]),
        ("p1 3s 3c; p2 5c 5d", "p3", ["9d", "9h"]),
        ("p1 3s; p2 2c", "p3", ["4s", "4c", "4d", "4h"]),
        ("p1 3s; p2 2c; p3 4s 4c 4d 4h", "p4", ["8s", "8c", "8d", "8h"]),
        ("p1 3s; p2 2c", "p3", ["4s", "4c", "5s", "5c", "6s", "6c", "7d", "7h"]),
    ],
)
def test_a_play_stands_where_it_will_stand(keeper: Teller, before: str, seat: str, cards: list[str]) -> None:
    keeper.tell(before)
    page = look(keeper)
    with without_answer(page):
        keeper.queue([(seat, cards)])
        expect(page.locator(".pile .waiting a")).to_be_visible()
        standing = rows(page)
    await_answer(page)
    assert rows(page) == standing


@pytest.mark.parametrize("story", ["p1 3s; p2 5c", "p1 3s; p2 5c; p3 -; p4 -"])
def test_a_pass_moves_no_row(keeper: Teller, story: str) -> None:
    """The second one wins the pile."""
    keeper.tell(story)
    page = look(keeper)
    with without_answer(page):
        keeper.tap(page.locator("button[value=pass]"))
        standing = rows(page)
        states = page.locator(".seat .state").all_inner_texts()
    expect(page.locator(f".proof[data-seq='{len(story.split(';')) + 2}']")).to_be_attached()
    assert rows(page) == standing
    assert page.locator(".seat .state").all_inner_texts() == states


@pytest.mark.parametrize(
    "story",
    [
        "p1 3s; p2 5c",
        "p1 3s; p2 5c; p3 9d; p4 Jh",
        "p1 3s; p2 2c; p3 4s 4c 4d 4h",
        "p1 3s 3c; p2 5c 5d; p3 6c 6d; p4 -",
    ],
)
def test_an_undo_has_moved_what_it_moves_before_its_answer(keeper: Teller, story: str) -> None:
    keeper.tell(story)
    page = look(keeper)
    with without_answer(page):
        keeper.tap(page.locator("button[value=undo]"))
        standing = rows(page)
    expect(page.locator(f".proof[data-seq='{len(story.split(';')) + 2}']")).to_be_attached()
    assert rows(page) == standing


@pytest.mark.parametrize("pointer", [["touch"], []], ids=["touch", "an older browser"])
@pytest.mark.parametrize("by_another_phone", [False, True], ids=["redo", "another phone"])
def test_a_tap_means_the_play_that_was_there_a_moment_before(
    keeper: Teller, by_another_phone: bool, pointer: list[str]
) -> None:
    """An answer moves the rows, and the finger comes down in the same instant."""
    keeper.tell("p1 3s; p2 5c" + "; undo" * (not by_another_phone))
    page = look(keeper)
    wanted = page.locator(".pile .top a").get_attribute("href")
    page.evaluate(script("tap_once_renewed"), [".pile .top a", *pointer])
    if by_another_phone:
        keeper.tell("p3 9d")
    else:
        keeper.tap(page.locator("button[value=redo]"))
    page.wait_for_url(f"**{wanted}")


def test_assistive_technology_activates_the_play_itself(keeper: Teller) -> None:
    """Firefox says where its middle is, which is no place that a finger came down on."""
    keeper.tell("p1 3s; p2 5c")
    page = look(keeper)
    page.evaluate(script("tap_once_renewed"), [".pile .top a", ""])
    keeper.tell("p3 9d")
    page.wait_for_url("**/mend?target=*")
    expect(page.locator("[name=seat]:checked")).to_have_value("p3")


def test_the_pencil_of_a_play_that_is_being_sent_corrects_it(keeper: Teller) -> None:
    keeper.tell("p1 3s")
    page = look(keeper)
    with without_answer(page):
        keeper.queue([("p4", ["5c"])])
        keeper.tap(page.locator(".pile .waiting a"))
        expect(page.locator(".pile .waiting a")).to_be_visible()
    page.wait_for_url("**/mend?target=*")
    assert page.locator("[name=cards]:checked").input_value() == "5c"
    expect(page.locator("[name=seat]:checked")).to_have_value("p4")


NAMES = ["TUẤN", "Nguyễn Thị Hồng Nhung ở đầu ngõ bên kia", "Huế", "Dũng Sĩ Hùng Cường"]
RUN = "p1 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As; p2 -; p3 -; p4 -; p1 2s"
ASKING = ("data-asks", "data-result")
"""What a template has whose page asks the server in the background what a form would change."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A form of which the server is asked, in the background, what it would change."""

    template: str
    story: str
    """The night in which it is, after a round has begun."""
    address: str
    """Of its page, within the night."""
    taps: tuple[str, ...]
    answer: str
    """What the page shows once there is an answer."""


PLACES = tuple(f".came[value='tap {player}']" for player in ("p2", "p1", "p4"))
FORMS = (
    Asking("table/result.html", "", "/result", PLACES, "#outcome li"),
    Asking("table/result.html", "p1 3s; p2 5c", "/result", PLACES, "#outcome li"),
    Asking(
        "table/settle.html",
        RUN,
        "/rounds/1/settle",
        (".key:has([value='2h'])", ".key:has([value='2d'])"),
        "#changes-:not(:empty)",
    ),
    Asking(
        "table/settle.html",
        "result p2 p1 p3 p4",
        "/rounds/1/settle",
        (
            "details:has([name=payer]) summary",
            ".pick:has([name=payer][value=p3])",
            ".pick:has([name=why][value=warned])",
        ),
        "#changes-cover:not(:empty)",
    ),
    Asking(
        "rounds/mend.html",
        "p1 3s; p2 2c; p3 -; p4 -; p1 -",
        "/rounds/1/mend?move=2",
        (".seat:has([value='p3'])",),
        "#changes:not(:empty)",
    ),
)


def test_each_page_that_asks_is_among_them() -> None:
    templates = Path(__file__).parents[3] / "templates"
    asking = {
        str(one.relative_to(templates))
        for one in templates.rglob("*.html")
        if any(name in one.read_text(encoding="utf-8") for name in ASKING)
    }
    assert asking == {form.template for form in FORMS}


@pytest.mark.parametrize("form", FORMS, ids=[f"{form.template} {form.story[:9]}" for form in FORMS])
def test_no_answer_moves_what_is_tapped(browser: Browser, server: str, form: Asking) -> None:
    """Measured as a finger sees it: on the screen, where a button may stay while the page under it grows."""
    with at_table(
        browser, server, f"round opening; {form.story}", names=NAMES, rules="southern-winner-takes-all"
    ) as keeper:
        page = keeper.page
        for size in (PHONES["320x568"], PHONES["390x664"]):
            resize(page, size)
            page.goto(f"{server}/n/{keeper.night}{form.address}")
            with held(page, f"**{form.address.split('?')[0]}*"):
                for place in form.taps:
                    keeper.tap(page.locator(place))
                before = page.evaluate(script("where_tapped"))
            page.locator(form.answer).first.wait_for()
            assert page.evaluate(script("where_tapped")) == before, size
