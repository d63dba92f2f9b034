"""Every screen of the program, on nights made for it, for checks in all languages and themes."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.journeys import place
from tests.browser.keeper import RECORDS, first_round
from tests.browser.phones import PHONES, phone, resize
from tests.browser.telling import Teller

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
A_BOMB = "round opening; p1 3s; p2 2h; p1 4s 4c 4d 4h; p2 -; p1 5s 6s 7s 8s 9s Ts Js Qs"
"""A finished round of two in which a 2 is bombed."""
EIGHT = [*NAMES, "Em", "Phúc", "Giang", "Hạnh"]
EIGHT_LONG = [
    "Nguyễn Thị Bích Ngọc",
    "Bà ngoại",
    "Trần Hoàng Phương Uyên",
    *EIGHT[4:],
    "Nguyễn Thị Bích Châu",
]
A_RESULT_OF_EIGHT = (
    "round opening; result p8 p1 p2 p3 p4 p5 p6 p7 bombed p1 p3 2h bombed p3 p8 2d bombed p8 p1 2s bombed p2 p4 2c"
    " bombed p4 p5 2h bombed p5 p6 2s bombed p6 p7 2d bombed p7 p2 2c; settle"
)
"""Everybody bombs somebody."""
PRICE_OF_TWOS = "1@2:14:suits=sc,1@2:{}:suits=dh"


class Screen(NamedTuple):
    """A page in one state."""

    name: str
    endpoint: str
    path: str
    """Its address; names in braces stand for the nights of `tell_nights`."""
    taps: tuple[str, ...] = ()
    """Places tapped on the page first."""
    status: int = 200
    typed: str = ""
    """The text of a night to paste and send."""
    who: str = ""
    """Somebody else who opens it: `a newcomer`, or a person `in a chat` app's browser."""


RECORD = place("record")
A_NIGHT = (RECORDS / "southern-05.tln").read_text(encoding="utf-8")
PASTED = {
    "a night": A_NIGHT,
    "a wrong line": A_NIGHT.replace("4c", "4x"),
    "a long wrong line": A_NIGHT.replace("4c", "4" * 90),
    "a wrong word": "Bà ngoại, Bình\nVán 1\nBà ngoại 3s\nBình đôi gì đó",
    "a play that cannot be": A_NIGHT.replace("4c", "3s", 1),
}


def _screens() -> Iterator[Screen]:
    """The screens of `screens.txt`."""
    for line in (Path(__file__).parent / "screens.txt").read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"([^#].*?): (\S+) (\S+)(?: (tap|type|status|as) (.+))?", line):
            name, endpoint, path, verb, what = found.groups()
            taps = tuple(map(place, what.split(", "))) if verb == "tap" else ()
            typed = PASTED[what] if verb == "type" else ""
            status = int(what) if verb == "status" else 200
            who = what if verb == "as" else ""
            yield Screen(name, f"pages.{endpoint}", path, taps, status, typed, who)


SCREENS = tuple(_screens())
ELSEWHERE = {
    "pages.heard_play": "is for a script",
    "pages.offline": "is downloaded, and looked at from the disk (test_proof.py)",
    **dict.fromkeys(
        ("pages.static", "pages.manifest", "pages.service_worker", "pages.draw"), "is a part of pages"
    ),
    **dict.fromkeys(
        ("pages.download", "pages.season_file", "pages.season_calendar"), "is a file for other programs"
    ),
    "health.health": "is for other programs",
    "health.show_setup": "is for other programs",
}
"""Endpoints that are not screens, and why."""


def tell_nights(browser: Browser, context: BrowserContext, server: str) -> dict[str, str]:
    """Record the nights that the screens show; returns their addresses, and those of pages in them, by name."""
    page = context.new_page()
    found: dict[str, str] = {}

    def sit_down(name: str, names: list[str], ruleset: str = "southern-classic", **rules: str) -> Teller:
        teller = Teller(page, server)
        teller.sit_down(names, ruleset, **rules)
        found[name] = f"/n/{teller.night}"
        return teller

    found["link"] = sit_down("empty", NAMES).links["watch"].removeprefix(server)
    running = sit_down("running", NAMES)
    running.tell_round(first_round("southern-05.tln")[0])
    running.tell("round lead p4; p4 Jd Qs Kd Ad")
    sit_down("settled", NAMES).tell_round(first_round("southern-05.tln")[0])
    sit_down("packs", EIGHT, "double-deck").tell("round opening")
    for night, price in (("eight", 111), ("dear", 1100)):
        sets = {"payments.special_sets": PRICE_OF_TWOS.format(price), "payments.left": "12"}
        sit_down(night, EIGHT_LONG, "core-double", **sets).tell(A_RESULT_OF_EIGHT)
    sit_down("over", NAMES[:2]).tell(A_BOMB)
    bombed = sit_down("bombed", NAMES[:2])
    bombed.tell(f"{A_BOMB}; p2 declares none")
    settled = bombed.record("settle")
    page.goto(server)
    page.locator("[form=example]").tap()
    page.wait_for_url("**/ledger")
    found["example"] = urlsplit(page.url).path.removesuffix("/ledger")
    seq, moves = settled["seq"], settled["board"]["round"]["moves"]
    found["move"] = moves[0]["address"]
    found["payment"] = f"{found['bombed']}/payments/{seq}.0"
    page.request.post(bombed.links["seats"]["p2"])
    disputed = bombed.record("dispute", round=1, payment={"seq": seq, "idx": 0}, reason="tôi có đánh mà")
    found["dispute"] = f"{found['bombed']}/disputes/{disputed['seq']}"
    form: dict[str, str | float | bool] = {"id": str(uuid4()), "name": "Hội thứ sáu"}
    found["group"] = urlsplit(page.request.post(f"{server}{found['bombed']}/group", form=form).url).path
    form = {"id": str(uuid4()), "name": "Hội tám người"}
    found["dear-group"] = urlsplit(page.request.post(f"{server}{found['dear']}/group", form=form).url).path
    for night in ("running", "over"):
        page.request.post(f"{server}{found[night]}/group", form={"group": found["group"].rpartition("/")[2]})
    page.goto(server + found["group"])
    addresses = page.locator("input[readonly]").all()
    found["group-link"] = addresses[0].input_value().removeprefix(server)
    with phone(browser) as other:
        watched = Teller(other.new_page(), server)
        watched.sit_down(NAMES)
        watched.tell("round opening; p1 3s 3c")
    page.request.post(watched.links["watch"])
    found["watched"] = f"/n/{watched.night}"
    page.close()
    return found


CHAT_BROWSER = (
    "Mozilla/5.0 (Linux; Android 14; wv) Chrome/129.0.0.0 Mobile Safari/537.36 Zalo android/241101022"
)


def show(page: Page, screen: Screen, address: str) -> None:
    """Open a screen, tap its places, and wait for the effect."""
    if screen.taps and page.url != "about:blank":
        page.evaluate("() => sessionStorage.clear()")  # restored taps would add to these
    kept: list[Any] = list(page.context.cookies())
    if screen.who == "a newcomer":
        page.context.clear_cookies(name=re.compile("^(?!tienlen-language$)"))
    page.set_extra_http_headers({"User-Agent": CHAT_BROWSER} if screen.who == "in a chat" else {})
    response = page.goto(address)
    page.context.add_cookies(kept)
    assert response is not None
    assert response.status == screen.status, screen.name
    for one in screen.taps:
        page.locator(one).tap()
    if screen.typed:
        page.locator("textarea:visible").fill(screen.typed)
        with page.expect_navigation():
            page.locator("form[enctype] .main").tap()
    if RECORD in screen.taps:
        page.locator("[data-stood]").wait_for()
    elif screen.taps:
        # The button's label changes as soon as a card is tapped; many names may lie in its place.
        page.locator(
            f'{RECORD}:not(:text-is("{page.locator(RECORD).get_attribute("data-plain")}"))'
        ).wait_for(state="attached")


KEEPS_PICTURES = os.environ.get("TIENLEN_SCREENSHOTS", "")


def keep_pictures(page: Page, name: str) -> None:
    """Save a screenshot for every phone size in the folder that TIENLEN_SCREENSHOTS names, if any."""
    if folder := KEEPS_PICTURES:
        for name_of_size, size in PHONES.items():
            resize(page, size)
            page.screenshot(path=Path(folder) / name_of_size / f"{name}.png", full_page=True)
