"""A page that many phones ask for is written once.

Whatever such a page shows of a night comes from its log and its names. While nothing is appended, all who see the
same are handed what was written for the first of them: when a move is recorded, every phone of the table comes for
its page at the same moment. A page with forms, each of which has an id of its own, is written for each who asks.
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
from ledger.web.pages.blueprint import pages
from ledger.web.preferences import phone, speaker

View = Callable[..., ResponseReturnValue]

_MOST_BYTES = 1 << 19
_BYTES_OF_ADDRESS = 4096
"""A server takes no longer ones; a page that there is not has one, too."""
_EXTENSION = "tienlen-pages"


class _Page:
    """A written page, and the state that it shows."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.as_of = ""
        self.text = b""

    def size(self) -> int:
        return _BYTES_OF_ADDRESS + len(self.text)


class _Shelf:
    """The pages that one process wrote lately, so many bytes of them at the most."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: OrderedDict[Any, _Page] = OrderedDict()

    def page(self, key: Any) -> _Page:
        with self._lock:
            page = self._pages.setdefault(key, _Page())
            self._pages.move_to_end(key)
            return page

    def make_room(self) -> None:
        with self._lock:
            held = sum(page.size() for page in self._pages.values())
            while held > _MOST_BYTES:
                _, oldest = self._pages.popitem(last=False)
                held -= oldest.size()


pages.record(lambda state: state.app.extensions.setdefault(_EXTENSION, _Shelf()))


def written_once(view: View) -> View:
    """Write the page that a view answers for the first who asks, and hand it to those who see the same, unless it
    has forms. The view is given the link that they come by; what it shows must come from the night's log, its
    names, the address, the visitor's links and the phone's settings."""

    @wraps(view)
    def answered(night: str, **where: Any) -> ResponseReturnValue:
        visits = visits_to(night)
        language = speaker().language
        shelf: _Shelf = current_app.extensions[_EXTENSION]
        where_asked = (request.scheme, request.host, request.full_path)
        seen_by = tuple((visit.link.role, visit.link.player) for visit in visits)
        page = shelf.page((where_asked, seen_by, language, phone()))
        as_of = visits[0].etag(language)
        # All come at once: one writes it, the others wait.
        with page.lock:
            if page.as_of == as_of:
                return make_response(page.text)
            try:
                response = make_response(view(visits[0].link, **where))
                if not g.get("has_forms"):
                    page.as_of, page.text = as_of, response.get_data()
                return response
            finally:
                shelf.make_room()

    return answered


@pages.app_template_global()
def fresh_id() -> str:
    """The id of what a form records."""
    g.has_forms = True
    return str(uuid4())
