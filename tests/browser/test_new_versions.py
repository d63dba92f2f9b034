"""Pages, service workers and queues of the version before meet a new server."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.phones import await_worker, phone, script, shut
from tests.browser.telling import at_table
from tests.servers import Served
from tests.soak.storm.storm import plays
from tests.versions import HERE, NAMED, PARTS, previous_program

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that is not started yet, of the program in the folder that `environment` names."""
    served = Served(tmp_path_factory.mktemp("versions"), workers=1, plant=NAMED)
    yield served
    if hasattr(served, "process"):
        served.stop()


def run(served: Served, program: Path) -> None:
    """Start this version of the program in place of the one that runs."""
    served.environment["PROGRAM"] = str(program)
    served.start()


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    """The version before this one, from the history."""
    try:
        return previous_program(tmp_path)
    except LookupError as error:
        pytest.skip(str(error))


@pytest.fixture
def following(tmp_path: Path) -> Path:
    """A version after this one, which differs in a script."""
    for part in PARTS:
        shutil.copytree(HERE / part, tmp_path / part)
    with (tmp_path / "ledger/web/static/shared/times.js").open("a") as script:
        script.write("// newer\n")
    return tmp_path


def version(page: Page) -> str:
    """The part of the addresses of a page's styles and scripts that is the same in one version."""
    return str(page.locator("link[rel=stylesheet]").first.get_attribute("href")).split("/")[2]


def test_what_a_page_of_the_version_before_has_queued_is_recorded_once_by_this_one(
    browser: Browser, served: Served, previous: Path
) -> None:
    run(served, previous)
    with (
        at_table(
            browser, served.address, "round opening", names=NAMES, locale="en-GB", service_workers="allow"
        ) as open_page,
        at_table(
            browser, served.address, "round opening", names=NAMES, locale="en-GB", service_workers="allow"
        ) as closed_page,
    ):
        for keeper in (open_page, closed_page):
            await_worker(keeper.page)
            keeper.page.reload()
            keeper.play("p1", ["3s"])
        old = version(open_page.page)
        served.kill()
        for keeper in (open_page, closed_page):
            keeper.queue([("p2", ["5c"]), ("p3", ["9d"])])
            # The old service worker has the old page.
            keeper.page.reload()
            expect(keeper.page.locator(".net")).to_have_text("Offline: 2 waiting")
        address = closed_page.page.url
        closed_page.hold(closed_page.page.context.new_page())
        shut(closed_page.page.context.pages[0])
        run(served, HERE)
        closed_page.page.goto(address)
        open_page.page.evaluate(script("appear"))
        recorded = [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]
        for keeper in (open_page, closed_page):
            expect(keeper.page.locator(".net")).to_have_text("Saved")
            assert list(plays(keeper.page)) == recorded
            keeper.page.reload()
            assert version(keeper.page) != old
            keeper.play("p4", ["Js"])
            assert list(plays(keeper.page)) == [*recorded, ("p4", "Js")]
            assert not keeper.page.locator(".pending").is_visible()


def test_a_page_of_this_version_is_loaded_again_when_a_newer_one_is_there_unless_something_is_typed(
    browser: Browser, served: Served, following: Path
) -> None:
    run(served, HERE)
    with (
        at_table(browser, served.address, "round opening; p1 3s", names=NAMES, locale="en-GB") as keeper,
        phone(browser, locale="en-GB") as other,
    ):
        watcher, typing = keeper.watch(other), keeper.page.context.new_page()
        typing.goto(f"{keeper.page.url}/rounds/1")
        typing.locator("summary", has=typing.locator("xpath=..").locator("input[name=reason]")).first.tap()
        typing.locator("input[name=reason]").fill("somebody peeked")
        keeper.choose("p2", ["4d"])
        old = version(watcher)
        served.kill()
        run(served, following)
        for page in (watcher, typing, keeper.page):
            page.evaluate(script("appear"))
        keeper.record("play", seat="p2", cards=["5c"])
        expect(watcher.locator(".say")).to_contain_text("Chi's turn")
        assert version(watcher) != old
        # What is typed or chosen stays, and what is recorded is judged as before.
        expect(typing.locator("[data-newer]")).to_be_visible()
        expect(typing.locator("input[name=reason]")).to_have_value("somebody peeked")
        expect(keeper.page.locator("[name=cards]:checked")).to_have_count(1)
        typing.locator("[data-newer] a").tap()
        typing.wait_for_function(
            "(old) => !document.querySelector('link[rel=stylesheet]').href.includes(old)", arg=old
        )
        keeper.tap(keeper.page.locator(".actions button.main"))
        expect(keeper.page.locator(".pending")).to_contain_text("Another phone")
        assert version(keeper.page) != old
        keeper.tap(keeper.page.locator("[data-do=drop]"))
        expect(keeper.page.locator(".net")).to_have_text("Saved")
        keeper.play("p3", ["9d"])
        assert list(plays(keeper.page)) == [("p1", "3s"), ("p2", "5c"), ("p3", "9d")]
