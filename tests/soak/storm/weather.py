"""A bad network, by seed: lost requests, lost responses, late and repeated requests."""

import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Final

from playwright.sync_api import BrowserContext, Error, Route

Weather = Callable[[Route], None]


def every_fifth_request_is_lost() -> Weather:
    """Fail every fifth request of a page, except navigation: where that fails, a browser shows its own page."""
    asked = count(1)

    def happens(route: Route) -> None:
        if not route.request.is_navigation_request() and next(asked) % 5 == 0:
            route.abort("connectionfailed")
        else:
            route.continue_()

    return happens


KINDS: Final = {"request lost": 2, "answer lost": 3, "late": 2, "twice": 2, "fair": 11}


class Storm:
    """Each POST is lost, loses its response, is late, is sent twice or succeeds. Counts what happened."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self.done: Counter[str] = Counter()

    def __call__(self, route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        (kind,) = self._chance.choices(list(KINDS), list(KINDS.values()))
        self.done[kind] += 1
        try:
            self._do(kind, route)
        except Error:
            # The page was closed, or the server killed, during the request.
            self.done["cut off"] += 1
        return None

    def _do(self, kind: str, route: Route) -> None:
        match kind:
            case "request lost":
                route.abort("connectionfailed")
            case "answer lost":
                route.fetch()
                route.abort("connectionreset")
            case "late":
                time.sleep(self._chance.uniform(0.01, 0.2))
                route.continue_()
            case "twice":
                route.fetch()
                route.fulfill(response=route.fetch())
            case _:
                route.continue_()


def clear_up_often(context: BrowserContext) -> None:
    """Fire `online` events all the time, so that the page retries at once."""
    context.add_init_script("setInterval(() => dispatchEvent(new Event('online')), 100)")


def brew(context: BrowserContext, weather: Weather) -> None:
    context.route("**/*", weather)
