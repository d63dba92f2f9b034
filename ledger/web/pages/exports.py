"""A night to take along: a list of files, and the lines for the chat."""

from flask import Response, make_response, render_template, url_for

from ledger.language import share_text
from ledger.recorder import Problem, ProblemCode
from ledger.recorder.exports import Exported, Format, export
from ledger.web.access import link_to
from ledger.web.pages.blueprint import Data, board_of, pages
from ledger.web.recording import recorder
from ledger.web.speaking import speaker


@pages.get("/n/<night:night>/export")
def exports(night: str) -> str:
    """What the night can be taken along as."""
    link = link_to(night)
    board = board_of(link)
    return render_template(
        "exports.html",
        place_here="ledger",
        board=board,
        share=share_lines(night),
    )


@pages.get("/n/<night:night>/export/<format>")
def download(night: str, format: str) -> Response:
    """One of the files, for everyone who may read the night."""
    link_to(night)
    if format not in set(Format):
        raise Problem(ProblemCode.NOT_FOUND)
    file = _export(night, Format(format))
    response = make_response(file.text.encode())
    response.content_type = f"{file.media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=file.name)
    return response


def share_lines(night: str) -> str:
    """The night in a few lines for the chat."""
    return _export(night, Format.SHARE).text.rstrip()


def _export(night: str, format: Format) -> Exported:
    address = url_for("pages.table", night=night, _external=True)

    def share(account: Data) -> str:
        return share_text(account, speaker(), address)

    return export(recorder(), night, format, words=speaker().words, share=share)
