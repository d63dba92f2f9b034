"""A keeper who records without tapping: what a test is not about is told over HTTP, and looked at on the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.browser.keeper import Keeper, plays_of
from tests.web.phones import NIGHTS, Data, new_id, new_night


class Teller(Keeper):
    """Holds a phone as a keeper does; what is told is recorded with the phone's own link."""

    night = after = ""
    """The ids of the night, and of the last entry that was told."""
    links: Data
    """The addresses that let others in."""

    def sit_down(self, names: list[str], ruleset: str = "southern-classic") -> None:
        """Open a table and take the keeper's link. No page is open yet: it would follow whatever is told."""
        opened = self._post(NIGHTS, new_night(players=names, ruleset=ruleset))
        self.night = self.after = opened["id"]
        self.links = opened["links"]
        taken = self.page.request.post(opened["links"]["keeper"], max_redirects=0)
        assert taken.status == 303, taken.text()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what follows to the night whose page is open, which is left meanwhile, and looked at again."""
        proof, address = self.page.locator(".proof"), self.page.url
        self.night, self.after = (proof.get_attribute(f"data-{name}") or "" for name in ("night", "after"))
        self.page.goto("about:blank")
        yield
        self.page.goto(address)

    def tell(self, kind: str, **content: Any) -> Data:
        """Record an entry; answers the answer."""
        event = {"id": new_id(), "after": self.after, "kind": kind, **content}
        recorded = self._post(f"{NIGHTS}/{self.night}/events", event)
        self.after = event["id"]
        return recorded

    def tell_beside(self, kind: str, **content: Any) -> Data:
        """Tell what lies beside the record, and comes after nothing; answers the answer."""
        return self._post(f"{NIGHTS}/{self.night}/events", {"id": new_id(), "kind": kind, **content})

    def tell_round(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record a round from its beginning until it is settled, with the entries that tapping it makes."""
        self.tell("round", opening=True)
        self.tell_plays(plays)
        self.tell("settle")

    def tell_plays(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record moves with the entries that tapping them makes."""
        for passed, seat, cards in plays_of(plays):
            for other in passed:
                self.tell("pass", seat=other)
            self.tell("play", seat=seat, cards=cards)

    def look(self) -> str:
        """Look at the table as it is now; answers its address."""
        address = f"{self.server}/n/{self.night}"
        self.page.goto(address)
        return address

    def _post(self, path: str, data: Data) -> Data:
        # A server may just have closed the connection that is used again. A phone would ask again, too: the same is
        # recorded once.
        response = self.page.request.post(f"{self.server}{path}", data=data, max_retries=2)
        assert response.status == 201, response.text()
        answer: Data = response.json()
        return answer
