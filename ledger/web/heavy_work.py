"""Heavy work: one request at a time does it in each process, and only while its client waits.

More at once would not be faster, and would take the threads from light requests. So that these come in between, a
request that has waited begins after a pause. There are two queues: texts, which anyone may send, and pages made of
a whole night, which need a link.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import Any, Final, TypeVar, cast

from flask import Flask, Response, current_app, request

from ledger.web.access import visit_night
from ledger.web.problems import WebCode, web_problem
from ledger.web.reading import release

MOST: Final = 16
"""The most requests of a process in each queue, including the running one; further ones are answered with 503."""
HUNG_UP_STATUS: Final = 499
"""The status, as in nginx, that the log has for a request whose client has disconnected."""
_LOOK_SECONDS: Final = 0.1
"""The interval at which a waiting request checks whether its client has hung up."""
_PAUSE: Final = 2
"""The length of the pause between two waiting requests, in times of the work before it; `_LOOK_SECONDS` at most."""
_EXTENSION: Final = "tienlen-costly"
_View = TypeVar("_View", bound=Callable[..., Any])


class HungUp(Exception):
    """The client has hung up, so its answer is not computed."""


class _Places:
    def __init__(self) -> None:
        self.all = BoundedSemaphore(MOST)
        self.worker = Lock()
        self.paused_until = 0.0


def set_heavy_work(app: Flask) -> None:
    """Give an app its queues. Call this before a server forks: each process then has queues of its own."""
    app.extensions[_EXTENSION] = {"text": _Places(), "page": _Places()}
    app.register_error_handler(HungUp, lambda _: Response(status=HUNG_UP_STATUS))


def costly_page(view: _View) -> _View:
    """Decorate a view of a whole night, which gets the visit, to wait in the page queue. Without a link nobody
    waits."""

    @wraps(view)
    def in_turn(night: str, **rest: Any) -> Any:
        visit = visit_night(night)
        with costly("page"):
            return view(visit, **rest)

    return cast(_View, in_turn)


@contextmanager
def costly(sort: str) -> Iterator[None]:
    """Wait until no other request of this process does costly work of this sort ("text", "page"). Raises a Problem
    (503) if too many wait, and HungUp as soon as the client has hung up."""
    places: _Places = current_app.extensions[_EXTENSION][sort]
    if not places.all.acquire(blocking=False):
        raise web_problem(WebCode.BUSY)
    try:
        hung_up = hang_up_of_request()
        if not places.worker.acquire(blocking=False):
            release()
            while not places.worker.acquire(timeout=_LOOK_SECONDS):
                if hung_up():
                    raise HungUp
            sleep(max(0, places.paused_until - monotonic()))
        began = monotonic()
        try:
            if hung_up():
                raise HungUp
            yield
        finally:
            ended = monotonic()
            places.paused_until = ended + min(_PAUSE * (ended - began), _LOOK_SECONDS)
            places.worker.release()
    finally:
        places.all.release()


def hang_up_of_request() -> Callable[[], bool]:
    """A function, for any thread, that returns whether this request's client has hung up; always False under a
    server that does not detect it."""
    asked: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return asked
