"""Verification by players: the code of the head on every page, its comparison with another phone's, and the page
that verifies an export offline."""

from dataclasses import dataclass
from enum import StrEnum

from flask import Response, make_response, request, url_for

from ledger.language.offline import offline_page
from ledger.recorder import HeadCode, NightSnapshot, Problem, ProblemCode, head_code, read_code
from ledger.recorder.views.night import Board
from ledger.web.access import visit_night
from ledger.web.pages.people import picture_file
from ledger.web.pages.shared.blueprint import night_page, pages


class Held(StrEnum):
    """The result of comparing a code with this server's log."""

    SAME = "same"
    OTHER = "other"
    BEYOND = "beyond"
    """The log ends before the code's entry."""


@dataclass(frozen=True, slots=True)
class ComparedHead:
    """Another phone's code, and the same entry in this log: its hash in hexadecimal, and its code."""

    theirs: HeadCode
    held: Held
    hash: str = ""
    code: str = ""


@pages.app_template_global()
def compare_link(board: Board) -> str:
    """The address at which another phone compares its head with this page's."""
    return _compare_link(board.id, read_code(board.code))


@pages.app_template_global()
def compare_picture(board: Board) -> str:
    """The address of that link's QR code. Drawn on request: it takes longer than the rest of a page."""
    return url_for("pages.draw", night=board.id, head=_typed(read_code(board.code)))


@pages.get("/n/<night:night>/compare")
def compare(night: str) -> Response:
    """Compare another phone's code (`?head=412-7K3Q9FZDMW2HXA4T`) with this server's log; a script on the page
    compares it with what this phone has seen."""
    visit = visit_night(night)
    typed = request.args.get("head", "")
    board, compared = visit.board(), _compared(visit.night, typed)
    wrong = bool(typed) and compared is None
    status = 400 if wrong else 200
    return night_page(
        "proof/compare.html", board, status=status, place_here="", typed=typed, seen=compared, wrong=wrong
    )


@pages.get("/n/<night:night>/compare.svg")
def draw(night: str) -> Response:
    """The QR code of the link that compares a head (`?head=`) with this server's log."""
    visit_night(night)
    named = _named(request.args.get("head", ""))
    if named is None:
        raise Problem(ProblemCode.NOT_FOUND)
    _, code = named
    return Response(picture_file(_compare_link(night, code)), mimetype="image/svg+xml")


def _compare_link(night: str, code: HeadCode) -> str:
    return url_for("pages.compare", night=night, head=_typed(code), _external=True)


def _typed(code: HeadCode) -> str:
    """A code as addresses have it: `412-7K3Q9FZDMW2HXA4T`."""
    return f"{code.seq}-{code.characters}"


def _compared(night: NightSnapshot, typed: str) -> ComparedHead | None:
    """The comparison of a typed or scanned code with the log; None if it is invalid or names no entry."""
    named = _named(typed)
    if named is None:
        return None
    seq, code = named
    log = night.log(after=max(seq - 1, 0), limit=1)
    if seq > log.seq:
        return ComparedHead(code, Held.BEYOND)
    entry = log.events[0] if seq else log.night
    assert entry is not None, "a log from its start"
    hash = entry.hash
    here = bytes.fromhex(hash)
    return ComparedHead(code, Held.SAME if code.is_of(here) else Held.OTHER, hash, head_code(seq, here))


def _named(typed: str) -> tuple[int, HeadCode] | None:
    """The seq that a code names, and the code; None if it is invalid or names no entry."""
    try:
        code = read_code(typed)
    except ValueError:
        return None
    return None if code.seq is None else (code.seq, code)


@pages.get("/verify.html")
def offline() -> Response:
    """The page that verifies an export without a server, as a download."""
    response = make_response(offline_page())
    response.headers["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response
