"""An evening in each engine that is installed: Chromium, Firefox, WebKit, and an old Chromium."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import Browser

from tests import soaking
from tests.browser import fonts
from tests.browser.engines.chromium import running_chromium
from tests.browser.engines.evening import PHONE, Evening, faults_of, short, whole
from tests.browser.engines.firefox import running_firefox
from tests.browser.engines.keeping import Enlarger, Keeper, Typist, keep_a_round
from tests.browser.engines.page import Engine, Page
from tests.browser.engines.webkit import running_webkit
from tests.browser.phones import script
from tests.processes import wait_for
from tests.servers import Served
from tests.web.phones import NIGHTS, new_night

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that may be killed."""
    with Served(tmp_path_factory.mktemp("mortal")) as served:
        yield served


OLD = pytest.param("old_chromium", marks=pytest.mark.soak("an older engine"))


@pytest.fixture(scope="module", params=["browser", OLD, "firefox", "webkit"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, own_fonts: None
) -> Iterator[Engine]:
    """One engine after the other; Chromium is a fixture of its own."""
    running: AbstractContextManager[Engine]
    match request.param:
        case "firefox":
            running = running_firefox(tmp_path_factory.mktemp("firefox"))
        case "webkit":
            running = running_webkit(tmp_path_factory.mktemp("webkit"))
        case fixture:
            running = running_chromium(request.getfixturevalue(fixture))
    with running as engine:
        yield engine


def test_a_round_is_tapped_and_every_screen_fits(engine: Engine, mortal: Served) -> None:
    evening = Evening(engine, mortal)
    short(evening)
    assert evening.faults == []


def keeps_a_round(engine: Engine, server: Served, keeper: Callable[[Page], Keeper]) -> None:
    opened = server.send(NIGHTS, new_night(players=["An", "Bình"]))
    keep_a_round(keeper(engine.page(PHONE)), opened.data["links"]["keeper"])
    assert engine.errors() == []


def test_a_round_is_kept_by_the_accessibility_tree_alone(engine: Engine, mortal: Served) -> None:
    if engine.name == "WebKit" and not soaking.asked:
        pytest.skip("WebKit's accessibility service now and then leaves its bus: scripts/test --soak")
    keeps_a_round(engine, mortal, Keeper)


@pytest.mark.parametrize("keeper", [Typist, Enlarger])
def test_a_round_is_kept_by_keys_alone_and_with_large_text(
    browser: Browser, mortal: Served, keeper: Callable[[Page], Keeper]
) -> None:
    with running_chromium(browser) as chromium:
        keeps_a_round(chromium, mortal, keeper)


@pytest.mark.soak("keys and large text in every engine")
@pytest.mark.parametrize("keeper", [Typist, Enlarger])
def test_a_round_is_kept_by_keys_alone_and_with_large_text_in_every_engine(
    engine: Engine, mortal: Served, keeper: Callable[[Page], Keeper]
) -> None:
    keeps_a_round(engine, mortal, keeper)


@pytest.mark.soak("a whole evening")
def test_a_whole_evening_is_tapped_and_every_screen_fits(engine: Engine, mortal: Served) -> None:
    evening = Evening(engine, mortal, thorough=True)
    whole(evening)
    assert evening.faults == []


A_NAME = "Nguyễn Thị Hồng Đượm 0123456789"
ELSEWHERE = (
    "system-ui",
    "sans-serif",
    "serif",
    "'DejaVu Serif'",
    "'Liberation Serif'",
    "'Noto Serif'",
    "Arial",
)
"""Families that pages or systems have, and tests have not."""


@pytest.mark.parametrize("weight", [400, 700])
def test_only_the_fonts_of_the_tests_are_drawn(engine: Engine, weight: int) -> None:
    """A family is as wide as its file; any other is drawn in the first."""
    page = engine.page(PHONE)
    page.goto("about:blank")
    for family in fonts.FAMILIES:
        file = b64encode(fonts.file_of(family, weight).read_bytes()).decode()
        others = ELSEWHERE if family == fonts.FAMILIES[0] else ()
        wide, *drawn = page.evaluate(
            script("widths_of"), [A_NAME, [f"'{family}'", *others], file, str(weight)]
        )
        assert drawn == pytest.approx([wide] * len(drawn), rel=0.001), family


PLANTED = {
    "sideways": "document.querySelector('.bar').style.width = '500px'",
    "a key of 30": "document.querySelector('.key').style.height = '30px'",
    "cut: 3": "document.querySelector('.key span').style.width = '5px'",
    "--paper is #ffffff in dark": "document.documentElement.style.setProperty('--paper', '#ffffff')",
    "--ink is drawn as": "document.body.style.color = 'rgb(1, 2, 3)'",
}
ERRORS = {
    "thrown by hand": "setTimeout(() => { throw new Error('thrown by hand'); })",
    "style-src": "document.body.append(Object.assign(document.createElement('style'), { textContent: 'a {}' }))",
}


@pytest.fixture
def table(engine: Engine, mortal: Served) -> Page:
    """The keeper's page of a round that has just begun, in dark colours."""
    page = engine.page(PHONE)
    page.set_dark(True)
    page.goto(mortal.send(NIGHTS, new_night()).data["links"]["keeper"])
    page.leave("main button")
    page.leave("button[value=round]")
    return page


def test_what_is_planted_is_found(engine: Engine, table: Page) -> None:
    """A page may draw its keys again after it was loaded, so that a defect is planted until it is found."""
    assert ([*faults_of(table)], engine.errors()) == ([], [])
    for fault, plant in PLANTED.items():
        wait_for(partial(finds, table, fault, plant), fault)
        table.goto(table.evaluate("() => location.href"))
    for error, plant in ERRORS.items():
        table.evaluate(f"() => {{ {plant}; }}")
        wait_for(partial(reports, engine, error), error)


def finds(page: Page, fault: str, plant: str) -> bool:
    page.evaluate(f"() => {{ {plant}; }}")
    return fault in str([*faults_of(page, [PHONE])])


def reports(engine: Engine, error: str) -> bool:
    return error in str(engine.errors())
