"""Every screen of the program, on nights made for it, for checks in all languages and themes."""

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.keeper import first_round
from tests.browser.phones import PHONES, phone
from tests.browser.telling import Teller

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
EIGHT = [*NAMES, "Em", "Phúc", "Giang", "Hạnh"]


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


def card(*names: str) -> tuple[str, ...]:
    return tuple(f'.key:has([value="{name}"])' for name in names)


PASTED = (Path(__file__).parent.parent / "records" / "southern-05.tln").read_text(encoding="utf-8")
RECORD = ".actions button.main"
SCREENS = (
    Screen("open", "pages.open_table", "/"),
    Screen("open with rules", "pages.open_table", "/?rule=scheme=card-count&rule=price.red-two.left=6"),
    Screen("paste", "pages.paste", "/paste"),
    Screen("pasted", "pages.paste", "/paste", typed=PASTED),
    Screen("pasted with a wrong line", "pages.paste", "/paste", typed=PASTED.replace("4c", "4x")),
    Screen("presets", "pages.rulesets", "/rules"),
    Screen("preset", "pages.ruleset", "/rules/pro-play"),
    Screen("phone", "pages.this_phone", "/phone"),
    Screen("help", "pages.help_page", "/help"),
    Screen("document", "pages.show_document", "/documents/OPERATING.md"),
    Screen("how it works", "pages.how_it_works", "/how-it-works"),
    Screen("how to play", "pages.how_to_play", "/how-to-play"),
    Screen("example night", "pages.ledger", "{example}/ledger"),
    Screen("link", "pages.land", "{link}"),
    Screen("no such page", "pages.table", "/nowhere", status=404),
    Screen("before the first round", "pages.table", "{empty}"),
    Screen("table", "pages.table", "{running}"),
    Screen("table with a card", "pages.table", "{running}", (".seat:has([value=p4])", *card("9h"))),
    Screen("table with two cards", "pages.table", "{running}", (".seat:has([value=p4])", *card("9h", "8c"))),
    Screen("table with a refusal", "pages.table", "{running}", (*card("3h", "4h"), RECORD)),
    Screen("two packs", "pages.table", "{packs}", card("3s", "4h")),
    Screen("between two rounds", "pages.table", "{bombed}"),
    Screen("looking on", "pages.table", "{watched}"),
    Screen("overlay", "pages.overlay", "{running}/overlay"),
    Screen("overlay between two rounds", "pages.overlay", "{bombed}/overlay"),
    Screen("result", "pages.result", "{packs}/result"),
    Screen("settle", "pages.settle", "{over}/rounds/1/settle"),
    Screen("ledger", "pages.ledger", "{bombed}/ledger"),
    Screen("payment", "pages.payment", "{payment}"),
    Screen("rounds", "pages.rounds", "{bombed}/rounds"),
    Screen("rounds found", "pages.rounds", "{bombed}/rounds?player=p1&heading=places"),
    Screen("no rounds found", "pages.rounds", "{running}/rounds?bomber=p1"),
    Screen("round", "pages.round", "{running}/rounds/1"),
    Screen("round at a move", "pages.round", "{running}/rounds/1?move=6"),
    Screen("why", "pages.why", "{running}/rounds/1/why"),
    Screen("correct", "pages.correct", "{running}/rounds/1/correct"),
    Screen("mend", "pages.mend", "{running}/rounds/2/mend?move=1"),
    Screen("what was forgotten", "pages.mend", "{running}/rounds/2/mend"),
    Screen("mend before", "pages.mend", "{running}/rounds/2/mend?move=1&how=before"),
    Screen("rules", "pages.rules", "{running}/rules"),
    Screen("other rules", "pages.under", "{running}/under/thirteen-points"),
    Screen("other rules that differ", "pages.under", "{running}/under/southern-winner-takes-all"),
    Screen("links", "pages.links", "{running}/links"),
    Screen("one link", "pages.holder", "{running}/links/p2"),
    Screen("notes", "pages.notes_page", "{running}/notes"),
    Screen("settle up", "pages.settle_up", "{running}/settle-up"),
    Screen("statement", "pages.statement", "{running}/settle-up/p1"),
    Screen("mine", "pages.mine", "{bombed}/mine"),
    Screen("statistics", "pages.statistics", "{bombed}/statistics"),
    Screen("exports", "pages.exports", "{running}/export"),
    Screen("compare", "pages.compare", "{running}/compare"),
    Screen("compare a head", "pages.compare", "{running}/compare?head=3-7K3Q9FZDMW2HXA4T"),
    Screen("compare no head", "pages.compare", "{running}/compare?head=x", status=400),
    Screen("disputes", "pages.disputes", "{bombed}/disputes"),
    Screen("dispute", "pages.dispute", "{dispute}"),
    Screen("group of a night", "pages.group_of_night", "{running}/group"),
    Screen("season", "pages.season", "{group}"),
    Screen("link to a group", "pages.land_group", "{group link}"),
    Screen("dispute a move", "pages.dispute_form", "{bombed}/rounds/1/dispute?move={move}"),
)
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

    def sit_down(name: str, names: list[str], ruleset: str = "southern-classic") -> Teller:
        teller = Teller(page, server)
        teller.sit_down(names, ruleset)
        found[name] = f"/n/{teller.night}"
        return teller

    found["link"] = sit_down("empty", NAMES).links["watch"].removeprefix(server)
    running = sit_down("running", NAMES)
    running.tell_round(first_round("southern-05.tln")[0])
    running.tell("round", leader="p4")
    running.tell("play", seat="p4", cards=["Jd", "Qs", "Kd", "Ad"])
    sit_down("packs", EIGHT, "double-deck").tell("round", opening=True)
    tell_bomb(sit_down("over", NAMES[:2]))
    bombed = sit_down("bombed", NAMES[:2])
    tell_bomb(bombed)
    bombed.tell("declare", seat="p2", sets=[])
    settled = bombed.tell("settle")
    page.goto(server)
    page.locator("form[action='/example'] button").tap()
    page.wait_for_url("**/ledger")
    found["example"] = urlsplit(page.url).path.removesuffix("/ledger")
    seq, moves = settled["seq"], settled["board"]["round"]["moves"]
    found["move"] = moves[0]["address"]
    found["payment"] = f"{found['bombed']}/payments/{seq}.0"
    page.request.post(bombed.links["seats"]["p2"])
    disputed = bombed.tell_outside_play(
        "dispute", round=1, payment={"seq": seq, "idx": 0}, reason="tôi có đánh mà"
    )
    found["dispute"] = f"{found['bombed']}/disputes/{disputed['seq']}"
    form: dict[str, str | float | bool] = {"id": str(uuid4()), "name": "Hội thứ sáu"}
    found["group"] = urlsplit(page.request.post(f"{server}{found['bombed']}/group", form=form).url).path
    for night in ("running", "over"):
        page.request.post(f"{server}{found[night]}/group", form={"group": found["group"].rpartition("/")[2]})
    page.goto(server + found["group"])
    addresses = page.locator("input[readonly]").all()
    found["group link"] = addresses[0].input_value().removeprefix(server)
    with phone(browser) as other:
        watched = Teller(other.new_page(), server)
        watched.sit_down(NAMES)
        watched.tell("round", opening=True)
        watched.tell("play", seat="p1", cards=["3s", "3c"])
    page.request.post(watched.links["watch"])
    found["watched"] = f"/n/{watched.night}"
    page.close()
    return found


def tell_bomb(teller: Teller) -> None:
    """A finished round of two in which a 2 is bombed."""
    teller.tell("round", opening=True)
    for seat, cards in (("p1", "3s"), ("p2", "2h"), ("p1", "4s 4c 4d 4h")):
        teller.tell("play", seat=seat, cards=cards.split())
    teller.tell("pass", seat="p2")
    teller.tell("play", seat="p1", cards=["5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs"])


def show(page: Page, screen: Screen, address: str) -> None:
    """Open a screen, tap its places, and wait for the effect."""
    if screen.taps and page.url != "about:blank":
        page.evaluate("() => sessionStorage.clear()")  # restored taps would add to these
    response = page.goto(address)
    assert response is not None
    assert response.status == screen.status, screen.name
    for place in screen.taps:
        page.locator(place).tap()
    if screen.typed:
        page.locator("textarea").fill(screen.typed)
        with page.expect_navigation():
            page.locator("form[enctype] .main").tap()
    if RECORD in screen.taps:
        page.locator("[data-stood]").wait_for()
    elif screen.taps:
        # The button's label changes as soon as a card is tapped.
        page.locator(
            f'{RECORD}:not(:text-is("{page.locator(RECORD).get_attribute("data-plain")}"))'
        ).wait_for()


KEEPS_PICTURES = os.environ.get("TIENLEN_SCREENSHOTS", "")


def keep_pictures(page: Page, name: str) -> None:
    """Save a screenshot for every phone size in the folder that TIENLEN_SCREENSHOTS names, if any."""
    if folder := KEEPS_PICTURES:
        for size, (width, height) in PHONES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(folder) / size / f"{name}.png", full_page=True)
