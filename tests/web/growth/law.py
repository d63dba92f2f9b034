"""The law of costs: no request costs more than twice as much when something is twice as large, none asks more
statements, and none costs more than a moment at the largest size that is allowed."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from werkzeug.test import TestResponse

from tests.case_files import CASES
from tests.web.growth.metering import Scale, Weight
from tests.web.growth.worlds import World
from tests.web.routes import STATUSES, Asked, Route

_ROWS: Final[Any] = tomllib.loads((CASES / "growth.toml").read_text(encoding="utf-8"))
ALLOWED: Final = _ROWS["allowed"]
"""Thing that grows -> route -> how it breaks the law."""
LIKE_OTHERS: Final = _ROWS["like others"]
"""Kind of entry -> why it is not measured."""
BOUNDS: Final = {"calls": 300_000, "queued": 3_000_000, "size": 1_000_000}
SLACK: Final = 1_000
"""Calls by which two measurements of the same request may differ."""
_PLAYS: Final = {Route("POST", rule) for rule in ("/n/<night:night>", "/api/v1/nights/<night:night>/events")}
IN_ORDER: Final = sorted(
    STATUSES, key=lambda route: (route.method == "POST", route not in _PLAYS, "agree" not in route.rule)
)
"""Every route once, so that none finds that an earlier one has ended what it needs."""


def findings(sizes: Sequence[int], weights: Sequence[Weight], most: int) -> Iterator[str]:
    """How the costs of a request over some sizes break the law: `statements`, `faster`, and the bounds that it is
    beyond at the largest size."""
    both = list(zip(sizes, weights, strict=True))
    alike = [pair for pair in pairwise(both) if len({one.status for _, one in pair}) == 1]
    if any(more.statements > less.statements for (_, less), (_, more) in alike):
        yield "statements"
    slopes = [(more.work - less.work) / (size - before) for (before, less), (size, more) in alike]
    if any(more.work > less.work * size / before + SLACK for (before, less), (size, more) in alike) or any(
        later * sizes[0] > 1.3 * max(earlier, 0) * sizes[0] + SLACK for earlier, later in pairwise(slopes)
    ):
        yield "faster"
    for name, bound in BOUNDS.items():
        costs = [getattr(one, name) for one in weights]
        further = (
            (costs[-1] - costs[-2]) / (sizes[-1] - sizes[-2]) * (most - sizes[-1]) if len(costs) > 1 else 0
        )
        if costs[-1] + further > bound:
            yield name


def warmed(world: World, routes: Iterable[Route] = IN_ORDER) -> Scale:
    """Weighs requests to an application that has answered these routes before."""
    for route in routes:
        answer(world, route, world.asked(route))
        go_on(world, route)
    return Scale(world.place.app)


def weigh(scale: Scale, world: World, route: Route, asked: Asked, cookie: str = "") -> Weight:
    """What a request costs."""
    with scale.installed():
        return scale.weigh(lambda: answer(world, route, asked, cookie))


def answer(world: World, route: Route, asked: Asked, cookie: str = "") -> TestResponse:
    """Send a request as the phone of a world, with one more cookie."""
    headers = world.headers
    if cookie:
        headers["Cookie"] += f"; {cookie}"
    if route.rule.startswith("/api/"):
        headers["Authorization"] = f"Bearer {world.table.token('keeper')}"
    return world.place.app.test_client(use_cookies=False).open(
        asked.path,
        method=asked.method,
        query_string=asked.query,
        data=asked.body.encode() or None,
        content_type=asked.content_type or None,
        headers=headers,
        buffered=True,
    )


def go_on(world: World, route: Route) -> None:
    """Take back a play, so that the next route that records one finds the same table."""
    if route in _PLAYS:
        world.table.caught_up().tell("undo")


def is_answered(route: Route, status: int) -> bool:
    """Whether a valid request is answered as in `routes.txt`, whose keeper has no seat and no group."""
    listed = STATUSES[route]["keeper"]
    return status == listed or (listed in (302, 401, 403, 404) and status < 400)
