"""A night to take along: a list of files, and the lines for the chat."""

from flask import Response, make_response, render_template, url_for

from ledger.recorder import Problem, ProblemCode
from ledger.recorder.exports import Format, export
from ledger.recorder.exports.share import share_text
from ledger.recorder.views.settle_up import SettleUpView
from ledger.web.access import link_to
from ledger.web.pages.blueprint import board_in, pages
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.server.heavy_work import costly_page


@pages.get("/n/<night:night>/export")
@costly_page
def exports(night: str) -> str:
    """What the night can be taken along as."""
    link = link_to(night)
    with recorder().night(link.night) as seen:
        board, account = board_in(seen, link), seen.settle_up()
    return render_template("exports.html", place_here="ledger", board=board, share=share_lines(account))


@pages.get("/n/<night:night>/export/<format>")
@costly_page
def download(night: str, format: str) -> Response:
    """One of the files, for everyone who may read the night."""
    link_to(night)
    if format not in set(Format):
        raise Problem(ProblemCode.NOT_FOUND)
    file = export(recorder(), night, Format(format), speaker(), address=_address_of(night))
    response = make_response(file.text.encode())
    response.content_type = f"{file.media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=file.name)
    return response


def share_lines(account: SettleUpView) -> str:
    """The account of a night in a few lines for the chat."""
    return share_text(account, speaker(), _address_of(account.ledger.night))


def _address_of(night: str) -> str:
    return url_for("pages.table", night=night, _external=True)
