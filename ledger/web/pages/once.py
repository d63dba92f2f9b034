"""A page that many phones ask for is written once.

Whatever such a page shows of a night comes from its log and its names. While nothing is appended, all who see the
same are handed what was written for the first of them: when a move is recorded, every phone of the table comes for
its page at the same moment. Only the ids of the forms on it are made for each.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from itertools import chain, zip_longest
from threading import Lock
from typing import Any
from uuid import uuid4

from flask import Response, current_app, g, make_response, request
from flask.typing import ResponseReturnValue

from ledger.recorder import Role
from ledger.web.access import visits_to
from ledger.web.pages.blueprint import pages
from ledger.web.preferences import phone, speaker

View = Callable[..., ResponseReturnValue]

_MOST_BYTES = 1 << 19
_BYTES_OF_ADDRESS = 4096
"""A server takes no longer ones; a page that there is not has one, too."""
_EXTENSION = "tienlen-pages"


class _Page:
    """A written page: the state that it shows, and its text, split where the ids of its forms go."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.as_of = ""
        self.parts: list[bytes] = []

    def size(self) -> int:
        return _BYTES_OF_ADDRESS + sum(map(len, self.parts))


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


def written_once(*, unless: Role | None = None) -> Callable[[View], View]:
    """Write the page that a view answers for the first who asks, and hand it to those who see the same; `unless`
    they come as somebody who has it alone. The view is given the link that they come by; what it shows must come
    from the night's log, its names, the address, the visitor's links and the phone's settings."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answered(night: str, **where: Any) -> ResponseReturnValue:
            visits = visits_to(night)
            if visits[0].link.role is unless:
                return view(visits[0].link, **where)
            language = speaker().language
            shelf: _Shelf = current_app.extensions[_EXTENSION]
            where_asked = (request.scheme, request.host, request.full_path)
            seen_by = tuple((visit.link.role, visit.link.player) for visit in visits)
            page = shelf.page((where_asked, seen_by, language, phone()))
            as_of = visits[0].etag(language)
            # All come at once: one writes it, the others wait.
            with page.lock:
                if page.as_of == as_of:
                    return make_response(_put_together(page.parts))
                try:
                    response = make_response(view(visits[0].link, **where))
                    page.as_of, page.parts = as_of, _taken_apart(response)
                    return response
                finally:
                    shelf.make_room()

        return answered

    return decorate


@pages.app_template_global()
def fresh_id() -> str:
    """The id of what a form records."""
    made = str(uuid4())
    g.setdefault("form_ids", []).append(made)
    return made


def _taken_apart(response: Response) -> list[bytes]:
    rest, parts = response.get_data(), []
    for made in g.get("form_ids", ()):
        part, _, rest = rest.partition(made.encode())
        parts.append(part)
    return [*parts, rest]


def _put_together(parts: list[bytes]) -> bytes:
    ids = (str(uuid4()).encode() for _ in parts[1:])
    return b"".join(chain.from_iterable(zip_longest(parts, ids, fillvalue=b"")))
