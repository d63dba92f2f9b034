"""Work that takes a processor for long: one request of a process at a time does it, for whoever still waits for it.

More at once would not be quicker, and would take all threads from those who ask for little. Texts that anybody
sends, and pages that are made of whole nights for whoever has a link, wait in lines of their own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import Any, Final, TypeVar, cast

from flask import Flask, Response, current_app, request

from ledger.web.access import link_to
from ledger.web.problems import WebCode, web_problem

MOST: Final = 16
"""Requests of a process that do such work, or wait for it, in each line; others are told to come again."""
HUNG_UP_STATUS: Final = 499
"""Of the answer that nobody reads, in the log: what nginx calls a request whose client has closed it."""
_LOOK_SECONDS: Final = 0.1
"""How often one that waits looks whether whoever asked has hung up."""
_EXTENSION: Final = "tienlen-costly"
_View = TypeVar("_View", bound=Callable[..., Any])


class HungUp(Exception):
    """Whoever sent this request has hung up, so that nothing is worked out for it."""


class _Places:
    def __init__(self) -> None:
        self.all = BoundedSemaphore(MOST)
        self.worker = Lock()


def set_heavy_work(app: Flask) -> None:
    """Let an app have such work. To be called before a server forks: each process has places of its own."""
    app.extensions[_EXTENSION] = {"text": _Places(), "page": _Places()}
    app.register_error_handler(HungUp, lambda _: Response(status=HUNG_UP_STATUS))


def costly_page(view: _View) -> _View:
    """A view of a whole night, made as `costly` says; whoever has no link waits in no line."""

    @wraps(view)
    def in_turn(night: str, **rest: Any) -> Any:
        link_to(night)
        with costly("page"):
            return view(night, **rest)

    return cast(_View, in_turn)


@contextmanager
def costly(sort: str) -> Iterator[None]:
    """Wait until no other request of this process does costly work of this sort ("text", "page"). Raises a Problem
    (503) if too many wait, HungUp as soon as whoever asked has hung up."""
    places: _Places = current_app.extensions[_EXTENSION][sort]
    if not places.all.acquire(blocking=False):
        raise web_problem(WebCode.BUSY)
    try:
        hung_up = hang_up_of_request()
        while not places.worker.acquire(timeout=_LOOK_SECONDS):
            if hung_up():
                raise HungUp
        try:
            if hung_up():
                raise HungUp
            yield
        finally:
            places.worker.release()
    finally:
        places.all.release()


def hang_up_of_request() -> Callable[[], bool]:
    """A function that says, in any thread, whether whoever sent this request has hung up; False under a server that
    does not notice."""
    asked: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return asked
