"""A cache of rendered pages: one that many phones request is rendered once.

Such a page depends only on the night's log and names. Until something is appended, all visitors who see the same
page get the copy rendered for the first: after each move every phone of the table requests its page at the same
moment. A page with forms, each of which has an id of its own, is not cached.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any
from uuid import uuid4

from flask import current_app, g, make_response, request
from flask.typing import ResponseReturnValue

from ledger.web.access import visits_to
from ledger.web.pages.shared.blueprint import pages
from ledger.web.preferences import phone, speaker

View = Callable[..., ResponseReturnValue]

MOST_BYTES = 1 << 19
BYTES_OF_ADDRESS = 4096
"""The longest address that a server accepts, counted for each page, cached or not."""
EXTENSION = "tienlen-pages"


class _Page:
    """A cached page, and the ETag of the state that it shows."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.as_of = ""
        self.text = b""

    def size(self) -> int:
        return BYTES_OF_ADDRESS + len(self.text)


class _PageCache:
    """A process's cache of pages, limited in bytes; the least recently used go first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: OrderedDict[Any, _Page] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pages)

    def page(self, key: Any) -> _Page:
        with self._lock:
            page = self._pages.setdefault(key, _Page())
            self._pages.move_to_end(key)
            return page

    def make_room(self) -> None:
        with self._lock:
            held = sum(page.size() for page in self._pages.values())
            while held > MOST_BYTES:
                _, oldest = self._pages.popitem(last=False)
                held -= oldest.size()


pages.record(lambda state: state.app.extensions.setdefault(EXTENSION, _PageCache()))


def cached_page(view: View) -> View:
    """Cache the page that a view returns, for visitors who see the same, unless it has forms. The view gets the
    visitor's link; its page must depend only on the night's log and names, the address, the visitor's links and the
    phone's settings."""

    @wraps(view)
    def answered(night: str, **where: Any) -> ResponseReturnValue:
        visits = list(visits_to(night))
        language = speaker().language
        cache: _PageCache = current_app.extensions[EXTENSION]
        where_asked = (request.scheme, request.host, request.full_path)
        seen_by = tuple((visit.link.role, visit.link.player) for visit in visits)
        page = cache.page((where_asked, seen_by, language, phone()))
        as_of = visits[0].etag(language)
        # All phones come at once: one request renders the page, the others wait.
        with page.lock:
            if page.as_of == as_of:
                return make_response(page.text)
            try:
                response = make_response(view(visits[0].link, **where))
                if not g.get("has_forms"):
                    page.as_of, page.text = as_of, response.get_data()
                return response
            finally:
                cache.make_room()

    return answered


@pages.app_template_global()
def fresh_id() -> str:
    """A new id for the event of a form; a page that has one is not cached."""
    g.has_forms = True
    return str(uuid4())
