"""A keeper who also records over HTTP, without tapping, and then looks at the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.keeper import Keeper, plays_of
from tests.browser.phones import leave_empty, phone
from tests.nights import Data, Telling
from tests.recorder.tables import CLASSIC
from tests.web.phones import NIGHTS, new_night


class Teller(Keeper, Telling[Data]):
    """A keeper whose `record` and `tell` use the phone's own link."""

    links: Data
    """The addresses of all links of the night."""

    def sit_down(self, names: list[str], ruleset: str = CLASSIC, **rules: str) -> None:
        """Open a table, with changed rules, and take the keeper's link. No page is opened: it would follow every
        entry."""
        opened = self._post(NIGHTS, new_night(players=names, ruleset=ruleset, rules=rules))
        self.night = self.after = opened["id"]
        self.links = opened["links"]
        taken = self.page.request.post(opened["links"]["keeper"], max_redirects=0)
        assert taken.status == 303, taken.text()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Record in the night of the open page, which is left meanwhile and reopened at the end."""
        proof, address = self.page.locator(".proof"), self.page.url
        self.night, self.after = (proof.get_attribute(f"data-{name}") or "" for name in ("night", "after"))
        leave_empty(self.page)
        yield
        self.page.goto(address)

    def deliver(self, event: Data) -> Data:
        return self._post(f"{NIGHTS}/{self.night}/events", event)

    def tell_round(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record a whole round and settle it, with the entries that tapping would make."""
        self.record("round", opening=True)
        self.tell_plays(plays)
        self.record("settle")

    def tell_plays(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record moves with the entries that tapping would make."""
        for passed, seat, cards in plays_of(plays):
            for other in passed:
                self.record("pass", seat=other)
            self.record("play", seat=seat, cards=cards)

    def tell(self, story: str) -> Self:
        """Record the lines of a story, which `;` may separate, too."""
        return super().tell(story.replace(";", "\n"))

    def watch(self, context: BrowserContext, place: str = "") -> Page:
        """A page of the night on another phone, with the watchers' link."""
        page = context.new_page()
        assert page.request.post(self.links["watch"], max_redirects=0).status == 303
        page.goto(f"{self.server}/n/{self.night}{place}")
        return page

    def look(self) -> str:
        """Open the table's page; returns its address."""
        address = f"{self.server}/n/{self.night}"
        self.page.goto(address)
        return address

    def _post(self, path: str, data: Data) -> Data:
        # The server may just have closed the reused connection. A phone would retry, too: an entry is recorded only
        # once.
        response = self.page.request.post(f"{self.server}{path}", data=data, max_retries=2)
        assert response.status == 201, response.text()
        answer: Data = response.json()
        return answer


@contextmanager
def at_table(
    browser: Browser, server: str, story: str = "", *, names: list[str], rules: str = CLASSIC, **of_phone: Any
) -> Iterator[Teller]:
    """A keeper who looks, on a phone of their own, at a night in which this has been recorded."""
    with phone(browser, **of_phone) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(names, rules)
        teller.tell(story)
        teller.look()
        yield teller
