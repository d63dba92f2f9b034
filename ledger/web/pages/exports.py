"""A night to take along: a list of files, and the lines for the chat."""

from dataclasses import dataclass

from flask import Response, make_response, request

from ledger.recorder import Link, NightSnapshot, Problem, ProblemCode, Role
from ledger.recorder.exports import Format, export
from ledger.recorder.exports.bg_stats import play_link
from ledger.recorder.exports.share import share_text
from ledger.recorder.views.settle_up import SettleUpView
from ledger.web.access import link_to
from ledger.web.pages.blueprint import board_in, night_page, pages
from ledger.web.pages.people import addresses, only_here
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.server.compression import hold_secrets
from ledger.web.server.heavy_work import costly_page


@pages.get("/n/<night:night>/export")
@costly_page
def exports(night: str) -> Response:
    """What the night can be taken along as."""
    link = link_to(night)
    with recorder().night(link.night) as seen:
        board, account = board_in(seen, link), seen.settle_up()
        chat = chat_lines(seen, account, link)
    bg_stats = play_link(account.ledger)
    return chat.answered(night_page("exports.html", board, place_here="ledger", chat=chat, bg_stats=bg_stats))


@pages.get("/n/<night:night>/export/<format>")
@costly_page
def download(night: str, format: str) -> Response:
    """One of the files, for everyone who may read the night."""
    link_to(night)
    if format not in set(Format):
        raise Problem(ProblemCode.NOT_FOUND)
    file = export(recorder(), night, Format(format), speaker(), coded=for_programs())
    response = make_response(file.text.encode())
    response.content_type = f"{file.media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=file.name)
    return response


def for_programs() -> bool:
    """Whether a table is asked for by columns that are the same in every language (`?columns=codes`)."""
    return request.args.get("columns") == "codes"


@dataclass(frozen=True, slots=True)
class ChatLines:
    """The account of a night in a few lines for the chat."""

    text: str
    may_link: bool
    """Whether they may end with the watchers' link."""
    linked: bool
    """Whether they do."""

    def answered(self, page: Response) -> Response:
        """The page that shows them."""
        return hold_secrets(page) if self.linked else page


def chat_lines(seen: NightSnapshot, account: SettleUpView, link: Link) -> ChatLines:
    """They end with no address, since the night opens to nobody without a link. The keeper may add the watchers'
    link (`?link=watch`), where it opens on other phones."""
    may = link.role is Role.KEEPER and not only_here()
    linked = may and request.args.get("link") == "watch"
    address = addresses(seen.tokens()).watch if linked else ""
    return ChatLines(share_text(account, speaker(), address), may, linked)
