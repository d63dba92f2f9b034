"""Proof in the players' hands: the code of a head on every page, comparing it with another phone's, and the page
that verifies an export offline."""

from dataclasses import dataclass
from enum import StrEnum

from flask import Response, make_response, render_template, request, url_for

from ledger.language.offline import offline_page
from ledger.recorder import HeadCode, head_code, read_code
from ledger.web.access import link_to
from ledger.web.pages.blueprint import Data, board_of, pages
from ledger.web.qr import picture
from ledger.web.recording import recorder


class Held(StrEnum):
    """What a code turns out to be, held against this server's log."""

    SAME = "same"
    OTHER = "other"
    BEYOND = "beyond"
    """The log ends before the entry that it is of."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What another phone has seen, and the same entry here: its hash in hexadecimal, and its code."""

    theirs: HeadCode
    held: Held
    hash: str = ""
    code: str = ""


@pages.app_template_global()
def compare_link(board: Data) -> str:
    """Where another phone compares its own head with this page's."""
    code = read_code(board["code"])
    head = f"{code.seq}-{code.characters}"
    return url_for("pages.compare", night=board["id"], head=head, _external=True)


pages.add_app_template_global(picture, "qr")


@pages.get("/n/<night:night>/compare")
def compare(night: str) -> Response:
    """Another phone's code (`?head=412-7K3Q9FZDMW2HXA4T`) beside this server's log; a script on the page holds it
    against what this phone has seen."""
    link = link_to(night)
    typed = request.args.get("head", "")
    seen = _seen(link.night, typed)
    wrong = bool(typed) and seen is None
    page = render_template(
        "compare.html", place_here="", board=board_of(link), typed=typed, seen=seen, wrong=wrong
    )
    return make_response(page, 400 if wrong else 200)


def _seen(night: str, typed: str) -> Seen | None:
    """A code that was typed or scanned, held against the log; None if it is none, or names no entry."""
    try:
        code = read_code(typed)
    except ValueError:
        return None
    if code.seq is None:
        return None
    log = recorder().log(night, after=max(code.seq - 1, 0), limit=1)
    if code.seq > log["seq"]:
        return Seen(code, Held.BEYOND)
    hash: str = (log["events"][0] if code.seq else log["night"])["hash"]
    here = bytes.fromhex(hash)
    return Seen(code, Held.SAME if code.is_of(here) else Held.OTHER, hash, head_code(code.seq, here))


@pages.get("/verify.html")
def offline() -> Response:
    """The page that verifies an export, to be kept: it needs no server."""
    response = make_response(offline_page())
    response.headers["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response
