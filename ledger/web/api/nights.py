"""Opening a night and reading it."""

from flask import Response, request
from werkzeug.http import quote_etag

from ledger.game.notation import write
from ledger.recorder.moves_file import write as write_moves
from ledger.web import opening, schemas
from ledger.web.access import link_to, visit_to
from ledger.web.api import answers
from ledger.web.api.answers import OpenedNight
from ledger.web.api.calls import JSON, JSON_LINES, TEXT, answer, call
from ledger.web.pages.people import addresses
from ledger.web.preferences import language, speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_json
from ledger.web.schemas import load, load_query
from ledger.web.server.heavy_work import costly_page

_NEW_NIGHT = schemas.NewNight()
_LEDGER_PAGE = schemas.LedgerPage()
_ASKED_AGAIN = {"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Authorization, Cookie"}
"""What phones ask for again and again is kept by them alone, and never shown unasked."""


@call(
    "/nights",
    "POST",
    takes={JSON: schemas.NewNight},
    answers={201: {JSON: answers.Opened}, 200: {JSON: answers.Opened}},
    errors=(400, 403, 409, 413, 415, 422, 429, 503),
    public=True,
)
def open_night() -> Response:
    """Open a night and answer its links.

    Repeated with the same secret and the same terms, it answers the same, at any time, with the links of then.
    Without that secret it is answered with 409 and no link.
    """
    night, opened = opening.open_night(**load(_NEW_NIGHT, read_json()))
    told = OpenedNight(night, opened.seq, opened.hash, addresses(opened.tokens), opened.tokens)
    return answer(told, 201 if opened.created else 200)


@call(
    "/nights/<night:night>", answers={200: {JSON: answers.Board}, 304: {}}, errors=(400, 401, 404, 429, 503)
)
def read_board(night: str) -> Response:
    """The board: everything that a page needs, so that no page judges anything itself.

    Asked again with its `ETag`, it is answered with 304 where nothing has changed.
    """
    visit = visit_to(night)
    etag = visit.etag(language())
    about = {**_ASKED_AGAIN, "ETag": quote_etag(etag)}
    if request.if_none_match.contains_weak(etag):
        return Response(status=304, headers=about, content_type=JSON)
    with recorder().night(night) as seen:
        shown = seen.board(visit.link, speaker().finding)
    response = answer(shown)
    response.headers.extend(about)
    return response


@call(
    "/nights/<night:night>/ledger",
    query=schemas.LedgerPage,
    answers={200: {JSON: answers.Ledger}},
    errors=(400, 401, 404, 429, 503),
)
def read_ledger(night: str) -> Response:
    """The payments of some rounds, the balances of all, and the running totals by round.

    What belongs to no round (payments by hand, waivers) comes with the first rounds: asked for part after part,
    each payment comes once.
    """
    link_to(night)
    page = load_query(_LEDGER_PAGE)
    with recorder().night(night) as seen:
        account = seen.ledger(after_round=page["after"], limit=page["limit"])
    return answer(account)


@call("/nights/<night:night>/moves", answers={200: {JSON_LINES: TEXT}}, errors=(401, 404, 429, 503))
@costly_page
def read_moves(night: str) -> Response:
    """The night as JSON lines: first the night, then one event a line.

    Each event is as it is asked to be recorded, without ids; `/moves-schema.json` describes a line. `/score` takes
    the lines, and so does the import of another installation.
    """
    link_to(night)
    with recorder().night(night) as seen:
        whole = seen.whole()
    return Response(write_moves(whole), content_type=JSON_LINES)


@call("/nights/<night:night>/replay", answers={200: {"text/plain": TEXT}}, errors=(401, 404, 429, 503))
@costly_page
def read_replay(night: str) -> Response:
    """The night as text, in the replay notation.

    `/score` takes it, and so does the import of another installation.
    """
    link_to(night)
    with recorder().night(night) as seen:
        whole = seen.whole()
    return Response(write(whole), content_type="text/plain; charset=utf-8")
