"""Phones for looking at pages: screen sizes, fonts, layout checks, and axe."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import Any, Protocol

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, ViewportSize

from tests.browser import fonts
from tests.processes import wait_for

PATIENCE = 60_000
"""Milliseconds that a page has to show a state, which takes less than a second on an idle machine."""
PHONES = {"320x568": (320, 568), "360x640": (360, 640), "390x664": (390, 664), "412x732": (412, 732)}
SIDEWAYS = ((568, 320), (640, 360), (732, 412), (844, 390))
LARGE_TEXT = (160, 284)
"""The smallest phone at a text size of 200 %: half as many CSS pixels, each twice as large."""
LEAST = {"key": 37, "seat": 37, "aside": 28, "button": 44}
"""The smallest size of tap targets, in CSS pixels."""

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")

SCRIPTS = Path(__file__).parents[1] / "javascript" / "pages"
"""Functions that run in a page, one in each file."""


class Measured(Protocol):
    """A page that can be measured: one of Playwright's, or one in another engine (`engines/page.py`)."""

    def evaluate(self, function: str, argument: Any = None, /) -> Any: ...

    def set_viewport_size(self, size: ViewportSize, /) -> None: ...


def script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


@contextmanager
def phone(
    browser: Browser, size: tuple[int, int] = PHONES["390x664"], *, locale: str = "vi-VN", **more: Any
) -> Iterator[BrowserContext]:
    """A phone without any data; `more` are options of the browser context.

    It has no service worker by default: its requests cannot be routed, and it costs a process. Motion is reduced,
    which saves some frames per tap.
    """
    width, height = size
    options = {"has_touch": True, "service_workers": "block", "reduced_motion": "reduce", **more}
    context = browser.new_context(viewport={"width": width, "height": height}, locale=locale, **options)
    context.set_default_timeout(PATIENCE)
    try:
        yield context
    finally:
        for page in context.pages:
            shut(page)
        context.close()


def shut(page: Page) -> None:
    """Close a page, again until it is closed: Chromium forgets a close while the next document loads, and
    Playwright asks only once and would wait forever."""
    session = page.context.new_cdp_session(page)
    while not page.is_closed():
        with suppress(Error), page.expect_event("close", timeout=1000):
            session.send("Page.close")


def leave_empty(page: Page) -> None:
    """Open the empty page, again where the page that is left goes somewhere by itself in the same instant."""

    def is_empty() -> bool:
        with suppress(Error):
            page.goto("about:blank")
            return True
        return False

    wait_for(is_empty, "the empty page")


def bounce(page: Page, place: Locator) -> None:
    """Tap twice like a bouncing finger: 40 ms apart by the events' timestamps, however slow the machine is."""
    box = place.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session, first = page.context.new_cdp_session(page), time()
    for at in (first, first + 0.04):
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": at})
    session.detach()


def await_worker(page: Page) -> None:
    """Wait until the page has its service worker; the browser's `ready` promise itself has no timeout."""
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")


def night_of(page: Page) -> str:
    """The address of the night that a page belongs to."""
    return "/".join(page.url.split("/")[:5])


def speak(page: Page, language: str) -> None:
    """Switch the page's language if needed; on the table, which has no button for it, by the cookie."""
    if page.locator("html").get_attribute("lang") == language:
        return
    button = page.locator("[name=language]")
    with page.expect_navigation():
        if button.count():
            button.click()
        else:
            page.context.add_cookies([{"name": "tienlen-language", "value": language, "url": page.url}])
            page.reload()


def wrong(
    page: Measured, tags: Sequence[str] = TAGS, rules: Sequence[str] = ()
) -> list[tuple[str, list[str]]]:
    """Violations that axe finds, of these rules, else of rules with these tags, else of any: rule and places."""
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(tags)}
    # Passed checks are not listed: making that list takes a third of the time.
    options = {
        "resultTypes": ["violations"],
        "preload": False,
        **({"runOnly": only} if rules or tags else {}),
    }
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    found: list[tuple[str, list[str]]] = page.evaluate(script("axe"), options)
    return found


def resize(page: Measured, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def in_each_font(page: Measured) -> Iterator[str]:
    """Lay the page out in each family that layouts are measured in, its own first, and at last in its own again;
    yields the family."""
    own, *others = fonts.families()
    yield own
    for family in others:
        page.evaluate(script("lay_out"), family)
        yield family
    page.evaluate(script("lay_out"), "")


def measured(page: Measured, *names: str, families: Sequence[str] = ()) -> list[tuple[str, Any]]:
    """What each of these scripts returns when the page is laid out in each family: the family and the result."""
    functions = ", ".join(script(name) for name in names)
    own, *others = families or fonts.families()
    function = f"([own, others]) => ({script('in_fonts')})({script('lay_out')}, [{functions}], own, others)"
    found: list[tuple[str, Any]] = page.evaluate(function, [own, others])
    return found


def sideways(page: Measured) -> bool:
    """Whether the page is wider than the screen."""
    return any(found for _, found in measured(page, "sideways"))


def laid_out_wrong(
    page: Measured, size: tuple[int, int], *, families: Sequence[str] = ()
) -> Iterator[tuple[tuple[int, int], str, str]]:
    """What is cut, overlaps, is out of line, scrolls sideways, has a table beyond the edge, or needs a second line
    for the navigation at this size, by family."""
    resize(page, size)
    checks = ["clipped", "misaligned", "sideways"]
    checks += ["off_the_edge"] * (size[0] >= 320) + ["bar_lines"] * (size != LARGE_TEXT)
    for family, found in measured(page, *checks, families=families):
        yield from ((size, family, one) for one in found)


def misfits(page: Measured, size: tuple[int, int]) -> list[str]:
    """Why the table does not fit a screen of this size: controls are over each other, cut, outside or too small to
    tap, or it scrolls. With large text it may scroll down."""
    resize(page, size)
    faults = []
    for family, found in measured(page, "measure"):
        here = ["sideways"] * found["sideways"]
        here += [f"{fault}: {where}" for fault in ("over", "cut") for where in found[fault]]
        if size != LARGE_TEXT:
            here += [f"outside: {where}" for where in found["outside"]] + ["scrolls"] * found["scrolls"]
            here += [f"a {kind} of {found[kind]}" for kind, least in LEAST.items() if found[kind] < least]
        faults += [f"{fault} in {family}" for fault in here]
    return faults
