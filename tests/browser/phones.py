"""Phones for looking at pages: screen sizes, layout checks, and axe."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import time
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page

PHONES = {"320x568": (320, 568), "360x640": (360, 640), "390x664": (390, 664), "412x732": (412, 732)}
LARGE_TEXT = (160, 284)
"""The smallest phone at a text size of 200 %: half as many CSS pixels, each twice as large."""
KEY, BUTTON = 37, 44
"""The smallest size of tap targets, in CSS pixels."""

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")

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

CLIPPED = """() => {
  // What lies over the page, and what is scrolled in its own frame, is looked at by itself.
  const apart = "svg, select, script, template, dialog, .pending, .offers, [hidden], .unseen, .wide";
  const behind = document.querySelector(".offers:not([hidden])") ? `${apart}, .actions` : apart;
  const shown = (one) => !one.closest(behind) && one.checkVisibility({ visibilityProperty: true });
  const found = [], lines = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (const one of [...document.querySelectorAll("body *")].filter(shown)) {
    const { overflowX, overflowY } = getComputedStyle(one);
    const wide = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    const high = ["hidden", "clip"].includes(overflowY) && one.scrollHeight > one.clientHeight + 1;
    if ((wide || high) && !one.matches("input, textarea, html, body")) found.push(`cut: ${one.innerText}`);
  }
  for (const name of document.querySelectorAll(".wide table:not(.sheet) tbody th")) {
    if (!name.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(name);
    const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8)));
    if (rows.size > name.innerText.trim().split(/\\s+/).length) found.push(`torn: ${name.innerText}`);
  }
  while (texts.nextNode()) {
    const text = texts.currentNode, range = document.createRange();
    if (!text.data.trim() || !shown(text.parentElement)) continue;
    range.selectNodeContents(text);
    lines.push(...[...range.getClientRects()].filter(({ width }) => width > 1).map((box) => ({ text, box })));
  }
  lines.sort((one, other) => one.box.top - other.box.top).forEach(({ text, box }, place) => {
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${text.data.trim()}`);
    for (let next = place + 1; next < lines.length && lines[next].box.top < box.bottom; next++) {
      const { text: other, box: its } = lines[next];
      const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (text !== other && wide > 2 && high > Math.min(box.height, its.height) / 3)
        found.push(`over each other: ${text.data.trim()} / ${other.data.trim()}`);
    }
  });
  return [...new Set(found)].slice(0, 3);
}"""
"""Words that are cut, overlap others or leave the screen, and names in tables broken within a word."""

SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"


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


def wrong(page: Page, tags: Sequence[str] = TAGS, rules: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Violations that axe finds, of these rules, else of rules with these tags, else of any: rule and places."""
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(tags)}
    # Passed checks are not listed: making that list takes a third of the time.
    options = {
        "resultTypes": ["violations"],
        "preload": False,
        **({"runOnly": only} if rules or tags else {}),
    }
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found: list[tuple[str, list[str]]] = page.evaluate(RUN, options)
    return found


RUN = """async (options) => (await axe.run(options)).violations.map(({ id, nodes }) =>
  [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))])"""
