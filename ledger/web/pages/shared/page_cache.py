"""Caches of rendered pages, and of parts of pages: one that many phones request is rendered once.

Such a page depends only on the night's log and names. Until something is appended, all visitors who see the same
page get the copy rendered for the first: after each move every phone of the table requests its page at the same
moment. A page with forms, each of which has an id of its own, is not cached.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from flask import current_app, g, make_response, request
from flask.typing import ResponseReturnValue

from ledger.recorder import NightSnapshot
from ledger.recorder.cache import Cache, size_of
from ledger.web.access import visit_night
from ledger.web.pages.shared.blueprint import pages
from ledger.web.preferences import phone, speaker
from ledger.web.reading import release

View = Callable[..., ResponseReturnValue]

MOST_BYTES = 1 << 19
BYTES_OF_ADDRESS = 4096
"""The longest address that a server accepts, counted for each page, cached or not."""
EXTENSION = "tienlen-pages"
MOST_BYTES_OF_PARTS = 6 << 20
"""The most that one process holds of parts, and of the values that they show."""
EXTENSION_OF_PARTS = "tienlen-parts"
_Part = TypeVar("_Part")


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
pages.record(lambda state: state.app.extensions.setdefault(EXTENSION_OF_PARTS, Cache(MOST_BYTES_OF_PARTS)))


def cached_page(view: View) -> View:
    """Cache the page that a view returns, for visitors who see the same, unless it has forms. The view gets the
    visit; its page must depend only on the night's log and names, the address, the visitor's links and the phone's
    settings."""

    @wraps(view)
    def answered(night: str, **where: Any) -> ResponseReturnValue:
        visit = visit_night(night)
        language = speaker().language
        cache: _PageCache = current_app.extensions[EXTENSION]
        where_asked = (request.scheme, request.host, request.full_path)
        seen_by = tuple((link.role, link.player) for link in (visit.link, *visit.held))
        page = cache.page((where_asked, seen_by, language, phone()))
        # All phones come at once: one request renders the page, the others wait.
        if not page.lock.acquire(blocking=False):
            release()
            page.lock.acquire()
        try:
            as_of = visit.etag(language)
            if page.as_of == as_of:
                return make_response(page.text)
            response = make_response(view(visit, **where))
            if not g.get("has_forms"):
                page.as_of, page.text = as_of, response.get_data()
            return response
        finally:
            cache.make_room()
            page.lock.release()

    return answered


@pages.app_template_global()
def fresh_id() -> str:
    """A new id for the event of a form; a page that has one is not cached."""
    g.has_forms = True
    return str(uuid4())


def parts_by_round(
    night: NightSnapshot,
    what: Hashable,
    shown: Mapping[int, object],
    render: Callable[[int], _Part],
    variant: Hashable = None,
) -> list[_Part]:
    """For each round in `shown`, what `render` makes of it: of its values there, `variant`, the language and the
    address of the site alone. It is rendered again where its values have changed."""
    cache: Cache = current_app.extensions[EXTENSION_OF_PARTS]
    key = speaker().language, request.script_root, variant
    known = cache.get(night.id, what, key)
    parts = {**known.value} if known else {}
    missing = [
        number for number, values in shown.items() if number not in parts or parts[number][0] != values
    ]
    for number in missing:
        part = render(number)
        parts[number] = shown[number], part, size_of((shown[number], part))
    if missing:
        cache.put(night.id, what, night.head, parts, sum(size for _, _, size in parts.values()), key)
    return [parts[number][1] for number in shown]
