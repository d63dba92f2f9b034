"""A phone that runs the page's own script in a real browser; the server's answers are simulated.

The page is on plain HTTP, where a browser has no `crypto.subtle`, unless it is `secure`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

import ledger.web
from tests.soak.tampers.tampers import Trial, answer

STATIC = Path(ledger.web.__file__).parent / "static"
_PAGE = """<!doctype html><title>A phone</title><header class="bar"></header>
<footer class="proof" data-night="" data-log="/log" data-seq="0" data-hash=""></footer>
<dialog class="forked"><button></button></dialog><button class="mark" hidden></button>"""

_ASK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


@contextmanager
def modules(browser: Browser, *, secure: bool = False, hole: tuple[str, str] | None = None) -> Iterator[Page]:
    """A page that can import the modules; a `hole` is a piece of chain.js and its replacement."""
    address = "https://phone.test/" if secure else "http://phone.test/"

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(address).partition("?")[0]
        if not name:
            return route.fulfill(body=_PAGE, content_type="text/html")
        text = (STATIC / name).read_text(encoding="utf-8")
        if hole and name == "chain.js":
            assert text.count(hole[0]) == 1
            text = text.replace(*hole)
        return route.fulfill(body=text, content_type="text/javascript")

    context = browser.new_context(ignore_https_errors=True)
    context.route(f"{address}**", serve)
    page = context.new_page()
    page.goto(address)
    try:
        yield page
    finally:
        context.close()


def phone_finds(page: Page, cases: Sequence[Trial]) -> list[bool]:
    """For every case, whether a phone that knows one head finds fault with the server's answer."""
    asked: list[dict[str, Any]] = []
    for case in cases:
        seen = {"seq": case.known_seq, "hash": case.known_head.hash.hex()}
        asked.append({"night": case.played.night, "seen": seen, "answer": answer(case)})
    found: list[bool] = page.evaluate(_ASK, asked)
    return found
