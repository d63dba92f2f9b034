"""Journeys: what people do on pages and see there, told in the lines of `journeys/WORD/*.txt`.

A heading in brackets begins a journey; each line below is a step, and its first word says what is done or seen (see
`Journey.step`). Entries are lines of the notation, as in other stories, with `;` between them. A place is a CSS
selector; frequent ones have short names (see `place`).
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Route, expect

from tests.browser.phones import (
    PHONES,
    await_worker,
    bounce,
    leave_empty,
    measured,
    misfits,
    phone,
    resize,
    script,
    shut,
    sideways,
    wrong,
)
from tests.browser.telling import Teller
from tests.case_files import lines_below_headings
from tests.soak.storm.storm import log

NAMES = ["An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hạnh"]
PLACES = {
    "net": ".net",
    "turn": ".say .turn",
    "record": ".actions button.main",
    "chosen": "[name=cards]:checked",
    "rows": ".pile li",
    "waiting": ".pile .waiting",
    "notice": ".felt .notice",
    "sheet": ".pending",
    "log": ".proof",
    "declare": "main form:has([name=seat]) button.main",
}
THINGS = {
    "key": '.key:has([value="{}"])',
    "card": '[name=cards][value="{}"]',
    "seat": ".seat:has([value={}])",
    "radio": "[name=seat][value={}]",
    "button": 'button[value="{}"]',
    "sheet": ".pending [data-{}]",
    "came": '.came[value="tap {}"]',
}
OTHERS = {"second": "keeper", "watcher": "watch"}
"""Who may come with a phone of their own, and with which link."""


def place(text: str) -> str:
    """The selector of a place: `record`, `key 5c`, `sheet do=drop`, or a selector itself."""
    first, _, rest = text.partition(" ")
    if first in THINGS and rest:
        which, _, inside = rest.partition(" ")
        return f"{THINGS[first].format(which)} {inside}".strip()
    return f"{PLACES.get(first, first)} {rest}".strip()


def journeys(*names: str) -> pytest.MarkDecorator:
    """Run a test for every journey of these files."""
    steps: dict[tuple[str, str], list[str]] = {}
    for name in names:
        path = Path(__file__).parent / "journeys" / f"{name}.txt"
        for heading, line in lines_below_headings(str(path)):
            steps.setdefault((name, heading), []).append(line)
    return pytest.mark.parametrize("steps", steps.values(), ids=[heading for _, heading in steps])


class Journey:
    """One phone or several, at one night."""

    def __init__(self, browser: Browser, usual: Teller) -> None:
        self._browser, self.server = browser, usual.server
        self._opened = ExitStack()
        self._people = {"keeper": usual}
        self.keeper = usual

    @property
    def page(self) -> Page:
        return self.keeper.page

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def go(self, steps: list[str], size: tuple[int, int] = PHONES["360x640"]) -> None:
        __tracebackhide__ = True  # a note names the step that fails
        usual = self.keeper
        resize(usual.page, size)
        try:
            with self._opened:
                for number, line in enumerate(steps, start=1):
                    try:
                        self.step(*line.partition(" ")[::2])
                    except BaseException as error:
                        error.add_note(f"step {number}: {line}")
                        raise
        finally:
            put_down(usual)

    def step(self, verb: str, about: str) -> None:
        __tracebackhide__ = True
        page, keeper, at = self.page, self.keeper, place(about)
        where, _, value = about.partition(" = ")
        match verb:
            # People and nights
            case "phone":  # a phone of its own: `phone 320x568 vi-VN without scripts`
                self._take_phone(*about.split(" ", 2))
            case "as":  # go on in another `tab`, as `second` keeper or as `watcher`, or back as `keeper`
                self._turn_to(about)
            case "night":  # sit down: `night double-deck 8`
                ruleset, players = [*about.split(), *("southern-classic", "4")[len(about.split()) :]]
                keeper.sit_down(NAMES[: int(players)], ruleset)
            case "begin":  # sit down under the usual rules, begin a round, and look at the table
                keeper.sit_down(NAMES[:4])
                keeper.tell(f"round opening; {about}")
                keeper.look()
            case "told":  # recorded by another phone of the keeper
                self._people["keeper"].tell(about)
            case "look":
                page.goto(self._night)
            case "open":  # a page of the night
                page.goto(f"{self._night}{about}")
            case "visit":  # a page of the server
                page.goto(f"{self.server}{about}")
            # What is done
            case "choose":  # a seat and cards
                keeper.choose(about.split()[0], about.split()[1:])
            case "play":  # and wait until each is recorded
                for seat, *cards in map(str.split, about.split(";")):
                    keeper.play(seat, cards)
                self._follow()
            case "queue":  # the same without a wait
                keeper.queue([(seat, cards) for seat, *cards in map(str.split, about.split(";"))])
            case "keys":  # tap these cards
                for card in about.split():
                    keeper.tap(page.locator(place(f"key {card}")))
            case "tap":
                keeper.tap(page.locator(at))
            case "strike":  # tap what is disabled
                page.locator(at).tap(force=True)
            case "check":
                page.locator(at).check()
            case "bounce":
                bounce(page, page.locator(at))
            case "enter":  # tap what records, and wait for the entry
                keeper.enter(page.locator(at))
                self._follow()
            case "leave":  # tap what leads to another page
                keeper.leave(page.locator(at))
            case "focus":
                page.locator(at).focus()
            case "fill":  # `fill [name=count] = 2`
                page.locator(place(where)).fill(value)
            case "clear":
                page.locator(at).fill("")
            case "select":
                page.locator(place(where)).select_option(value)
            case "type":
                page.keyboard.type(about)
            case "press":
                page.keyboard.press(about)
            case "reach":  # with Tab, or with an arrow among seats
                self._reach(at)
            case "set":  # the settings of this phone
                page.request.post(f"{self.server}/phone", form={"set": about}, max_redirects=0)
            case "reload":
                page.reload()
            case "blank":
                leave_empty(page)
            case "back":
                page.go_back()
            case "close":  # the tab, and take an empty one
                keeper.hold(self.context.new_page())
                shut(page)
            case "follow":  # what is `told` from now on comes after what this page shows
                self._follow()
            # What happens to a phone
            case "offline" | "online":
                self.context.set_offline(verb == "offline")
            case "worker":
                await_worker(page)
            case "clock":
                self.context.clock.install()
            case "forward":
                self.context.clock.fast_forward(about)
            case "dark":
                page.emulate_media(color_scheme="dark")
            case "wait":  # milliseconds
                page.wait_for_timeout(int(about))
            case "size":
                resize(page, size_of(about))
            case "lose":  # every request to such addresses, until `find`, or only the answer
                *after, address = about.split()
                self.context.route(address, lose_answer if after else lose)
            case "answer":  # every request so, until `find`
                self._answer(about)
            case "find":
                self.context.unroute_all(behavior="wait")
            case "forget":  # everything that pages have stored
                stored = {"origin": self.server, "storageTypes": "indexeddb,local_storage"}
                self.context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
            case "run":  # a script of tests/javascript/pages, or an expression
                page.evaluate(script(about) if about.isidentifier() else about)
            case "inject":  # the same into every page that is opened from now on
                self.context.add_init_script(f"({script(about)})()" if about.isidentifier() else about)
            case "refuse":  # stay on the page that this would leave
                self._refuse(about)
            # What is seen
            case "see":
                self._see(about)
            case "true":  # of an expression
                assert page.evaluate(about)
            case "at":  # a page of the night
                page.wait_for_url(f"{self._night}{about}")
            case "recorded":  # all plays of the night
                equal([move for move in moves(page) if not move.endswith("-")], re.split(" *; *", about))
            case "moves":  # all plays and passes of the night
                equal(list(moves(page)), re.split(" *; *", about))
            case "kinds":  # of all entries of the night
                equal([entry["kind"] for entry in log(page)], about.split())
            case "reason":  # of the last entry
                equal(log(page)[-1]["content"]["reason"], about)  # type: ignore[index]
            case "taps":  # of the keeper
                equal(keeper.taps, int(about))
            case "net":  # the points of p1, p2, …
                board = page.request.get(f"{self.server}/api/v1/nights/{keeper.night}").json()
                equal(list(board["net"].values()), list(map(int, about.split())))
            case "fits":  # the table, on phones of these sizes
                for size in about.split() or PHONES:
                    equal(misfits(page, size_of(size)), [])
            case "nothing":  # is found by a script
                equal([found for _, found in measured(page, about) if found], [])
            case "narrow":  # enough for the screen
                assert not sideways(page)
            case "accessible":  # to all rules of axe
                equal(wrong(page, tags=()), [])
            case "flawless":  # to axe, at the levels A and AA
                equal(wrong(page), [])
            case "untroubled":  # nothing was reported in the console
                equal(keeper.trouble, [])
            case _:
                raise AssertionError(f"no such verb: {verb}")

    @property
    def _night(self) -> str:
        return f"{self.server}/n/{self._people['keeper'].night}"

    def _follow(self) -> None:
        self._people["keeper"].after = self.page.locator(".proof").get_attribute("data-after") or ""

    def _take_phone(self, size: str, locale: str, more: str = "") -> None:
        options: dict[str, dict[str, Any]] = {
            "without scripts": {"java_script_enabled": False},
            "with worker": {"service_workers": "allow"},
        }
        context = phone(self._browser, PHONES[size], locale=locale, **options.get(more, {}))
        page = self._opened.enter_context(context).new_page()
        self.keeper = self._people["keeper"] = Teller(page, self.server)

    def _turn_to(self, who: str) -> None:
        keeper = self._people["keeper"]
        if who not in self._people:
            context = keeper.page.context
            if who != "tab":
                another = phone(self._browser, PHONES["360x640"], locale="en-GB")
                context = self._opened.enter_context(another)
                context.request.post(keeper.links[OTHERS[who]], max_redirects=0)
            self._people[who] = Teller(context.new_page(), self.server)
            self._people[who].page.goto(keeper.page.url)
        self.keeper = self._people[who]

    def _reach(self, aim: str) -> None:
        seats = aim.startswith("[name=seat]")
        for _ in range(90):
            if self.page.locator(f"{aim}:focus").count():
                return
            among = seats and self.page.locator("[name=seat]:focus").count()
            self.page.keyboard.press("ArrowRight" if among else "Tab")
        raise AssertionError(aim)

    def _answer(self, about: str) -> None:
        found = re.fullmatch(r"(after recording )?(\S+) (\d+) (\S+): (.*)", about)
        assert found
        problem = {"status": int(found[3]), "code": found[4], "detail": found[5]}

        def answer(route: Route) -> None:
            if found[1]:
                route.fetch()
            route.fulfill(status=int(found[3]), json=problem, headers={"Retry-After": "1"})

        self.context.route(found[2], answer)

    def _refuse(self, leaving: str) -> None:
        asked: list[str] = []

        def stay(dialog: Dialog) -> None:
            asked.append(dialog.type)
            dialog.dismiss()

        self.page.on("dialog", stay)
        with self.page.expect_event("dialog"):
            self.page.evaluate(f"setTimeout(() => {leaving})")
        equal(asked, ["beforeunload"])

    def _see(self, about: str) -> None:
        __tracebackhide__ = True
        found = re.fullmatch(r"(.+?) (=|~|\*|is|holds?|has) (.*)", about)
        assert found
        where, sign, what = found.groups()
        seen, texts = expect(self.page.locator(place(where))), what.split(" | ")
        match sign:
            case "=":  # these texts
                seen.to_have_text(texts)
            case "~":  # texts that contain these
                seen.to_contain_text(texts)
            case "*":  # so many
                seen.to_have_count(int(what))
            case "is":  # `is hidden`, `is not focused`
                negated = what.startswith("not ")
                getattr(seen, f"{'not_' * negated}to_be_{what.removeprefix('not ')}")()
            case "holds":  # what is filled in
                seen.to_have_value(what)
            case "hold":  # the same of several fields
                equal([one.input_value() for one in self.page.locator(place(where)).all()], texts)
            case "has":  # `has data-state = saved`
                seen.to_have_attribute(*what.split(" = "))


def equal(found: object, expected: object) -> None:
    """An assertion that says what was found: pytest rewrites only those of test modules."""
    __tracebackhide__ = True
    assert found == expected, f"{found} instead of {expected}"


def size_of(text: str) -> tuple[int, int]:
    width, height = map(int, text.split("x"))
    return width, height


def lose(route: Route) -> None:
    route.abort()


def lose_answer(route: Route) -> None:
    if route.request.method != "POST":
        return route.fallback()
    route.fetch(max_redirects=0)
    return route.abort()


def moves(page: Page) -> Iterator[str]:
    """The plays and passes in the log of a page's night, as lines of a story."""
    for entry in log(page):
        for part in entry["parts"]:  # type: ignore[attr-defined]
            if part["kind"] in ("play", "pass"):
                yield f"{part['player']} {' '.join(part.get('cards', '-'))}"


def put_down(teller: Teller) -> None:
    """Leave a phone as it was, but for what it has loaded."""
    context = teller.page.context
    for page in context.pages[1:]:
        shut(page)
    if teller.page is not context.pages[0]:
        teller.hold(context.pages[0])
    context.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)
    leave_empty(teller.page)
    context.clear_cookies()
    teller.trouble.clear()
    teller.taps = 0
