"""Settle up the night: outstanding transfers, those handed over, and each player's statement; and the exports of
the night, as files and as lines for a chat."""

from dataclasses import dataclass

from flask import Response, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Problem, ProblemCode, Role
from ledger.recorder.exports import Format, export
from ledger.recorder.exports.bg_stats import play_link
from ledger.recorder.exports.share import share, share_text
from ledger.recorder.views.settle_up import SettleUpView
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.heavy_work import costly_page
from ledger.web.pages.people import addresses, only_here
from ledger.web.pages.seasons import groups_with
from ledger.web.pages.shared.blueprint import Notice, for_programs, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.reading import release
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form
from ledger.web.security import hold_secrets


@pages.get("/n/<night:night>/settle-up")
@costly_page
def settle_up(visit: NightVisit) -> Response:
    """The outstanding transfers, as few as possible, and those handed over."""
    return _answer(visit)


@pages.post("/n/<night:night>/settle-up")
def record_paid(night: str) -> AnyResponse:
    """Record a transfer as handed over, or undo that with the same transfer in the other direction."""
    visit = visit_as_keeper(night)
    fields = read_form()
    worth = dict(zip(("amount", "currency"), forms.one(fields, "worth").split(), strict=False))
    asked = forms.event(fields, "paid", worth=worth or None)
    account = visit.night.settle_up()
    backs = [one.back for one in account.handed_over if not one.given_back]
    offered = {one.id for one in (*account.transfers, *backs)}
    if asked.id not in offered.union(account.recorded):
        words = speaker().gettext("Meanwhile something else was recorded. This is what is outstanding now.")
        return _answer(visit, Notice(words, status=409))
    try:
        visit.record(asked)
    except Problem as problem:
        return _answer(visit, refused(problem))
    return redirect(url_for("pages.settle_up", night=night), 303)


@pages.get("/n/<night:night>/settle-up/<player>")
@costly_page
def statement(visit: NightVisit, player: str) -> Response:
    """The statement of a player: the payments behind the balance, grouped by the other player."""
    board, account = visit.board(), visit.night.settle_up()
    if player not in account.statements:
        raise Problem(ProblemCode.NOT_FOUND)
    own, ledger = account.statements[player], account.ledger
    return night_page(
        "ledger/statement.html",
        board,
        place_here="ledger",
        player=player,
        account=account,
        statement=own,
        payments={one.other: [ledger.payments[index] for index in one.indexes] for one in own.dealings},
        results=[round.number for round in ledger.rounds if round.result],
    )


def _answer(visit: NightVisit, notice: Notice | None = None) -> Response:
    board, account = visit.board(), visit.night.settle_up()
    chat = chat_lines(visit, account)
    page = night_page(
        "ledger/settle_up.html",
        board,
        notice,
        place_here="ledger",
        account=account,
        groups=groups_with(visit),
        chat=chat,
        picture=share(account, speaker()),
        bg_stats=play_link(account.ledger),
    )
    return chat.answered(page)


# Exports


@pages.get("/n/<night:night>/export")
@costly_page
def exports(visit: NightVisit) -> Response:
    """The list of exports."""
    board, account = visit.board(), visit.night.settle_up()
    chat = chat_lines(visit, account)
    bg_stats = play_link(account.ledger)
    return chat.answered(
        night_page("ledger/exports.html", board, place_here="ledger", chat=chat, bg_stats=bg_stats)
    )


@pages.get("/n/<night:night>/export/<format>")
@costly_page
def download(visit: NightVisit, format: str) -> Response:
    """An export as a file, for every reader of the night."""
    if format not in set(Format):
        raise Problem(ProblemCode.NOT_FOUND)
    release()
    file = export(recorder(), visit.link.night, Format(format), speaker(), coded=for_programs())
    response = make_response(file.text.encode())
    response.content_type = f"{file.media_type}; charset=utf-8"
    response.headers.set("Content-Disposition", "attachment", filename=file.name)
    return response


@dataclass(frozen=True, slots=True)
class ChatLines:
    """The result of a night in a few lines for a chat."""

    text: str
    may_link: bool
    """Whether they may end with the watchers' link."""
    linked: bool
    """Whether they end with it."""

    def answered(self, page: Response) -> Response:
        """A page that shows them, protected if they contain the link."""
        return hold_secrets(page) if self.linked else page


def chat_lines(visit: NightVisit, account: SettleUpView) -> ChatLines:
    """The chat lines of a night. They have no address, which would open nothing without a link; the keeper may add
    the watchers' link (`?link=watch`) unless the host is a loopback address."""
    may = visit.link.role is Role.KEEPER and not only_here()
    linked = may and request.args.get("link") == "watch"
    address = addresses(visit.night.tokens()).watch if linked else ""
    return ChatLines(share_text(account, speaker(), address), may, linked)
