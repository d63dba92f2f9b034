"""Settling up the night: who still hands what to whom, what was handed over, and the payments behind it."""

from flask import Response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.recorder import Link, Problem, ProblemCode
from ledger.recorder.exports.bg_stats import play_link
from ledger.recorder.exports.share import share
from ledger.web import forms
from ledger.web.access import keeper_link, link_to
from ledger.web.pages.blueprint import Notice, board_in, night_page, pages, refused
from ledger.web.pages.exports import chat_lines
from ledger.web.pages.seasons import groups_with
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form
from ledger.web.server.heavy_work import costly_page


@pages.get("/n/<night:night>/settle-up")
@costly_page
def settle_up(night: str) -> Response:
    """The transfers that are still outstanding, as few as there can be, and those that were handed over."""
    return _answer(link_to(night))


@pages.post("/n/<night:night>/settle-up")
def record_paid(night: str) -> AnyResponse:
    """Tick a transfer as handed over, or take the tick back by the same transfer the other way round."""
    link = keeper_link(night)
    request = forms.paid(read_form())
    with recorder().night(link.night) as seen:
        account = seen.settle_up()
    backs = [one.back for one in account.handed_over if not one.given_back]
    offered = {one.id for one in (*account.transfers, *backs)}
    if request.id not in offered.union(account.recorded):
        words = speaker().gettext("Meanwhile something else was recorded. This is what is outstanding now.")
        return _answer(link, Notice(words, status=409))
    try:
        recorder().record(link.night, request, link)
    except Problem as problem:
        return _answer(link, refused(problem))
    return redirect(url_for("pages.settle_up", night=link.night), 303)


@pages.get("/n/<night:night>/settle-up/<player>")
@costly_page
def statement(night: str, player: str) -> Response:
    """How one player came to a balance: every payment, by whom it was with."""
    link = link_to(night)
    with recorder().night(link.night) as seen:
        board, account = board_in(seen, link), seen.settle_up()
    if player not in account.statements:
        raise Problem(ProblemCode.NOT_FOUND)
    told, ledger = account.statements[player], account.ledger
    return night_page(
        "statement.html",
        board,
        place_here="ledger",
        player=player,
        statement=told,
        payments={one.other: [ledger.payments[place] for place in one.places] for one in told.dealings},
        results=[round.number for round in ledger.rounds if round.result],
    )


def _answer(link: Link, notice: Notice | None = None) -> Response:
    with recorder().night(link.night) as seen:
        board, account = board_in(seen, link), seen.settle_up()
        chat = chat_lines(seen, account, link)
    page = night_page(
        "settle_up.html",
        board,
        notice,
        place_here="ledger",
        account=account,
        groups=groups_with(link),
        chat=chat,
        picture=share(account, speaker()),
        bg_stats=play_link(account.ledger),
    )
    return chat.answered(page)
